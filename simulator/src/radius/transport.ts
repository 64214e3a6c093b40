import type { Packet } from '@farlink/gateway/radius/packet.ts';
import type { OpenRequest } from './requests.ts';

/** Receiver of packets at the gateway. */
export interface PacketReceiver {
  /** Returns false if the packet belongs to another gateway. */
  onReply(packet: Packet, bytes: Buffer): boolean;
  /** The reply to a request of the console. Undefined: not proven, or not for this gateway. */
  onRequest(packet: Packet, bytes: Buffer): Buffer | undefined;
  /** Bytes sent and received. */
  traffic(up: number, down: number): void;
}

/** Path of packets to the console. */
export interface Transport {
  /** Shared secret of packets on this path. */
  readonly secret: string;
  /** Sends once more, if that is possible now. */
  send(request: OpenRequest, isAccounting: boolean): Promise<void>;
  /** Opens the path for requests of the console. */
  listen(): void;
  close(): void;
}
