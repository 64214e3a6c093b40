export interface Turns {
  /** Resolves when it is the caller's turn; the result releases it. */
  take(): Promise<() => void>;
}

/** A semaphore: at most `most` callers run at once, the others wait in FIFO order. */
export const inTurn = (most: number): Turns => {
  let working = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else working--;
  };
  /** A second release of the same turn has no effect. */
  const once = () => {
    let ended = false;
    return () => {
      if (!ended) release();
      ended = true;
    };
  };
  return {
    take: async () => {
      if (working < most) working++;
      else await new Promise<void>((start) => waiting.push(start));
      return once();
    },
  };
};
