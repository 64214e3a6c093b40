import { isOwnFilter } from '@farlink/gateway/protocol/topic.ts';
import type { ISubscribePacket, IUnsubscribePacket } from 'mqtt-packet';
import type { Field } from '../field.ts';
import type { Delivered } from '../store/tx.ts';
import { reasons } from './codec.ts';
import { Outbox } from './outbox.ts';
import type { Wire } from './wire.ts';

interface Options {
  readonly field: Pick<Field, 'pending' | 'helloReply'>;
  readonly wire: Wire;
  readonly sn: string;
  /** Receive maximum of the gateway. */
  readonly window: number;
  delivered(sent: Delivered): void;
  fault(kind: string): void;
}

/** SUBACK code of MQTT 3.1.1, which has no reasons. */
const subscriptionFailed = 0x80;

/** Messages to one connection: its subscriptions, pending messages and replies. */
export class OutgoingMessages {
  readonly #options: Options;
  readonly #outbox: Outbox;
  #isClosed = false;

  constructor(options: Options) {
    const { wire, sn, window } = options;
    this.#options = options;
    this.#outbox = new Outbox({
      sn,
      window,
      write: (messageId, topic, payload) => wire.send({ cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false, messageId }),
      acknowledged: (sent) => options.delivered(sent),
    });
  }

  get hasUnacked(): boolean {
    return this.#outbox.hasUnacked;
  }

  acked(messageId: number) {
    this.#outbox.acked(messageId);
  }

  subscribe({ messageId, subscriptions }: ISubscribePacket) {
    const { wire, sn, fault } = this.#options;
    const refused = (kind: string, reason: number) => {
      fault(kind);
      return wire.version === 5 ? reason : subscriptionFailed;
    };
    const granted = subscriptions.map(({ topic, qos }) => {
      if (!isOwnFilter(sn, topic)) return refused('foreign_subscribe', reasons.notAuthorized);
      if (!this.#outbox.subscribe(topic)) return refused('filters', reasons.quota);
      return Math.min(qos, 1);
    });
    wire.send({ cmd: 'suback', messageId, granted });
  }

  unsubscribe({ messageId, unsubscriptions }: IUnsubscribePacket) {
    for (const filter of unsubscriptions) this.#outbox.unsubscribe(filter);
    this.#options.wire.send({ cmd: 'unsuback', messageId, granted: unsubscriptions.map(() => 0) });
  }

  /** Loads the pending messages of the gateway and sends those that this connection has not sent yet. */
  async deliver(now: () => number) {
    if (!this.#outbox.hasSubscriptions) return;
    try {
      const pending = await this.#options.field.pending(this.#options.sn);
      if (!this.#isClosed) this.#outbox.offer(pending, now());
    } catch {
      this.#options.fault('pending');
    }
  }

  async ackHello() {
    const text = await this.#options.field.helloReply(this.#options.sn).catch(() => undefined);
    if (text !== undefined && !this.#isClosed) this.#outbox.sendOnce('a', text);
  }

  /** Sends a message that is not stored and not resent. */
  sendOnce(tail: string, body: string) {
    this.#outbox.sendOnce(tail, body);
  }

  close() {
    this.#isClosed = true;
  }
}
