import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Frames } from '@farlink/gateway/protocol/frame.ts';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { IConnackPacket, IPublishPacket, Packet } from 'mqtt-packet';
import { readPacket, reasons, writePacket, writePuback } from '../endpoint/codec.ts';

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** CA certificates (PEM) for the broker, used instead of the system ones. */
  readonly ca: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface ClientOptions {
  readonly address: BrokerAddress;
  /** Same after every start, so that the broker resumes the session. */
  readonly clientId: string;
  readonly filter: string;
  /** Receives a message. It is acknowledged when `done` is called. */
  received(message: IPublishPacket, done: () => void): void;
  /** The subscription is active. `resumed`: the broker kept the session and its queued messages. */
  connected(resumed: boolean): void;
  disconnected(reason: string): void;
}

const keepAliveS = 30;
const firstReplyMs = 10_000;
/** Session expiry: how long the broker queues messages while no console process is connected. */
const sessionS = 7 * 86_400;
/** Messages of gateways that may be in processing at a time. */
const window = 1000;
/** Reconnect delay: 0.2 s at first, doubled up to 25 s. */
const shortestPauseMs = 200;
const maxDoublings = 7;

interface Waiting {
  readonly topic: string;
  readonly body: string;
  readonly complete: (reason: number) => void;
}

/** One TCP connection to the broker, with its unacknowledged messages. */
class Link {
  readonly socket: Socket;
  readonly #frames = new Frames(protocolLimits.packetBytes + 1024);
  readonly inFlight = new Map<number, Waiting>();
  window: number = protocolLimits.inFlight;
  lastSeen = performance.now();
  lastSent = performance.now();
  /** CONNECT and SUBSCRIBE are acknowledged. */
  open = false;
  resumed = false;
  ended = false;
  reason = 'the connection was lost';
  #nextId = 0;

  constructor({ host, port, tls, ca }: BrokerAddress) {
    this.socket = tls ? connectTls({ host, port, ca, ...(isIP(host) === 0 && { servername: host }) }) : connectTcp({ host, port });
    this.socket.setNoDelay(true);
  }

