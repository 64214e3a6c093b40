import { createHash } from 'node:crypto';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { bye, hello } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Pool } from 'pg';
import { Outbox } from '../endpoint/outbox.ts';
import type { Field } from '../field.ts';

/** A gateway that has sent `hello` and no `bye`. */
interface OnlineGateway {
  readonly conn: string;
  readonly outbox: Outbox;
  lastSeen: number;
  /** A message for it found no subscriber. */
  missed: boolean;
}

interface Options {
  readonly field: Field;
  /** Returns the PUBACK code of the broker. */
  publish(topic: string, body: string): Promise<number>;
  isConnected(): boolean;
  fault(kind: string): void;
  /** Called when the console ends the presence of a gateway. */
  offline(sn: string, conn: string): void;
}

/** Shared node name of all console processes behind a broker, because gateways cannot distinguish them. */
export const brokerNode = 'broker';

/** PUBACK code. */
export const noMatchingSubscribers = 0x10;

/** The most expensive link class sends every 20 minutes, and its broker publishes the will after 30. */
const silentMs = 45 * 60_000;

/** Connection id for a connection that the console does not see: the id from the hello, or a hash of the hello body. */
const connOf = (c: string | undefined, hello: string) => `b-${c ?? createHash('sha256').update(hello).digest('hex').slice(0, 12)}`;

/** Gateways behind the broker, with the messages that are sent to them. */
export class OnlineGateways {
  readonly #options: Options;
  readonly #online = new Map<string, OnlineGateway>();
  /** Gateways whose requested hello has not arrived yet. */
  readonly #helloRequested = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  get count(): number {
    return this.#online.size;
  }

  get sns(): string[] {
    return [...this.#online.keys()];
  }

  connOf(sn: string): string | undefined {
    return this.#online.get(sn)?.conn;
  }

  #add(sn: string, conn: string) {
    const { publish, field } = this.#options;
    const outbox: Outbox = new Outbox({
      sn,
      window: protocolLimits.inFlight,
      write: (id, topic, body) =>
        void publish(topic, body).then((code) => {
          if (code < noMatchingSubscribers) return outbox.acked(id);
          gateway.missed = true;
          outbox.missed(id);
        }),
      acknowledged: (sent) => field.delivered(sn, conn, sent),
    });
    // The broker handles the real subscription, so the outbox accepts all topics.
    outbox.subscribe(downTopic(sn, '#'));
    const gateway: OnlineGateway = { conn, outbox, lastSeen: performance.now(), missed: false };
    this.#online.set(sn, gateway);
  }

  /** Loads the gateways that were online under the previous leader. */
  async restore(pool: Pool) {
    const sql = 'select sn, conn_id from device where conn_node = $1 and online_state = 1 and conn_id is not null';
    const { rows } = await pool.query<{ sn: string; conn_id: string }>(sql, [brokerNode]);
    for (const { sn, conn_id } of rows) if (!this.#online.has(sn)) this.#add(sn, conn_id);
  }

  clear() {
    this.#online.clear();
  }

  setOffline(sn: string) {
    const gateway = this.#online.get(sn);
    if (!gateway) return;
    this.#online.delete(sn);
    this.#options.offline(sn, gateway.conn);
  }

  helloReceived(sn: string, body: string) {
    const message = parseJson(hello, body);
    if ('reason' in message) return;
    this.#helloRequested.delete(sn);
    const conn = connOf(message.value.c, body);
    if (this.connOf(sn) !== conn) this.#add(sn, conn);
  }

  /** Returns the connection that a `bye` message ends: the one it names, else the current one. */
  byeReceived(sn: string, body: string): string {
    const message = parseJson(bye, body);
    const named = 'value' in message && message.value.c !== undefined ? connOf(message.value.c, '') : undefined;
    const conn = this.connOf(sn);
    if (conn !== undefined && (named ?? conn) === conn) this.#online.delete(sn);
    return named ?? conn ?? '';
  }

  /** Returns the connection of the sender. Requests a hello from a gateway that is not known as online. */
  seen(sn: string): string {
    const gateway = this.#online.get(sn);
    if (gateway) gateway.lastSeen = performance.now();
    else void this.requestHello(sn);
    return gateway?.conn ?? '';
  }

  /** Requests a hello from a gateway whose hello was never received or may be outdated. */
  async requestHello(sn: string) {
    if (this.#helloRequested.has(sn)) return;
    this.#helloRequested.add(sn);
    const code = await this.#options.publish(downTopic(sn, 'hello'), '{}');
    if (code === noMatchingSubscribers) this.setOffline(sn);
  }

  /** Requests that got no reply may be sent again. */
  forgetHelloRequests() {
    this.#helloRequested.clear();
  }

  async deliver(sn: string) {
    const gateway = this.#online.get(sn);
    if (!gateway || !this.#options.isConnected()) return;
    try {
      const pending = await this.#options.field.pending(sn);
      if (this.#online.get(sn) === gateway) gateway.outbox.offer(pending, performance.now());
    } catch {
      this.#options.fault('pending');
    }
  }

  async ackHello(sn: string) {
    const gateway = this.#online.get(sn);
    if (!gateway) return;
    const text = await this.#options.field.helloReply(sn).catch(() => undefined);
    if (text !== undefined) gateway.outbox.sendOnce('a', text);
  }

  deliverMissed() {
    for (const [sn, gateway] of this.#online)
      if (gateway.missed) {
        gateway.missed = false;
        void this.deliver(sn);
      }
  }

  /** Ends silent gateways and resends messages without a reply. */
  checkAll() {
    this.forgetHelloRequests();
    const at = performance.now();
    for (const [sn, gateway] of this.#online) {
      if (at - gateway.lastSeen > silentMs) this.setOffline(sn);
      else if (gateway.outbox.hasUnacked) void this.deliver(sn);
    }
  }
}
