import type { Session } from '@farlink/contract/auth/auth.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { homeCalls } from '@farlink/contract/home/home.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { password } from '../test-server.ts';
import { type Get, listCalls, pageSize } from './cases.ts';
import { type Timed, type TimedCase, timeCases } from './walk.ts';

/** Rows of a list whose details are opened: the newest, and two further down. */
const openedRows = [0, 7, 19];
const opened = new Set<string>(['detail', 'tree', 'list', 'auth']);
const owners: Readonly<Record<string, string>> = { device_id: 'device', user_id: 'user' };

const requiredOf = ({ input }: Endpoint) =>
  Object.entries(input ?? {})
    .filter(([, field]) => field.required)
    .map(([name]) => name);

/** The list whose row a path opens: `device` for device/{id}/log. Undefined for a path that needs more than one row. */
const listOf = (path: string): string | undefined => {
  if (path.split('{').length !== 2 || !path.includes('{id}')) return undefined;
  const segments = (path.split('/{id}')[0] ?? '').split('/');
  for (let n = segments.length; n > 0; n--) {
    const name = segments.slice(0, n).join('/');
    if (listCalls.some((call) => call.path === name)) return name;
  }
  return undefined;
};

interface PageCall {
  readonly name: string;
  /** List that provides the id, if the call needs one. */
  readonly list?: string;
  readonly url: (id: unknown) => string;
}

/** What a page loads besides its list: figures, charts, and the details of a row. */
const pageCalls = (): PageCall[] =>
  endpoints.flatMap((call): PageCall[] => {
    const { path, kind, method } = call;
    if (method !== 'GET' || !opened.has(kind)) return [];
    const required = requiredOf(call);
    const query = `lang=zh${kind === 'list' ? `&page=1&limit=${pageSize}` : ''}`;
    const [only] = required;
    if (only && required.length === 1 && owners[only] && !path.includes('{'))
      return [{ name: `${path}?${only}`, list: owners[only], url: (id) => `${path}?${query}&${only}=${id}` }];
    if (required.length > 0) return [];
    if (path.includes('{')) {
      const list = listOf(path);
      return list ? [{ name: path, list, url: (id) => `${path.replace('{id}', String(id))}?${query}` }] : [];
    }
    return kind === 'detail' || kind === 'auth' || path === homeCalls.summary.path ? [{ name: path, url: () => `${path}?${query}` }] : [];
  });

const idsOf = async (get: Get, list: string): Promise<readonly unknown[]> => {
  const body = await get(`${list}?lang=zh&page=1&limit=${pageSize}`).catch(() => '{}');
  const { data }: { data?: { list?: readonly { readonly id?: unknown }[] } } = JSON.parse(body);
  return openedRows.flatMap((row) => data?.list?.[row]?.id ?? []);
};

/** Every call of a page except its list calls. Calls without permission or without a row are left out. */
export const walkPages = async (get: Get, slowMs: number, only?: RegExp): Promise<Timed[]> => {
  const ids = new Map<string, readonly unknown[]>();
  const cases: TimedCase[] = [];
  for (const { name, list, url } of pageCalls()) {
    if (only && !only.test(name)) continue;
    if (list !== undefined && !ids.has(list)) ids.set(list, await idsOf(get, list));
    const rows = list === undefined ? [undefined] : (ids.get(list) ?? []);
    if (rows.length === 0) continue;
    let n = 0;
    cases.push({ name, request: () => get(url(rows[n++ % rows.length])) });
  }
  return timeCases(cases, slowMs);
};

/** A login with password and captcha, as the console sends it. The captcha is requested before and not counted. */
export const timeLogin = async (base: string, username: string, slowMs: number): Promise<Timed | undefined> => {
  const times: number[] = [];
  for (let n = 0; n < 12; n++) {
    const captcha = await fetch(`${base}/agt/v1/captcha`);
    await captcha.arrayBuffer();
    const cookie = captcha.headers
      .getSetCookie()
      .map((c) => c.split(';')[0])
      .join('; ');
    const start = performance.now();
    const login = await fetch(`${base}/agt/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ username, password: toBase64(password), verifycode: '8888' }),
    });
    const { data }: { data?: Session } = JSON.parse(await login.text());
    if (!data?.token) return undefined;
    times.push(performance.now() - start);
  }
  times.shift();
  times.sort((a, b) => a - b);
  const found = { name: 'login', p50: times[Math.floor(times.length / 2)] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
  if (found.p95 > slowMs) process.stderr.write(`${found.p95.toFixed(0).padStart(7)} ms  login of ${username}\n`);
  return found;
};
