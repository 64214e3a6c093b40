import { FrameError, Frames } from '@farlink/gateway/protocol/frame.ts';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { Packet } from 'mqtt-packet';
import { isProtocolError, readPacket, reasons, type Version } from './codec.ts';

/** Packet size limit before authentication. */
const firstPacketBytes = 4096;

/** A fault that ends the connection: its kind for the counters, its reason code for the client. */
export interface ConnectionFault {
  readonly fault: string;
  readonly reason: number;
}

export const malformed: ConnectionFault = { fault: 'malformed', reason: reasons.protocolError };
const tooLarge: ConnectionFault = { fault: 'too_large', reason: reasons.tooLarge };
const protocolError: ConnectionFault = { fault: 'protocol', reason: reasons.protocolError };

export const packetOf = (version: Version, frame: Uint8Array): Packet | ConnectionFault => {
  const packet = readPacket(version, frame);
  if (!packet) return malformed;
  return isProtocolError(packet) ? protocolError : packet;
};

/** Input of one connection: splits it into frames, and queues what cannot be processed yet. */
export class Input {
  readonly #frames = new Frames(firstPacketBytes);
  #deferred: Uint8Array | undefined;
  #queued: Uint8Array[] = [];

  framesOf(chunk: Uint8Array): Uint8Array[] | ConnectionFault {
    try {
      return this.#frames.push(chunk);
    } catch (error) {
      return error instanceof FrameError && error.tooLarge ? tooLarge : malformed;
    }
  }

  allowFullPackets() {
    this.#frames.max = protocolLimits.packetBytes;
  }

  /** Returns true if data waits, because the ingest queue was full. */
  get isDeferred(): boolean {
    return this.#deferred !== undefined;
  }

  defer(chunk: Uint8Array) {
    this.#deferred = chunk;
  }

  takeDeferred(): Uint8Array | undefined {
    const chunk = this.#deferred;
    this.#deferred = undefined;
    return chunk;
  }

  /** Queues a frame that arrived during authentication. */
  queue(frame: Uint8Array) {
    this.#queued.push(frame.slice());
  }

  takeQueued(): Uint8Array[] {
    const frames = this.#queued;
    this.#queued = [];
    return frames;
  }

  clear() {
    this.takeDeferred();
    this.takeQueued();
  }
}
