import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

export interface Remembered {
  readonly k: string;
  readonly t: number;
  readonly doc: JsonObject;
}

const maxEvents = 400;

/** Recent events of a gateway, as its own logs show them. The oldest are removed first. */
export class Memory {
  /** Events before this time are not recorded. */
  readonly since: number;
  #events: Remembered[] = [];

  constructor(since: number) {
    this.since = since;
  }

  record(k: string, t: number, doc: JsonObject) {
    this.#events.push({ k, t, doc });
    if (this.#events.length > maxEvents) this.#events = this.#events.slice(-maxEvents / 2);
  }

  /** Newest first. */
  of(...kinds: readonly string[]): Remembered[] {
    return this.#events.filter(({ k }) => kinds.includes(k)).toReversed();
  }
}
