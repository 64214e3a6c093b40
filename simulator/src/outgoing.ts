import type { Random } from '@farlink/contract/kit/random.ts';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { type Client, Closed } from './client.ts';
import type { Faults } from './faults.ts';

interface QueuedMessage {
  readonly topic: string;
  body: string;
  readonly alias: boolean;
  /** Bulk data: waits for a link that is not billed by volume. */
  readonly heavy: boolean;
  /** Only the newest message of this topic is kept. */
  readonly passing: boolean;
  flying: boolean;
  again: boolean;
}

const window = 12;
/** Upper limit for the topic and the headers before the body. */
const headBytes = 256;
/** Reason code of a broker while no console is subscribed. */
const noMatchingSubscribers = 0x10;
/** Capacity of the flash disk. Above it, the oldest bulk messages are removed. */
const maxQueued = 5000;

/** Persistent send queue: messages stay until the console acknowledges them, across connections and reboots. */
export class Outgoing {
  readonly #random: Random;
  readonly #faults: Faults;
  readonly #queue: QueuedMessage[] = [];
  #waiting: (() => void)[] | undefined;
  refused = 0;
  acked = 0;

  constructor(random: Random, faults: Faults) {
    this.#random = random;
    this.#faults = faults;
  }

  get length(): number {
    return this.#queue.length;
  }

  enqueue(topic: string, body: unknown, { alias = false, heavy = false, passing = false } = {}) {
    const text = JSON.stringify(body);
    // The console disconnects senders of oversized messages, so such a message is dropped.
    if (Buffer.byteLength(text) + headBytes > protocolLimits.packetBytes) {
      this.refused++;
      return;
    }
    const older = passing && this.#queue.find((k) => k.passing && !k.flying && k.topic === topic);
    if (older) older.body = text;
    else this.#queue.push({ topic, body: text, alias, heavy, passing, flying: false, again: false });
    if (this.#queue.length > maxQueued) this.#forget();
  }

  /** Removes a message that is not sent yet. */
  drop(topic: string) {
    const at = this.#queue.findIndex((k) => k.topic === topic && !k.flying);
    if (at >= 0) this.#queue.splice(at, 1);
  }

  #forget() {
    const oldest = this.#queue.findIndex((k) => k.heavy && !k.flying);
    if (oldest >= 0) this.#queue.splice(oldest, 1);
  }

  /** Resolves when the queue is empty, or after the timeout. */
  drained(ms: number): Promise<void> {
    if (this.#queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = [...(this.#waiting ?? []), resolve];
      setTimeout(resolve, ms).unref();
    });
  }

  pump(client: Client, heavyToo: boolean) {
    for (;;) {
      if (client.inFlight >= window) return;
      const next = this.#next(heavyToo);
      if (!next) return;
      next.flying = true;
      void this.#fly(client, next, heavyToo);
      if (this.#random.chance(this.#faults.duplicate)) void client.publish(next.topic, next.body, { dup: true }).catch(() => {});
      if (this.#random.chance(this.#faults.cut)) return client.destroy();
    }
  }

  #next(heavyToo: boolean): QueuedMessage | undefined {
    const isReady = (k: QueuedMessage) => !k.flying && (heavyToo || !k.heavy);
    if (!this.#random.chance(this.#faults.reorder)) return this.#queue.find(isReady);
    const ready = this.#queue.filter(isReady);
    return ready[this.#random.int(0, ready.length - 1)];
  }

  async #fly(client: Client, message: QueuedMessage, heavyToo: boolean) {
    try {
      const code = await client.publish(message.topic, message.body, { alias: message.alias, dup: message.again });
      if (this.#random.chance(this.#faults.lostAck)) {
        message.flying = false;
        message.again = true;
        return this.pump(client, heavyToo);
      }
      if (code === noMatchingSubscribers) {
        message.flying = false;
        return;
      }
      // Any other reason code is final: a refused message would be refused again.
      this.#queue.splice(this.#queue.indexOf(message), 1);
      this.acked++;
      if (code >= 0x80) this.refused++;
      if (this.#queue.length === 0) for (const done of this.#waiting?.splice(0) ?? []) done();
      this.pump(client, heavyToo);
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
      message.flying = false;
      message.again = true;
    }
  }
}
