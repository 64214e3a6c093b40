import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/http/internal-error.ts';
import { limitClosing } from '../../kit/http/limit-closing.ts';
import { refuseSlowBodies } from '../../kit/http/slow-bodies.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import type { Hub } from '../hub.ts';
import type { RemoteSession } from '../session.ts';
import { cookieScope, ownCookie, setOwnCookie } from './cookies.ts';
import type { Passage } from './headers.ts';
import { connectingPage, endedPage, strangerPage, unknownPage } from './pages.ts';
import { type Listening, PortPool } from './port-pool.ts';
import { proxyRequest, proxyUpgrade, sendOwn } from './proxy-request.ts';

export interface PublicAddress {
  /** Port of the session; null if sessions are distinguished by their label. */
  readonly port: number | null;
  origin(label: string): string;
}

export interface WebProxy {
  readonly port: number;
  /** Origin of a session for a browser that uses this console host. Undefined: no port is free. */
  address(consoleHost: string): Promise<PublicAddress | undefined>;
  close(): Promise<void>;
}

interface WebProxyOptions {
  readonly deps: Pick<Deps, 'log' | 'clock'>;
  readonly hub: Hub;
  readonly host: string;
  readonly port: number;
  /** Number of further ports that may be opened. */
  readonly ports: number;
  /** `https://*.remote.example.com`. Without it, sessions are subdomains of localhost, or ports. */
  readonly url: string | undefined;
}

/** Path on a session's origin that the console serves itself. */
const own = '/_farlink/';
const labelOf = /^([a-z0-9]{20})\./;
const waitMs = 15_000;
const bodyMax = 2000;

const isLocal = (name: string) => name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]';

const readTicket = async (req: IncomingMessage): Promise<string> => {
  let body = '';
  try {
    for await (const chunk of req) {
      body += String(chunk);
      if (body.length > bodyMax) return '';
    }
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null && 'ticket' in said && typeof said.ticket === 'string' ? said.ticket : '';
  } catch {
    return '';
  }
};

const sendJson = (res: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const fixed = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  res.writeHead(status, { ...fixed, ...headers }).end(JSON.stringify(body));
};

const stateOf = (session: RemoteSession) => ({ state: session.state, reason: session.ended?.reason, message: session.ended?.message });

const changeOf = (session: RemoteSession, res: ServerResponse) =>
  new Promise<void>((done) => {
    const stop = () => {
      clearTimeout(timer);
      unwatch();
      done();
    };
    const timer = setTimeout(stop, waitMs);
    const unwatch = session.watch(stop);
    res.once('close', stop);
  });

/**
 * Serves the web pages behind gateways, each session on its own origin. The browser is identified by a cookie that it gets for its ticket.
 * A page can reach only its own device.
 */
