import type { Socket } from 'node:net';
import { FrameError, Frames } from '@farlink/gateway/protocol/frame.ts';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { ownFilter, upTail } from '@farlink/gateway/protocol/topic.ts';
import type { IConnectPacket, IPublishPacket, ISubscribePacket, Packet } from 'mqtt-packet';
import { hashToken } from '../../kit/session/secret.ts';
import { EnrolLimited } from '../enrolment/binding.ts';
import type { Field } from '../field.ts';
import type { IngestResult } from '../ingest/ingest.ts';
import { isProtocolError, pingResponse, readConnect, readPacket, reasons, writePuback } from './codec.ts';
import { callerOf, connackOf, lost, refusalOf, type Will } from './connect.ts';
import { Outbox } from './outbox.ts';
import { TopicAliases } from './topic-aliases.ts';
import { Wire } from './wire.ts';

/** Packet size limit before authentication. */
const firstPacketBytes = 4096;
/** Messages in processing at which the socket is paused, for any QoS. */
const mostWaiting = 64;
const enrolKeepAliveS = 60;

const reasonCodes = {
  foreign: reasons.notAuthorized,
  topic: reasons.topicName,
  body: reasons.payloadFormat,
  storage: reasons.payloadFormat,
};

/** Interface of the endpoint that owns the connection. */
export interface ConnectionOwner {
  readonly field: Field;
  readonly now: () => number;
  /** Returns true if the gateway may open one more connection. */
  hasRoom(connection: Connection): boolean;
  opened(connection: Connection): void;
  greeted(connection: Connection): void;
  /** Returns true if the gateway has sent hello since it connected. Before that, its current link is unknown. */
  isKnown(connection: Connection): boolean;
  /** The connection has data that cannot be ingested now. The owner resumes it in FIFO order. */
  waits(connection: Connection): void;
  ended(connection: Connection, will: Will): void;
  /** Returns true if this address may send one more enrolment request. */
  mayEnrol(address: string): boolean;
  /** Counts an MQTT protocol error, a wrong key and other faults by kind. */
  fault(kind: string): void;
  /** Logs and counts an internal error. The connection ends. */
  internal(connection: Connection, error: unknown): void;
}

/** One MQTT connection of a gateway: reads packets, checks that the topics belong to it, and acknowledges messages when they are stored. */
export class Connection {
  readonly id: string;
  sn = '';
  clientId = '';
  /** Hash of the key used at login; undefined after a login by certificate. */
  keyHash: string | undefined;
  /** In state 'enrol' only enrolment messages are accepted. */
  state: 'fresh' | 'judging' | 'open' | 'enrol' | 'closed' = 'fresh';
  lastSeen: number;
  keepAliveS = 0;
  /** Presence id of the gateway. It may outlive this connection. */
  presence = '';
  readonly #owner: ConnectionOwner;
  readonly #wire: Wire;
  readonly #frames = new Frames(firstPacketBytes);
  #code = '';
  /** Number of enrolment requests sent, and whether one is in progress. */
  #asked = 0;
  #isAsking = false;
  #will: Will = { body: lost, delayS: 0 };
  #outbox: Outbox | undefined;
  readonly #aliases = new TopicAliases();
  #backlog: Uint8Array[] | undefined;
  /** Data received while the ingest queue was full. */
  #unread: Uint8Array | undefined;
  #unacked = 0;
  #waiting = 0;

  constructor(owner: ConnectionOwner, socket: Socket, id: string) {
    this.id = id;
    this.#owner = owner;
    this.#wire = new Wire(socket, (error) => owner.internal(this, error));
    this.lastSeen = owner.now();
    socket.on('data', (chunk: Buffer) => this.#safely(() => this.#read(chunk)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed(this.#will));
  }

  get hasUnacked(): boolean {
    return this.#outbox?.hasUnacked ?? false;
  }

  pause() {
    this.#wire.pause();
  }

  release() {
    if (this.#waiting < mostWaiting && this.state !== 'judging' && !this.#unread) this.#wire.release();
  }

  /** Returns true if the console has paused this connection. Its silence is then not a timeout. */
  get isWaiting(): boolean {
    return this.#unread !== undefined;
  }

  /** Processes the deferred data and resumes reading. */
  resume() {
    const chunk = this.#unread;
    this.#unread = undefined;
    // The time spent paused does not count as silence.
    this.lastSeen = this.#owner.now();
    if (chunk) this.#safely(() => this.#take(chunk));
    this.release();
  }

  /** An unexpected error ends only this connection. */
  #safely(work: () => void) {
    try {
      work();
    } catch (error) {
      this.#owner.internal(this, error);
      this.end(reasons.unspecified);
    }
  }

  /** Closes the connection; MQTT 5 clients get the reason code. */
  end(reason: number, will: Will = this.#will) {
    if (this.state === 'closed') return;
    if (this.state !== 'fresh' && this.state !== 'judging' && this.#wire.version === 5)
      this.#wire.send({ cmd: 'disconnect', reasonCode: reason });
    this.#closed(will);
    this.#wire.hangUp();
  }

  #closed(will: Will) {
    if (this.state === 'closed') return;
    const spoke = this.state === 'open' || this.state === 'enrol';
    this.state = 'closed';
    this.#backlog = undefined;
    this.#unread = undefined;
    if (spoke) this.#owner.ended(this, will);
    else this.#owner.ended(this, { body: undefined, delayS: 0 });
  }

  #fault(kind: string, reason: number) {
    this.#owner.fault(kind);
    this.end(reason);
  }

