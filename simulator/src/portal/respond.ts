import type { IncomingHttpHeaders } from 'node:http';
import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
import { probeReply } from './captive-probes.ts';
import { sessionOf } from './client-view.ts';
import { login, logout } from './login-form.ts';
import { passClient } from './pass-client.ts';
import type { ServedPortal } from './portal.ts';
import {
  type ClientReply,
  type ClientRequest,
  homeReply,
  type PortalContext,
  pageReply,
  type RespondGateway,
  redirectTo,
  secureHeaders,
  textReply,
  type Visit,
} from './visit.ts';

const hasAccess = ({ users, tempReleases }: RespondGateway, mac: string) =>
  sessionOf({ users }, mac) !== undefined || tempReleases.open.some((one) => one.mac === mac);

const preferred = ({ 'accept-language': languages = '' }: IncomingHttpHeaders): Lang => (/^\s*en/i.test(languages) ? 'en' : 'zh');

/** Other sites are not reachable without access, so every address leads to the portal. */
const captive = ({ gateway }: PortalContext, { mac, origin }: ClientRequest, path: string): ClientReply => {
  const isOpen = hasAccess(gateway, mac);
  const probe = probeReply(path);
  if (!isOpen) return redirectTo(`${origin}/`, 302);
  return probe ? textReply(probe.status, probe.body, probe.mime) : textReply(404, 'not found');
};

const passedGets =
  /^(register|packages|logo\/[0-9a-f]{32}\.(png|jpg)|buy|password|devices|notices|feedback|card|captcha|pay\/[\w-]{1,64}(\/qr\.svg)?)$/;
const passedPosts = /^(register|register\/code|buy|password|feedback|card|pay\/[\w-]{1,64}\/cancel)$/;

/** A page or form of the portal; undefined: no such address. */
const replyTo = (context: PortalContext, visit: Visit, isGet: boolean): Promise<ClientReply> | ClientReply | undefined => {
  const { path } = visit;
  if (isGet && path === '') return homeReply(context, visit);
  if (isGet && path === 'agreement') return pageReply(visit, 'agreement', {});
  if (!isGet && path === 'login') return login(context, visit);
  if (!isGet && path === 'logout') return logout(context, visit);
  return (isGet ? passedGets : passedPosts).test(path) ? passClient(context, visit) : undefined;
};

const hashedFile = /^\/(asset\/[\w.-]{1,64}|img\/[0-9a-f]{64}\.(png|jpg))$/;

const visitFile = (request: ClientRequest, path: string, portal: ServedPortal): Visit => ({
  ...request,
  lang: preferred(request.headers),
  path,
  query: '',
  portal,
});

/** A parsed address; undefined: it cannot be read. */
const urlOf = (url: string) => (url.startsWith('/') && URL.canParse(url, 'http://gateway') ? new URL(url, 'http://gateway') : undefined);

/** Answers a terminal. It never throws, regardless of the request. */
export const respond = async (context: PortalContext, request: ClientRequest): Promise<ClientReply> => {
  const { portal } = context.gateway;
  const served = portal.served;
  const url = urlOf(request.url);
  if (!url) return textReply(400, 'bad request');
  if (!served || !context.gateway.powered) return textReply(503, 'no portal');
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (!isGet && request.method !== 'POST') return textReply(405, 'method not allowed');
  const file = isGet ? served.pages.file(url.pathname.slice(1)) : undefined;
  if (file)
    return {
      status: 200,
      headers: { ...secureHeaders, 'content-type': file.mime, 'cache-control': 'public, max-age=31536000, immutable' },
      body: file.content,
    };
  // Pages of the console may refer to files of a newer revision.
  if (isGet && hashedFile.test(url.pathname)) return passClient(context, visitFile(request, url.pathname, served));
  const [, first = '', ...rest] = url.pathname.split('/');
  const lang = isLang(first) ? first : undefined;
  const visit: Visit = { ...request, lang: lang ?? preferred(request.headers), path: rest.join('/'), query: url.search, portal: served };
  const reply = lang || url.pathname === '/' ? replyTo(context, visit, isGet) : undefined;
  return reply ?? (isGet ? captive(context, request, url.pathname) : textReply(404, 'not found'));
};
