import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Deps } from '../../kit/deps.ts';
import { forwardRequest, forwardUpgrade, isForwarded } from '../../kit/process/forward.ts';
import type { Peer } from '../../kit/process/peers.ts';
import type { Hub } from '../hub.ts';
import type { RemoteSession } from '../session.ts';
import { cookieScope } from './cookies.ts';
import type { ProxyContext } from './headers.ts';
import { listenForPages } from './listen.ts';
import { isHolder, ownPath, sendJson, serveOwnPath } from './own-paths.ts';
import { endedPage, otherBrowserPage, unknownPage } from './pages.ts';
import { PortPool } from './port-pool.ts';
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
  readonly deps: Pick<Deps, 'log' | 'clock' | 'config'>;
  readonly hub: Hub;
  readonly host: string;
  readonly port: number;
  /** Number of further ports that may be opened. */
  readonly ports: number;
  /** `https://*.remote.example.com`. Without it, sessions are subdomains of localhost, or ports. */
  readonly url: string | undefined;
}

const labelOf = /^([a-z0-9]{20})\./;

const isLocal = (name: string) => name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]';

/** Returns true for a request from another site or another port of this host. */
const isCrossOrigin = ({ headers, method }: IncomingMessage, origin: string) => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return method !== 'GET' && method !== 'HEAD' && headers.origin !== undefined && headers.origin !== origin;
};

/**
 * Serves the web pages behind gateways, each session on its own origin. The browser is identified by a cookie that it gets for its ticket.
 * A page can reach only its own device.
 */
export const openWebProxy = async ({ deps, hub, host, port: requestedPort, ports, url }: WebProxyOptions): Promise<WebProxy> => {
  const secure = url?.startsWith('https:') === true;
  const now = () => deps.clock.now();
  let mainPort = requestedPort;

  const originOf = (label: string) => url?.replace('*', label) ?? `http://${label}.localhost:${mainPort}`;
  const contextOf = (session: RemoteSession, req: IncomingMessage): ProxyContext => {
    const { label, port } = session.facts;
    return {
      cookies: cookieScope(label, port !== null, port === null && secure),
      origin: port === null ? originOf(label) : `http://${req.headers.host ?? ''}`,
      scheme: session.tunnel?.secure ? 'https' : 'http',
    };
  };
  /** A session of this process, or the server of the process that holds its tunnel. */
  const locate = async (req: IncomingMessage, at: number): Promise<{ readonly session?: RemoteSession; readonly peer?: Peer }> => {
    if (at !== mainPort) return { session: await hub.byPort(at) };
    const label = labelOf.exec(req.headers.host ?? '')?.[1];
    const found = label === undefined ? undefined : await hub.locate({ label });
    if (!found) return {};
    return 'session' in found ? found : { peer: isForwarded(req) ? undefined : found.peer.web };
  };

  const request = async (req: IncomingMessage, res: ServerResponse, at: number) => {
    const { session, peer } = await locate(req, at);
    if (peer) return forwardRequest(peer, req, res, (reply) => sendOwn(reply, 502, unknownPage()));
    if (!session) return sendOwn(res, 404, unknownPage());
    const context = contextOf(session, req);
    const { lang } = session.facts;
    // A service worker would stay in the browser after the session ends.
    if (req.headers['service-worker'] !== undefined) return sendJson(res, 403, {});
    if (req.url?.startsWith(ownPath)) return serveOwnPath(hub, session, context, req, res);
    if (session.ended) return sendOwn(res, 410, endedPage(lang, session.ended.reason, session.ended.message));
    if (!isHolder(session, context, req)) return sendOwn(res, 401, otherBrowserPage(lang));
    if (isCrossOrigin(req, context.origin)) return sendJson(res, 403, {});
    if (session.state === 'opening') return void res.writeHead(302, { location: ownPath, 'cache-control': 'no-store' }).end();
    proxyRequest(session, context, req, res, now);
  };

  const upgrade = async (req: IncomingMessage, socket: Duplex, head: Buffer, at: number) => {
    const { session, peer } = await locate(req, at);
    if (peer) return forwardUpgrade(peer, req, socket, head);
    const context = session && contextOf(session, req);
    const may = context && session.state === 'open' && isHolder(session, context, req) && req.headers.origin === context.origin;
    if (may && /^websocket$/i.test(req.headers.upgrade ?? '')) proxyUpgrade(session, context, req, socket, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n', () => socket.destroy());
  };

  const listen = (port: number) => listenForPages(deps, host, port, { request, upgrade });
  const main = await listen(requestedPort);
  mainPort = main.port;
  const pool = new PortPool(requestedPort, ports, listen, () => hub.ports());
  const tidying = setInterval(() => pool.tidy(), 60_000).unref();

  return {
    port: mainPort,
    address: async (consoleHost) => {
      const name = /^(\[[^\]]*\]|[^:]*)/.exec(consoleHost)?.[1] ?? '';
      if (url !== undefined || isLocal(name)) return { port: null, origin: originOf };
      const port = await pool.acquire();
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
