import type { RouterProtocol } from '@farlink/contract/advanced/router-login.ts';
import type { RouterClaim } from '../db/column-types.ts';
import { macOf } from '../domain/radius/mac-of.ts';

/** What a router says in its redirect to the portal. Nothing of it is proven. */
export interface RouterQuery {
  readonly protocol: Exclude<RouterProtocol, 'none'>;
  readonly nasId: string;
  /** `online`: the router has let the client in. `refused`: it has refused a login. */
  readonly event: 'login' | 'online' | 'refused';
  /** Host of the login page of the router. */
  readonly host: string;
  readonly claim: RouterClaim;
}

const maxUrl = 1000;

/** A web address without user name and password. */
export const webUrl = (text: string | null): URL | undefined => {
  if (text === null || text.length > maxUrl || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
};

const targetOf = (text: string | null) => {
  const url = webUrl(text);
  return url && { target: url.href };
};

/** RouterOS writes bytes that are not printable as `\ooo`. Hexadecimal; undefined: another form. */
export const routerOsBytes = (text: string): string | undefined => {
  if (!/^(\\[0-3][0-7]{2}|[\x20-\x7e])+$/.test(text) || text.length > 256) return undefined;
  const bytes = [...text.matchAll(/\\([0-3][0-7]{2})|./g)].map(([char, octal]) =>
    octal === undefined ? char.charCodeAt(0) : Number.parseInt(octal, 8),
  );
  return Buffer.from(bytes).toString('hex');
};

const uamEvents = { success: 'online', already: 'online', failed: 'refused' } as const;
const isUamEvent = (name: string): name is keyof typeof uamEvents => Object.hasOwn(uamEvents, name);

type Parsed = Pick<RouterQuery, 'event' | 'host' | 'claim'>;

const uamQuery = (query: URLSearchParams, mac: string): Parsed | undefined => {
  const host = query.get('uamip') ?? '';
  const port = query.get('uamport') ?? '3990';
  const challenge = query.get('challenge') ?? '';
  const result = query.get('res') ?? '';
  const event = isUamEvent(result) ? uamEvents[result] : 'login';
  const url = /^[\w.-]{1,253}$/.test(host) && /^\d{1,5}$/.test(port) ? webUrl(`http://${host}:${port}`) : undefined;
  if (!url || (event !== 'online' && !/^[0-9a-f]{32}$/i.test(challenge))) return undefined;
  return {
    event,
    host: url.hostname,
    claim: { protocol: 'uam', mac, origin: url.origin, challenge, ...targetOf(query.get('userurl')) },
  };
};

const mikrotikQuery = (query: URLSearchParams, mac: string): Parsed | undefined => {
  const url = webUrl(query.get('link-login-only'));
  if (!url) return undefined;
  const id = routerOsBytes(query.get('chap-id') ?? '');
  const challenge = routerOsBytes(query.get('chap-challenge') ?? '');
  return {
    event: query.get('error') ? 'refused' : 'login',
    host: url.hostname,
    claim: {
      protocol: 'mikrotik',
      mac,
      page: url.origin + url.pathname,
      ...(id?.length === 2 && challenge !== undefined && { chap: { id, challenge } }),
      ...targetOf(query.get('link-orig')),
    },
  };
};

/** Undefined: no router has sent this. `malformed`: one did, with values that cannot be used. */
export const readRouterQuery = (query: URLSearchParams): RouterQuery | 'malformed' | undefined => {
  const protocol = query.has('link-login-only') ? 'mikrotik' : query.has('uamip') ? 'uam' : undefined;
  if (!protocol) return undefined;
  const nasId = query.get('nasid') ?? '';
  const mac = macOf(query.get('mac') ?? '');
  if (!/^[\w.:-]{1,64}$/.test(nasId) || mac === undefined) return 'malformed';
  const parsed = protocol === 'uam' ? uamQuery(query, mac) : mikrotikQuery(query, mac);
  return parsed ? { protocol, nasId, ...parsed } : 'malformed';
};
