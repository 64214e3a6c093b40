import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { limits } from '@farlink/contract/limits.ts';
import type { RemoteSession } from '../session.ts';
import { headersForBrowser, headersForDevice, isRedirectLoop, type ProxyContext } from './headers.ts';
import { busyPage, noReplyPage, type OwnPage, otherAddressPage } from './pages.ts';

/** Keeps device connections for the next request, because a new one takes about a second by satellite. */
class TunnelAgent extends Agent {
  readonly #session: RemoteSession;
  /** Requests in progress, including those that wait for a connection. */
  inFlight = 0;

  constructor(session: RemoteSession) {
    super({ keepAlive: true, maxSockets: limits.remoteChannels, maxFreeSockets: limits.remoteChannels });
    this.#session = session;
  }

  override createConnection(_: object, done?: (error: Error | null, stream: Duplex) => void): undefined {
    const { tunnel, meter } = this.#session;
    const opened = tunnel ? tunnel.openWeb(meter) : Promise.reject(new Error('the tunnel is closed'));
    opened.then(
      (stream) => done?.(null, stream),
      // The callback gets an error without a socket, although its type requires one.
      (error: Error) => Reflect.apply(done ?? (() => {}), undefined, [error]),
    );
    return undefined;
  }
}

const agents = new WeakMap<RemoteSession, TunnelAgent>();
const agentOf = (session: RemoteSession) => {
  const known = agents.get(session) ?? new TunnelAgent(session);
  agents.set(session, known);
  return known;
};

const maxInFlight = 64;
const firstByteMs = 60_000;
const pathMax = 300;

/** Only the path, because the query may contain secrets. */
export const loggedPath = (url: string) => (url.split(/[?#]/)[0] ?? '/').replace(/;[^/]*/g, '').slice(0, pathMax);

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const sendOwn = (res: ServerResponse, status: number, { html, headers }: OwnPage) => {
  res.writeHead(status, headers).end(html);
};

/** Forwards one browser request to the device. Bodies are streamed with back pressure. */
export const proxyRequest = (
  session: RemoteSession,
  context: ProxyContext,
  req: IncomingMessage,
  res: ServerResponse,
  now: () => number,
) => {
  const agent = agentOf(session);
  const { lang } = session.facts;
  if (agent.inFlight >= maxInFlight) return sendOwn(res, 503, busyPage(lang));
  agent.inFlight++;
  session.used();
  const began = performance.now();
  const at = now();
  const path = req.url ?? '/';
  const method = req.method ?? 'GET';
  let up = 0;
  let down = 0;
  res.once('close', () => {
    agent.inFlight--;
    const ms = Math.round(performance.now() - began);
    session.note({ at, method, path: loggedPath(path), status: res.headersSent ? res.statusCode : 0, up_bytes: up, down_bytes: down, ms });
  });
  req.on('data', (chunk: Buffer) => {
    up += chunk.length;
  });

  const failRequest = (error: Error) => {
    if (res.headersSent || res.destroyed) res.destroy();
    else sendOwn(res, 502, noReplyPage(lang, error.message));
  };

  const sendResponse = (response: IncomingMessage) => {
    if (isRedirectLoop(response, path) && method === 'GET') {
      response.destroy();
      return sendOwn(res, 502, otherAddressPage(lang, response.headers.location ?? ''));
    }
    response.on('data', (chunk: Buffer) => {
      down += chunk.length;
    });
    res.writeHead(response.statusCode ?? 502, headersForBrowser(response, path, context));
    // If the device stops in the middle, the connection is destroyed, so that the reply does not look complete.
    pipeline(response, res, (error) => error && res.destroy());
  };

  const attempt = (isSecond: boolean) => {
    // Small devices send malformed HTTP. The lenient parser is safe here, because only their operator reads it.
    const loose = { insecureHTTPParser: true, setHost: false };
    const outgoing = request({ agent, method, path, headers: headersForDevice(req.headers, context), ...loose });
    const late = setTimeout(() => outgoing.destroy(new Error('no answer within a minute')), firstByteMs);
    outgoing.once('response', (response) => {
      clearTimeout(late);
      try {
        sendResponse(response);
      } catch (error) {
        // The reply header cannot be forwarded.
        response.destroy();
        failRequest(error instanceof Error ? error : new Error(String(error)));
      }
    });
    // The connection may fail again after the reply has started.
    outgoing.on('error', () => {});
    outgoing.once('error', (error) => {
      clearTimeout(late);
      // The device closed a keep-alive connection while this request was sent.
      const isStale = outgoing.reusedSocket && !isSecond && !hasBody(req) && !res.headersSent && !res.destroyed;
      if (isStale) attempt(true);
      else failRequest(error);
    });
    res.once('close', () => {
      clearTimeout(late);
      if (!res.writableFinished) outgoing.destroy();
    });
    if (hasBody(req)) pipeline(req, outgoing, () => {});
    else outgoing.end();
  };
  attempt(false);
};

/** Forwards a web socket between the page and the device. */
export const proxyUpgrade = (session: RemoteSession, context: ProxyContext, req: IncomingMessage, socket: Duplex, head: Buffer) => {
  const headers = { ...headersForDevice(req.headers, context), connection: 'Upgrade', upgrade: 'websocket' };
  const { tunnel, meter } = session;
  const refuse = () => socket.destroy();
  socket.on('error', refuse);
  if (!tunnel) return refuse();
  const join = (stream: Duplex) => {
    const outgoing = request({ createConnection: () => stream, method: 'GET', path: req.url ?? '/', headers, setHost: false });
    outgoing.once('upgrade', (response, device, rest) => {
      const lines = Object.entries(headersForUpgrade(response)).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(rest);
      device.write(head);
      pipeline(device, socket, refuse);
      pipeline(socket, device, () => device.destroy());
    });
    outgoing.once('response', (response) => {
      response.destroy();
      refuse();
    });
    outgoing.on('error', refuse);
    outgoing.end();
  };
  tunnel.openWeb(meter).then(join).catch(refuse);
};

const headersForUpgrade = ({ headers }: IncomingMessage): Record<string, string> => {
  const passed = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'];
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    ...Object.fromEntries(passed.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))),
  };
};
