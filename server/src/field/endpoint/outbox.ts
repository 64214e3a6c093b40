import { downTopic, matches } from '@farlink/gateway/protocol/topic.ts';
import type { Outgoing } from '../pending/outgoing.ts';
import type { Delivered } from '../store/tx.ts';
import { longestTopic } from './topic-aliases.ts';

interface Sent {
  readonly at: number;
  readonly times: number;
}

/** Resend delay for a message that was acknowledged but got no reply: two minutes, then four, eight and so on. */
const againMs = 120_000;

/** Subscription limit; the protocol has fewer topics. */
const mostFilters = 64;

interface Way {
  readonly sn: string;
  /** Receive maximum of the gateway. */
  readonly window: number;
  readonly write: (id: number, topic: string, body: string) => void;
  /** Called when the gateway has acknowledged the message. */
  readonly taken: (sent: Delivered) => void;
}

/** Outgoing messages of one connection, limited by the receive maximum of the gateway. */
export class Outbox {
  readonly #way: Way;
  readonly #filters = new Set<string>();
  readonly #queue: Outgoing[] = [];
  readonly #flying = new Map<number, Outgoing | undefined>();
  #sent = new Map<string, Sent>();
  #nextId = 0;

  constructor(way: Way) {
    this.#way = way;
  }

  get isHeard(): boolean {
    return this.#filters.size > 0;
  }

  /** Returns false if the subscription limit is reached. */
  follow(filter: string): boolean {
    if (filter.length > longestTopic || (this.#filters.size >= mostFilters && !this.#filters.has(filter))) return false;
    this.#filters.add(filter);
    return true;
  }

  unfollow(filter: string) {
    this.#filters.delete(filter);
  }

  /** Sent messages without a reply. They are resent later. */
  get hasUnacked(): boolean {
    return this.#sent.size > 0;
  }

  #hears(tail: string): boolean {
    const topic = downTopic(this.#way.sn, tail);
    for (const filter of this.#filters) if (matches(filter, topic)) return true;
    return false;
  }

  /** Takes all pending messages of the gateway. A message that is no longer pending was replied to. */
  offer(all: readonly Outgoing[], now: number) {
    const still = new Map<string, Sent>();
    for (const out of all) {
      const sent = this.#sent.get(out.key);
      if (sent && now - sent.at < againMs * 2 ** (sent.times - 1)) {
        still.set(out.key, sent);
        continue;
      }
      if (!this.#hears(out.tail) || this.#queue.some((q) => q.key === out.key)) continue;
      if ([...this.#flying.values()].some((f) => f?.key === out.key)) continue;
      this.#queue.push(out);
      still.set(out.key, { at: now, times: (sent?.times ?? 0) + 1 });
    }
    this.#sent = still;
    this.#pump();
  }

  /** Sends a message that is not stored and not resent, for example the time or an enrolment reply. */
  say(tail: string, body: string) {
    if (this.#hears(tail) && this.#flying.size < this.#way.window) this.#fly(undefined, tail, body);
  }

  acked(id: number) {
    const out = this.#flying.get(id);
    this.#flying.delete(id);
    if (out) this.#way.taken(out.sent);
    this.#pump();
  }

  /** The message found no subscriber. It is sent again at the next `offer`. */
  missed(id: number) {
    const out = this.#flying.get(id);
    this.#flying.delete(id);
    if (out) this.#sent.delete(out.key);
    this.#pump();
  }

  #fly(out: Outgoing | undefined, tail: string, body: string) {
    do this.#nextId = (this.#nextId % 65_535) + 1;
    while (this.#flying.has(this.#nextId));
    this.#flying.set(this.#nextId, out);
    this.#way.write(this.#nextId, downTopic(this.#way.sn, tail), body);
  }

  #pump() {
    while (this.#flying.size < this.#way.window) {
      const out = this.#queue.shift();
      if (!out) return;
      this.#fly(out, out.tail, out.body);
    }
  }
}
