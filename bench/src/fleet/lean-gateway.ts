import { connect, type Socket } from 'node:net';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { keyOf, snOf, statusOf } from '../field/fleet.ts';
import {
  connectPacket,
  type Frame,
  kinds,
  pingPacket,
  pubackPacket,
  publishId,
  publishPacket,
  readConnack,
  readFrames,
  subscribePacket,
} from './packets.ts';

/** One buffer for all sockets: each read is processed before the next. */
const buffer = Buffer.allocUnsafe(65_536);
const hello = JSON.stringify({ boot: 'bench1', fw: '03.02.01', h: digestOf({}), link: 'lte' });
const subscribeId = 1;
const helloId = 2;
const statusAlias = 1;
const defaultKeepAliveS = 300;
/** Positions of the status message are valid up to this number. */
const positions = 50_000;

export type Kind = 'status' | 'event';

interface Sent {
  readonly id: number;
  readonly kind: Kind;
  readonly n: number;
  readonly dueAt: number;
}

export interface GatewayOwner {
  /** Connected, subscribed, and the hello message is acknowledged. */
  opened(gateway: LeanGateway): void;
  acknowledged(gateway: LeanGateway, kind: Kind, n: number, dueAt: number): void;
  refused(reason: string): void;
  ended(gateway: LeanGateway, wasOnline: boolean, reason: string): void;
}

const bodyOf = (kind: Kind, i: number, n: number) =>
  JSON.stringify(
    kind === 'status'
      ? { ...statusOf(i % positions, n), ...(n === 1 && { full: true }) }
      : { id: `bench1-${n}`, k: 'port', t: Math.floor(Date.now() / 1000), port: 1, s: n % 2 },
  );

/** A gateway that needs little memory: it has no timers, no promises and no parser. */
export class LeanGateway {
  readonly i: number;
  state: 'offline' | 'connecting' | 'online' = 'offline';
  /** Number of failed connections since the last success. */
  failures = 0;
  /** Number of the newest acknowledged status message. */
  ackedN = 0;
  keepAliveS = defaultKeepAliveS;
  /** Port of the last connection. */
  port = 0;
  readonly #owner: GatewayOwner;
  #socket: Socket | undefined;
  #rest: Buffer | undefined;
  #sent: Sent[] = [];
  #nextId = helloId;
  #statusN = 0;
  #eventN = 0;
  #mayAlias = false;
  #hasAlias = false;
  #reason = 'closed';

  constructor(owner: GatewayOwner, i: number) {
    this.#owner = owner;
    this.i = i;
  }

  get canSend(): boolean {
    return this.state === 'online' && this.#sent.length < protocolLimits.inFlight;
  }

  connect(port: number, localAddress: string, domain: string) {
    this.state = 'connecting';
    this.port = port;
    this.#reason = 'closed';
    this.#rest = undefined;
    this.#sent = [];
    this.#nextId = helloId;
    this.#hasAlias = false;
    const sn = snOf(this.i);
    const socket: Socket = connect({
      host: '127.0.0.1',
      port,
      localAddress,
      noDelay: true,
      onread: {
        buffer,
        callback: (length: number) => {
          if (this.#socket === socket) this.#read(buffer.subarray(0, length));
          return true;
        },
      },
    });
    this.#socket = socket;
    socket.on('error', (error) => {
      this.#reason = 'code' in error ? String(error.code) : error.message;
    });
    socket.on('close', () => this.#socket === socket && this.#end());
    const will = { topic: upTopic(sn, 'bye'), body: '{"r":"lost"}', delayS: protocolLimits.willDelay };
    const login = { clientId: sn, username: domain ? `${sn}@${domain}` : sn, password: keyOf(this.i), keepAliveS: defaultKeepAliveS };
    socket.write(connectPacket({ ...login, receiveMaximum: protocolLimits.inFlight, will }));
  }

  send(kind: Kind, dueAt: number) {
    this.#nextId = (this.#nextId % 65_535) + 1;
    const n = kind === 'status' ? ++this.#statusN : ++this.#eventN;
    this.#sent.push({ id: this.#nextId, kind, n, dueAt });
    const isAliased = kind === 'status' && this.#mayAlias;
    const topic = isAliased && this.#hasAlias ? '' : upTopic(snOf(this.i), kind === 'status' ? 's' : 'e');
    if (isAliased) this.#hasAlias = true;
    this.#socket?.write(publishPacket(this.#nextId, topic, bodyOf(kind, this.i, n), isAliased ? statusAlias : 0));
  }

  ping() {
    this.#socket?.write(pingPacket);
  }

  /** Ends with a reset, as a lost link, and leaves no port in TIME_WAIT. */
  cut(reason: string) {
    this.#reason = reason;
    this.#socket?.resetAndDestroy();
  }

  #end() {
    const wasOnline = this.state === 'online';
    this.#socket = undefined;
    this.state = 'offline';
    this.#sent = [];
    this.#owner.ended(this, wasOnline, this.#reason);
  }

  #read(chunk: Buffer) {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = readFrames(bytes, (frame) => this.#take(frame));
  }

  #take(frame: Frame) {
    const { kind, body } = frame;
    if (kind === kinds.puback) this.#acknowledge(body.readUInt16BE(0), body[2] ?? 0);
    else if (kind === kinds.publish) {
      const id = publishId(frame);
      if (id !== undefined) this.#socket?.write(pubackPacket(id));
    } else if (kind === kinds.connack) this.#connected(body);
    else if (kind === kinds.disconnect) this.#reason = `DISCONNECT 0x${(body[0] ?? 0).toString(16)}`;
  }

  #connected(body: Buffer) {
    const { reason, keepAliveS, aliases } = readConnack(body);
    if (reason !== 0) return this.cut(`CONNACK 0x${reason.toString(16)}`);
    this.keepAliveS = keepAliveS ?? defaultKeepAliveS;
    this.#mayAlias = aliases >= statusAlias;
    const sn = snOf(this.i);
    const packets = [subscribePacket(subscribeId, downTopic(sn, '#')), publishPacket(helloId, upTopic(sn, 'hello'), hello)];
    this.#socket?.write(Buffer.concat(packets));
  }

  #acknowledge(id: number, reason: number) {
    if (this.state === 'connecting') {
      if (id !== helloId) return;
      if (reason >= 0x80) return this.cut(`hello refused 0x${reason.toString(16)}`);
      this.state = 'online';
      this.failures = 0;
      return this.#owner.opened(this);
    }
    const at = this.#sent.findIndex((sent) => sent.id === id);
    const [found] = at < 0 ? [] : this.#sent.splice(at, 1);
    if (!found) return;
    if (reason >= 0x80) return this.#owner.refused(`PUBACK 0x${reason.toString(16)}`);
    if (found.kind === 'status') this.ackedN = Math.max(this.ackedN, found.n);
    this.#owner.acknowledged(this, found.kind, found.n, found.dueAt);
  }
}
