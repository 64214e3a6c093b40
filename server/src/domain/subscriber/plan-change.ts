import { fail } from '../../kit/fail.ts';
import { endOf, hasBegun, statusOf } from '../metering/status.ts';
import type { MeterState } from '../metering/types.ts';
import { unusedAmount } from './unused-amount.ts';

export interface Change {
  /** Holdings that end now. */
  readonly ends: readonly number[];
  /** Cents given back for what of them was not used. */
  readonly refund: bigint;
  readonly start_at: number;
}

/**
 * What another online package puts in place of those that an account holds. Now: all of them end, and what was not used is given back.
 * Next: those that run go on to their end, and those that wait behind them are given back whole.
 */
export const planChange = (state: MeterState, paid: ReadonlyMap<number, bigint>, effect: 'now' | 'next', now: number): Change => {
  const held = state.holdings.filter((h) => h.kind === 'online' && statusOf(h, now) !== 'expired');
  const running = held.filter((h) => hasBegun(h, now));
  const replaced = effect === 'now' ? held : held.filter((h) => !running.includes(h));
  if (effect === 'next' && running.length === 0 && replaced.length > 0) throw fail('change_no_end');
  const start_at = effect === 'now' ? now : Math.max(now, ...running.map(endOf));
  if (start_at === Infinity) throw fail('change_no_end');
  return {
    ends: replaced.map((h) => h.id),
    refund: replaced.reduce((sum, h) => sum + unusedAmount(h, paid.get(h.id) ?? 0n, now), 0n),
    start_at,
  };
};
