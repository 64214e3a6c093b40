import { createSocket, type Socket } from 'node:dgram';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { decodePacket } from '@farlink/gateway/radius/packet.ts';
import type { RadiusAccess } from './access.ts';
import type { OpenRequest } from './requests.ts';
import type { PacketReceiver, Transport } from './transport.ts';

/** Receivers of one socket. Thousands of gateways share it, and the proof of a packet finds its gateway. */
interface Shared {
  readonly socket: Socket;
  readonly receivers: Set<PacketReceiver>;
}

/** Sockets by port; 0 is the socket for replies. They close with their last gateway. */
const sockets = new Map<number, Shared>();

const openShared = (port: number): Shared => {
  const socket = createSocket({ type: 'udp4', reuseAddr: port !== 0 });
  const receivers = new Set<PacketReceiver>();
  socket.on('error', () => {});
  socket.on('message', (bytes, from) => {
    const packet = decodePacket(bytes);
    if (!packet) return;
    const isRequest = packet.code === codes.disconnectRequest || packet.code === codes.coaRequest;
    for (const receiver of receivers) {
      if (!isRequest) {
        if (!receiver.onReply(packet, bytes)) continue;
        return receiver.traffic(0, bytes.length);
      }
      const reply = receiver.onRequest(packet, bytes);
      if (!reply) continue;
      receiver.traffic(reply.length, bytes.length);
      return socket.send(reply, from.port, from.address, () => {});
    }
  });
  socket.bind(port).unref();
  return { socket, receivers };
};

const attach = (port: number, receiver: PacketReceiver): Socket => {
  const shared = sockets.get(port) ?? openShared(port);
  sockets.set(port, shared);
  shared.receivers.add(receiver);
  return shared.socket;
};

const detach = (port: number, receiver: PacketReceiver) => {
  const shared = sockets.get(port);
  shared?.receivers.delete(receiver);
  if (shared?.receivers.size !== 0) return;
  sockets.delete(port);
  shared.socket.close();
};

export class UdpTransport implements Transport {
  readonly secret: string;
  readonly #access: RadiusAccess;
  readonly #receiver: PacketReceiver;

  constructor(access: RadiusAccess, receiver: PacketReceiver) {
    this.secret = access.secret;
    this.#access = access;
    this.#receiver = receiver;
  }

  /** A datagram that cannot be sent is lost, like any other. */
  async send({ bytes }: OpenRequest, isAccounting: boolean): Promise<void> {
    const { host, auth, acct } = this.#access;
    this.#receiver.traffic(bytes.length, 0);
    attach(0, this.#receiver).send(bytes, isAccounting ? acct : auth, host, () => {});
  }

  listen() {
    const { coa } = this.#access;
    if (coa !== undefined) attach(coa, this.#receiver);
  }

  close() {
    detach(0, this.#receiver);
    if (this.#access.coa !== undefined) detach(this.#access.coa, this.#receiver);
  }
}
