import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { portalPolicy } from '@farlink/portal/site.ts';
import type { Data } from '@farlink/portal/template.ts';
import type { PortalData, View } from '@farlink/portal/view.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CurrentSite } from '../domain/portal/current-site.ts';
import type { PublicCtx } from '../kit/ctx.ts';
import type { Deps } from '../kit/deps.ts';
import { addressBlockOf } from '../kit/http/rate-limit.ts';
import { randomToken } from '../kit/session/secret.ts';
import { logoPath, type PortalAgent } from './agents.ts';
import { memberStatus } from './member-status.ts';
import { isWaitingForRouter } from './router-state.ts';
import type { PortalSession } from './session.ts';

/** One request of a visitor. */
export interface Visit {
  readonly deps: Deps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly lang: Lang;
  readonly agent: PortalAgent;
  /** Path of the portal at this host, with slashes. Redirects use it. */
  readonly base: string;
  /** Base of links: a gateway that proxies pages serves them at its own root. */
  readonly root: string;
  readonly token: string | undefined;
  /** Each request of this visitor is signed by the gateway. */
  readonly isProxied: boolean;
  readonly session: PortalSession | undefined;
  readonly current: CurrentSite;
  /** Path below `here`, such as `pay/P1`. */
  readonly action: string;
  readonly query: URLSearchParams;
}

export const pathOf = ({ lang, token }: Pick<Visit, 'lang' | 'token'>) => `${lang}/${token === undefined ? '' : `s/${token}/`}`;

export const hereOf = (visit: Visit) => visit.root + pathOf(visit);

/** Name for limits: the client that its gateway or router has signed, else the IP address. */
export const clientOf = ({ session, request }: Visit) => {
  if (session?.router?.isSigned) return `nas ${session.nas_id} ${session.router.mac}`;
  return session?.mac ? `${session.device_id} ${session.mac}` : `ip ${addressBlockOf(request.ip)}`;
};

export const contextOf = ({ deps, request, reply, lang }: Visit): PublicCtx => ({
  db: deps.db,
  deps,
  lang,
  request,
  reply,
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  now: deps.clock.now,
});

const headers = {
  'content-security-policy': portalPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const secure = (reply: FastifyReply): FastifyReply => reply.headers(headers).header('cache-control', 'no-store');

export const messageData = (text: Text, lang: Lang, isError = false): Pick<PortalData, 'message' | 'isError'> => ({
  message: say(text, lang),
  ...(isError && { isError }),
});

/** A new captcha for the next form. */
export const newCaptcha = (visit: Visit): Pick<PortalData, 'captcha' | 'captchaId'> => {
  const captchaId = randomToken(16);
  return { captcha: `${hereOf(visit)}captcha?id=${captchaId}`, captchaId };
};

/** Fills and sends a page. Each page shows the state of the subscriber who is logged in. */
export const sendPage = async (
  visit: Visit,
  view: View,
  data: Partial<PortalData> & Data,
  status = 200,
  policy = portalPolicy,
): Promise<FastifyReply> => {
  const { lang, root, current, action } = visit;
  const other = `${root}${pathOf({ ...visit, lang: lang === 'zh' ? 'en' : 'zh' })}${visit.request.method === 'POST' ? '' : action}`;
  const { session, agent, deps } = visit;
  const member = await memberStatus(deps, session?.subscriber_id, lang);
  const logo = await logoPath(deps, agent.id);
  const canConnect = await isWaitingForRouter(visit);
  const own = { ...(logo !== null && { logo }), ...member, ...(canConnect && { canConnect }) };
  const html = current.site.page(view, lang, { root, here: hereOf(visit), other, ...own, ...data });
  return secure(visit.reply).header('content-security-policy', policy).status(status).type('text/html; charset=utf-8').send(html);
};

/** A redirect below the portal. */
export const redirectTo = (visit: Visit, path: string, token = visit.token): FastifyReply =>
  secure(visit.reply).redirect(`${visit.base}${pathOf({ ...visit, token })}${path}`, 303);
