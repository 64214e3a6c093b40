import { limits } from '@farlink/contract/limits.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkError, importRetry } from './load-chunk.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('loads a failed chunk again', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('page');
  const chunk = importRetry(load);
  await vi.runAllTimersAsync();
  expect(await chunk).toBe('page');
  expect(load).toHaveBeenCalledTimes(2);
});

test('gives up on a chunk after three failures', async () => {
  const load = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'));
  const refused = expect(importRetry(load)).rejects.toBeInstanceOf(ChunkError);
  await vi.runAllTimersAsync();
  await refused;
  expect(load).toHaveBeenCalledTimes(3);
});

test('gives up on a chunk that hangs', async () => {
  const load = vi.fn(() => new Promise(() => undefined));
  const refused = expect(importRetry(load, 0)).rejects.toBeInstanceOf(ChunkError);
  await vi.advanceTimersByTimeAsync(limits.chunkTimeoutMs);
  await refused;
});
