import { errors } from '@farlink/contract/errors.ts';
import { isLang, say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { handoverSeconds } from '@farlink/gateway/protocol/portal.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logoMime, readLogo } from '../domain/brand/read-logo.ts';
import { portalImage } from '../domain/portal/portal-image.ts';
import type { Deps } from '../kit/deps.ts';
import { fail } from '../kit/fail.ts';
import { allowPerMinute, allowPublicCall } from '../kit/http/rate-limit.ts';
import { noteRequestError } from '../kit/internal-error.ts';
import { toRefusal } from '../kit/to-refusal.ts';
import { actionOf } from './actions.ts';
import { agentByCode, cachedAgent, logoPath } from './agents.ts';
import { gatewayData, showCaptive } from './captive.ts';
import { readHandover, reportedSubscriber } from './handover.ts';
import { sendHome } from './home.ts';
import { type Arrival, preferredLang, visitOf } from './identify.ts';
import { serveRouter } from './router-arrival.ts';
import { readRouterQuery } from './router-query.ts';
import { openSession } from './session.ts';
import { subscriberOf } from './subscriber.ts';
import { texts } from './texts.ts';
import { clientOf, messageData, redirectTo, secure, sendPage, type Visit } from './visit.ts';

/** A form of another site. Browsers send `null` for their own forms here, because pages have no referrer. */
const isForeign = ({ headers }: FastifyRequest): boolean => {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
};

/** Requests of one client and of one address in a minute. */
const formsPerMinute = 60;

const limitForms = async (visit: Visit) => {
  const { deps, request } = visit;
  const now = deps.clock.now();
  if (!visit.isProxied) await allowPublicCall(deps, request.ip, now, 'portal ');
  await allowPerMinute(
    deps,
    `portal ${clientOf(visit)} ${visit.session?.id ?? ''}`,
    visit.session ? formsPerMinute : limits.publicCallsPerMinute,
    now,
  );
};

/** Shows an error as a page of the portal. An ended session leads to the login. */
const sendFault = async (visit: Visit, error: unknown): Promise<FastifyReply> => {
  const refusal = toRefusal(error, undefined, visit.request.id);
  if (refusal.reason === 'internal') noteRequestError(visit.request, error);
  const { status } = errors[refusal.reason];
  if (refusal.reason === 'session_ended') return sendHome(visit, messageData(texts.loginFirst, visit.lang, true), 401);
  const [field] = Object.values(refusal.details.fields ?? {});
  const subscriber = refusal.reason === 'internal' ? undefined : await subscriberOf(visit);
  const account = subscriber ? { account: subscriber.account } : {};
  return sendPage(visit, 'message', { ...messageData(field ?? refusal.text, visit.lang, true), ...account }, status);
};

const servePage = async (arrival: Arrival): Promise<FastifyReply> => {
  const visit = await visitOf(arrival);
  const { request } = visit;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  try {
    const run = actionOf(method, visit.action);
    if (!run) throw fail('not_found');
    if (method === 'POST') {
      if (!arrival.client && isForeign(request)) return await sendPage(visit, 'message', messageData(texts.foreign, visit.lang, true), 403);
      await limitForms(visit);
      if (visit.isExpired) return await sendHome(visit, messageData(texts.reconnect, visit.lang, true), 401);
    } else if (visit.isExpired) return redirectTo(visit, '', undefined);
    return await run(visit);
  } catch (error) {
    return sendFault(visit, error);
  }
};

/** The root path: a client of a gateway or router gets its session, others choose the language. */
const serveEntry = async (arrival: Arrival): Promise<FastifyReply> => {
  const { deps, request, portal, query } = arrival;
  const visit = await visitOf({ ...arrival, path: `${preferredLang(request)}/` });
  const signed = query.get('gw');
  const lang = query.get('lang');
  const chosen = { ...visit, lang: isLang(lang) ? lang : visit.lang };
  const routerQuery = arrival.client ? undefined : readRouterQuery(query);
  if (routerQuery) return serveRouter(arrival, chosen, routerQuery);
  const client = signed === null ? undefined : await readHandover(deps, portal, signed);
  if (!client || signed === null) return redirectTo(chosen, '', undefined);
  const { device, handover } = client;
  const token = await openSession(
    deps.db,
    {
      agent_id: device.agent_id,
      client: { device_id: device.id, mac: handover.mac, ip: handover.ip },
      ip: request.ip,
      subscriber_id: await reportedSubscriber(deps, client),
      handover: { signed, expire_at: handover.t + handoverSeconds },
    },
    deps.clock.now(),
  );
  return redirectTo(chosen, '', token);
};

const asset = /^asset\/([\w.-]{1,64})$/;
const logo = /^logo\/[0-9a-f]{32}\.(png|jpg)$/;
const image = /^img\/([0-9a-f]{64})\.(png|jpg)$/;
const forever = 'public, max-age=31536000, immutable';

const isFile = (path: string) => asset.test(path) || image.test(path) || logo.test(path);

/** The logo of the VNO that is shown. Its name changes with the file. */
const serveLogo = async (arrival: Arrival): Promise<FastifyReply> => {
  const { path, deps, reply } = arrival;
  const { agent } = await visitOf(arrival);
  const body = (await logoPath(deps, agent.id)) === path ? await readLogo(deps.config, path) : undefined;
  if (!body) throw fail('not_found');
  return secure(reply).header('cache-control', forever).type(logoMime(path)).send(body);
};

/** Files of the site. Their names hold the hash of their content. */
const serveFile = async (arrival: Arrival): Promise<FastifyReply> => {
  const { path, deps, reply } = arrival;
  if (logo.test(path)) return serveLogo(arrival);
  const [, assetName] = asset.exec(path) ?? [];
  const [, sha256] = image.exec(path) ?? [];
  const { current } = await visitOf(arrival);
  const file = assetName === undefined ? undefined : current.site.assets.get(assetName);
  if (file) return secure(reply).header('cache-control', forever).type(file.mime).send(file.text);
  const found = sha256 === undefined ? undefined : await portalImage(deps, current.images, sha256);
  if (!found) throw fail('not_found');
  return secure(reply).header('cache-control', forever).type(found.mime).send(found.body);
};

const serve = async (arrival: Arrival): Promise<FastifyReply> => {
  const { path, deps, reply, query, request } = arrival;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && path === '') return serveEntry(arrival);
  if (isRead && path === 'captive') return showCaptive(await visitOf({ ...arrival, path: `${preferredLang(request)}/` }));
  if (isRead && path === 'gateway-data') return gatewayData(deps, arrival.client, query.get('lang'), reply);
  const captive = /^(zh|en)\/s\/[^/]{1,64}\/captive$/.exec(path);
  if (isRead && captive) return showCaptive(await visitOf({ ...arrival, path: path.slice(0, -'captive'.length) }));
  return isRead && isFile(path) ? serveFile(arrival) : servePage(arrival);
};

