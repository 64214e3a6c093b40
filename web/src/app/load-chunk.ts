import { limits } from '@farlink/contract/limits.ts';

const retries = 2;
const firstWaitMs = 400;
const reloadedKey = 'farlink-reloaded';

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A chunk of the console that could not be loaded. */
export class ChunkError extends Error {}

const within = <T>(chunk: Promise<T>, ms: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new ChunkError('too late')), ms);
  });
  return Promise.race([chunk, timeout]).finally(() => clearTimeout(timer));
};

export const importRetry = async <T>(load: () => Promise<T>, left = retries, ms = firstWaitMs): Promise<T> => {
  try {
    return await within(load(), limits.chunkTimeoutMs);
  } catch (cause) {
    if (left === 0) throw new ChunkError('chunk not loaded', { cause });
    await wait(ms);
    return importRetry(load, left - 1, ms * 2);
  }
};

/** A reload may bring a newer build. Returns true once per path, until a chunk is loaded again. */
export const mayReload = (path: string): boolean => {
  if (sessionStorage.getItem(reloadedKey) === path) return false;
  sessionStorage.setItem(reloadedKey, path);
  return true;
};

export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  const chunk = await importRetry(load);
  sessionStorage.removeItem(reloadedKey);
  return chunk;
};
