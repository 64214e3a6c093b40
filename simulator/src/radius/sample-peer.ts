import { createSocket } from 'node:dgram';
import { createServer, type TLSSocket } from 'node:tls';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply, encodeRequest, replySignature, requestSignature } from '@farlink/gateway/radius/authenticator.ts';
import { type Attribute, decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { packetReader } from '@farlink/gateway/radius/packet-reader.ts';

export interface PeerReply {
  readonly code: number;
  readonly attributes: readonly Attribute[];
}

/** Decides on a request. Undefined: no answer. */
export type RequestHandler = (packet: Packet, n: number) => PeerReply | undefined;

const replyCodes: readonly number[] = [codes.disconnectAck, codes.disconnectNak, codes.coaAck, codes.coaNak];

/** What both transports have in common: requests of the gateway, and requests of the peer. */
const openPeer = (secret: string, handler: RequestHandler, replySecret = secret) => {
  const requests: Packet[] = [];
  const waiting = new Map<number, { readonly request: Packet; done(reply: Packet): void }>();
  let last = 0;
  return {
    requests,
    /** Handles a packet of the gateway; the result is the reply. */
    receive: (bytes: Buffer): Buffer | undefined => {
      const packet = decodePacket(bytes);
      if (!packet) throw new Error('malformed packet');
      if (replyCodes.includes(packet.code)) {
        const entry = waiting.get(packet.id);
        if (!entry || replySignature(packet, bytes, entry.request, secret) === 'wrong') throw new Error('reply without a proof');
        entry.done(packet);
        return undefined;
      }
      if (requestSignature(packet, bytes, secret) !== 'valid') throw new Error('request without a proof');
      requests.push(packet);
      const reply = handler(packet, requests.length);
      return reply && encodeReply(reply, packet, replySecret);
    },
    /** Sends a request to the gateway, `times` times, and returns its last reply. */
    request: async (request: PeerReply, send: (bytes: Buffer) => void, times = 1): Promise<Packet> => {
      last = (last + 1) % 256;
      const bytes = encodeRequest({ ...request, id: last }, secret);
      const sent = decodePacket(bytes);
      if (!sent) throw new Error('malformed request');
      const { promise, resolve } = Promise.withResolvers<Packet>();
      let left = times;
      const done = (reply: Packet) => {
        left -= 1;
        if (left === 0) resolve(reply);
        else send(bytes);
      };
      waiting.set(last, { request: sent, done });
      send(bytes);
      return promise;
    },
  };
};

/** A RADIUS server on one UDP port. With another `replySecret`, its replies are forged. */
export const openUdpPeer = async (secret: string, handler: RequestHandler, replySecret?: string) => {
  const peer = openPeer(secret, handler, replySecret);
  const socket = createSocket('udp4');
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  socket.on('message', (bytes, from) => {
    const reply = peer.receive(bytes);
    if (reply) socket.send(reply, from.port, from.address);
  });
  const { port } = socket.address();
  return {
    port,
    requests: peer.requests,
    request: (request: PeerReply, to: number, times?: number) =>
      peer.request(request, (bytes) => socket.send(bytes, to, '127.0.0.1'), times),
    close: () => socket.close(),
  };
};

/** A RadSec server with PSK. */
export const openRadsecPeer = async (identity: string, psk: string, handler: RequestHandler) => {
  const peer = openPeer('radsec', handler);
  const sockets: TLSSocket[] = [];
  const server = createServer({
    ciphers: 'TLS_AES_128_GCM_SHA256',
    minVersion: 'TLSv1.3',
    pskCallback: (_, name) => (name === identity ? Buffer.from(psk) : null),
  });
  server.on('secureConnection', (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    const read = packetReader((bytes) => {
      const reply = peer.receive(bytes);
      if (reply) socket.write(reply);
    });
    socket.on('data', (chunk: Buffer) => read(chunk));
  });
  await new Promise<void>((bound) => server.listen(0, '127.0.0.1', bound));
  const address = server.address();
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    requests: peer.requests,
    connections: () => sockets.length,
    /** Breaks the connections. */
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    request: (request: PeerReply, times?: number) => peer.request(request, (bytes) => sockets.at(-1)?.write(bytes), times),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
