import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Frames } from '@farlink/gateway/protocol/frame.ts';
import { generate, type IConnackPacket, type IPublishPacket, type Packet, type Parser, parser } from 'mqtt-packet';

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean | ConnectionOptions;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly version?: 4 | 5;
  readonly keepAlive?: number;
  readonly will?: { readonly topic: string; readonly payload: string; readonly delay: number };
  readonly onMessage?: (topic: string, body: string) => void;
  /** Receives the bytes of each write and read. */
  readonly onTraffic?: (up: number, down: number) => void;
  /** Receives the MQTT reason code of the peer, if it sent one. */
  readonly onClose?: (reason: number | undefined) => void;
}

export class Closed extends Error {
  readonly reason: number | undefined;
  constructor(reason?: number) {
    super(`closed${reason === undefined ? '' : ` with 0x${reason.toString(16)}`}`);
    this.reason = reason;
  }
}

/** `Frames` delivers complete packets, so all connections of one protocol version share a parser. */
const reader = (version: 4 | 5) => {
  let found: Packet | undefined;
  const newParser = () =>
    parser({ protocolVersion: version })
      .on('packet', (packet) => {
        found = packet;
      })
      .on('error', (error) => {
        throw error;
      });
  let shared: Parser | undefined;
  return (frame: Uint8Array) => {
    found = undefined;
    const using = shared ?? newParser();
    // A parser that failed keeps the rest of the bad packet, so it is reused only after a success.
    shared = undefined;
    if (using.parse(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)) === 0) shared = using;
    return found;
  };
};
const readers = { 4: reader(4), 5: reader(5) };

const patienceMs = 60_000;