export const openWebProxy = async ({ deps, hub, host, port: wanted, ports, url }: WebProxyOptions): Promise<WebProxy> => {
  const secure = url?.startsWith('https:') === true;
  const now = () => deps.clock.now();
  let bound = wanted;

  const originOf = (label: string) => url?.replace('*', label) ?? `http://${label}.localhost:${bound}`;
  const passageOf = (session: RemoteSession, req: IncomingMessage): Passage => {
    const { label, port } = session.facts;
    return {
      cookies: cookieScope(label, port !== null, port === null && secure),
      origin: port === null ? originOf(label) : `http://${req.headers.host ?? ''}`,
      scheme: session.tunnel?.secure ? 'https' : 'http',
    };
  };
  const sessionOf = (req: IncomingMessage, at: number): Promise<RemoteSession | undefined> => {
    if (at !== bound) return hub.byPort(at);
    const label = labelOf.exec(req.headers.host ?? '')?.[1];
    return label === undefined ? Promise.resolve(undefined) : hub.byLabel(label);
  };
  const isHolder = (session: RemoteSession, { cookies }: Passage, req: IncomingMessage) => {
    const value = ownCookie(req.headers.cookie, cookies);
    return value !== undefined && session.cookieHash === hashToken(value);
  };

  const enter = async (session: RemoteSession, passage: Passage, req: IncomingMessage, res: ServerResponse) => {
    if (req.headers.origin !== passage.origin || !(await hub.redeem(session, await readTicket(req)))) return sendJson(res, 403, {});
    const value = randomToken();
    session.cookieHash = hashToken(value);
    session.used();
    sendJson(res, 200, stateOf(session), { 'set-cookie': setOwnCookie(passage.cookies, value) });
  };

  const answerOwn = async (session: RemoteSession, passage: Passage, req: IncomingMessage, res: ServerResponse) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', passage.origin);
    const { lang, device_name, service } = session.facts;
    if (pathname === own && req.method === 'GET') return sendOwn(res, 200, connectingPage(lang, device_name, service));
    if (pathname === `${own}enter` && req.method === 'POST') return enter(session, passage, req, res);
    if (pathname !== `${own}state`) return sendJson(res, 404, {});
    if (!isHolder(session, passage, req)) return sendJson(res, 403, {});
    if (searchParams.has('wait') && session.state === 'opening') await changeOf(session, res);
    sendJson(res, 200, stateOf(session));
  };

  /** Refuses requests from another site or another port of this host. */
  const isFromElsewhere = ({ headers, method }: IncomingMessage, origin: string) => {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    return method !== 'GET' && method !== 'HEAD' && headers.origin !== undefined && headers.origin !== origin;
  };

  const response = async (req: IncomingMessage, res: ServerResponse, at: number) => {
    const session = await sessionOf(req, at);
    if (!session) return sendOwn(res, 404, unknownPage());
    const passage = passageOf(session, req);
    const { lang } = session.facts;
    // A service worker would stay in the browser after the session ends.
    if (req.headers['service-worker'] !== undefined) return sendJson(res, 403, {});
    if (req.url?.startsWith(own)) return answerOwn(session, passage, req, res);
    if (session.ended) return sendOwn(res, 410, endedPage(lang, session.ended.reason, session.ended.message));
    if (!isHolder(session, passage, req)) return sendOwn(res, 401, strangerPage(lang));
    if (isFromElsewhere(req, passage.origin)) return sendJson(res, 403, {});
    if (session.state === 'opening') return void res.writeHead(302, { location: own, 'cache-control': 'no-store' }).end();
    proxyRequest(session, passage, req, res, now);
  };

  const upgrade = async (req: IncomingMessage, socket: Duplex, head: Buffer, at: number) => {
    const session = await sessionOf(req, at);
    const passage = session && passageOf(session, req);
    const may = passage && session.state === 'open' && isHolder(session, passage, req) && req.headers.origin === passage.origin;
    if (may && /^websocket$/i.test(req.headers.upgrade ?? '')) proxyUpgrade(session, passage, req, socket, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n', () => socket.destroy());
  };

  const listen = (listenTo: number): Promise<Listening> => {
    const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 30_000 });
    refuseSlowBodies(server, (url) => url.startsWith(own));
    const endSockets = limitClosing(server);
    let at = listenTo;
    const failed = (err: unknown) => noteInternalError(deps.log, 'remote', err);
    server.on('request', (req, res) => {
      response(req, res, at).catch((error) => {
        failed(error);
        res.destroy();
      });
    });
    server.on('upgrade', (req, socket, head) => {
      // Node removes its error listener from an upgraded socket; the peer may reset it during the session lookup.
      socket.on('error', () => socket.destroy());
      upgrade(req, socket, head, at).catch((error) => {
        failed(error);
        socket.destroy();
      });
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.on('error', (error) => deps.log.warn({ reason: error.message }, 'remote web listener failed'));
      server.listen(listenTo, host, () => {
        const address = server.address();
        if (address && typeof address === 'object') at = address.port;
        const close = () => {
          server.close();
          server.closeAllConnections();
          endSockets();
        };
        resolve({ server, port: at, close });
      });
    });
  };

  const main = await listen(wanted);
  bound = main.port;
  const pool = new PortPool(wanted, ports, listen, () => hub.ports());
  const tidying = setInterval(() => pool.tidy(), 60_000).unref();

  return {
    port: bound,
    address: async (consoleHost) => {
      const name = /^(\[[^\]]*\]|[^:]*)/.exec(consoleHost)?.[1] ?? '';
      if (url !== undefined || isLocal(name)) return { port: null, origin: originOf };
      const port = await pool.take();
      return port === undefined ? undefined : { port, origin: () => `http://${name}:${port}` };
    },
    close: () =>
      new Promise((done) => {
        clearInterval(tidying);
        pool.close();
        main.server.once('close', () => done());
        main.close();
      }),
  };
};
