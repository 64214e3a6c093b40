export interface AdmissionLimits {
  /** Limit of connects in progress: from CONNECT to CONNACK, and from the first hello until it is stored. */
  readonly atOnce: number;
  /** Limit of waiting connects. One address may use at most half of it. */
  readonly maxWaiting: number;
  /** A connect that would wait longer is refused at once. Gateways wait 30 s or more for the CONNACK. */
  readonly longestWaitMs: number;
}

export const defaultLimits: AdmissionLimits = { atOnce: 256, maxWaiting: 16_384, longestWaitMs: 15_000 };

/** Before this time, the rate of a busy period is unknown. */
const rateKnownAfterMs = 3000;
/** Portions of `atOnce` that may always wait, because a pause of the process looks like a low rate. */
const shortQueue = 8;

/** A connect that waits for its turn. Exactly one of the two functions is called, unless the connection ends first. */
interface Candidate {
  readonly address: string;
  start(): void;
  /** The server is busy. */
  refuse(): void;
}

interface Waiting extends Candidate {
  readonly since: number;
}

/**
 * Admits connects in portions, in FIFO order, because thousands of connects in one turn of the event loop block everything else. Time that
 * a gateway needs to reply is not counted, so slow links and silent clients do not delay others.
 */
export class Admission<C extends object> {
  readonly #limits: AdmissionLimits;
  readonly #now: () => number;
  readonly #waiting = new Map<C, Waiting>();
  readonly #byAddress = new Map<string, number>();
  readonly #working = new Set<C>();
  #next: NodeJS.Immediate | undefined;
  /** Start of the current busy period, and number of connects that have left the queue since. */
  #busySince = 0;
  #admitted = 0;

  constructor(limits: Partial<AdmissionLimits>, now: () => number) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Starts the connect now or later, or refuses it. */
  enter(connection: C, candidate: Candidate) {
    if (this.#waiting.size === 0 && this.#working.size < this.#limits.atOnce) return this.#start(connection, candidate);
    if (this.#isFull(candidate.address)) return candidate.refuse();
    const since = this.#now();
    if (this.#waiting.size === 0) [this.#busySince, this.#admitted] = [since, 0];
    this.#waiting.set(connection, { ...candidate, since });
    this.#count(candidate.address, 1);
  }

  /** Occupies a slot while the server processes a message that belongs to the connect. */
  occupy(connection: C) {
    this.#working.add(connection);
  }

  /** The work is done, or the connection has ended. */
  release(connection: C) {
    this.#take(connection);
    this.#working.delete(connection);
    if (this.#waiting.size > 0) this.#next ??= setImmediate(() => this.#fill());
  }

  /** Starts no more connects. */
  close() {
    clearImmediate(this.#next);
    this.#waiting.clear();
    this.#byAddress.clear();
  }

  #start(connection: C, candidate: Candidate) {
    this.#working.add(connection);
    candidate.start();
  }

  #count(address: string, change: number) {
    const count = (this.#byAddress.get(address) ?? 0) + change;
    if (count > 0) this.#byAddress.set(address, count);
    else this.#byAddress.delete(address);
  }

  #take(connection: C): Waiting | undefined {
    const waiting = this.#waiting.get(connection);
    if (!waiting) return undefined;
    this.#waiting.delete(connection);
    this.#count(waiting.address, -1);
    return waiting;
  }

  #isFull(address: string): boolean {
    const { atOnce, maxWaiting, longestWaitMs } = this.#limits;
    const { size } = this.#waiting;
    if (size >= maxWaiting || (this.#byAddress.get(address) ?? 0) >= maxWaiting / 2) return true;
    const busyMs = this.#now() - this.#busySince;
    return size >= shortQueue * atOnce && busyMs >= rateKnownAfterMs && size * busyMs > longestWaitMs * this.#admitted;
  }

  #fill() {
    this.#next = undefined;
    for (const connection of this.#waiting.keys()) {
      if (this.#working.size >= this.#limits.atOnce) return;
      const waiting = this.#take(connection);
      if (!waiting) continue;
      this.#admitted++;
      // The rate has dropped since. The client has probably given up.
      if (this.#now() - waiting.since > 2 * this.#limits.longestWaitMs) waiting.refuse();
      else this.#start(connection, waiting);
    }
  }
}
