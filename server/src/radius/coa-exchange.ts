import { createSocket } from 'node:dgram';
import { encodeRequest, replySignature } from '@farlink/gateway/radius/authenticator.ts';
import { type Attribute, decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { radsecSecret } from './identify.ts';
import type { RadsecConnection } from './radsec.ts';
import { plainAddress } from './udp.ts';

export interface CoaRequest {
  readonly code: number;
  readonly attributes: readonly Attribute[];
  /** False: without Message-Authenticator; the authenticator of the packet proves it. */
  readonly isSigned?: boolean;
}

interface Waiting {
  readonly request: Packet;
  readonly secret: string;
  readonly from: string | undefined;
  /** Undefined: the process ends. */
  done(reply: Packet | undefined): void;
}

/** RFC 5080: repeated with the same identifier. */
const tries = 3;

/** Requests in progress by identifier; one byte limits them to 256. */
const openWaiting = () => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  return {
    freeId: (): number | undefined => {
      for (let i = 1; i <= 256; i++) {
        const id = (last + i) % 256;
        if (waiting.has(id)) continue;
        last = id;
        return id;
      }
      return undefined;
    },
    set: (id: number, entry: Waiting) => void waiting.set(id, entry),
    end: () => {
      for (const entry of waiting.values()) entry.done(undefined);
    },
    delete: (id: number) => waiting.delete(id),
    receive: (packet: Packet, bytes: Buffer, from?: string) => {
      const entry = waiting.get(packet.id);
      if (!entry || (entry.from !== undefined && entry.from !== from)) return;
      if (replySignature(packet, bytes, entry.request, entry.secret) !== 'wrong') entry.done(packet);
    },
  };
};

/** Sends a request until a reply comes. Undefined: no reply. */
const exchange = (
  waiting: ReturnType<typeof openWaiting>,
  { code, attributes, isSigned = true }: CoaRequest,
  { secret, from, retryMs, send }: { readonly secret: string; readonly from?: string; readonly retryMs: number; send(bytes: Buffer): void },
): Promise<Packet | undefined> => {
  const id = waiting.freeId();
  if (id === undefined) return Promise.resolve(undefined);
  const bytes = encodeRequest({ code, id, attributes, isSigned }, secret);
  const request = decodePacket(bytes);
  if (!request) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let sent = 0;
    const finish = (reply: Packet | undefined) => {
      clearInterval(timer);
      waiting.delete(id);
      resolve(reply);
    };
    const attempt = () => {
      if (sent === tries) return finish(undefined);
      sent += 1;
      send(bytes);
    };
    const timer = setInterval(attempt, retryMs);
    waiting.set(id, { request, secret, from, done: finish });
    attempt();
  });
};

/** CoA over UDP to the port of the NAS, and back over the RadSec connection that the NAS opened. */
export const openCoaExchange = async (retryMs: number) => {
  const waiting = openWaiting();
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  socket.on('message', (bytes, { address, port }) => {
    const packet = decodePacket(bytes);
    if (packet) waiting.receive(packet, bytes, `${plainAddress(address)}:${port}`);
  });
  await new Promise<void>((bound) => socket.bind(0, () => bound()));
  const byConnection = new WeakMap<RadsecConnection, ReturnType<typeof openWaiting>>();
  const all = new Set([waiting]);
  return {
    overUdp: (request: CoaRequest, to: { readonly address: string; readonly port: number; readonly secret: string }) =>
      exchange(waiting, request, {
        secret: to.secret,
        from: `${to.address}:${to.port}`,
        retryMs,
        send: (bytes) => socket.send(bytes, to.port, to.address, () => {}),
      }),
    overRadsec: (request: CoaRequest, connection: RadsecConnection) => {
      const own = byConnection.get(connection) ?? openWaiting();
      byConnection.set(connection, own);
      all.add(own);
      connection.onReply = (packet, bytes) => own.receive(packet, bytes);
      return exchange(own, request, { secret: radsecSecret, retryMs, send: (bytes) => connection.send(bytes) }).finally(() =>
        all.delete(own),
      );
    },
    close: async () => {
      for (const each of all) each.end();
      await new Promise<void>((closed) => socket.close(() => closed()));
    },
  };
};
