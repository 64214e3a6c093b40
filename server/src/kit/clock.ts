/** Injected clock, so that tests control the time. Epoch seconds, as on the wire. */
export interface Clock {
  now(): number;
}

/** A smaller difference may be network delay to the database. */
const toleratedMs = 500;

export interface CorrectedClock extends Clock {
  /** Milliseconds that the clock of this machine is ahead of the database. */
  correct(aheadMs: number): void;
}

/** The time of the database on each machine, because leases and deadlines are compared between processes. */
export const openCorrectedClock = (realMs: () => number = Date.now): CorrectedClock => {
  let applied = 0;
  return {
    now: () => Math.floor((realMs() - applied) / 1000),
    correct: (aheadMs) => {
      if (Math.abs(aheadMs - applied) > toleratedMs) applied = aheadMs;
    },
  };
};

export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) };
