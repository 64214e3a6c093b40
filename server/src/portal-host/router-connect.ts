import { createHash } from 'node:crypto';
import { portalPolicy } from '@farlink/portal/site.ts';
import type { RouterStep } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import type { RouterLogin } from '../db/column-types.ts';
import { issueRouterPass } from '../domain/radius/router-pass.ts';
import { open } from '../kit/session/secret.ts';
import { sendHome } from './home.ts';
import { canConnect } from './router-state.ts';
import { loggedInSubscriber } from './subscriber.ts';
import { texts } from './texts.ts';
import { messageData, redirectTo, sendPage, type Visit } from './visit.ts';

const md5 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const fromHex = (hex: string) => Buffer.from(hex, 'hex');

interface Credentials {
  readonly account: string;
  readonly password: string;
  /** Whether the NAS may log in by CHAP. */
  readonly isChap: boolean;
  readonly uamSecret: string | undefined;
}

type UamLogin = Extract<RouterLogin, { readonly protocol: 'uam' }>;
type MikrotikLogin = Extract<RouterLogin, { readonly protocol: 'mikrotik' }>;

/** Address that logs in to a UAM router. PAP: the password, padded with zeros, exclusive-or with the challenge. */
export const uamLogonUrl = ({ origin, challenge, target }: UamLogin, { account, password, isChap, uamSecret }: Credentials): string => {
  const key = uamSecret === undefined ? fromHex(challenge) : md5(fromHex(challenge), uamSecret);
  const hidden = Buffer.alloc(key.length);
  hidden.write(password);
  for (const [i, byte] of key.entries()) hidden[i] = (hidden[i] ?? 0) ^ byte;
  const proof = isChap ? `response=${md5(Buffer.from([0]), password, key).toString('hex')}` : `password=${hidden.toString('hex')}`;
  const userurl = target === undefined ? '' : `&userurl=${encodeURIComponent(target)}`;
  return `${origin}/logon?username=${encodeURIComponent(account)}&${proof}${userurl}`;
};

const mikrotikForm = ({ page, chap, target }: MikrotikLogin, { account, password, isChap }: Credentials): RouterStep => ({
  action: page,
  username: account,
  password: isChap && chap ? md5(fromHex(chap.id), password, fromHex(chap.challenge)).toString('hex') : password,
  ...(target !== undefined && { dst: target }),
});

/** Lets the page send its form to the router. Chrome also applies this to the redirect after it. */
const policyFor = ({ page, target }: MikrotikLogin) => {
  const origins = [page, ...(target === undefined ? [] : [target])].map((url) => new URL(url).origin);
  return portalPolicy.replace("form-action 'self'", `form-action 'self' ${[...new Set(origins)].join(' ')}`);
};

const nasOf = ({ deps: { db }, session }: Visit) =>
  db
    .selectFrom('nas')
    .select(['id', 'chap', 'uam_secret', 'login_protocol'])
    .where('id', '=', session?.nas_id ?? 0)
    .executeTakeFirst();

/** A page that takes the browser to the login page of the router, with a one-time password. */
export const showConnect = async (visit: Visit): Promise<FastifyReply> => {
  const subscriber = await loggedInSubscriber(visit);
  const { deps, session, lang } = visit;
  const login = session?.router;
  const nas = await nasOf(visit);
  if (!login || nas?.login_protocol !== login.protocol) return redirectTo(visit, '');
  if (session?.agent_id !== subscriber.agent_id) return sendHome(visit, messageData(texts.notHere, lang, true), 403);
  if (!(await canConnect(visit, subscriber))) return redirectTo(visit, '');
  const { secretKey } = deps.config;
  const owner = { subscriber_id: subscriber.id, nas_id: nas.id, mac: login.mac };
  const password = await issueRouterPass(deps.db, secretKey, owner, deps.clock.now());
  const uamSecret = nas.uam_secret === null ? undefined : open(secretKey, nas.uam_secret);
  const credentials = { account: subscriber.account, password, isChap: nas.chap, uamSecret };
  const message = { ...messageData(texts.toRouter, lang), canConnect: false };
  if (login.protocol === 'uam') return sendPage(visit, 'message', { ...message, router: { link: uamLogonUrl(login, credentials) } });
  return sendPage(visit, 'message', { ...message, router: mikrotikForm(login, credentials) }, 200, policyFor(login));
};

/** Where the router ends the session of this client. */
const logoffUrl = (login: RouterLogin): string =>
  login.protocol === 'uam' ? new URL('/logoff', login.origin).href : new URL('logout', login.page).href;

/** The page after a logout takes the browser to the router, which ends its session. */
export const showLogoff = (visit: Visit, login: RouterLogin): Promise<FastifyReply> =>
  sendPage({ ...visit, token: undefined, session: undefined }, 'message', {
    ...messageData(texts.loggedOut, visit.lang),
    router: { link: logoffUrl(login), isLogoff: true },
  });
