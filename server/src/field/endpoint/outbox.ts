import { downTopic, matches } from '@farlink/gateway/protocol/topic.ts';
import type { Outgoing } from '../pending/outgoing.ts';
import type { Delivered } from '../store/tx.ts';
import { longestTopic } from './topic-aliases.ts';

interface Sent {
  readonly at: number;
  readonly times: number;
}

/** A gateway that took a message and never answered gets it again after two minutes, then four, eight… */
const againMs = 120_000;

/** More than the protocol has topics. */
const mostFilters = 64;

interface Way {
  readonly sn: string;
  /** How many the gateway takes at a time. */
  readonly window: number;
  readonly write: (id: number, topic: string, body: string) => void;
  /** The gateway's side has it. */
  readonly taken: (sent: Delivered) => void;
}

/** What is on its way to one gateway over one connection: never more at a time than it said it takes. */
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

  /** False: it follows too many already. */
  follow(filter: string): boolean {
    if (filter.length > longestTopic || (this.#filters.size >= mostFilters && !this.#filters.has(filter))) return false;
    this.#filters.add(filter);
    return true;
  }

  unfollow(filter: string) {
    this.#filters.delete(filter);
  }

  /** Something was sent whose answer has not been seen: it must be looked after. */
  get hasUnacked(): boolean {
    return this.#sent.size > 0;
  }

  #hears(tail: string): boolean {
    const topic = downTopic(this.#way.sn, tail);
    for (const filter of this.#filters) if (matches(filter, topic)) return true;
    return false;
  }

  /** All that waits for the gateway now. What is no longer among it was answered. */
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

  /** Something that is not in the database and not repeated: the time, an answer to an enrolment. */
  say(tail: string, body: string) {
    if (this.#hears(tail) && this.#flying.size < this.#way.window) this.#fly(undefined, tail, body);
  }

  acked(id: number) {
    const out = this.#flying.get(id);
    this.#flying.delete(id);
    if (out) this.#way.taken(out.sent);
    this.#pump();
  }

  /** Nobody was there to take it: it is offered again the next time. */
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
