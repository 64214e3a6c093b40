import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFairQueue } from './fair-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lingerMs = 10;

test('a batch waits for more requests, but not when as many wait as usual', async () => {
  const batches: number[][] = [];
  const queue = openFairQueue<number>({
    perClient: 10,
    inTotal: 10,
    batch: 10,
    workers: 1,
    maxWaitMs: 1000,
    lingerMs,
    work: async (items) => void batches.push([...items]),
    drop: () => {},
  });
  const addFour = () => [1, 2, 3, 4].map((client) => queue.add(client, client));

  queue.add(1, 1);
  await vi.advanceTimersByTimeAsync(lingerMs - 1);
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([[1]]);

  addFour();
  await vi.advanceTimersByTimeAsync(0);
  expect(batches.at(-1)).toEqual([1, 2, 3, 4]);

  queue.add(1, 1);
  await vi.advanceTimersByTimeAsync(lingerMs - 1);
  expect(batches).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches.at(-1)).toEqual([1]);
});
