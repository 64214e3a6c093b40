import { expect, test } from 'vitest';
import { OpenLoop, percentile, summarize } from './open-loop.ts';

/** A server that answers each message after `delay` ms, except while it is stalled. */
const simulate = (perSecond: number, seconds: number, { delay = 2, stall = [0, 0] }: { delay?: number; stall?: [number, number] } = {}) => {
  const loop = new OpenLoop(1000, perSecond, seconds);
  const waiting: { dueAt: number; doneAt: number }[] = [];
  for (let now = 0; now < 1000 + seconds * 1000 + 5000; now++) {
    loop.tick(
      () => now,
      (dueAt) => {
        const doneAt = now + delay;
        waiting.push({ dueAt, doneAt: doneAt >= stall[0] && doneAt < stall[1] ? stall[1] : doneAt });
        return true;
      },
    );
    for (const { dueAt } of waiting.filter(({ doneAt }) => doneAt === now)) loop.acknowledged(dueAt, now);
  }
  return loop;
};

test('sends at the rate and measures a steady server', () => {
  const loop = simulate(100, 10);
  expect(loop.isDone).toBe(true);
  const { total, acknowledged, p50, p99, longest, sendLagP99 } = summarize([loop.result]);
  expect([total, acknowledged]).toEqual([1000, 1000]);
  expect([p50, p99, longest, sendLagP99]).toEqual([2, 2, 2, 0]);
});

test('counts every message of a stall from its due time', () => {
  // One second of ten: 100 messages wait between 1000 and 0 ms.
  const { result } = simulate(100, 10, { stall: [3000, 4000] });
  const { p50, p99, longest } = summarize([result]);
  expect(p50).toBe(2);
  // The longest 1 % are the ten messages after the tenth longest wait.
  expect(p99).toBeCloseTo(1000 - 10 * 10 + 2, -1);
  expect(longest).toBeGreaterThanOrEqual(1000);
});

test('lets the clock of a message run while no gateway can send it', () => {
  const loop = new OpenLoop(0, 1000, 1);
  let now = 0;
  const sent: number[] = [];
  const tick = (isFree: boolean) =>
    loop.tick(
      () => now,
      (dueAt) => isFree && sent.push(dueAt) > 0,
    );
  tick(false);
  now = 500;
  tick(true);
  expect(sent).toHaveLength(501);
  expect(sent.slice(0, 2)).toEqual([0, 1]);
  loop.acknowledged(0, 700);
  const { latencies, lags, unsent } = loop.result;
  expect([latencies[0], lags[0], lags[500], unsent]).toEqual([700, 500, 0, 499]);
});

test('ignores acknowledgements of an earlier step', () => {
  const loop = new OpenLoop(5000, 10, 1);
  loop.acknowledged(4999, 5001);
  expect(loop.result.latencies).toHaveLength(0);
});

test('takes percentiles by nearest rank over all clients', () => {
  const values = Float64Array.from({ length: 100 }, (_, i) => i + 1);
  expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([50, 99, 100]);
  expect(percentile(new Float64Array(0), 0.99)).toBe(0);
  const half = { total: 2, unsent: 0, lags: new Float64Array(2) };
  const results = [
    { ...half, latencies: Float64Array.of(9, 1) },
    { ...half, latencies: Float64Array.of(5, 3) },
  ];
  expect(summarize(results)).toMatchObject({ total: 4, p50: 3, p99: 9, longest: 9 });
});

test('counts a message without acknowledgement as later than all others', () => {
  const result = { total: 100, unsent: 2, latencies: new Float64Array(98).fill(1), lags: new Float64Array(98) };
  expect(summarize([result])).toMatchObject({
    acknowledged: 98,
    p50: 1,
    p99: Number.POSITIVE_INFINITY,
    sendLagP99: Number.POSITIVE_INFINITY,
  });
});
