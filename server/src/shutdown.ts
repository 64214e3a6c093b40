type Closer = {
  readonly close: () => Promise<unknown>;
  /** For the second Ctrl-C: the least that must happen, without waiting for it to finish. */
  readonly abandon?: () => Promise<unknown>;
  /** The others use it until they are closed, so it has its own time. */
  readonly isStorage?: boolean;
};

/** All services together, and each storage: less than ten seconds in all, the usual patience of a supervisor. */
const [servicesMs, storageMs] = [6500, 1500];
/** One Ctrl-C arrives several times: from the terminal, from npm, from the starter. */
const samePressMs = 700;

const closers: Closer[] = [];
let ending: Promise<never> | undefined;

export const onShutdown = (closer: Closer) => {
  closers.unshift(closer);
};

const within = (work: Promise<unknown>, ms: number) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([work.catch(() => {}), promise]).finally(() => clearTimeout(timer));
};

/** Closes what was opened, last first, then ends the process with the code that `say` gives. Later calls join the first. */
export const shutdown = (say: () => number): Promise<never> => {
  ending ??= (async () => {
    const until = performance.now() + servicesMs;
    for (const { close, isStorage } of closers) await within(close(), isStorage ? storageMs : Math.max(0, until - performance.now()));
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
