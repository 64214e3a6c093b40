import type { Socket } from 'node:net';
import { upTail } from '@farlink/gateway/protocol/topic.ts';
import type { IConnectPacket, IPublishPacket, ISubscribePacket, Packet } from 'mqtt-packet';
import { hashToken } from '../../kit/session/secret.ts';
import type { Proof } from '../enrolment/authenticate.ts';
import { EnrolLimited } from '../enrolment/binding.ts';
import type { IngestResult } from '../ingest/ingest.ts';
import { pingResponse, readConnect, reasons } from './codec.ts';
import { callerOf, connackOf, lost, refusalOf, type Will } from './connect.ts';
import type { ConnectionOwner } from './connection-owner.ts';
import { EnrolmentRequests } from './enrolment-requests.ts';
import { type ConnectionFault, Input, malformed, packetOf } from './input.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { PublishedMessages } from './published-messages.ts';
import { Wire } from './wire.ts';

const enrolKeepAliveS = 60;

/** One MQTT connection of a gateway: reads packets, checks that the topics belong to it, and acknowledges messages when they are stored. */
export class Connection {
  readonly id: string;
  sn = '';
  clientId = '';
  /** Hash of the key used at login; undefined after a login by certificate. */
  keyHash: string | undefined;
  /** 'waiting': for its turn to connect. In state 'enrol' only enrolment messages are accepted. */
  state: 'new' | 'waiting' | 'authenticating' | 'open' | 'enrol' | 'closed' = 'new';
  lastSeen: number;
  keepAliveS = 0;
  /** Presence id of the gateway. It may outlive this connection. */
  presence = '';
  readonly #owner: ConnectionOwner<Connection>;
  readonly #wire: Wire;
  readonly #input = new Input();
  readonly #published: PublishedMessages;
  #enrolment: EnrolmentRequests | undefined;
  #will: Will = { body: lost, delayS: 0 };
  #outgoing: OutgoingMessages | undefined;

  constructor(owner: ConnectionOwner<Connection>, socket: Socket, id: string) {
    this.id = id;
    this.#owner = owner;
    this.#wire = new Wire(socket, (error) => owner.internal(this, error));
    this.#published = new PublishedMessages(this.#wire, () => this.release());
    this.lastSeen = owner.now();
    socket.on('data', (chunk: Buffer) => this.#safely(() => this.#read(chunk)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed(this.#will));
  }

  get hasUnacked(): boolean {
    return this.#outgoing?.hasUnacked ?? false;
  }

  pause() {
    this.#wire.pause();
  }

  release() {
    if (!this.#published.isFull && !this.#isConnecting && !this.#input.isDeferred) this.#wire.release();
  }

  /** Returns true if this connection waits for the console. Its silence is then not a timeout. */
  get isPaused(): boolean {
    return this.#input.isDeferred || this.state === 'waiting';
  }

  get #isConnecting(): boolean {
    return this.state === 'waiting' || this.state === 'authenticating';
  }

  /** Processes the deferred data and resumes reading. */
  resume() {
    const chunk = this.#input.takeDeferred();
    // The time spent paused does not count as silence.
    this.lastSeen = this.#owner.now();
    if (chunk) this.#safely(() => this.#process(chunk));
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
    if (this.state !== 'new' && !this.#isConnecting && this.#wire.version === 5) this.#wire.send({ cmd: 'disconnect', reasonCode: reason });
    this.#closed(will);
    this.#wire.hangUp();
  }

  #closed(will: Will) {
    if (this.state === 'closed') return;
    const wasAdmitted = this.state === 'open' || this.state === 'enrol';
    this.state = 'closed';
    this.#input.clear();
    this.#outgoing?.close();
    if (wasAdmitted) this.#owner.ended(this, will);
    else this.#owner.ended(this, { body: undefined, delayS: 0 });
  }

  #fail({ fault, reason }: ConnectionFault) {
    this.#owner.fault(fault);
    this.end(reason);
  }

  #read(chunk: Uint8Array) {
    // Before CONNECT the timeout is not extended, so a slow sender gains no time.
    if (this.state !== 'new') this.lastSeen = this.#owner.now();
    if (this.state === 'closed') return;
    if (!this.#owner.field.full()) return this.#process(chunk);
    // Parsing is deferred as well: ten thousand connections that send at once would block the others for seconds.
    this.#input.defer(chunk);
    this.pause();
    this.#owner.paused(this);
  }

