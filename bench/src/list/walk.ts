import { allCases, type Get } from './cases.ts';

/** Calls near the limit are repeated more often than fast or very slow ones. */
const repeatsFor = (ms: number) => (ms > 500 ? 3 : ms > 40 ? 12 : 4);

export interface Timed {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

const timeOf = async (ask: () => Promise<unknown>) => {
  const start = performance.now();
  await ask();
  return performance.now() - start;
};

/** Of few calls, the 95th percentile is the slowest one. So many calls decide whether that one was an exception. */
const decisiveCalls = 60;

const shareOf = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** One caller, sequential calls. */
const measureCase = async (ask: () => Promise<unknown>, slowMs: number): Promise<readonly number[]> => {
  await ask();
  const times = [await timeOf(ask)];
  for (let left = repeatsFor(times[0] ?? 0); left > 0; left--) times.push(await timeOf(ask));
  const isUnclear = shareOf(times, 0.95) > slowMs && shareOf(times, 0.5) <= slowMs;
  while (isUnclear && times.length < decisiveCalls) times.push(await timeOf(ask));
  return times;
};

/** Undefined if this caller may not use the call. A slow call is printed at once, because the complete table takes minutes. */
export const timeCase = async (name: string, ask: () => Promise<unknown>, slowMs: number): Promise<Timed | undefined> => {
  const times = await measureCase(ask, slowMs).catch(() => undefined);
  if (!times) return undefined;
  const found = { name, p50: shareOf(times, 0.5), p95: shareOf(times, 0.95) };
  if (found.p95 > slowMs) process.stderr.write(`${found.p95.toFixed(0).padStart(7)} ms  ${found.name}\n`);
  else if (times.length >= decisiveCalls)
    process.stderr.write(`        slowest ${Math.max(...times).toFixed(0)} ms, p95 ${found.p95.toFixed(0)} ms  ${found.name}\n`);
  return found;
};

export const walkLists = async (get: Get, slowMs: number, only?: RegExp): Promise<Timed[]> => {
  const timed: Timed[] = [];
  for (const { path, what, query } of await allCases(get, only)) {
    const found = await timeCase(`${path} ${what}`, () => get(`${path}?${query}`), slowMs);
    if (found) timed.push(found);
  }
  return timed;
};
