export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
}

type Once = () => Promise<void>;

/** Runs `atATime` callers until the time is over. */
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

/** Runs `once` for these seconds, after one second of warm-up. */
export const measure = async (once: Once, seconds = 5, atATime = 8): Promise<Measured> => {
  await lap(once, 1000, atATime);
  const times: number[] = [];
  return measured(times, await lap(once, seconds * 1000, atATime, times));
};

/** One of several tasks that are measured in turns. */
export class Turn {
  readonly #once: Once;
  readonly #callers: number;
  readonly #times: number[] = [];
  #ms = 0;
  constructor(once: Once, callers = 8) {
    this.#once = once;
    this.#callers = callers;
  }
  warmUp = () => lap(this.#once, 1000, this.#callers);
  async run() {
    this.#ms += await lap(this.#once, 1000, this.#callers, this.#times);
  }
  get measured() {
    return measured(this.#times, this.#ms);
  }
}

/** One second each, repeated, so other load on the machine affects all of them equally. */
export const runInTurns = async (turns: readonly Turn[], rounds = 6) => {
  for (const turn of turns) await turn.warmUp();
  for (let round = 0; round < rounds; round++) for (const turn of turns) await turn.run();
};

export const table = (title: string, rows: readonly (readonly [string, string, string?])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write(
    `\n${title}\n${rows.map(([name, value, target]) => `  ${name.padEnd(width)}  ${value.padStart(12)}${target ? `   ${target}` : ''}`).join('\n')}\n`,
  );
};

/** Slowdown of the same page for a table 100 times as long. One caller, because a queue would be measured otherwise. */
export const growthLines = (few: Measured, many: Measured) =>
  [
    ['p50 and p95 ms of 10,000 rows, one caller', `${few.p50.toFixed(2)} / ${few.p95.toFixed(2)}`],
    ['p50 and p95 ms of 1,000,000 rows', `${many.p50.toFixed(2)} / ${many.p95.toFixed(2)}`],
    ['p95 growth', `${(many.p95 / few.p95).toFixed(2)}x`, 'target <= 1.30x'],
  ] as const;
