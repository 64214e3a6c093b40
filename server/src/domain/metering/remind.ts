import { allowanceAt, durationOf, percentOf } from './quota.ts';
import { statusOf } from './status.ts';
import type { Holding } from './types.ts';

/** A duration without cycles reminds by the clock too, when so much of it has run. */
export const remindsAt = (holding: Holding): number => {
  const { policy, activated_at, cycle, package_type } = holding;
  if (!policy || activated_at === null || cycle || package_type === 'flow') return Infinity;
  return activated_at + percentOf(durationOf(holding), policy.ratio);
};

/** How much of the quota may be used before the reminder; 0 or less once it is due, without end if there is none. */
export const roomToReminder = (holding: Holding, at: number): number => {
  const allowance = allowanceAt(holding, at);
  if (!holding.policy || !allowance) return Infinity;
  return percentOf(allowance.limit, holding.policy.ratio) - allowance.used;
};

/** Usage only grows within a cycle, so this turns true once in each. */
export const isReminded = (holding: Holding, at: number): boolean =>
  statusOf(holding, at) !== 'expired' && (roomToReminder(holding, at) <= 0 || remindsAt(holding) <= at);
