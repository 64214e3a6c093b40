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
const maxFilters = 64;

interface OutboxOptions {
  readonly sn: string;
  /** Receive maximum of the gateway. */
  readonly window: number;
  readonly write: (id: number, topic: string, body: string) => void;
  /** Called when the gateway has acknowledged the message. */
  readonly acknowledged: (sent: Delivered) => void;
}

/** Outgoing messages of one connection, limited by the receive maximum of the gateway. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #filters = new Set<string>();
  readonly #queue: Outgoing[] = [];
  readonly #inFlight = new Map<number, Outgoing | undefined>();
  #sent = new Map<string, Sent>();
  #nextId = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get hasSubscriptions(): boolean {
    return this.#filters.size > 0;
  }

  /** Returns false if the subscription limit is reached. */
  subscribe(filter: string): boolean {
    if (filter.length > longestTopic || (this.#filters.size >= maxFilters && !this.#filters.has(filter))) return false;
    this.#filters.add(filter);
    return true;
  }

  unsubscribe(filter: string) {
    this.#filters.delete(filter);
  }

  /** Sent messages without a reply. They are resent later. */
  get hasUnacked(): boolean {
    return this.#sent.size > 0;
  }

  #isSubscribed(tail: string): boolean {
    const topic = downTopic(this.#options.sn, tail);
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
      if (!this.#isSubscribed(out.tail) || this.#queue.some((q) => q.key === out.key)) continue;
      if ([...this.#inFlight.values()].some((f) => f?.key === out.key)) continue;
      this.#queue.push(out);
      still.set(out.key, { at: now, times: (sent?.times ?? 0) + 1 });
    }
    this.#sent = still;
    this.#pump();
  }

  /** Sends a message that is not stored and not resent, for example the time or an enrolment reply. */
  sendOnce(tail: string, body: string) {
    if (this.#isSubscribed(tail) && this.#inFlight.size < this.#options.window) this.#write(undefined, tail, body);
  }

  acked(id: number) {
    const out = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    if (out) this.#options.acknowledged(out.sent);
    this.#pump();
  }

  /** The message found no subscriber. It is sent again at the next `offer`. */
  missed(id: number) {
    const out = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    if (out) this.#sent.delete(out.key);
    this.#pump();
  }

  #write(out: Outgoing | undefined, tail: string, body: string) {
    do this.#nextId = (this.#nextId % 65_535) + 1;
    while (this.#inFlight.has(this.#nextId));
    this.#inFlight.set(this.#nextId, out);
    this.#options.write(this.#nextId, downTopic(this.#options.sn, tail), body);
  }

  #pump() {
    while (this.#inFlight.size < this.#options.window) {
      const out = this.#queue.shift();
      if (!out) return;
      this.#write(out, out.tail, out.body);
    }
  }
}
