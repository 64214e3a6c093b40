import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type CookieScope, cookieForBrowser, cookiesForDevice } from './cookies.ts';

/** The name by which a device is spoken to: itself, as seen from the gateway. */
export const deviceHost = '127.0.0.1';

export interface Passage {
  readonly cookies: CookieScope;
  /** `http://k3….localhost:8091`, as the browser knows it. */
  readonly origin: string;
  /** `http` or `https`, as the device speaks. */
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

/** A login at the device itself; anything else that calls itself authorization is not meant for it. */
const isDeviceLogin = (value: string) => /^(basic|digest) /i.test(value);

/** An address of the session's origin as the device knows it; nothing for one of another place. */
const asDevice = (address: string | undefined, { origin, scheme }: Passage) =>
  address === origin || address?.startsWith(`${origin}/`) ? `${scheme}://${deviceHost}${address.slice(origin.length)}` : undefined;

export const headersForDevice = (headers: IncomingHttpHeaders, passage: Passage): OutgoingHttpHeaders => {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).filter(([name]) => !notForDevice.has(name) && !foreign.test(name) && !named.includes(name));
  const { authorization } = headers;
  const [cookie, origin, referer] = [
    cookiesForDevice(headers.cookie, passage.cookies),
    asDevice(headers.origin, passage),
    asDevice(headers.referer, passage),
  ];
  return {
    ...Object.fromEntries(passed),
    host: deviceHost,
    ...(cookie !== undefined && { cookie }),
    ...(authorization !== undefined && isDeviceLogin(authorization) && { authorization }),
    ...(origin !== undefined && { origin }),
    ...(referer !== undefined && { referer }),
  };
};

/** Scripts of such pages are written into them, so they may run; but what they reach is their own origin and nothing else. */
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

/** What would reach beyond this session: other pages of the host, the browser's memory of it, another server. */
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

/** Wherever a device points, the browser stays on its origin: the path is all that counts. */
export const localPath = (location: string, requestPath: string): string | undefined => {
  const base = `http://${deviceHost}${requestPath}`;
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  // Two slashes at the beginning would name another host.
  const path = url.pathname.replace(/^\/+/, '/');
  return url.protocol === 'http:' || url.protocol === 'https:' ? `${path}${url.search}${url.hash}` : undefined;
};

/** A device that answers HTTP by sending everybody to HTTPS, which is not behind this tunnel. */
export const leadsInCircles = (response: IncomingMessage, requestPath: string): boolean => {
  const { location } = response.headers;
  return (
    location !== undefined &&
    /^https?:/i.test(location) &&
    localPath(location, requestPath) === requestPath &&
    !response.headers['set-cookie']
  );
};

/** What the loose parser lets in and a server may not send on. */
const isWellFormed = (name: string, value: string | string[] | undefined) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(String(value));

/** `5; url=http://192.168.1.1/`: the same, with a path. */
const localRefresh = (value: string, requestPath: string): string | undefined => {
  const [, seconds, address] = /^\s*(\d+)\s*(?:[;,]\s*url\s*=\s*['"]?(.*?)['"]?\s*)?$/i.exec(value) ?? [];
  if (seconds === undefined || address === undefined) return seconds;
  const path = localPath(address, requestPath);
  return path && `${seconds}; url=${path}`;
};

export const headersForBrowser = (response: IncomingMessage, requestPath: string, passage: Passage): OutgoingHttpHeaders => {
  const { headers } = response;
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).filter(
    ([name, value]) =>
      !notForBrowser.has(name) && !name.startsWith('access-control-') && !named.includes(name) && isWellFormed(name, value),
  );
  const cookies = (headers['set-cookie'] ?? []).flatMap((line) => cookieForBrowser(line, passage.cookies) ?? []);
  const refresh = typeof headers.refresh === 'string' ? localRefresh(headers.refresh, requestPath) : undefined;
  return {
    ...Object.fromEntries(passed),
    ...fixedHeaders(passage.origin),
    // Another session may have this port later, and must not find what this one left.
    ...(passage.cookies.prefix !== '' && { 'cache-control': 'no-store' }),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(headers.location !== undefined && { location: localPath(headers.location, requestPath) ?? '/' }),
    ...(refresh !== undefined && { refresh }),
  };
};
