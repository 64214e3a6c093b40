type Closer = {
  readonly close: () => Promise<unknown>;
  /** For the second Ctrl-C: the least that must happen, without waiting for it to finish. */
  readonly abandon?: () => Promise<unknown>;
};

const patienceMs = 30_000;
/** One Ctrl-C arrives several times: from the terminal, from npm, from the starter. */
const samePressMs = 700;

const closers: Closer[] = [];
let ending: Promise<never> | undefined;

export const onShutdown = (closer: Closer) => {
  closers.unshift(closer);
};

const within = (work: Promise<unknown>) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  return Promise.race([work.catch(() => {}), promise]).finally(() => clearTimeout(timer));
};

/** Closes what was opened, last first, then ends the process with the code that `say` gives. Later calls join the first. */
export const shutdown = (say: () => number): Promise<never> => {
  ending ??= (async () => {
    for (const { close } of closers) await within(close());
    process.exit(say());
  })();
  return ending;
};

export const stopOnSignal = (say: (line: string) => void) => {
  let first = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (first === 0) {
      first = Date.now();
      say('Stopping…');
      shutdown(() => 0);
    } else if (signal === 'SIGINT' && Date.now() - first > samePressMs) {
      // Only what is ready at once gets its turn.
      for (const { abandon } of closers) abandon?.().catch(() => {});
      setImmediate(() => process.exit(1));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
};
