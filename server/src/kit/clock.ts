/** Time comes in from outside, so that a test can own it. Epoch seconds, as on the wire. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) };
