import type { Case, Get } from './cases.ts';

/** Calls near the limit are repeated more often than fast or very slow ones. */
const repeatsFor = (ms: number) => (ms > 500 ? 3 : ms > 40 ? 12 : 4);

export interface Timed {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

const timeOf = async (request: () => Promise<unknown>) => {
  const start = performance.now();
  await request();
  return performance.now() - start;
};

const shareOf = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** One caller, sequential calls. Undefined if this caller may not use the call. */
const firstTimes = async (request: () => Promise<unknown>): Promise<number[] | undefined> => {
  try {
    await request();
    const times = [await timeOf(request)];
    for (let left = repeatsFor(times[0] ?? 0); left > 0; left--) times.push(await timeOf(request));
    return times;
  } catch {
    return undefined;
  }
};

export interface TimedCase {
  readonly name: string;
  readonly request: () => Promise<unknown>;
}

const rounds = 4;
const callsOfRound = 20;

/**
 * Times of all cases. With few calls the 95th percentile is the slowest one, and background work slows several calls in a row. A case
 * with a slow call is therefore measured again, in rounds after all others.
 */
export const timeCases = async (cases: readonly TimedCase[], slowMs: number): Promise<Timed[]> => {
  const measured: { readonly name: string; readonly request: () => Promise<unknown>; readonly times: number[] }[] = [];
  for (const one of cases) {
    const times = await firstTimes(one.request);
    if (times) measured.push({ ...one, times });
  }
  const unclear = measured.filter(({ times }) => shareOf(times, 0.95) > slowMs && shareOf(times, 0.5) <= slowMs);
  for (let round = 0; round < rounds; round++)
    for (const { request, times } of unclear) for (let call = 0; call < callsOfRound; call++) times.push(await timeOf(request));
  for (const { name, times } of unclear) {
    const slow = `slowest ${Math.max(...times).toFixed(0)} ms, p95 ${shareOf(times, 0.95).toFixed(0)} ms of ${times.length} calls`;
    process.stderr.write(`  ${slow}: ${name}\n`);
  }
  return measured.map(({ name, times }) => ({ name, p50: shareOf(times, 0.5), p95: shareOf(times, 0.95) }));
};

export const walkLists = (get: Get, cases: readonly Case[], slowMs: number): Promise<Timed[]> =>
  timeCases(
    cases.map(({ path, what, query }) => ({ name: `${path} ${what}`, request: () => get(`${path}?${query}`) })),
    slowMs,
  );
