import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { Brand } from '../brand.ts';
import type { GatewayInternals } from '../gateway-internals.ts';

/** Factory credentials of the gateway's own web pages. */
export const factory = { account: 'admin', password: 'admin' } as const;

export const quoted = (text: unknown) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const style = `body{font:14px/1.5 sans-serif;margin:0;background:#f2f4f7;color:#1d2939}header{background:#123a6b;color:#fff;padding:12px 24px;display:flex;
gap:16px;align-items:center}header a{color:#cfe0ff}main{padding:24px;max-width:900px}table{border-collapse:collapse;background:#fff;width:100%}td,th{border:1px solid
#d0d5dd;padding:6px 10px;text-align:left}form{display:grid;gap:8px;max-width:280px}.wrong{color:#b42318}`;

/** A dish icon, 8 pixels wide. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAALElEQVR4nGP4//8/AzpmYGBg+I+OGYgSYGBg+I+OGYgSYGBg+I+OGYgSAADnPR/x6bN0RQAAAABJRU5ErkJggg==',
  'base64',
);

const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/static/style.css': ['text/css; charset=utf-8', `${style}\nheader{background-image:url("/img/logo.png");background-repeat:no-repeat}`],
  '/static/app.js': [
    'text/javascript; charset=utf-8',
    `setInterval(async()=>{const r=await fetch('/api/status');if(r.ok)document.getElementById('live').textContent=JSON.stringify(await r.json())},5000)`,
  ],
  '/img/logo.png': ['image/png', logo],
};

/** Uses absolute paths, as such pages do. */
export const html = (
  title: string,
  links: readonly (readonly [path: string, name: string])[],
  body: string,
  lang: Lang = 'en',
  brand?: Brand,
) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${quoted(title)}</title><link rel="stylesheet" href="/static/style.css"></head>
<body><header>${
    brand?.logo
      ? `<img src="/img/brand" alt="${quoted(brand.name ?? '')}" height="40" style="background:#fff;padding:4px 8px;border-radius:6px">`
      : `<img src="/img/logo.png" alt="" width="32" height="32">${brand?.name === undefined ? '' : `<b>${quoted(brand.name)}</b>`}`
  }<b>${quoted(title)}</b>${links.map(([path, name]) => `<a href="/${path}">${name}</a>`).join(' ')}</header>
<main>${body}</main></body></html>`;

export const table = (rows: readonly (readonly unknown[])[]) =>
  `<table>${rows.map((cells) => `<tr>${cells.map((c) => `<td>${quoted(c)}</td>`).join('')}</tr>`).join('')}</table>`;

export const send = (response: ServerResponse, status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
};

export const redirect = (response: ServerResponse, to: string, headers: Readonly<Record<string, string>> = {}) =>
  send(response, 302, '', { location: to, ...headers });

/** Sends a static file; false: not found. */
export const sendFile = (path: string, response: ServerResponse): boolean => {
  const found = Object.hasOwn(files, path) ? files[path] : undefined;
  if (found) send(response, 200, found[1], { 'content-type': found[0], 'cache-control': 'max-age=3600' });
  return found !== undefined;
};

const maxForm = 10_000;

export const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > maxForm) break;
  }
  return new URLSearchParams(body);
};

export const pathOf = (request: IncomingMessage) => new URL(request.url ?? '/', 'http://gateway').pathname;

/** Session cookies of each gateway. */
const entered = new WeakMap<GatewayInternals, Set<string>>();
const cookieName = 'gw_session';

export const signedIn = (gateway: GatewayInternals, request: IncomingMessage): boolean => {
  const cookie = request.headers.cookie?.match(/(?:^|; *)gw_session=([0-9a-f]+)/)?.[1];
  return cookie !== undefined && entered.get(gateway)?.has(cookie) === true;
};

export const signIn = (gateway: GatewayInternals): Record<string, string> => {
  const session = randomBytes(12).toString('hex');
  entered.set(gateway, (entered.get(gateway) ?? new Set()).add(session));
  return { 'set-cookie': `${cookieName}=${session}; Path=/; HttpOnly` };
};

export const signOut = (gateway: GatewayInternals): Record<string, string> => {
  entered.delete(gateway);
  return { 'set-cookie': `${cookieName}=; Path=/; Max-Age=0` };
};
