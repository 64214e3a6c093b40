import { fail } from '../../kit/fail.ts';
import { endOf, hasBegun, statusOf } from '../metering/status.ts';
import type { MeterState } from '../metering/types.ts';
import { unusedAmount } from './unused-amount.ts';

export interface Change {
  readonly ends: readonly number[];
  /** Refund in cents for their unused part. */
  readonly refund: bigint;
  readonly start_at: number;
}

/**
 * Plans a change of the online package. `now`: all holdings end and their unused part is refunded. `next`: running holdings continue to
 * their end, and waiting ones are refunded in full.
 */
export const planChange = (state: MeterState, paid: ReadonlyMap<number, bigint>, effect: 'now' | 'next', now: number): Change => {
  const current = state.holdings.filter((h) => h.kind === 'online' && statusOf(h, now) !== 'expired');
  const running = current.filter((h) => hasBegun(h, now));
  const replaced = effect === 'now' ? current : current.filter((h) => !running.includes(h));
  if (effect === 'next' && running.length === 0 && replaced.length > 0) throw fail('change_no_end');
  const start_at = effect === 'now' ? now : Math.max(now, ...running.map(endOf));
  if (start_at === Infinity) throw fail('change_no_end');
  return {
    ends: replaced.map((h) => h.id),
    refund: replaced.reduce((sum, h) => sum + unusedAmount(h, paid.get(h.id) ?? 0n, now), 0n),
    start_at,
  };
};
