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
  /** Address of the console's web server, where a broker stands between: it cannot be asked for a key. */
  readonly console?: string;
  /** The merchant code with which a gateway without a key asks for one. */
  code?: string;
}

export interface Inside {
  readonly model: string;
  readonly keys: Keys;
  readonly faults: Faults;
  version(): string;
  hello(): object;
  hear(topic: string, body: string): void;
  /** It is known and may speak. */
  entered(): void;
}

const badKey = 0x86;

/** The way to the console: keys, enrolment, one connection at a time. */
export class Connection {
  readonly #o: ConnectionOptions;
  readonly #inside: Inside;
  #client: Client | undefined;
  /** Its name for the connection it has. */
  #name = '';
  /** Counts the times that it was closed: whoever was on the way in then turns back. */
  #closed = 0;
  state: ConnectionState = 'off';
  /** The reason why the console did not let it in or let it go. */
  refusal: number | undefined;
  binding: number | undefined;
  connects = 0;

  constructor(options: ConnectionOptions, inside: Inside) {
    this.#o = options;
    this.#inside = inside;
  }

  /** The connection, where it may be spoken on. */
  get open(): Client | undefined {
    return this.state === 'online' ? this.#client : undefined;
  }

  /** Messages that the console has not yet answered. */
  get inFlight(): number {
    return this.#client?.inFlight ?? 0;
  }

  /** Tries once; false: not now. Whoever calls waits longer each time. */
  async connect(): Promise<boolean> {
    if (this.state !== 'off') return true;
    this.state = 'connecting';
    const { keys } = this.#inside;
    const closed = this.#closed;
    try {
      if (!keys.has && !(await this.enrol(this.#o.code ?? ''))) return false;
      if (!(await this.#settleKeys()) || closed !== this.#closed) return false;
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

  /** Asks for a key with a merchant code; false: it was not given. */
  async enrol(code: string): Promise<boolean> {
    const { sn, host, port, tls, console: web } = this.#o;
    const { model, keys, version } = this.#inside;
    this.#o.code = code;
    const who = { sn, code, hw: `hw-${sn}`, model, fw: version() };
    const response = await (web === undefined ? enrolAt({ host, port, tls, ...who }) : enrolOverWeb(web, who));
    this.refusal = response.refusal;
    this.binding = response.st;
    if (response.key === undefined) return false;
    keys.set(response.key);
    return true;
  }

  /** A broker may take the old key for a while when the new one is in force already: the console knows. False: not even it. */
  async #settleKeys(): Promise<boolean> {
    const { keys } = this.#inside;
    const { console: web, sn } = this.#o;
    const { next } = keys;
    if (web === undefined || next === undefined) return true;
    const isGood = await showKey(web, sn, next);
    if (isGood === true) keys.set(next);
    else if (isGood === false) keys.clear();
    return isGood !== undefined;
  }

  async #enter(key: string): Promise<boolean> {
    const { sn, host, port, tls } = this.#o;
    const inside = this.#inside;
    const c = randomBytes(6).toString('hex');
    this.#name = c;
    const password = inside.faults.wrongKey ? 'not-my-key' : key;
    const client = new Client({
      ...{ host, port, tls, password, clientId: sn, username: sn },
      will: { topic: upTopic(sn, 'bye'), payload: JSON.stringify({ r: 'lost', c }), delay: protocolLimits.willDelay },
      onMessage: inside.hear,
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

  /** The console has not heard who is here. */
  greet() {
    void this.open?.publish(upTopic(this.#o.sn, 'hello'), this.#hello()).catch(() => {});
  }

  /** With a farewell, or without; when it is closed. */
  async close(clean: boolean): Promise<void> {
    this.#closed++;
    const client = this.#client;
    if (!client) return;
    if (clean) {
      // A broker says nothing for who leaves in good order.
      client.publish(upTopic(this.#o.sn, 'bye'), JSON.stringify({ r: 'stop', c: this.#name })).catch(() => {});
      client.disconnect();
    } else client.destroy();
    await client.closed;
  }
}
