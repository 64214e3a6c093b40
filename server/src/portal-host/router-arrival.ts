import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { RouterLogin } from '../db/column-types.ts';
import { addressBlockOf, allowPerMinute } from '../kit/http/rate-limit.ts';
import { open } from '../kit/session/secret.ts';
import { sendHome } from './home.ts';
import { type Arrival, visitOf } from './identify.ts';
import type { RouterQuery } from './router-query.ts';
import { openSession } from './session.ts';
import { texts } from './texts.ts';
import { messageData, pathOf, redirectTo, sendPage, type Visit } from './visit.ts';

/** Visits of one address in a minute: a router may hide all its clients behind it. */
const visitsPerMinute = 1200;

/** Networks of clients. Loopback is not one of them: its services are on the terminal itself. */
const clientNetworks = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  clientNetworks.addSubnet(net, bits, 'ipv4');

const isRouterHost = (host: string, listed: string | null) =>
  (isIPv4(host) && clientNetworks.check(host)) || (listed?.split(' ').includes(host) ?? false);

const routerRow = async ({ deps: { db }, portal }: Arrival, { nasId, protocol }: RouterQuery) => {
  const rows = await db
    .selectFrom('nas')
    .innerJoin('agent', 'agent.id', 'nas.agent_id')
    .select(['nas.id', 'nas.agent_id', 'nas.uam_secret', 'nas.router_hosts'])
    .where('nas.identifier', '=', nasId)
    .where('nas.login_protocol', '=', protocol)
    .where('nas.device_id', 'is', null)
    .where(sql<boolean>`starts_with(agent.path, ${portal.path})`)
    .limit(2)
    .orderBy(sql`agent.id <> ${portal.id}`)
    .execute();
  const [first, second] = rows;
  // Two VNOs below this one may use the same identifier; then the portal of the VNO itself is needed.
  return first?.agent_id === portal.id || !second ? first : undefined;
};

/** CoovaChilli appends `md`: MD5 of the address before it and the UAM secret. The address may have come here by HTTP, and without the last slash. */
const isSignedBy = (secret: string, { protocol, host, originalUrl }: FastifyRequest): boolean => {
  const [, signed, md] = /^(.*)&md=([0-9a-f]{32})$/i.exec(originalUrl) ?? [];
  if (signed === undefined || md === undefined) return false;
  const claimed = Buffer.from(md, 'hex');
  const paths = [signed, signed.replace('/?', '?'), signed.replace(/^\/\?/, '?')];
  return [protocol, 'http'].some((scheme) =>
    paths.some((path) => timingSafeEqual(claimed, createHash('md5').update(`${scheme}://${host}${path}${secret}`).digest())),
  );
};

interface Router {
  readonly nas: NonNullable<Awaited<ReturnType<typeof routerRow>>>;
  readonly login: RouterLogin;
}

/** The NAS of a redirect, if it is of this portal and its login page is allowed. With a UAM secret, the signature must be right. */
const routerOf = async (arrival: Arrival, query: RouterQuery): Promise<Router | undefined> => {
  const nas = await routerRow(arrival, query);
  if (!nas || !isRouterHost(query.host, nas.router_hosts)) return undefined;
  const secret = nas.uam_secret === null ? undefined : open(arrival.deps.config.secretKey, nas.uam_secret);
  const isSigned = secret !== undefined && isSignedBy(secret, arrival.request);
  return secret === undefined || isSigned ? { nas, login: { ...query.claim, isSigned } } : undefined;
};

/** A client that a router of another maker has sent. */
export const serveRouter = async (arrival: Arrival, visit: Visit, query: RouterQuery | 'malformed'): Promise<FastifyReply> => {
  const { deps, request } = arrival;
  const now = deps.clock.now();
  await allowPerMinute(deps, `portal router ${addressBlockOf(request.ip)}`, visitsPerMinute, now);
  const router = query === 'malformed' ? undefined : await routerOf(arrival, query);
  if (query === 'malformed' || !router) return sendHome(visit, messageData(texts.routerUnknown, visit.lang, true), 403);
  if (query.event === 'online') return sendPage(visit, 'message', messageData(texts.routerOnline, visit.lang));
  const { nas, login } = router;
  const token = await openSession(deps.db, { agent_id: nas.agent_id, ip: request.ip, router: { nas_id: nas.id, login } }, now);
  if (query.event === 'login') return redirectTo(visit, '', token);
  const again = await visitOf({ ...arrival, path: pathOf({ lang: visit.lang, token }) });
  return sendHome(again, messageData(texts.routerRefused, visit.lang, true));
};
