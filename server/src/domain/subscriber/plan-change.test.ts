import { Random } from '@farlink/contract/kit/random.ts';
import { expect, test } from 'vitest';
import type { Capacity, Holding, MeterState } from '../metering/engine/types.ts';
import { packageGrantsOf } from '../metering/store/grant-packages.ts';
import { planChange } from './plan-change.ts';
import { unusedAmount } from './unused-amount.ts';

const day = 86_400;
const now = 1_750_000_000;

const holding = (capacity: Capacity, more: Partial<Omit<Holding, keyof Capacity>> = {}): Holding => ({
  id: 1,
  kind: 'online',
  speeds: { up_speed: 0, down_speed: 0, up_guarantee: 0, down_guarantee: 0 },
  priority: 100,
  start_at: now - day,
  expire_at: null,
  activated_at: null,
  cycle: null,
  policy: null,
  used: { bytes: 0, seconds: 0 },
  cycles: {},
  first_cycle: 0,
  ...more,
  ...capacity,
});
const stateOf = (...holdings: Holding[]): MeterState => ({ clock: 0, holdings, overrun: { bytes: 0, seconds: 0 } });
const month = { package_type: 'time', time_capacity: 30 * day } as const;
const flow = { package_type: 'flow', flow_capacity: 1000 } as const;

/** A fraction of two integers, independent of the code under test. */
type Ratio = readonly [over: bigint, under: bigint];
const isLarger = ([a, b]: Ratio, [c, d]: Ratio) => a * d > c * b;

/** Refund from first principles: paid x (1 - the larger used share), cents rounded down. */
const oracle = (h: Holding, paid: bigint, at: number): bigint => {
  const cut = h.package_type === 'flow' ? Infinity : (h.activated_at ?? Infinity) + h.time_capacity;
  const end = Math.min(cut, h.expire_at ?? Infinity);
  if (at >= end) return 0n;
  if (h.activated_at === null || h.activated_at > at) return paid;
  const shares: Ratio[] = [];
  if (h.package_type !== 'flow') shares.push([BigInt(at - h.activated_at), BigInt(end - h.activated_at)]);
  if (h.package_type !== 'time') shares.push([BigInt(Math.min(h.used.bytes, h.flow_capacity)), BigInt(h.flow_capacity)]);
  const used = shares.reduce((a, b) => (isLarger(b, a) ? b : a));
  const left = paid * (used[1] - used[0]);
  return (left - (left % used[1])) / used[1];
};

const randomHolding = (random: Random): Holding => {
  const time_capacity = random.int(60, 400 * day);
  const flow_capacity = random.int(1, 10) * 1024 ** random.int(1, 4);
  const capacity = (
    [
      { package_type: 'time', time_capacity },
      { package_type: 'flow', flow_capacity },
      { package_type: 'time_flow', time_capacity, flow_capacity },
    ] as const
  )[random.int(0, 2)] ?? { package_type: 'time', time_capacity };
  const activated_at = random.int(0, 9) === 0 ? null : now - random.int(0, 500 * day);
  return holding(capacity, {
    activated_at,
    start_at: activated_at ?? now - random.int(0, day),
    expire_at: random.int(0, 2) === 0 ? now + random.int(-day, 300 * day) : null,
    used: { bytes: random.int(0, Math.floor(flow_capacity * 1.1)), seconds: random.int(0, time_capacity) },
  });
};

test('the refund is exact to the cent for any holding and usage', () => {
  const random = new Random(20_260_801);
  const wrong: unknown[] = [];
  for (let i = 0; i < 100_000; i++) {
    const h = randomHolding(random);
    const paid = BigInt(random.int(0, 10_000_000));
    const refund = unusedAmount(h, paid, now);
    const later = unusedAmount(h, paid, now + random.int(0, 100 * day));
    if (refund !== oracle(h, paid, now) || refund < 0n || refund > paid || later > refund) wrong.push({ h, paid, refund, later });
  }
  expect(wrong).toEqual([]);
});

test('an immediate change ends the online packages and refunds their unused part', () => {
  const running = holding(month, { id: 1, activated_at: now - 10 * day });
  const waiting = holding(month, { id: 2 });
  const ended = holding(month, { id: 3, activated_at: now - 40 * day });
  const extra = holding(flow, { id: 4, kind: 'extra', activated_at: now - day });
  const paid = new Map([
    [1, 9800n],
    [2, 9000n],
    [3, 9800n],
    [4, 1200n],
  ]);
  const change = planChange(stateOf(running, waiting, ended, extra), paid, 'now', now);
  const ends = [
    { id: 1, at: now },
    { id: 2, at: now },
  ];
  expect(change).toEqual({ ends, refund: 6533n + 9000n, start_at: now });
});

test('a change for the next cycle keeps the current package, and the new one starts at its end', () => {
  const running = holding(month, { id: 1, activated_at: now - 10 * day });
  const waiting = holding(month, { id: 2 });
  const change = planChange(stateOf(running, waiting), new Map([[2, 9000n]]), 'next', now);
  expect(change).toEqual({ ends: [{ id: 2, at: now }], refund: 9000n, start_at: now + 20 * day });
});

test('a change for the next cycle replaces a periodic package without an end at its next reset', () => {
  const cycle = { length: 7, unit: 'day', quota: 10 } as const;
  const endless = holding(
    { package_type: 'flow', flow_capacity: 100 },
    { activated_at: now - 10 * day, cycle, used: { bytes: 15, seconds: 0 }, cycles: { 0: 10, 1: 5 } },
  );
  const change = planChange(stateOf(endless), new Map([[1, 10_000n]]), 'next', now);
  // 80 of 100 bytes are left when the current cycle is over.
  expect(change).toEqual({ ends: [{ id: 1, at: now + 4 * day }], refund: 8000n, start_at: now + 4 * day });
});

test('a change for the next cycle is refused if the current package has neither end nor cycle, or has not started', () => {
  const refused = expect.objectContaining({ reason: 'change_no_end' });
  const endless = holding(flow, { activated_at: now - day });
  expect(() => planChange(stateOf(endless), new Map(), 'next', now)).toThrow(refused);
  expect(() => planChange(stateOf(holding(month)), new Map(), 'next', now)).toThrow(refused);
  expect(planChange(stateOf(), new Map(), 'next', now)).toEqual({ ends: [], refund: 0n, start_at: now });
});

test('a payment for several packages is divided without losing a cent', () => {
  const grant = { subscriber_id: 1, agent_id: 1, package_id: 1 };
  for (const [paid, count] of [
    [10000n, 3],
    [9999n, 36],
    [0n, 5],
    [7n, 1],
  ] as const) {
    const grants = packageGrantsOf({ ...grant, count }, paid);
    expect(grants.reduce((n, g) => n + g.count, 0)).toBe(count);
    expect(grants.reduce((sum, g) => sum + BigInt(g.price.replace('.', '')) * BigInt(g.count), 0n)).toBe(paid);
  }
});
