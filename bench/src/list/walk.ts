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

/** One caller, sequential calls. */
const measureCase = async (ask: () => Promise<unknown>): Promise<readonly number[]> => {
  await ask();
  const times = [await timeOf(ask)];
  for (let left = repeatsFor(times[0] ?? 0); left > 0; left--) times.push(await timeOf(ask));
  return times.sort((a, b) => a - b);
};

/** Undefined if this caller may not use the call. A slow call is printed at once, because the complete table takes minutes. */
export const timeCase = async (name: string, ask: () => Promise<unknown>, slowMs: number): Promise<Timed | undefined> => {
  const times = await measureCase(ask).catch(() => undefined);
  if (!times) return undefined;
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const found = { name, p50: at(0.5), p95: at(0.95) };
  if (found.p95 > slowMs) process.stderr.write(`${found.p95.toFixed(0).padStart(7)} ms  ${found.name}\n`);
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
