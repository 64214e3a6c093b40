import { type Client, Closed } from './client.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';

interface Kept {
  readonly topic: string;
  readonly body: string;
  readonly alias: boolean;
  /** Moves many bytes: waits for a link that is not billed by volume. */
  readonly heavy: boolean;
  flying: boolean;
  again: boolean;
}

const window = 12;

/** What must arrive: kept until the console says that it has it, across connections and reboots, as on a flash disk. */
export class Outgoing {
  readonly #random: Random;
  readonly #faults: Faults;
  #kept: Kept[] = [];
  refused = 0;
  acked = 0;

  constructor(random: Random, faults: Faults) {
    this.#random = random;
    this.#faults = faults;
  }

  get length(): number {
    return this.#kept.length;
  }

  keep(topic: string, body: unknown, { alias = false, heavy = false } = {}) {
    this.#kept.push({ topic, body: JSON.stringify(body), alias, heavy, flying: false, again: false });
  }

  pump(client: Client, heavyToo: boolean) {
    for (;;) {
      if (client.inFlight >= window) return;
      const ready = this.#kept.filter((k) => !k.flying && (heavyToo || !k.heavy));
      const [first] = ready;
      if (!first) return;
      const next = this.#random.chance(this.#faults.reorder) ? (ready[this.#random.int(0, ready.length - 1)] ?? first) : first;
      next.flying = true;
      void this.#fly(client, next, heavyToo);
      if (this.#random.chance(this.#faults.duplicate)) void client.publish(next.topic, next.body, { dup: true }).catch(() => {});
      if (this.#random.chance(this.#faults.cut)) return client.destroy();
    }
  }

  async #fly(client: Client, kept: Kept, heavyToo: boolean) {
    try {
      const code = await client.publish(kept.topic, kept.body, { alias: kept.alias, dup: kept.again });
      // Whatever the answer, it is the last word: a message that is refused will not fit better the next time.
      this.#kept.splice(this.#kept.indexOf(kept), 1);
      this.acked++;
      if (code >= 0x80) this.refused++;
      this.pump(client, heavyToo);
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
      kept.flying = false;
      kept.again = true;
    }
  }
}
