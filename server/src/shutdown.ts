type Closer = {
  readonly close: () => Promise<unknown>;
  /** For the second Ctrl-C: the minimum that must happen, without waiting for it. */
  readonly abandon?: () => Promise<unknown>;
  /** Storage is used by the others until they are closed, so it has a separate time limit. */
  readonly isStorage?: boolean;
};

/** Time limits for all services together and for each storage: less than ten seconds in total, the usual limit of a supervisor. */
const servicesMs = 6500;
const storageMs = 1500;
/** One Ctrl-C arrives several times: from the terminal, from npm, from the start script. */
const samePressMs = 700;

const closers: Closer[] = [];
const drains: (() => Promise<unknown>)[] = [];
let ending: Promise<never> | undefined;

export const onShutdown = (closer: Closer) => {
  closers.unshift(closer);
};

/** Runs before anything is closed, outside the time limits. */
export const onDrain = (drain: () => Promise<unknown>) => {
  drains.push(drain);
};

const within = (work: Promise<unknown>, ms: number) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([work.catch(() => {}), promise]).finally(() => clearTimeout(timer));
};

/** Closes everything in reverse order, then ends the process with the code of `exitCode`. Later calls join the first. */
export const shutdown = (exitCode: () => number): Promise<never> => {
  ending ??= (async () => {
    await Promise.all(drains.map((drain) => drain().catch(() => {})));
    const until = performance.now() + servicesMs;
    for (const { close, isStorage } of closers) await within(close(), isStorage ? storageMs : Math.max(0, until - performance.now()));
    process.exit(exitCode());
  })();
  return ending;
};

export const stopOnSignal = (print: (line: string) => void) => {
  let first = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (first === 0) {
      first = Date.now();
      print('Stopping…');
      shutdown(() => 0);
    } else if (signal === 'SIGINT' && Date.now() - first > samePressMs) {
      // Only steps that finish at once are done.
      for (const { abandon } of closers) abandon?.().catch(() => {});
      setImmediate(() => process.exit(1));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
};