interface Waiting {
  readonly resolve: (codes: number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Minimal MQTT client: one connection, no sessions, no retries. The caller stores unacknowledged messages. */
export class Client {
  readonly #options: ClientOptions;
  readonly #version: 4 | 5;
  readonly #frames = new Frames(268_435_455);
  readonly #waiting = new Map<number, Waiting>();
  readonly #aliases = new Map<string, number>();
  #socket: Socket | undefined;
  #connected: { resolve: (packet: IConnackPacket) => void; reject: (error: Error) => void } | undefined;
  #nextId = 0;
  #aliasMax = 0;
  /** Timeout for the CONNACK, then the keep-alive timer. */
  #watch: NodeJS.Timeout | undefined;
  #hasReceived = false;
  #reason: number | undefined;
  #closed = false;
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#version = options.version ?? 5;
  }

  /** Resolves when the connection is closed. */
  get closed(): Promise<void> {
    return this.#ended.promise;
  }

  get inFlight(): number {
    return this.#waiting.size;
  }

  /** Resolves with the CONNACK, including refusals. */
  connect(): Promise<IConnackPacket> {
    const { host, port, tls, clientId, username, password, will, keepAlive = 300 } = this.#options;
    const socket = tls ? connectTls({ host, port, ...(tls !== true && tls) }) : connectTcp({ host, port, noDelay: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
    this.#watch = setTimeout(() => socket.destroy(), patienceMs).unref();
    this.#send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: this.#version,
      clean: true,
      keepalive: keepAlive,
      clientId,
      username,
      ...(password !== '' && { password: Buffer.from(password) }),
      ...(will && {
        will: {
          topic: will.topic,
          payload: will.payload,
          qos: 1,
          retain: false,
          ...(this.#version === 5 && { properties: { willDelayInterval: will.delay } }),
        },
      }),
      // The broker publishes the will when the session expires, so the session expiry must equal the will delay.
      ...(this.#version === 5 && { properties: { receiveMaximum: 16, ...(will && { sessionExpiryInterval: will.delay }) } }),
    });
    return new Promise((resolve, reject) => {
      this.#connected = { resolve, reject };
    });
  }

  async subscribe(filter: string): Promise<number> {
    const [code = 0x80] = await this.#request((messageId) =>
      this.#send({ cmd: 'subscribe', messageId, subscriptions: [{ topic: filter, qos: 1 }] }),
    );
    return code;
  }

  /** Resolves with the reason code of the PUBACK; at once for QoS 0. */
  async publish(
    topic: string,
    body: string,
    { qos = 1, alias = false, dup = false }: { qos?: 0 | 1; alias?: boolean; dup?: boolean } = {},
  ) {
    const known = alias ? this.#aliases.get(topic) : undefined;
    let properties: IPublishPacket['properties'];
    if (known !== undefined) properties = { topicAlias: known };
    else if (alias && this.#aliases.size < this.#aliasMax) {
      this.#aliases.set(topic, this.#aliases.size + 1);
      properties = { topicAlias: this.#aliases.size };
    }
    const packet = {
      cmd: 'publish',
      topic: known === undefined ? topic : '',
      payload: body,
      retain: false,
      ...(properties && { properties }),
    } as const;
    if (qos === 0) {
      this.#send({ ...packet, qos, dup: false });
      return 0;
    }
    const [code = 0] = await this.#request((messageId) => this.#send({ ...packet, qos, dup, messageId }));
    return code;
  }

  /** Sends raw bytes, to test malformed input. */
  raw(bytes: Uint8Array) {
    this.#socket?.write(bytes);
  }

  disconnect() {
    this.#send({ cmd: 'disconnect' });
    this.#socket?.end();
  }

  /** Closes the socket without DISCONNECT, as a lost link does. */
  destroy() {
    this.#socket?.destroy();
  }

  #request(send: (id: number) => void): Promise<number[]> {
    if (this.#closed) return Promise.reject(new Closed(this.#reason));
    do this.#nextId = (this.#nextId % 65_535) + 1;
    while (this.#waiting.has(this.#nextId));
    const id = this.#nextId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  #send(packet: Packet) {
    if (!this.#socket || this.#closed) return;
    const bytes = generate(packet, { protocolVersion: this.#version });
    this.#options.onTraffic?.(bytes.length, 0);
    this.#socket.write(bytes);
  }

  /** Closes the connection if no packet arrived since the last ping. */
  #ping() {
    if (!this.#hasReceived) return this.destroy();
    this.#hasReceived = false;
    this.#send({ cmd: 'pingreq' });
  }

  #read(chunk: Buffer) {
    this.#hasReceived = true;
    this.#options.onTraffic?.(0, chunk.length);
    try {
      for (const frame of this.#frames.push(chunk)) {
        const packet = readers[this.#version](frame);
        if (packet) this.#packet(packet);
      }
    } catch {
      this.destroy();
    }
  }

  #packet(packet: Packet) {
    if (packet.cmd === 'connack') {
      const keepAlive = packet.properties?.serverKeepAlive ?? this.#options.keepAlive ?? 300;
      this.#aliasMax = packet.properties?.topicAliasMaximum ?? 0;
      clearTimeout(this.#watch);
      this.#watch = setInterval(() => this.#ping(), keepAlive * 1000).unref();
      this.#connected?.resolve(packet);
      this.#connected = undefined;
    } else if (packet.cmd === 'publish') {
      this.#options.onMessage?.(packet.topic, String(packet.payload));
      if (packet.qos === 1 && packet.messageId !== undefined) this.#send({ cmd: 'puback', messageId: packet.messageId, reasonCode: 0 });
    } else if (packet.cmd === 'puback') this.#acknowledge(packet.messageId, [packet.reasonCode ?? 0]);
    else if (packet.cmd === 'suback') this.#acknowledge(packet.messageId, packet.granted.map(Number));
    else if (packet.cmd === 'disconnect') this.#reason = packet.reasonCode ?? 0;
  }

  #acknowledge(id: number | undefined, codes: number[]) {
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.resolve(codes);
  }

  #end() {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#watch);
    const error = new Closed(this.#reason);
    this.#connected?.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#options.onClose?.(this.#reason);
    this.#ended.resolve();
  }
}