  #read(chunk: Uint8Array) {
    // Before CONNECT the timeout is not extended, so a slow sender gains no time.
    if (this.state !== 'fresh') this.lastSeen = this.#owner.now();
    if (this.state === 'closed') return;
    if (!this.#owner.field.full()) return this.#take(chunk);
    // Parsing is deferred as well: ten thousand connections that send at once would block the others for seconds.
    this.#unread = chunk;
    this.pause();
    this.#owner.waits(this);
  }

  #take(chunk: Uint8Array) {
    if (this.state === 'closed') return;
    let frames: Uint8Array[];
    try {
      frames = this.#frames.push(chunk);
    } catch (error) {
      const tooLarge = error instanceof FrameError && error.tooLarge;
      return this.#fault(tooLarge ? 'too_large' : 'malformed', tooLarge ? reasons.tooLarge : reasons.protocolError);
    }
    for (const frame of frames) this.#frame(frame);
  }

  #frame(frame: Uint8Array) {
    if (this.state === 'closed') return;
    if (this.state === 'judging') {
      this.#backlog?.push(frame.slice());
      return;
    }
    if (this.state === 'fresh') {
      const packet = readConnect(frame);
      if (!packet) return this.#fault('malformed', reasons.protocolError);
      void this.#connect(packet);
      return;
    }
    const packet = readPacket(this.#wire.version, frame);
    if (!packet) return this.#fault('malformed', reasons.protocolError);
    if (isProtocolError(packet)) return this.#fault('protocol', reasons.protocolError);
    this.#packet(packet);
  }

  async #connect(packet: IConnectPacket) {
    this.lastSeen = this.#owner.now();
    this.#wire.version = packet.protocolVersion === 5 ? 5 : 4;
    const caller = callerOf(packet, this.#wire.certified);
    if ('refused' in caller) return this.#refuse(caller.refused);
    const { sn, clientId, proof, code, will, window } = caller;
    this.sn = sn;
    this.clientId = clientId;
    this.#will = will;
    this.#outbox = new Outbox({
      ...{ sn, window },
      write: (messageId, topic, payload) =>
        this.#wire.send({ cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false, messageId }),
      taken: (sent) => this.#owner.field.delivered(sn, this.presence, sent),
    });
    if (code !== undefined) {
      this.#code = code;
      if (!this.#owner.mayEnrol(this.#wire.address)) return this.#refuse(reasons.quota);
      return this.#admit('enrol', enrolKeepAliveS, packet.keepalive);
    }
    this.state = 'judging';
    this.#backlog = [];
    this.pause();
    try {
      const admission = await this.#owner.field.admit(sn, proof);
      if (this.#isClosed()) return;
      if ('refused' in admission) return this.#refuse(admission.refused === 'key' ? reasons.badKey : reasons.banned);
      if (!this.#owner.hasRoom(this)) return this.#refuse(reasons.quota);
      if ('key' in proof) this.keyHash = hashToken(proof.key);
      this.#admit('open', admission.keepAlive, packet.keepalive);
    } catch {
      if (!this.#isClosed()) this.#refuse(reasons.unavailable);
    }
  }

  #isClosed() {
    return this.state === 'closed';
  }

  #refuse(reason: number) {
    this.#owner.fault(reason === reasons.badKey ? 'bad_key' : 'refused');
    this.#wire.send(refusalOf(this.#wire.version, reason));
    this.#closed(this.#will);
    this.#wire.hangUp();
  }

  #admit(state: 'open' | 'enrol', keepAlive: number, asked: number | undefined) {
    this.state = state;
    if (state === 'open') this.#frames.max = protocolLimits.packetBytes;
    // MQTT 3.1.1 cannot override the keep-alive that the client requested.
    this.keepAliveS = this.#wire.version === 5 ? keepAlive : asked || keepAlive;
    this.#wire.send(connackOf(this.#wire.version, keepAlive));
    this.#owner.opened(this);
    const backlog = this.#backlog ?? [];
    this.#backlog = undefined;
    for (const frame of backlog) this.#frame(frame);
    this.release();
  }

  #packet(packet: Packet) {
    switch (packet.cmd) {
      case 'publish':
        return this.#publish(packet);
      case 'puback':
        return this.#outbox?.acked(packet.messageId ?? 0);
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe':
        for (const filter of packet.unsubscriptions) this.#outbox?.unfollow(filter);
        return this.#wire.send({ cmd: 'unsuback', messageId: packet.messageId, granted: packet.unsubscriptions.map(() => 0) });
      case 'pingreq':
        return this.#wire.write(pingResponse);
      case 'disconnect':
        return this.#disconnect(packet.reasonCode ?? 0);
      default:
        return this.#fault('protocol', reasons.protocolError);
    }
  }

  #disconnect(reason: number) {
    const will = reason === reasons.ok ? { body: '{"r":"stop"}', delayS: 0 } : { ...this.#will, delayS: 0 };
    this.#closed(will);
    this.#wire.hangUp();
  }

  #publish(packet: IPublishPacket) {
    if (packet.qos === 2) return this.#fault('qos', reasons.qos);
    const topic = this.#aliases.topicOf(packet);
    if (topic === undefined) return this.#fault('alias', reasons.topicAlias);
    if (packet.qos === 1 && ++this.#unacked > protocolLimits.inFlight && this.#wire.version === 5)
      return this.#fault('receive_maximum', reasons.receiveMaximum);
    if (++this.#waiting >= mostWaiting) this.pause();
    const { messageId = 0, qos } = packet;
    const complete = (result: IngestResult) => {
      this.#waiting--;
      if (qos === 1) {
        this.#unacked--;
        if (this.state !== 'closed')
          this.#wire.write(
            result.ok
              ? writePuback(this.#wire.version, messageId)
              : writePuback(this.#wire.version, messageId, reasonCodes[result.why], result.reason),
          );
      }
      this.release();
    };
    const tail = upTail(this.sn, topic);
    if (tail === undefined || (this.state === 'enrol') !== (tail === 'enrol')) return this.#owner.field.refuse(complete);
    const body = String(packet.payload);
    if (this.state === 'enrol') return void this.#enrol(body, complete);
    if (tail === 'hello') this.#owner.greeted(this);
    this.#owner.field.receive(this.sn, tail, body, this.presence, complete);
  }

  async #enrol(body: string, complete: (result: IngestResult) => void) {
    // Each request costs a transaction, and the sender is not authenticated yet.
    if (this.#isAsking || (this.#asked++ > 0 && !this.#owner.mayEnrol(this.#wire.address))) return this.#fault('enrol', reasons.quota);
    this.#isAsking = true;
    try {
      const reply = await this.#owner.field.enrol(this.sn, this.#code, body, this.#wire.address);
      if ('reason' in reply) return complete({ ok: false, why: 'body', reason: reply.reason });
      this.#outbox?.say('enrol', JSON.stringify(reply));
      complete({ ok: true });
    } catch (error) {
      if (error instanceof EnrolLimited) this.#fault('enrol', reasons.quota);
      else this.end(reasons.unavailable);
    } finally {
      this.#isAsking = false;
    }
  }

  #subscribe({ messageId, subscriptions }: ISubscribePacket) {
    const granted = subscriptions.map(({ topic, qos }) => {
      if (!ownFilter(this.sn, topic)) {
        this.#owner.fault('foreign_subscribe');
        return this.#wire.version === 5 ? reasons.notAuthorized : 0x80;
      }
      if (!this.#outbox?.follow(topic)) {
        this.#owner.fault('filters');
        return this.#wire.version === 5 ? reasons.quota : 0x80;
      }
      return Math.min(qos, 1);
    });
    this.#wire.send({ cmd: 'suback', messageId, granted });
    void this.deliver();
  }

  /** Loads the pending messages of the gateway and sends those that this connection has not sent yet. */
  async deliver() {
    if (this.state !== 'open' || !this.#outbox?.isHeard || !this.#owner.isKnown(this)) return;
    try {
      const waiting = await this.#owner.field.pending(this.sn);
      if (!this.#isClosed()) this.#outbox?.offer(waiting, this.#owner.now());
    } catch {
      this.#owner.fault('pending');
    }
  }

  /** Requests a new hello, because the console has marked the gateway offline. */
  askHello() {
    if (this.state === 'open') this.#outbox?.say('hello', '{}');
  }

  async ackHello() {
    if (this.state !== 'open') return;
    const text = await this.#owner.field.greeting(this.sn).catch(() => undefined);
    if (text !== undefined && !this.#isClosed()) this.#outbox?.say('a', text);
  }
}