  #process(chunk: Uint8Array) {
    if (this.state === 'closed') return;
    const frames = this.#input.framesOf(chunk);
    if ('fault' in frames) return this.#fail(frames);
    for (const frame of frames) this.#frame(frame);
  }

  #frame(frame: Uint8Array) {
    if (this.state === 'closed') return;
    if (this.#isConnecting) {
      this.pause();
      return this.#input.queue(frame);
    }
    if (this.state === 'new') {
      const packet = readConnect(frame);
      return packet ? this.#connect(packet) : this.#fail(malformed);
    }
    const packet = packetOf(this.#wire.version, frame);
    if ('fault' in packet) return this.#fail(packet);
    this.#packet(packet);
  }

  #connect(packet: IConnectPacket) {
    this.lastSeen = this.#owner.now();
    this.#wire.version = packet.protocolVersion === 5 ? 5 : 4;
    const caller = callerOf(packet, this.#wire.certified);
    if ('refused' in caller) return this.#refuse(caller.refused);
    const { field, fault } = this.#owner;
    const { sn, clientId, proof, code, will, window } = caller;
    this.sn = sn;
    this.clientId = clientId;
    this.#will = will;
    this.#outgoing = new OutgoingMessages({
      field,
      sn,
      window,
      wire: this.#wire,
      delivered: (sent) => field.delivered(sn, this.presence, sent),
      fault,
    });
    if (code !== undefined) return this.#admitEnrolment(code, packet.keepalive);
    this.#owner.connecting(this);
    this.state = 'waiting';
    // The socket is read until more than the CONNECT arrives, so a client that gives up leaves the queue.
    this.#owner.admission.enter(this, {
      address: this.#wire.address,
      start: () => void this.#authenticate(proof, packet.keepalive),
      refuse: () => this.#refuse(reasons.busy),
    });
  }

  async #authenticate(proof: Proof, requestedKeepAlive: number | undefined) {
    this.state = 'authenticating';
    this.lastSeen = this.#owner.now();
    this.pause();
    try {
      const admission = await this.#owner.field.admit(this.sn, proof);
      if (this.#isClosed()) return;
      if ('refused' in admission) return this.#refuse(admission.refused === 'key' ? reasons.badKey : reasons.banned);
      if (!this.#owner.mayAddConnection(this)) return this.#refuse(reasons.quota);
      if ('key' in proof) this.keyHash = hashToken(proof.key);
      this.#admit('open', admission.keepAlive, requestedKeepAlive);
    } catch {
      if (!this.#isClosed()) this.#refuse(reasons.unavailable);
    }
  }

  #admitEnrolment(code: string, requestedKeepAlive: number | undefined) {
    const { field, mayEnrol } = this.#owner;
    const { address } = this.#wire;
    if (!mayEnrol(address)) return this.#refuse(reasons.quota);
    this.#enrolment = new EnrolmentRequests({ field, mayEnrol, address, code, sn: this.sn });
    this.#admit('enrol', enrolKeepAliveS, requestedKeepAlive);
  }

  #isClosed() {
    return this.state === 'closed';
  }

  #refuse(reason: number) {
    this.#owner.fault(reason === reasons.badKey ? 'bad_key' : reason === reasons.busy ? 'busy' : 'refused');
    this.#wire.send(refusalOf(this.#wire.version, reason));
    this.#closed(this.#will);
    this.#wire.hangUp();
  }

  #admit(state: 'open' | 'enrol', keepAlive: number, requested: number | undefined) {
    this.state = state;
    if (state === 'open') this.#input.allowFullPackets();
    // MQTT 3.1.1 cannot override the keep-alive that the client requested.
    this.keepAliveS = this.#wire.version === 5 ? keepAlive : requested || keepAlive;
    this.#wire.send(connackOf(this.#wire.version, keepAlive));
    this.#owner.opened(this);
    this.#owner.admission.release(this);
    for (const frame of this.#input.takeQueued()) this.#frame(frame);
    this.release();
  }

  #packet(packet: Packet) {
    switch (packet.cmd) {
      case 'publish':
        return this.#publish(packet);
      case 'puback':
        return this.#outgoing?.acked(packet.messageId ?? 0);
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe':
        return this.#outgoing?.unsubscribe(packet);
      case 'pingreq':
        return this.#wire.write(pingResponse);
      case 'disconnect':
        return this.#disconnect(packet.reasonCode ?? 0);
      default:
        return this.#fail({ fault: 'protocol', reason: reasons.protocolError });
    }
  }

  #disconnect(reason: number) {
    const will = reason === reasons.ok ? { body: '{"r":"stop"}', delayS: 0 } : { ...this.#will, delayS: 0 };
    this.#closed(will);
    this.#wire.hangUp();
  }

  #publish(packet: IPublishPacket) {
    const message = this.#published.accept(packet);
    if ('fault' in message) return this.#fail(message);
    if (this.#published.isFull) this.pause();
    const { topic, complete } = message;
    const tail = upTail(this.sn, topic);
    if (tail === undefined || (this.state === 'enrol') !== (tail === 'enrol')) return this.#owner.field.refuse(complete);
    const body = String(packet.payload);
    if (this.state === 'enrol') return void this.#enrol(body, complete);
    if (tail !== 'hello') return this.#owner.field.receive(this.sn, tail, body, this.presence, complete);
    const { admission, field, helloSent } = this.#owner;
    helloSent(this);
    admission.occupy(this);
    field.receive(this.sn, tail, body, this.presence, (result) => {
      admission.release(this);
      complete(result);
    });
  }

  async #enrol(body: string, complete: (result: IngestResult) => void) {
    const request = this.#enrolment?.send(body);
    if (!request) return this.#fail({ fault: 'enrol', reason: reasons.quota });
    try {
      const reply = await request;
      if ('reason' in reply) return complete({ ok: false, why: 'body', reason: reply.reason });
      this.#outgoing?.sendOnce('enrol', JSON.stringify(reply));
      complete({ ok: true });
    } catch (error) {
      if (error instanceof EnrolLimited) this.#fail({ fault: 'enrol', reason: reasons.quota });
      else this.end(reasons.unavailable);
    }
  }

  #subscribe(packet: ISubscribePacket) {
    this.#outgoing?.subscribe(packet);
    void this.deliver();
  }

  /** Sends the pending messages of the gateway. */
  async deliver() {
    if (this.state === 'open' && this.#owner.isLinkKnown(this)) await this.#outgoing?.deliver(this.#owner.now);
  }

  /** Requests a new hello, because the console has marked the gateway offline. */
  requestHello() {
    if (this.state === 'open') this.#outgoing?.sendOnce('hello', '{}');
  }

  async ackHello() {
    if (this.state === 'open') await this.#outgoing?.ackHello();
  }
}
