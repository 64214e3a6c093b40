import { allCases, type Get } from './cases.ts';

const repeats = 12;

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

/** One caller, one call after the other; a call that takes long is repeated less often. */
const measureCase = async (ask: () => Promise<unknown>): Promise<readonly number[]> => {
  const first = await timeOf(ask);
  const times: number[] = [];
  for (let i = 0; i < (first > 500 ? 3 : repeats); i++) times.push(await timeOf(ask));
  return times.sort((a, b) => a - b);
};

export const walkLists = async (get: Get, only?: RegExp): Promise<Timed[]> => {
  const timed: Timed[] = [];
  for (const { path, what, query } of await allCases(get, only)) {
    const times = await measureCase(() => get(`${path}?${query}`)).catch(() => undefined);
    if (!times) continue;
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    timed.push({ name: `${path} ${what}`, p50: at(0.5), p95: at(0.95) });
  }
  return timed;
};
