export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
}

type Once = () => Promise<void>;

/** So many at a time, again and again until the time is over. */
const lap = async (once: Once, ms: number, atATime: number, times: number[] = []) => {
  const start = performance.now();
  const one = async () => {
    while (performance.now() < start + ms) {
      const begun = performance.now();
      await once();
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
  return performance.now() - start;
};

const measured = (times: number[], ms: number): Measured => {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: (times.length * 1000) / ms, p50: at(0.5), p95: at(0.95) };
};

/** Runs `once` for so many seconds; a warm-up second goes before. */
export const measure = async (once: Once, seconds = 5, atATime = 8): Promise<Measured> => {
  await lap(once, 1000, atATime);
  const times: number[] = [];
  return measured(times, await lap(once, seconds * 1000, atATime, times));
};

/** Two by turns, a second each: what else the machine does meanwhile disturbs both alike. */
export const measureBoth = async (a: Once, b: Once, rounds = 6, atATime = 8): Promise<[Measured, Measured]> => {
  const [timesA, timesB]: [number[], number[]] = [[], []];
  let [msA, msB] = [0, 0];
  for (const once of [a, b]) await lap(once, 1000, atATime);
  for (let round = 0; round < rounds; round++) {
    msA += await lap(a, 1000, atATime, timesA);
    msB += await lap(b, 1000, atATime, timesB);
  }
  return [measured(timesA, msA), measured(timesB, msB)];
};

export const table = (title: string, rows: readonly (readonly [string, string, string?])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write(
    `\n${title}\n${rows.map(([name, value, target]) => `  ${name.padEnd(width)}  ${value.padStart(12)}${target ? `   ${target}` : ''}`).join('\n')}\n`,
  );
};
