import { statusTypes } from '@farlink/gateway/radius/attributes.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/soak.ts';
import type { AccountRequest } from './account-request.ts';
import { foldSession, newSession, nextCounter } from './fold-session.ts';

const seed = 20_261_116;
const begin = 1_750_000_000;
const gigaword = 2 ** 32;

const request = (more: Partial<AccountRequest>): AccountRequest => ({
  status: statusTypes.interim,
  account: 'li',
  acct_id: 'a',
  class: undefined,
  subscriber_id: undefined,
  token: undefined,
  at: begin,
  isTimed: true,
  seconds: undefined,
  input: undefined,
  output: undefined,
  hasGigawords: false,
  cause: undefined,
  mac: undefined,
  ip: undefined,
  nas_ip: undefined,
  vlan: undefined,
  ...more,
});

/** Total usage that the fold charges for requests in this order. */
const charge = (requests: readonly AccountRequest[]) => {
  const [first] = requests;
  if (!first) throw new Error('no request');
  let session = newSession(first, null);
  const total = { up: 0, down: 0, seconds: 0 };
  for (const each of requests) {
    const folded = foldSession(session, each);
    session = folded.session;
    total.up += folded.gain.up;
    total.down += folded.gain.down;
    total.seconds += folded.gain.seconds;
  }
  return { session, total };
};

interface Step {
  readonly seconds: number;
  readonly up: number;
  readonly down: number;
}

/** Expected totals, computed from the steps of the history and not from the requests. */
const expectedTotals = (steps: readonly Step[]) =>
  steps.reduce((sum, step) => ({ up: sum.up + step.up, down: sum.down + step.down, seconds: sum.seconds + step.seconds }), {
    up: 0,
    down: 0,
    seconds: 0,
  });

const steps = (max: number) =>
  fc.array(fc.record({ seconds: fc.integer({ min: 60, max: 900 }), up: fc.nat(max), down: fc.nat(max) }), {
    minLength: 1,
    maxLength: 12,
  });

/** Requests of a NAS for a history: a start, interims, and the last one as a stop. */
const requestsOf = (history: readonly Step[], isNarrow: boolean): AccountRequest[] => {
  const sums = history.map((_, i) => expectedTotals(history.slice(0, i + 1)));
  const counters = ({ up, down }: { up: number; down: number }) =>
    isNarrow ? { input: up % gigaword, output: down % gigaword } : { input: up, output: down, hasGigawords: true };
  const reports = sums.map((sum, i) =>
    request({
      status: i === sums.length - 1 ? statusTypes.stop : statusTypes.interim,
      at: begin + sum.seconds,
      seconds: sum.seconds,
      ...counters(sum),
    }),
  );
  return [request({ status: statusTypes.start, at: begin }), ...reports];
};

const shuffled = <T>(items: readonly T[], keys: readonly number[]): T[] =>
  items
    .map((item, i) => ({ item, key: keys[i] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('accounting of a session', () => {
  it('gives the expected totals for any order, with repetitions and gaps', () => {
    const history = steps(1e11);
    const orders = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 });
    const copies = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 13, maxLength: 13 });
    fc.assert(
      fc.property(history, orders, copies, (made, keys, counts) => {
        const requests = requestsOf(made, false);
        const sent = requests.flatMap((each, i) => Array<AccountRequest>(i === requests.length - 1 ? 1 : (counts[i] ?? 1)).fill(each));
        const { session, total } = charge(shuffled(sent, keys));
        expect(total).toEqual(expectedTotals(made));
        expect([session.up_bytes, session.down_bytes]).toEqual([total.up, total.down]);
        expect(session.logout_at).toBe(begin + total.seconds);
      }),
      { seed, numRuns: runs(100_000, 1000) },
    );
  });

  it('counts wraps of 32 bits when packets are swapped or repeated', () => {
    fc.assert(
      fc.property(steps(2 ** 31 - 1), fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }), (made, swaps) => {
        const sent = requestsOf(made, true);
        for (let i = 1; i + 2 < sent.length; i += 2) {
          const a = sent[i];
          const b = sent[i + 1];
          if (swaps[i] && a && b) [sent[i], sent[i + 1]] = [b, a];
        }
        const { total } = charge(sent.flatMap((each, i) => (swaps[i] ? [each, each] : [each])));
        expect(total).toEqual(expectedTotals(made));
      }),
      { seed, numRuns: runs(100_000, 1000) },
    );
  });

  it('treats a fall of a 64-bit counter, or one that is too large for a wrap, as a reset', () => {
    const order = { isProved: true, isGuessed: false, seconds: 300, isWide: true };
    expect(nextCounter(5000, 20, order)).toEqual({ counter: 20, gain: 20 });
    expect(nextCounter(5000, 20, { ...order, isWide: false, seconds: 1 })).toEqual({ counter: 20, gain: 20 });
    expect(nextCounter(gigaword - 5, 20, { ...order, isWide: false, seconds: 1 })).toEqual({ counter: 20, gain: 25 });
  });

  it('treats a small fall without a session time as an older request', () => {
    const order = { isProved: false, isGuessed: true, seconds: 300, isWide: false };
    expect(nextCounter(5000, 4000, order)).toEqual({ counter: 5000, gain: 0 });
    expect(nextCounter(gigaword - 5, 20, order)).toEqual({ counter: 20, gain: 25 });
  });

  it('has the cause set by the console if the NAS only reports an administrative end', () => {
    const stop = (cause: number) => request({ status: statusTypes.stop, at: begin + 9, seconds: 9, input: 70, output: 50, cause });
    const session = newSession(request({ status: statusTypes.start }), 100);
    const causeOf = (cause: number, end_reason: 'quota' | 'expired' | null = null) =>
      foldSession({ ...session, end_reason }, stop(cause)).session.terminate_cause;
    expect([causeOf(1), causeOf(2), causeOf(4), causeOf(5), causeOf(6), causeOf(10)]).toEqual([
      'user',
      'lost',
      'idle',
      'quota',
      'kick',
      'quota',
    ]);
    expect([causeOf(6, 'quota'), causeOf(6, 'expired'), causeOf(1, 'expired')]).toEqual(['quota', 'expired', 'user']);
  });
});
