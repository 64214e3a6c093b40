import type { Faults } from './faults.ts';

/** The gateway's own clock: wrong from the start, going wrong, or put right by the console. */
export class GatewayClock {
  readonly #faults: Faults;
  readonly #realMs: () => number;
  #ahead: number;
  #since: number;
  #started: number;
  #asked = 0;
  #skipped = 0;

  constructor(faults: Faults, realMs: () => number) {
    this.#faults = faults;
    this.#realMs = realMs;
    this.#ahead = faults.skew;
    this.#since = realMs();
    this.#started = this.#since;
  }

  now(): number {
    const real = this.#realMs();
    const drifted = (this.#faults.drift * (real - this.#since)) / 86_400_000;
    return Math.max(0, Math.floor(real / 1000) + this.#ahead + Math.round(drifted));
  }

  /** Milliseconds that only grow, whatever the time is thought to be. */
  ms(): number {
    return this.#realMs() + this.#skipped;
  }

  /** As if so many seconds had gone by in which nobody looked at a clock. */
  skip(seconds: number) {
    this.#skipped += seconds * 1000;
  }

  /** Who knows the time is asked for it now. */
  ask() {
    this.#asked = this.now();
  }

  /** Somebody who knows it tells the time. A clock that showed this very time between question and answer is right. */
  set(t: number) {
    if (t >= this.#asked && t <= this.now()) return;
    this.#since = this.#realMs();
    this.#ahead = t - Math.floor(this.#since / 1000);
  }

  /** Seconds since the power came. */
  get uptime(): number {
    return Math.floor((this.#realMs() - this.#started) / 1000);
  }

  restarted() {
    this.#started = this.#realMs();
  }
}
