/** Injected clock, so that tests control the time. Epoch seconds, as on the wire. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) };
