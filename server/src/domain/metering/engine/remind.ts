import { allowanceAt, durationOf, percentOf } from './quota.ts';
import { statusOf } from './status.ts';
import type { Holding } from './types.ts';

/** Reminder time of a duration without cycles, at the given share of the duration. */
export const remindsAt = (holding: Holding): number => {
  const { policy, activated_at, cycle, package_type } = holding;
  if (!policy || activated_at === null || cycle || package_type === 'flow') return Infinity;
  return activated_at + percentOf(durationOf(holding), policy.ratio);
};

/** Quota left before the reminder; 0 or less once it is due, infinite without a reminder. */
export const quotaUntilReminder = (holding: Holding, at: number): number => {
  const allowance = allowanceAt(holding, at);
  if (!holding.policy || !allowance) return Infinity;
  return percentOf(allowance.limit, holding.policy.ratio) - allowance.used;
};

/** Usage only increases within a cycle, so this becomes true once per cycle. */
export const isReminded = (holding: Holding, at: number): boolean =>
  statusOf(holding, at) !== 'expired' && (quotaUntilReminder(holding, at) <= 0 || remindsAt(holding) <= at);
