import { randomBytes } from 'node:crypto';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client, Closed } from './client.ts';
import { enrolOverWeb, showKey } from './console-web.ts';
import { enrolAt } from './enrol.ts';
import type { Faults } from './faults.ts';
import type { Keys } from './keys.ts';

export type ConnectionState = 'off' | 'connecting' | 'online';

export interface ConnectionOptions {
  readonly sn: string;
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  /** Web address of the console. It is used when gateways connect through a broker, which cannot handle enrolment. */
  readonly console?: string;
  /** Merchant code for the enrolment of a gateway without a key. */
  code?: string;
}

export interface Inside {
  readonly model: string;
  readonly keys: Keys;
  readonly faults: Faults;
  version(): string;
  hello(): object;
  onMessage(topic: string, body: string): void;
  /** Bytes sent and received. */
  traffic(up: number, down: number): void;
  /** The gateway is authenticated and may send. */
  entered(): void;
}

const badKey = 0x86;

/** Connection to the console: keys, enrolment, one MQTT connection at a time. */
export class Connection {
  readonly #o: ConnectionOptions;
  readonly #inside: Inside;
  #client: Client | undefined;
  /** Name of this connection, sent in the hello and bye messages. */
  #name = '';
  /** Number of calls of `close`. A connection attempt that sees it change gives up. */
  #closed = 0;
  state: ConnectionState = 'off';
  /** Reason code of the last refusal or disconnect. */
  refusal: number | undefined;
  binding: number | undefined;
  connects = 0;

  constructor(options: ConnectionOptions, inside: Inside) {
    this.#o = options;
    this.#inside = inside;
  }

  /** The client, if online. */
  get open(): Client | undefined {
    return this.state === 'online' ? this.#client : undefined;
  }

  /** Number of unacknowledged messages. */
  get inFlight(): number {
    return this.#client?.inFlight ?? 0;
  }

  /** Tries once; false: failed. The caller backs off. */
  async connect(): Promise<boolean> {
    if (this.state !== 'off') return true;
    this.state = 'connecting';
    const { keys } = this.#inside;
    const closed = this.#closed;
    try {
      if (!keys.has && !(await this.enrol(this.#o.code ?? ''))) return false;
      if (!(await this.#checkNextKey()) || closed !== this.#closed) return false;
      for (const key of keys.all) {
        if (await this.#enter(key)) {
          keys.opened(key);
          return true;
        }
        if (this.refusal !== badKey) return false;
      }
      return false;
    } catch (error) {
      if (error instanceof Closed) return false;
      throw error;
    } finally {
      if (this.state === 'connecting') this.state = 'off';
    }
  }

  /** Requests a key with a merchant code; false: refused or pending. */
  async enrol(code: string): Promise<boolean> {
    const { sn, host, port, tls, console: web } = this.#o;
    const { model, keys, version } = this.#inside;
    this.#o.code = code;
    const identity = { sn, code, hw: `hw-${sn}`, model, fw: version() };
    const response = await (web === undefined ? enrolAt({ host, port, tls, ...identity }) : enrolOverWeb(web, identity));
    this.refusal = response.refusal;
    this.binding = response.st;
    if (response.key === undefined) return false;
    keys.set(response.key);
    return true;
  }

  /** A broker may still accept the old key after the new one is active, so the console checks it. False: the console did not reply. */
  async #checkNextKey(): Promise<boolean> {
    const { keys } = this.#inside;
    const { console: web, sn } = this.#o;
    const { next } = keys;
    if (web === undefined || next === undefined) return true;
    const isAccepted = await showKey(web, sn, next);
    if (isAccepted === true) keys.set(next);
    else if (isAccepted === false) keys.clear();
    return isAccepted !== undefined;
  }

  async #enter(key: string): Promise<boolean> {
    const { sn, host, port, tls } = this.#o;
    const inside = this.#inside;
    const c = randomBytes(6).toString('hex');
    this.#name = c;
    const password = inside.faults.wrongKey ? 'not-my-key' : key;
    const client = new Client({
      host,
      port,
      tls,
      password,
      clientId: sn,
      username: sn,
      will: { topic: upTopic(sn, 'bye'), payload: JSON.stringify({ r: 'lost', c }), delay: protocolLimits.willDelay },
      onMessage: inside.onMessage,
      onTraffic: inside.traffic,
      onClose: (reason) => {
        if (this.#client !== client) return;
        this.#client = undefined;
        this.state = 'off';
        this.refusal = reason;
      },
    });
    this.#client = client;
    const { reasonCode } = await client.connect();
    this.refusal = reasonCode || undefined;
    if (reasonCode !== 0) {
      this.#client = undefined;
      client.destroy();
      return false;
    }
    this.connects++;
    await client.subscribe(downTopic(sn, '#'));
    await client.publish(upTopic(sn, 'hello'), this.#hello());
    this.state = 'online';
    inside.entered();
    return true;
  }

  #hello() {
    return JSON.stringify({ ...this.#inside.hello(), c: this.#name });
  }

  /** Sends the hello message again. */
  sendHello() {
    void this.open?.publish(upTopic(this.#o.sn, 'hello'), this.#hello()).catch(() => {});
  }

  /** Resolves when the connection is closed. A clean close sends a bye message first. */
  async close(clean: boolean): Promise<void> {
    this.#closed++;
    const client = this.#client;
    if (!client) return;
    if (clean) {
      // A broker sends no will after a clean disconnect, so the gateway sends the bye message itself.
      client.publish(upTopic(this.#o.sn, 'bye'), JSON.stringify({ r: 'stop', c: this.#name })).catch(() => {});
      client.disconnect();
    } else client.destroy();
    await client.closed;
  }
}
