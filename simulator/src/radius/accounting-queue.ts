import type { Attribute } from '@farlink/gateway/radius/packet.ts';

export interface AccountingRecord {
  readonly status: 'start' | 'interim' | 'stop' | 'on';
  /** Empty for the gateway itself. */
  readonly sid: string;
  /** Monotonic time of the event. */
  readonly ms: number;
  readonly attributes: readonly Attribute[];
}

const atOnce = 16;
/** Limit of stored records; the oldest are lost first. */
const maxRecords = 20_000;

/** Accounting of a gateway in order. Unconfirmed records are kept, also across reboots. */
export class AccountingQueue {
  readonly #send: (record: AccountingRecord) => Promise<boolean>;
  #records: AccountingRecord[] = [];
  #running: Promise<void> | undefined;
  #inFlight: readonly AccountingRecord[] = [];
  /** Another run was requested meanwhile, so the cause of a failure may be resolved. */
  #isRequested = false;

  /** `send` resolves with false if the console did not confirm. */
  constructor(send: (record: AccountingRecord) => Promise<boolean>) {
    this.#send = send;
  }

  get length(): number {
    return this.#records.length;
  }

  /** A later record of a session has newer counters, so a waiting interim update is dropped. */
  add(record: AccountingRecord) {
    const isOutdated = (r: AccountingRecord) => r.status === 'interim' && r.sid === record.sid && !this.#inFlight.includes(r);
    this.#records = [...this.#records.filter((r) => !isOutdated(r)), record].slice(-maxRecords);
  }

  /** Sends until the queue is empty or the console does not confirm. */
  pump(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isRequested && this.#records.length > 0) void this.pump();
    });
    return this.#running;
  }

  async #run() {
    this.#isRequested = false;
    while (this.#records.length > 0) {
      this.#isRequested = false;
      const batch = this.#nextBatch();
      this.#inFlight = batch;
      const results = await Promise.all(batch.map((record) => this.#send(record)));
      this.#inFlight = [];
      const confirmed = new Set(batch.filter((_, i) => results[i]));
      this.#records = this.#records.filter((r) => !confirmed.has(r));
      if (confirmed.size < batch.length && !this.#isRequested) return;
    }
  }

  /** One record per session at a time. Accounting-On ends sessions, so it is sent alone. */
  #nextBatch(): AccountingRecord[] {
    const batch = new Map<string, AccountingRecord>();
    for (const record of this.#records) {
      if (batch.size === atOnce || batch.has(record.sid) || (record.status === 'on' && batch.size > 0)) break;
      batch.set(record.sid, record);
      if (record.status === 'on') break;
    }
    return [...batch.values()];
  }
}
