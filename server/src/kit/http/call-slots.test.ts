import { afterEach, expect, test, vi } from 'vitest';
import { Refusal } from '../fail.ts';
import { type Caller, openCallSlots } from './call-slots.ts';

afterEach(() => {
  vi.useRealTimers();
});

const caller = (session: string, vno = session): Caller => ({ session, vno });

/** Calls that end when the test ends them. */
const openSlots = (connections: number) => {
  const slots = openCallSlots(connections);
  const ends: (() => void)[] = [];
  const begin = (by: Caller) =>
    slots.run(by, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  /** Starts a call without awaiting its end. */
  const start = (by: Caller) => void begin(by).catch(() => {});
  return { slots, ends, begin, start };
};
const queueRun = () => new Promise((done) => setImmediate(done));

test('one session leaves slots for its VNO, and one VNO for the others', async () => {
  const { start, ends } = openSlots(20);
  for (let i = 0; i < 20; i++) start(caller('a', 'blue'));
  await queueRun();
  expect(ends).toHaveLength(8);
  for (let i = 0; i < 20; i++) start(caller(`b${i}`, 'blue'));
  await queueRun();
  expect(ends).toHaveLength(10);
  for (let i = 0; i < 20; i++) start(caller(`c${i}`, 'red'));
  await queueRun();
  // The rest of the 20 connections is reserved for gateways, jobs and sessions.
  expect(ends).toHaveLength(14);
});

test('waiting calls begin in order when a call ends, also by an error', async () => {
  const slots = openCallSlots(2);
  const order: number[] = [];
  const first = slots.run(caller('a'), () => Promise.reject(new Error('broken')));
  const rest = [1, 2, 3].map((n) =>
    slots.run(caller('a'), async () => {
      order.push(n);
    }),
  );
  await expect(first).rejects.toThrow('broken');
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
});

test('a session with too many waiting calls is refused at once, another one is not', async () => {
  const { begin, start, slots } = openSlots(20);
  for (let i = 0; i < 8 + 200; i++) start(caller('a'));
  await expect(begin(caller('a'))).rejects.toMatchObject({ reason: 'busy' });
  expect(await slots.run(caller('b'), async () => 'served')).toBe('served');
});

test('a call that waits too long is refused as busy', async () => {
  vi.useFakeTimers();
  const { begin, start } = openSlots(2);
  start(caller('a'));
  const late = begin(caller('b'));
  const refused = expect(late).rejects.toBeInstanceOf(Refusal);
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
});
