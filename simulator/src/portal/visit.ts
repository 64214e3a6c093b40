import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { TempReleasePurpose } from '@farlink/gateway/protocol/temp-release.ts';
import { portalPolicy } from '@farlink/portal/site.ts';
import type { PortalData, View } from '@farlink/portal/view.ts';
import type { LoginAttempt } from '../login-check.ts';
import type { LoginResult } from '../users-gateway.ts';
import { homeOf, type ViewGateway } from './client-view.ts';
import type { ConsoleData } from './gateway-data.ts';
import type { LoginLimit } from './login-limit.ts';
import type { ServedPortal } from './portal.ts';

export interface RespondGateway extends ViewGateway {
  readonly sn: string;
  readonly powered: boolean;
  readonly current: string | undefined;
  readonly portal: { readonly served: ServedPortal | undefined };
  readonly users: ViewGateway['users'] & {
    login(attempt: LoginAttempt): Promise<LoginResult>;
    signOut(sid: string, why: 'user'): boolean;
  };
  readonly tempReleases: { readonly open: readonly { readonly mac: string }[] };
  requestTempRelease(mac: string, purpose: TempReleasePurpose): unknown;
}

/** A request of a terminal in the network of the gateway. */
export interface ClientRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | undefined;
  readonly mac: string;
  /** Address of the portal, for redirects from other sites. */
  readonly origin: string;
}

export interface ClientReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable | undefined;
}

/** State of one gateway that all portal modules share. */
export interface PortalContext {
  readonly gateway: RespondGateway;
  readonly data: ConsoleData;
  readonly limit: LoginLimit;
  /** Real milliseconds until a passed request counts as unanswered. */
  readonly timeoutMs?: number | undefined;
}

/** A request with its language and its path below it. */
export interface Visit extends ClientRequest {
  readonly lang: Lang;
  /** Below the language, without a slash at the start. */
  readonly path: string;
  readonly query: string;
  readonly portal: ServedPortal;
}

export const secureHeaders = {
  'content-security-policy': portalPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

export const redirectTo = (location: string, status: 302 | 303 = 303): ClientReply => ({
  status,
  headers: { ...secureHeaders, location, 'cache-control': 'no-store' },
  body: undefined,
});

export const textReply = (status: number, body: string, mime = 'text/plain; charset=utf-8'): ClientReply => ({
  status,
  headers: { ...secureHeaders, 'content-type': mime, 'cache-control': 'no-store' },
  body,
});

const other = { zh: 'en', en: 'zh' } as const satisfies Record<Lang, Lang>;

/** A page of the bundle with the data that each page has. */
export const pageReply = ({ portal, lang, path, query }: Visit, view: View, data: Partial<PortalData>, status = 200): ClientReply => {
  const base = { root: '/', here: `/${lang}/`, other: `/${other[lang]}/${path}${query}` };
  return textReply(status, portal.pages.page(view, lang, { ...base, ...data }), 'text/html; charset=utf-8');
};

/** The console can be asked. */
export const isReachable = ({ state, current }: RespondGateway): boolean => state === 'online' && current !== undefined;

/** Home of the client in its state. After a refused login it has a message. */
export const homeReply = async ({ gateway, data }: PortalContext, visit: Visit, more: Partial<PortalData> = {}, status = 200) => {
  const cached = await data.of(visit.lang, isReachable(gateway));
  const { view, data: shown } = homeOf(gateway, visit.mac, visit.lang, cached);
  return pageReply({ ...visit, path: '', query: '' }, view, { ...shown, ...more }, status);
};

/** The console cannot be reached: login and logout still work. */
export const offlineReply = async ({ gateway, data }: PortalContext, visit: Visit): Promise<ClientReply> => {
  const { data: shown } = homeOf(gateway, visit.mac, visit.lang, data.cached(visit.lang));
  return pageReply({ ...visit, path: '', query: '' }, 'offline', shown, 503);
};
