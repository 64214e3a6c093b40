export interface Turns {
  /** Resolves when it is the caller's turn; the result ends it. */
  take(): Promise<() => void>;
}

/** A semaphore: at most this many work at once, the others wait in the order in which they came. */
export const inTurn = (most: number): Turns => {
  let working = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else working--;
  };
  /** Ending a turn twice must not let two others in. */
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
