import { constants } from 'node:crypto';
import { createServer, type TLSSocket } from 'node:tls';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { packetReader } from '@farlink/gateway/radius/packet-reader.ts';
import type { Logger } from 'pino';
import { limitClosing } from '../kit/http/limit-closing.ts';
import { limitUnfinished, type UnfinishedLimits } from '../kit/http/limit-unfinished.ts';
import type { Pipeline } from './pipeline.ts';
import type { Nas, Registry } from './registry.ts';
import { plainAddress } from './udp.ts';

export interface RadsecOptions {
  readonly host: string;
  readonly port: number;
  /** Without a certificate, only PSK clients can connect. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer; readonly ca?: string | undefined } | undefined;
}

/** A connection of a NAS. Requests of the console go back over it (reverse CoA). */
export interface RadsecConnection {
  readonly nas: Nas;
  send(bytes: Buffer): void;
  /** Replies to requests of the console. */
  onReply: ((packet: Packet, bytes: Buffer) => void) | undefined;
}

export interface RadsecListener {
  readonly port: number;
  connectionOf(nasId: number): RadsecConnection | undefined;
  /** NAS that are connected to this process. */
  connected(): number[];
  /** Ends connections whose NAS was removed or has another secret. */
  recheck(): void;
  size(): number;
  close(): Promise<void>;
}

/** Largest amount of unsent replies; a client that does not read is disconnected. */
const maxUnsent = 1024 ** 2;
const idleMs = 15 * 60_000;
/** RFC 9813: PSK with forward secrecy. The others are for certificates. */
const ciphers =
  'ECDHE+CHACHA20:ECDHE+AESGCM:DHE-PSK+AESGCM:ECDHE-PSK-CHACHA20-POLY1305:TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256';

const replyCodes: readonly number[] = [codes.disconnectAck, codes.disconnectNak, codes.coaAck, codes.coaNak];

const commonName = (socket: TLSSocket): string | undefined => {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const name = subject?.CN;
  return Array.isArray(name) ? name[0] : name;
};

export const openRadsec = async (
  {
    registry,
    pipeline,
    log,
    unfinished,
  }: { readonly registry: Registry; readonly pipeline: Pipeline; readonly log: Logger; readonly unfinished: UnfinishedLimits },
  { host, port, tls }: RadsecOptions,
): Promise<RadsecListener> => {
  const identities = new WeakMap<TLSSocket, string>();
  const open = new Map<TLSSocket, RadsecConnection>();

  const serve = (socket: TLSSocket) => {
    const identity = identities.get(socket) ?? commonName(socket);
    const nas = identity === undefined ? undefined : registry.byIdentity(identity);
    if (!nas) return void socket.destroy();
    logins.finished(socket);
    const send = (bytes: Buffer) => {
      if (!socket.writable) return;
      if (socket.writableLength > maxUnsent) socket.destroy();
      else socket.write(bytes);
    };
    const connection: RadsecConnection = { nas, send, onReply: undefined };
    const address = plainAddress(socket.remoteAddress ?? '');
    const read = packetReader((bytes) => {
      const packet = replyCodes.includes(bytes[0] ?? 0) ? decodePacket(bytes) : undefined;
      if (packet) connection.onReply?.(packet, bytes);
      else pipeline.receive(bytes, { address, nas: registry.get(nas.id) ?? nas, accepts: 'both', send });
    });
    open.set(socket, connection);
    socket.on('data', (chunk: Buffer) => read(chunk) || socket.destroy());
  };

  const server = createServer({
    ...tls,
    ciphers,
    minVersion: 'TLSv1.2',
    requestCert: tls?.ca !== undefined,
    rejectUnauthorized: false,
    // A resumed session would skip the PSK callback, and with it the identity.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ALPNProtocols: ['radius/1.0'],
    handshakeTimeout: unfinished.timeoutMs,
    pskCallback: (socket: TLSSocket, identity: string) => {
      const nas = registry.byIdentity(identity);
      if (!nas) return null;
      identities.set(socket, identity);
      return Buffer.from(nas.secret, 'utf8');
    },
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    serve(socket);
  });
  server.on('tlsClientError', (error, socket) => {
    log.info({ reason: error.message }, 'RadSec handshake failed');
    socket.destroy();
  });
  const logins = limitUnfinished(server, unfinished, log);
  const endSockets = limitClosing(server);
  const opened = await new Promise<number>((bound, failed) => {
    server.once('error', failed);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', failed);
      const address = server.address();
      bound(address && typeof address === 'object' ? address.port : port);
    });
  });
  server.on('error', (error) => log.warn({ reason: error.message }, 'RadSec listener failed'));
  return {
    port: opened,
    connectionOf: (nasId) => [...open.values()].findLast(({ nas }) => nas.id === nasId),
    connected: () => [...new Set([...open.values()].map(({ nas }) => nas.id))],
    recheck: () => {
      for (const [socket, { nas }] of open) if (registry.get(nas.id)?.secret !== nas.secret) socket.destroy();
    },
    size: () => open.size,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of open.keys()) socket.end();
      endSockets();
      await closed;
    },
  };
};
