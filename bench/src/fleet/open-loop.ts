/**
 * An open loop sends message k at its due time, independent of earlier acknowledgements. Latency counts from the due time, so a stalled
 * server cannot hide behind a sender that waits for it.
 */
export class OpenLoop {
  readonly #start: number;
  readonly #perSecond: number;
  readonly #total: number;
  readonly #latencies: number[] = [];
  readonly #lags: number[] = [];
  #sent = 0;

  constructor(start: number, perSecond: number, seconds: number) {
    this.#start = start;
    this.#perSecond = perSecond;
    this.#total = Math.floor(perSecond * seconds);
  }

  dueAt(k: number): number {
    return this.#start + (k * 1000) / this.#perSecond;
  }

  /** Number of messages that are due at this time. */
  #dueBy(now: number): number {
    if (now < this.#start) return 0;
    return Math.min(this.#total, Math.floor(((now - this.#start) * this.#perSecond) / 1000) + 1);
  }

  /** Sends every message that is due. `send` returns false if no gateway can take one; the message then waits and its clock runs on. */
  tick(now: () => number, send: (dueAt: number) => boolean) {
    const due = this.#dueBy(now());
    while (this.#sent < due) {
      const dueAt = this.dueAt(this.#sent);
      if (!send(dueAt)) return;
      this.#lags.push(now() - dueAt);
      this.#sent++;
    }
  }

  acknowledged(dueAt: number, now: number) {
    if (dueAt >= this.#start) this.#latencies.push(now - dueAt);
  }

  get isSent(): boolean {
    return this.#sent === this.#total;
  }

  get isDone(): boolean {
    return this.isSent && this.#latencies.length >= this.#sent;
  }

  get result(): LoopResult {
    return {
      total: this.#total,
      unsent: this.#total - this.#sent,
      latencies: Float64Array.from(this.#latencies),
      lags: Float64Array.from(this.#lags),
    };
  }
}

export interface LoopResult {
  readonly total: number;
  /** Messages that no gateway could send in time. */
  readonly unsent: number;
  /** From the due time to the acknowledgement, in ms. */
  readonly latencies: Float64Array;
  /** From the due time to the write, in ms: the delay that the sender itself adds. */
  readonly lags: Float64Array;
}

/** Nearest rank. `missing` values never arrived, so they are above all others. */
export const percentile = (sorted: Float64Array, share: number, missing = 0): number => {
  const rank = Math.max(1, Math.ceil(share * (sorted.length + missing)));
  return sorted.length + missing === 0 ? 0 : (sorted[rank - 1] ?? Number.POSITIVE_INFINITY);
};

const joined = (chunks: readonly Float64Array[]): Float64Array => {
  const all = new Float64Array(chunks.reduce((n, chunk) => n + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all.sort();
};

export interface StepResult {
  readonly total: number;
  readonly acknowledged: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Delay that the clients added themselves. */
  readonly sendLagP99: number;
}

/** The results of all clients as those of one. */
export const summarize = (results: readonly LoopResult[]): StepResult => {
  const latencies = joined(results.map((r) => r.latencies));
  const total = results.reduce((n, r) => n + r.total, 0);
  const missing = Math.max(0, total - latencies.length);
  const unsent = results.reduce((n, r) => n + r.unsent, 0);
  return {
    total,
    acknowledged: latencies.length,
    p50: percentile(latencies, 0.5, missing),
    p99: percentile(latencies, 0.99, missing),
    longest: percentile(latencies, 1, missing),
    sendLagP99: percentile(joined(results.map((r) => r.lags)), 0.99, unsent),
  };
};
