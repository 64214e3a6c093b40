import { fail } from '../../kit/fail.ts';
import { nextReset, remainingQuotaAt } from '../metering/engine/quota.ts';
import { endOf, hasBegun, statusOf } from '../metering/engine/status.ts';
import type { Holding, MeterState } from '../metering/engine/types.ts';
import { unusedAmount } from './unused-amount.ts';

export interface HoldingEnd {
  readonly id: number;
  readonly at: number;
}

export interface Change {
  /** New ends of holdings. */
  readonly ends: readonly HoldingEnd[];
  /** Refund in cents for their unused part. */
  readonly refund: bigint;
  readonly start_at: number;
}

/** A periodic package without an end continues to its next reset. */
const lastsUntil = (holding: Holding, now: number) => (endOf(holding) === Infinity ? nextReset(holding, now) : endOf(holding));

/** The current cycle is paid for, used or not. */
const unusedAfterCycle = (holding: Holding, paid: bigint, now: number): bigint => {
  const { bytes, seconds } = holding.used;
  return unusedAmount({ ...holding, used: { bytes: bytes + remainingQuotaAt(holding, now), seconds } }, paid, now);
};

/**
 * Plans a change of the online package. `now`: all holdings end and their unused part is refunded. `next`: running holdings continue to
 * their end, or to their next reset without one, and waiting ones are refunded in full.
 */
export const planChange = (state: MeterState, paid: ReadonlyMap<number, bigint>, effect: 'now' | 'next', now: number): Change => {
  const current = state.holdings.filter((h) => h.kind === 'online' && statusOf(h, now) !== 'expired');
  const running = current.filter((h) => hasBegun(h, now));
  const replaced = effect === 'now' ? current : current.filter((h) => !running.includes(h));
  if (effect === 'next' && running.length === 0 && replaced.length > 0) throw fail('change_no_end');
  const start_at = effect === 'now' ? now : Math.max(now, ...running.map((h) => lastsUntil(h, now)));
  if (start_at === Infinity) throw fail('change_no_end');
  const cut = effect === 'now' ? [] : running.filter((h) => endOf(h) === Infinity);
  const paidFor = (h: Holding) => paid.get(h.id) ?? 0n;
  const refunds = [...replaced.map((h) => unusedAmount(h, paidFor(h), now)), ...cut.map((h) => unusedAfterCycle(h, paidFor(h), now))];
  return {
    ends: [...replaced.map(({ id }) => ({ id, at: now })), ...cut.map((h) => ({ id: h.id, at: lastsUntil(h, now) }))],
    refund: refunds.reduce((sum, amount) => sum + amount, 0n),
    start_at,
  };
};
