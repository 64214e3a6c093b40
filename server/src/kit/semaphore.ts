export interface Semaphore {
  /** Resolves when a slot is free; the result releases the slot. */
  acquire(): Promise<() => void>;
}

/** A semaphore: at most `limit` callers run at once, the others wait in FIFO order. */
export const openSemaphore = (limit: number): Semaphore => {
  let working = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else working--;
  };
  /** A second release of the same slot has no effect. */
  const once = () => {
    let ended = false;
    return () => {
      if (!ended) release();
      ended = true;
    };
  };
  return {
    acquire: async () => {
      if (working < limit) working++;
      else await new Promise<void>((start) => waiting.push(start));
      return once();
    },
  };
};