  packetsOf(chunk: Buffer): Packet[] {
    this.lastSeen = performance.now();
    return this.#frames.push(chunk).map((frame) => {
      const packet = readPacket(5, frame);
      if (!packet) throw new Error('the broker sent data that is not MQTT 5');
      return packet;
    });
  }

  id(): number {
    do this.#nextId = (this.#nextId % 65_535) + 1;
    while (this.inFlight.has(this.#nextId));
    return this.#nextId;
  }

  send(packet: Packet) {
    let bytes: Buffer;
    try {
      bytes = writePacket(5, packet);
    } catch (error) {
      return this.fail(error instanceof Error ? error.message : String(error));
    }
    this.write(bytes);
  }

  write(bytes: Buffer) {
    this.lastSent = performance.now();
    if (this.socket.writable) this.socket.write(bytes);
  }

  fail(reason: string) {
    this.reason = reason;
    this.socket.destroy();
  }
}

const hex = (code: number | undefined) => `0x${(code ?? 0).toString(16).padStart(2, '0')}`;

/** Client of an external broker. It reconnects automatically and acknowledges a message when the receiver calls `done`. */
export class BrokerClient {
  readonly #options: ClientOptions;
  readonly #queue: Waiting[] = [];
  #link: Link | undefined;
  #tries = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPaused = false;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#link?.open ?? false;
  }

  /** Returns the PUBACK code of the broker: 0x10 if there was no subscriber, 0x88 if the connection failed first. */
  publish(topic: string, body: string): Promise<number> {
    if (!this.isOpen) return Promise.resolve(reasons.unavailable);
    return new Promise((complete) => {
      this.#queue.push({ topic, body, complete });
      this.#pump();
    });
  }

  pause() {
    this.#isPaused = true;
    this.#link?.socket.pause();
  }

  release() {
    if (this.#isPaused) this.#link?.socket.resume();
    this.#isPaused = false;
  }

  /** Checks that the broker still responds. Call it every few seconds. */
  check() {
    const link = this.#link;
    if (!link) return;
    const at = performance.now();
    const silent = at - link.lastSeen;
    if (!link.open && silent > firstReplyMs) link.fail('the broker did not reply');
    else if (silent > keepAliveS * 1500 && !this.#isPaused) link.fail('the broker was silent');
    else if (link.open && at - Math.min(link.lastSeen, link.lastSent) > keepAliveS * 500) link.send({ cmd: 'pingreq' });
  }

  async close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    const link = this.#link;
    if (!link || link.ended) return;
    const gone = new Promise<void>((done) => link.socket.once('close', () => done()));
    if (link.open) link.send({ cmd: 'disconnect', reasonCode: reasons.ok });
    link.socket.end();
    link.socket.resume();
    const patience = setTimeout(() => link.socket.destroy(), 2000);
    await gone;
    clearTimeout(patience);
  }

  #connect() {
    const { address, clientId } = this.#options;
    const link = new Link(address);
    this.#link = link;
    this.#isPaused = false;
    link.socket.on('data', (chunk: Buffer) => this.#read(link, chunk));
    link.socket.on('error', (error) => link.fail(error.message));
    link.socket.on('close', () => this.#ended(link));
    link.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clean: false,
      keepalive: keepAliveS,
      clientId,
      ...(address.username !== undefined && { username: address.username }),
      ...(address.password !== undefined && { password: Buffer.from(address.password) }),
      properties: {
        sessionExpiryInterval: sessionS,
        receiveMaximum: window,
        maximumPacketSize: protocolLimits.packetBytes + 1024,
      },
    });
  }

  #ended(link: Link) {
    if (link.ended) return;
    link.ended = true;
    link.open = false;
    for (const { complete } of [...link.inFlight.values(), ...this.#queue.splice(0)]) complete(reasons.unavailable);
    link.inFlight.clear();
    if (this.#closed) return;
    this.#options.disconnected(link.reason);
    const pauseMs = shortestPauseMs * 2 ** Math.min(this.#tries++, maxDoublings) * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), pauseMs);
  }

  #read(link: Link, chunk: Buffer) {
    try {
      for (const packet of link.packetsOf(chunk)) this.#packet(link, packet);
    } catch (error) {
      link.fail(error instanceof Error ? error.message : String(error));
    }
  }

  #packet(link: Link, packet: Packet) {
    switch (packet.cmd) {
      case 'connack':
        return this.#connack(link, packet);
      case 'suback':
        return this.#suback(link, packet.granted.map(Number)[0]);
      case 'publish':
        if (this.#closed) return;
        return this.#options.received(packet, () => {
          // The broker resends unacknowledged messages of a lost connection over the next one.
          if (packet.qos === 1 && !link.ended) link.write(writePuback(5, packet.messageId ?? 0));
        });
      case 'puback': {
        const waiting = link.inFlight.get(packet.messageId ?? 0);
        link.inFlight.delete(packet.messageId ?? 0);
        waiting?.complete(packet.reasonCode ?? 0);
        return this.#pump();
      }
      case 'disconnect':
        // Another process is the leader now. This process detects it at its next check.
        if (packet.reasonCode === reasons.takenOver) this.#tries = maxDoublings;
        return link.fail(`the broker ended the connection with ${hex(packet.reasonCode)}`);
    }
  }

  #connack(link: Link, { reasonCode, sessionPresent, properties }: IConnackPacket) {
    if (reasonCode !== 0) return link.fail(`the broker refused the console with ${hex(reasonCode)}`);
    link.window = Math.min(properties?.receiveMaximum ?? 65_535, window);
    link.resumed = sessionPresent;
    const messageId = link.id();
    // Retained messages are excluded, because they do not describe the current state.
    link.send({ cmd: 'subscribe', messageId, subscriptions: [{ topic: this.#options.filter, qos: 1, nl: true, rap: true, rh: 2 }] });
  }

  #suback(link: Link, code: number | undefined) {
    if (code !== 1) return link.fail(`the broker refused the subscription (${hex(code)})`);
    link.open = true;
    this.#tries = 0;
    this.#options.connected(link.resumed);
  }

  #pump() {
    const link = this.#link;
    while (link?.open && link.inFlight.size < link.window) {
      const next = this.#queue.shift();
      if (!next) return;
      const messageId = link.id();
      link.inFlight.set(messageId, next);
      link.send({ cmd: 'publish', topic: next.topic, payload: next.body, qos: 1, dup: false, retain: false, messageId });
    }
  }
}
