import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { Deps } from '../../kit/deps.ts';
import { reasons } from '../endpoint/codec.ts';
import { lost } from '../endpoint/connect.ts';
import { type Field, openField, type Transport } from '../field.ts';
import { openAuthorizationCache } from './authorization-cache.ts';
import { type BrokerAddress, BrokerClient } from './client.ts';
import { brokerNode, noMatchingSubscribers, OnlineGateways } from './online-gateways.ts';

const topicPattern = /^gw\/1\/([^/]+)\/up\/(.+)$/;

/** Exchanges messages with gateways over the broker. Only the leader is connected. */
export class BrokerTransport implements Transport {
  readonly field: Field;
  readonly gateways: OnlineGateways;
  readonly faults: Record<string, number> = {};
  readonly #log: Deps['log'];
  readonly #address: BrokerAddress;
  readonly #authorizationCache: ReturnType<typeof openAuthorizationCache>;
  readonly #registerAgain: () => Promise<boolean>;
  #client: BrokerClient | undefined;

  constructor(deps: Deps, address: BrokerAddress, registerAgain: () => Promise<boolean>) {
    this.#registerAgain = registerAgain;
    this.#log = deps.log;
    this.#address = address;
    this.field = openField(deps, this, brokerNode);
    this.#authorizationCache = openAuthorizationCache(
      deps.pool,
      () => deps.clock.now(),
      (err) => deps.log.warn({ err }, 'authorization lookup failed'),
    );
    this.gateways = new OnlineGateways({
      field: this.field,
      publish: (topic, body) => this.#publish(topic, body),
      isConnected: () => this.isConnected,
      fault: (kind) => this.#fault(kind),
      offline: (sn, conn) => {
        this.forgetAuthorization(sn);
        this.field.receive(sn, 'bye', lost, conn, () => {});
      },
    });
  }

  deliver(sns: Iterable<string>) {
    for (const sn of sns) void this.gateways.deliver(sn);
  }

  ackHello(sns: Iterable<string>) {
    for (const sn of sns) void this.gateways.ackHello(sn);
  }

  drained() {
    this.#client?.release();
  }

  async fenced(): Promise<boolean> {
    if (await this.#registerAgain()) return true;
    await this.stop();
    return false;
  }

  requestHellos() {
    for (const sn of this.gateways.sns) void this.gateways.requestHello(sn);
  }

  forgetAuthorization(sn: string) {
    this.#authorizationCache.forget(sn);
  }

  /** Returns true if this process has a client, whether or not the broker is reachable. */
  get isStarted(): boolean {
    return this.#client !== undefined;
  }

  get isConnected(): boolean {
    return this.#client?.isOpen ?? false;
  }

  start() {
    this.#client = new BrokerClient({
      address: this.#address,
      clientId: 'farlink-console',
      filter: 'gw/1/+/up/#',
      received: (message, done) => this.#received(message, done),
      connected: (resumed) => this.#connected(resumed),
      disconnected: (reason) => {
        this.#fault('connection');
        this.#log.warn({ reason }, 'broker disconnected');
      },
    });
  }

  /** Checks that the broker still responds. */
  check() {
    this.#client?.check();
  }

  /** Ends the client, because another process is the leader. */
  async stop() {
    await this.#client?.close();
    this.#client = undefined;
    this.gateways.clear();
  }

  /** Stores what was received, then disconnects. */
  async close() {
    this.#client?.pause();
    await this.field.close();
    await this.#client?.close();
  }

  #fault(kind: string) {
    this.faults[kind] = (this.faults[kind] ?? 0) + 1;
  }

  async #publish(topic: string, body: string): Promise<number> {
    const code = this.#client ? await this.#client.publish(topic, body) : reasons.unavailable;
    if (code >= reasons.willToo && code !== noMatchingSubscribers && code !== reasons.unavailable) this.#fault('refused');
    return code;
  }

  #connected(resumed: boolean) {
    this.#log.info({ resumed }, 'broker connected');
    this.gateways.forgetHelloRequests();
    // If the broker has lost the session, `bye` and `hello` messages may be missing.
    if (resumed) this.deliver(this.gateways.sns);
    else this.requestHellos();
  }

  #received({ topic, payload, retain }: IPublishPacket, done: () => void) {
    const [, sn = '', tail = ''] = topicPattern.exec(topic) ?? [];
    if (retain || !snPattern.test(sn)) return this.field.refuse(done);
    const body = String(payload);
    this.#authorizationCache.check(sn, tail === 'hello', (may) => (may ? this.#store(sn, tail, body, done) : this.field.refuse(done)));
    if (this.field.full()) this.#client?.pause();
  }

  #store(sn: string, tail: string, body: string, done: () => void) {
    if (tail === 'bye') return this.field.receive(sn, tail, body, this.gateways.byeReceived(sn, body), done);
    if (tail === 'hello') this.gateways.helloReceived(sn, body);
    this.field.receive(sn, tail, body, this.gateways.seen(sn), done);
  }
}
