export interface Ticker {
  /** The first run, which starts at once. */
  readonly first: Promise<void>;
  /** Starts no further run. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Repeats the work, one run at a time. The work handles its errors. */
export const startTicker = (work: () => Promise<void>, everyMs: number): Ticker => {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(run, everyMs);
  return {
    first: run(),
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
