import { durationOf, remainingQuotaAt } from './quota.ts';
import type { Holding, PackageStatus } from './types.ts';

/** First second after the end. */
export const endOf = (holding: Holding): number =>
  Math.min(holding.expire_at ?? Infinity, (holding.activated_at ?? Infinity) + durationOf(holding));

export const hasBegun = ({ activated_at }: Holding, at: number): boolean => activated_at !== null && activated_at <= at;

export const statusOf = (holding: Holding, at: number): PackageStatus => {
  if (at >= endOf(holding)) return 'expired';
  if (at < holding.start_at) return 'not_active';
  if (!hasBegun(holding, at)) return 'to_be_used';
  return remainingQuotaAt(holding, at) > 0 ? 'normal' : 'exhausted';
};

const runs = (holding: Holding, at: number): boolean => ['normal', 'exhausted'].includes(statusOf(holding, at));

/** Online packages that are normal or exhausted. An extra package can be used only on top of one of these. */
export const runningOnline = (holdings: readonly Holding[], at: number): Holding[] =>
  holdings.filter((holding) => holding.kind === 'online' && runs(holding, at));