const bodyBytes = 16 * 1024;

/** A refusal without a page: the address has no portal, or is for programs. */
const replyPlain = (reply: FastifyReply, error: unknown, request: FastifyRequest) => {
  const refusal = toRefusal(error, undefined, request.id);
  if (refusal.reason === 'internal') noteRequestError(request, error);
  const { status } = errors[refusal.reason];
  return secure(reply)
    .status(status)
    .type('text/plain; charset=utf-8')
    .send(say(refusal.text, preferredLang(request)));
};

/** Path of the portal of a domain inside this server. No merchant code begins with this character. */
export const portalPath = (agentId: number, url: string) => `/portal/~${agentId}${url.startsWith('/') ? '' : '/'}${url}`;
export const isPortalPath = (url: string) => url.startsWith('/portal/~');

/** The VNO of an address. Only the host of a domain is served by the id of its VNO. */
const portalOf = (deps: Deps, code: string, isRewritten: boolean) => {
  if (!code.startsWith('~')) return isRewritten ? undefined : agentByCode(deps, code);
  return isRewritten ? cachedAgent(deps, Number(code.slice(1))) : undefined;
};

/** The subscriber portal of a VNO below `/portal/{code}/`, or at the root of its portal domain. */
export const portalHost = (deps: Deps) => async (app: FastifyInstance) => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bodyBytes },
    (_: FastifyRequest, body: string, done: (error: Error | null, form?: URLSearchParams) => void) => done(null, new URLSearchParams(body)),
  );
  app.setErrorHandler((error, request, reply) => replyPlain(reply, error, request));
  const handle = async (request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply) => {
    try {
      const url = new URL(request.url, 'http://portal');
      const isRewritten = request.originalUrl !== request.url;
      const portal = await portalOf(deps, request.params.code, isRewritten);
      if (!portal) throw fail('not_found');
      const inner = `/portal/${url.pathname.split('/')[2]}`;
      const path = url.pathname.slice(inner.length + 1);
      const client = await readHandover(deps, portal, request.headers['x-farlink-client']);
      if (url.pathname === inner && !isRewritten) return await secure(reply).redirect(`${inner}/${url.search}`, 303);
      const base = isRewritten ? '/' : `${inner}/`;
      return await serve({ deps, request, reply, portal, base, path, query: url.searchParams, client });
    } catch (error) {
      return replyPlain(reply, error, request);
    }
  };
  for (const url of ['/portal/:code', '/portal/:code/*']) {
    app.get<{ Params: { code: string } }>(url, handle);
    app.post<{ Params: { code: string } }>(url, handle);
  }
};
