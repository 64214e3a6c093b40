import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentSite } from '../domain/portal/current-site.ts';
import type { Deps } from '../kit/deps.ts';
import { agentById, type PortalAgent } from './agents.ts';
import { type ProvenClient, reportedSubscriber } from './handover.ts';
import { clientSession, findSession, setSubscriber } from './session.ts';
import type { Visit } from './visit.ts';

/** The language that the browser prefers. */
export const preferredLang = ({ headers }: FastifyRequest): Lang => {
  const accepted = headers['accept-language'] ?? '';
  const found = (['zh', 'en'] as const).map((lang) => {
    const at = accepted.toLowerCase().search(new RegExp(`(^|[,\\s])${lang}\\b`));
    return { lang, at: at < 0 ? Infinity : at };
  });
  const [first, second] = found;
  return second && first && second.at < first.at ? 'en' : 'zh';
};

/** A request, and the portal that received it. */
export interface Arrival {
  readonly deps: Deps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** VNO of the address. */
  readonly portal: PortalAgent;
  readonly base: string;
  /** Path below `base`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly client: ProvenClient | undefined;
}

const isBelow = (agent: PortalAgent | undefined, portal: PortalAgent): agent is PortalAgent => agent?.path.startsWith(portal.path) === true;

const sessionFor = async ({ deps, client, portal }: Arrival, token: string | undefined) => {
  const now = deps.clock.now();
  if (client) {
    const session = await clientSession(deps.db, { agent_id: client.device.agent_id, device_id: client.device.id }, client.handover, now);
    const subscriber_id = session.subscriber_id ?? (await reportedSubscriber(deps, client));
    if (subscriber_id !== session.subscriber_id) await setSubscriber(deps.db, session.id, subscriber_id, now);
    return { session: { ...session, subscriber_id }, agent: await agentById(deps.db, session.agent_id) };
  }
  const session = token === undefined ? undefined : await findSession(deps.db, token, now);
  if (!session || session.agent_id === portal.id) return { session, agent: portal };
  return { session, agent: await agentById(deps.db, session.agent_id) };
};

/** Session, VNO and site of a request. With an expired token, the visit has no session. */
export const visitOf = async (arrival: Arrival): Promise<Visit & { readonly isExpired: boolean }> => {
  const { deps, request, reply, base, path, query, client, portal } = arrival;
  // A path without a language is not a page. The slash makes sure that no page matches.
  const [, lang, token, rest = `/${path}`] = /^(zh|en)\/(?:s\/([^/]{1,64})\/)?(.*)$/.exec(path) ?? [];
  const identified = await sessionFor(arrival, token);
  const isBelowPortal = isBelow(identified.agent, portal);
  const [agent, session] = isBelowPortal ? [identified.agent, identified.session] : [portal, undefined];
  const current = await currentSite(deps, {
    agent_id: agent?.id ?? portal.id,
    ...(session?.device_id != null && { device_id: session.device_id }),
  });
  return {
    deps,
    request,
    reply,
    base,
    query,
    current,
    session,
    agent: agent ?? portal,
    lang: isLang(lang) ? lang : preferredLang(request),
    root: client ? '/' : base,
    token: client || !session ? undefined : token,
    isProxied: client !== undefined,
    action: rest,
    isExpired: token !== undefined && !session && !client,
  };
};
