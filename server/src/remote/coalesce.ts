export interface Coalesced {
  /** A call during a run gets a run that starts after the call, shared by all such calls. */
  run(): Promise<void>;
  /** Resolves when no run is in progress. Never rejects. */
  idle(): Promise<void>;
}

/** One run of the work at a time. */
export const coalesce = (work: () => Promise<void>): Coalesced => {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (!current) {
      current = work().finally(() => {
        current = undefined;
      });
      return current;
    }
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
  return { run, idle: async () => (next ?? current)?.catch(() => {}) };
};
