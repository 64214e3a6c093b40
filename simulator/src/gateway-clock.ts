import type { Faults } from './faults.ts';

/** `setTimeout` is limited to about 24 days. */
const longestMs = 2 ** 31 - 1;

export const waitMs = async (total: number): Promise<void> => {
  for (let ms = total; ms >= 1; ms -= longestMs) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, Math.min(ms, longestMs)).unref();
    await promise;
  }
};

/** Duration of a start. */
export const startSeconds = 40;

/** Id of a boot. It uses the real time, because the seed would repeat the same id in the next run. */
export const bootId = (n: number): string =>
  `${Math.floor(Date.now() / 10)
    .toString(36)
    .slice(-6)}${(n % 1296).toString(36).padStart(2, '0')}`;

/** Clock of the gateway: it has an initial error and a drift, and the console can correct it. */
export class GatewayClock {
  readonly #faults: Faults;
  readonly #realMs: () => number;
  #ahead: number;
  #since: number;
  #started: number;
  #requestedAt = 0;
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

  /** Monotonic milliseconds, independent of the clock error. */
  ms(): number {
    return this.#realMs() + this.#skipped;
  }

  /** Advances the monotonic time without a change of the clock. */
  skip(seconds: number) {
    this.#skipped += seconds * 1000;
  }

  /** Marks the time at which the hello message requests the time. */
  markRequest() {
    this.#requestedAt = this.now();
  }

  /** Sets the clock. A clock that showed this time between request and reply stays as it is. */
  set(t: number) {
    if (t >= this.#requestedAt && t <= this.now()) return;
    this.#since = this.#realMs();
    this.#ahead = t - Math.floor(this.#since / 1000);
  }

  /** Seconds since power-on. */
  get uptime(): number {
    return Math.floor((this.#realMs() - this.#started) / 1000);
  }

  restarted() {
    this.#started = this.#realMs();
  }
}
