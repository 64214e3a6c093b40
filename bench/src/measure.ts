export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
}

/** Runs `once` for so many seconds with so many at a time; a warm-up second goes before. */
export const measure = async (once: () => Promise<void>, seconds = 5, atATime = 8): Promise<Measured> => {
  const lap = async (until: number, times?: number[]) => {
    while (performance.now() < until) {
      const start = performance.now();
      await once();
      times?.push(performance.now() - start);
    }
  };
  const all = (until: number, times?: number[]) => Promise.all(Array.from({ length: atATime }, () => lap(until, times)));
  await all(performance.now() + 1000);
  const times: number[] = [];
  const start = performance.now();
  await all(start + seconds * 1000, times);
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p95: at(0.95) };
};

export const table = (title: string, rows: readonly (readonly [string, string, string?])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write(
    `\n${title}\n${rows.map(([name, value, target]) => `  ${name.padEnd(width)}  ${value.padStart(12)}${target ? `   ${target}` : ''}`).join('\n')}\n`,
  );
};
