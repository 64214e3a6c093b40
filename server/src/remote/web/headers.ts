import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type CookieScope, cookieForBrowser, cookiesForDevice } from './cookies.ts';

/** Host name of a device, as seen from the gateway. */
export const deviceHost = '127.0.0.1';

export interface ProxyContext {
  readonly cookies: CookieScope;
  /** `http://k3….localhost:8091`, as in the browser. */
  readonly origin: string;
  /** `http` or `https`, as the device uses. */
  readonly scheme: string;
}

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
];
const notForDevice = new Set([
  ...hopByHop,
  'host',
  'cookie',
  'authorization',
  'origin',
  'referer',
  'forwarded',
  'via',
  'expect',
  'upgrade-insecure-requests',
  'service-worker',
]);
const foreign = /^(x-forwarded-|x-real-|x-original-|sec-fetch-|sec-ch-|cf-|x-request-id)/;

/** Login to the device itself. Other authorization headers are not passed on. */
const isDeviceLogin = (value: string) => /^(basic|digest) /i.test(value);

/** Rewrites a URL of the session's origin to that of the device; undefined for other origins. */
const asDevice = (address: string | undefined, { origin, scheme }: ProxyContext) =>
  address === origin || address?.startsWith(`${origin}/`) ? `${scheme}://${deviceHost}${address.slice(origin.length)}` : undefined;

export const headersForDevice = (headers: IncomingHttpHeaders, context: ProxyContext): OutgoingHttpHeaders => {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).filter(([name]) => !notForDevice.has(name) && !foreign.test(name) && !named.includes(name));
  const { authorization } = headers;
  const cookie = cookiesForDevice(headers.cookie, context.cookies);
  const origin = asDevice(headers.origin, context);
  const referer = asDevice(headers.referer, context);
  return {
    ...Object.fromEntries(passed),
    host: deviceHost,
    ...(cookie !== undefined && { cookie }),
    ...(authorization !== undefined && isDeviceLogin(authorization) && { authorization }),
    ...(origin !== undefined && { origin }),
    ...(referer !== undefined && { referer }),
  };
};

/** Device pages contain inline scripts, so these are allowed, but they can reach only their own origin. */
const policyOf = (origin: string) =>
  [
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "form-action 'self'",
    "base-uri 'self'",
    "frame-src 'self' data: blob:",
    "frame-ancestors 'self'",
    "object-src 'none'",
    "worker-src 'self' blob:",
    'sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads',
  ].join('; ');

export const fixedHeaders = (origin: string) => ({
  'content-security-policy': policyOf(origin),
  'referrer-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), bluetooth=(), payment=(), clipboard-read=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});

/** Headers that would affect more than this session: other pages of the host, browser storage, or another server. */
const notForBrowser = new Set([
  ...hopByHop,
  'set-cookie',
  'location',
  'refresh',
  'content-location',
  'link',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-frame-options',
  'service-worker-allowed',
  'strict-transport-security',
  'public-key-pins',
  'expect-ct',
  'clear-site-data',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
  'sourcemap',
  'x-sourcemap',
  ...Object.keys(fixedHeaders('')),
]);

/** The browser stays on its origin for any redirect of the device: only the path is kept. */
export const localPath = (location: string, requestPath: string): string | undefined => {
  const base = `http://${deviceHost}${requestPath}`;
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  // Two leading slashes would name another host.
  const path = url.pathname.replace(/^\/+/, '/');
  return url.protocol === 'http:' || url.protocol === 'https:' ? `${path}${url.search}${url.hash}` : undefined;
};

/** The device redirects HTTP to HTTPS, which this tunnel does not provide. */
export const isRedirectLoop = (response: IncomingMessage, requestPath: string): boolean => {
  const { location } = response.headers;
  return (
    location !== undefined &&
    /^https?:/i.test(location) &&
    localPath(location, requestPath) === requestPath &&
    !response.headers['set-cookie']
  );
};

/** Rejects headers that the lenient parser accepts but a server must not forward. */
const isWellFormed = (name: string, value: string | string[] | undefined) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(String(value));

/** `5; url=http://192.168.1.1/`: rewritten to a path. */
const localRefresh = (value: string, requestPath: string): string | undefined => {
  const [, seconds, address] = /^\s*(\d+)\s*(?:[;,]\s*url\s*=\s*['"]?(.*?)['"]?\s*)?$/i.exec(value) ?? [];
  if (seconds === undefined || address === undefined) return seconds;
  const path = localPath(address, requestPath);
  return path && `${seconds}; url=${path}`;
};

export const headersForBrowser = (response: IncomingMessage, requestPath: string, context: ProxyContext): OutgoingHttpHeaders => {
  const { headers } = response;
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).filter(
    ([name, value]) =>
      !notForBrowser.has(name) && !name.startsWith('access-control-') && !named.includes(name) && isWellFormed(name, value),
  );
  const cookies = (headers['set-cookie'] ?? []).flatMap((line) => cookieForBrowser(line, context.cookies) ?? []);
  const refresh = typeof headers.refresh === 'string' ? localRefresh(headers.refresh, requestPath) : undefined;
  return {
    ...Object.fromEntries(passed),
    ...fixedHeaders(context.origin),
    // Another session may use this port later and must not find cached pages of this one.
    ...(context.cookies.prefix !== '' && { 'cache-control': 'no-store' }),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(headers.location !== undefined && { location: localPath(headers.location, requestPath) ?? '/' }),
    ...(refresh !== undefined && { refresh }),
  };
};
