import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Peer } from './peers.ts';

/** Marks a forwarded request, so that it is not forwarded again. A client that sends it gains nothing. */
export const forwardedHeader = 'x-farlink-forwarded';

export const isForwarded = ({ headers }: IncomingMessage): boolean => headers[forwardedHeader] !== undefined;

const connectMs = 5000;
/** Hop-by-hop headers: they apply to one connection, so they are not forwarded. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect']);

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[i * 2] ?? '', raw[i * 2 + 1] ?? '']);

const passedOn = (raw: readonly string[]) => pairsOf(raw).filter(([name]) => !ofConnection.has(name.toLowerCase()));

const open = ({ host, port }: Peer, { method, url, rawHeaders }: IncomingMessage, more: readonly [string, string][]) => {
  const headers = [...passedOn(rawHeaders), [forwardedHeader, '1'] as const, ...more].flat();
  const outgoing = request({ host, port, method, path: url, headers, agent: false });
  const late = setTimeout(() => outgoing.destroy(new Error('the process does not answer')), connectMs);
  outgoing.once('socket', (socket) => {
    socket.setNoDelay(true);
    socket.once('connect', () => clearTimeout(late));
  });
  outgoing.once('close', () => clearTimeout(late));
  return outgoing;
};

/** Passes a request to another process and its reply back. `failed` answers if the process cannot be reached. */
export const forwardRequest = (peer: Peer, req: IncomingMessage, res: ServerResponse, failed: (res: ServerResponse) => void): void => {
  const outgoing = open(peer, req, []);
  outgoing.once('response', (reply) => {
    res.writeHead(reply.statusCode ?? 502, passedOn(reply.rawHeaders).flat());
    res.flushHeaders();
    pipeline(reply, res, () => {});
  });
  outgoing.once('error', () => (res.headersSent ? res.destroy() : failed(res)));
  res.once('close', () => outgoing.destroy());
  pipeline(req, outgoing, () => {});
};

const headOf = ({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage) =>
  `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${pairsOf(rawHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Passes a web socket to another process. */
export const forwardUpgrade = (peer: Peer, req: IncomingMessage, socket: Duplex, head: Buffer): void => {
  const outgoing = open(peer, req, [['connection', 'upgrade']]);
  outgoing.once('upgrade', (reply, other: Duplex, early: Buffer) => {
    socket.write(headOf(reply));
    if (early.length > 0) socket.write(early);
    if (head.length > 0) other.write(head);
    pipeline(other, socket, () => {});
    pipeline(socket, other, () => {});
  });
  outgoing.once('response', (reply) => socket.end(headOf(reply), () => socket.destroy()));
  outgoing.once('error', () => socket.destroy());
  socket.once('close', () => outgoing.destroy());
  outgoing.end();
};
