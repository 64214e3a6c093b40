import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import type { Hub } from '../hub.ts';
import type { RemoteSession } from '../session.ts';
import { ownCookie, setOwnCookie } from './cookies.ts';
import type { ProxyContext } from './headers.ts';
import { connectingPage } from './pages.ts';
import { sendOwn } from './proxy-request.ts';

/** Path on a session's origin that the console serves itself. */
export const ownPath = '/_farlink/';
const waitMs = 15_000;
const bodyMax = 2000;

const readTicket = async (req: IncomingMessage): Promise<string> => {
  let body = '';
  try {
    for await (const chunk of req) {
      body += String(chunk);
      if (body.length > bodyMax) return '';
    }
    const message: unknown = JSON.parse(body);
    return isRecord(message) && typeof message.ticket === 'string' ? message.ticket : '';
  } catch {
    return '';
  }
};

export const sendJson = (res: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
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

/** Returns true if the browser has the cookie of the session. */
export const isHolder = (session: RemoteSession, { cookies }: ProxyContext, req: IncomingMessage) => {
  const value = ownCookie(req.headers.cookie, cookies);
  return value !== undefined && session.cookieHash === hashToken(value);
};

const enter = async (hub: Hub, session: RemoteSession, context: ProxyContext, req: IncomingMessage, res: ServerResponse) => {
  if (req.headers.origin !== context.origin || !(await hub.redeem(session, await readTicket(req)))) return sendJson(res, 403, {});
  const value = randomToken();
  session.cookieHash = hashToken(value);
  session.used();
  sendJson(res, 200, stateOf(session), { 'set-cookie': setOwnCookie(context.cookies, value) });
};

/** Serves the page that waits for the tunnel, the exchange of the ticket for the cookie, and the state of the session. */
export const serveOwnPath = async (hub: Hub, session: RemoteSession, context: ProxyContext, req: IncomingMessage, res: ServerResponse) => {
  const { pathname, searchParams } = new URL(req.url ?? '/', context.origin);
  const { lang, device_name, service } = session.facts;
  if (pathname === ownPath && req.method === 'GET') return sendOwn(res, 200, connectingPage(lang, device_name, service));
  if (pathname === `${ownPath}enter` && req.method === 'POST') return enter(hub, session, context, req, res);
  if (pathname !== `${ownPath}state`) return sendJson(res, 404, {});
  if (!isHolder(session, context, req)) return sendJson(res, 403, {});
  if (searchParams.has('wait') && session.state === 'opening') await changeOf(session, res);
  sendJson(res, 200, stateOf(session));
};
