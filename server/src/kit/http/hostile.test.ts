import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { vnoRoles } from '@farlink/contract/permission/role.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, password, readReply, startApi } from '../../../test/api.ts';

/** Requests that the console would never send. */

let api: Api;
let admin: Caller;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: 'on' });
  admin = await api.login('admin');
});
afterAll(() => api.close());

const request = (path: string, more: RequestInit = {}) =>
  fetch(`${api.base}/agt/v1/${path}`, { ...more, headers: { authorization: admin.session?.token ?? '', ...more.headers } });
const post = (body: string, type = 'application/json') => request('agent', { method: 'POST', headers: { 'content-type': type }, body });
const { bad_input, too_large, wrong_media, not_found } = errors;

describe('a body that cannot be read', () => {
  it('is refused in our reply format with our own message', async () => {
    const cases: readonly (readonly [Promise<Response>, { code: number; status: number; text: readonly [string, string] }])[] = [
      [post('{'), bad_input],
      [post(''), bad_input],
      [post('{"__proto__":{"is_admin":true}}'), bad_input],
      [post('{"constructor":{"prototype":{"is_admin":true}}}'), bad_input],
      [post('<a/>', 'application/xml'), wrong_media],
      [post(JSON.stringify({ name: 'x'.repeat(2_000_000) })), too_large],
      [request('agent/%E0%A4%A'), bad_input],
    ];
    for (const [request, { code, status, text }] of cases)
      expect(await readReply(await request)).toMatchObject({ code, status, msg: text[0], data: null });
  });
});

describe('a parameter that the call does not have', () => {
  const fieldsOf = async (response: Promise<Response>) =>
    (await readReply<{ fields?: Record<string, string> }>(await response)).data?.fields;
  const json = { 'content-type': 'application/json' };
  const send = (path: string, body: object, method = 'POST') => request(path, { method, headers: json, body: JSON.stringify(body) });

  it('is refused by its name, so that a misspelt filter never lists or exports everything', async () => {
    expect(await fieldsOf(request('agent?nmae=x&page=1&lang=en'))).toEqual({ nmae: 'Unknown parameter: nmae' });
    expect(await fieldsOf(send('syslog/export', { format: 'csv', creat_at_start: 1 }))).toEqual({
      creat_at_start: '未知参数：creat_at_start',
    });
    expect(await api.db.selectFrom('export_task').select('id').execute()).toEqual([]);
  });
  it('is refused in the part of the request that the call does not read', async () => {
    expect(await fieldsOf(send('syslog/export?format=csv&lang=en', {}))).toEqual({ format: 'Send format in the body' });
    expect(await fieldsOf(send('user/delete', { ids: [1], lang: 'en' }, 'DELETE'))).toMatchObject({ ids: 'Send ids in the query string' });
  });
  it('is ignored in the body of an update, which may be the whole record that was read', async () => {
    const row = { ...(await readReply<object>(await request('agent/info'))).data, nmae: 'x' };
    expect(await fieldsOf(send('agent/mod', row, 'PUT'))).not.toHaveProperty('nmae');
    expect(await fieldsOf(send('agent/mod?nmae=x', row, 'PUT'))).toEqual({ nmae: '未知参数：nmae' });
  });
  it('may be the language or the identity', async () => {
    const { uid, agent_id } = admin.session ?? {};
    expect((await request(`agent?lang=en&uid=${uid}&agent_id=${agent_id}`)).status).toBe(200);
    expect(await fieldsOf(send('agent/prefix?lang=en', {}))).toMatchObject({ vno_id: 'Please select VNO' });
  });
});

describe('a value that cannot be stored', () => {
  const half = String.raw`"\ud800"`;
  const nul = String.raw`"a\u0000b"`;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it('is refused at its field, at any depth', async () => {
    for (const value of [nul, half, deep, '{"toString":1}', `[{"x":${nul}}]`, `{${nul}:1}`])
      for (const name of ['uid', 'lang', 'remark', 'permissions']) {
        const reply = await readReply<{ fields: Record<string, string> }>(await post(`{"${name}":${value}}`));
        expect(reply, `${name} ${value.slice(0, 20)}`).toMatchObject({ status: 400, data: { fields: { [name]: '格式不正确' } } });
      }
    expect((await request('agent?name=%00')).status).toBe(400);
  });

  it('is refused without a session', async () => {
    const reply = await api.anonymous.call(authCalls.sms, { type: 'forgetpwd', phone: '+8613900000001', more: '\0' });
    expect(reply).toMatchObject({ status: 400, data: { fields: { more: '格式不正确' } } });
  });

  it('is not found as the name of a page or a file', async () => {
    for (const path of ['/%00', '/assets/%00.js', '/agt/v1/agent/%00']) {
      const response = await fetch(api.base + path);
      expect([response.status, (await readReply(response)).code], path).toEqual([404, not_found.code]);
    }
  });
});

/** Sends a path unchanged; fetch would normalize it. */
const read = (path: string) =>
  new Promise<{ status: number; body: string }>((done, failed) => {
    const { hostname, port } = new URL(api.base);
    get({ hostname, port, path }, async (response) => done({ status: response.statusCode ?? 0, body: await text(response) })).on(
      'error',
      failed,
    );
  });

describe('a path that points outside the console', () => {
  it('is refused or not found, or shows the page of the console, but no other file', async () => {
    const { body: page } = await read('/');
    // The built console is in `web/dist`, so `..` has a `package.json`.
    for (const path of ['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '//etc/passwd', '/.env']) {
      const { status, body } = await read(path);
      if (status === 200) expect(body, path).toBe(page);
      else expect(status, path).toBeOneOf([400, 403, 404]);
    }
  });

  it('is refused or not found below the built files', async () => {
    for (const dots of ['../..', '%2e%2e/%2e%2e', '..%2f..', '..%5c..']) {
      const path = `/assets/${dots}/package.json`;
      expect((await read(path)).status, path).toBeOneOf([400, 403, 404]);
    }
  });
});

describe('a truncated or malformed multipart form', () => {
  const form = (body: string, type = 'multipart/form-data; boundary=x') =>
    request('user/import', { method: 'POST', headers: { 'content-type': type }, body });
  it('is refused with a client error', async () => {
    const formPart = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b';
    for (const body of [
      formPart,
      `${formPart}\r\n--x`,
      '--x',
      '',
      '--x\r\n',
      formPart.slice(0, 40),
      '--x\r\n\r\n\r\n',
      `--x\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
    ])
      expect([400, 413, 415, 422], JSON.stringify(body.slice(0, 60))).toContain((await form(body)).status);
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'y'.repeat(300)}`])
      expect([400, 413, 415], type.slice(0, 60)).toContain((await form(formPart, type)).status);
  });
});

describe('a reply', () => {
  it('is sent with Cache-Control: no-store', async () => {
    for (const path of ['agent', 'customer/profile', 'nothing', 'agent/999999'])
      expect((await request(path)).headers.get('cache-control'), path).toBe('no-store');
  });
});

describe('a HEAD request', () => {
  it('is not found, so it opens no stream', async () => {
    for (const path of ['live', 'agent', 'captcha']) expect((await request(path, { method: 'HEAD' })).status, path).toBe(404);
  });
});

it('the operator log stores at most 512 characters of the user agent', async () => {
  await request('logout', { method: 'POST', headers: { 'content-type': 'application/json', 'user-agent': 'x'.repeat(8000) }, body: '{}' });
  admin = await api.login('admin');
  const row = await api.db.selectFrom('syslog').select('user_agent').where('action', '=', 'logout').executeTakeFirstOrThrow();
  expect(row.user_agent).toHaveLength(512);
});

describe('behind a proxy', () => {
  const from = (forwarded: string, cookie = '') => ({ 'x-forwarded-for': forwarded, 'content-type': 'application/json', cookie });

  it('the caller is the address that the proxy saw, not the one that the client claims', async () => {
    const body = JSON.stringify({ username: 'admin', password: btoa(password), verifycode: '8888' });
    const headers = from('198.51.100.1, 203.0.113.9', await api.captchaCookie());
    const reply = await readReply(await fetch(`${api.base}/agt/v1/login`, { method: 'POST', headers, body }));
    expect(reply.code).toBe(0);
    const row = await api.db.selectFrom('customer').select('last_login_ip').where('username', '=', 'admin').executeTakeFirstOrThrow();
    expect(row.last_login_ip).toBe('203.0.113.9');
  });

  it('a client cannot avoid the rate limit of captchas and public calls by false addresses', { tags: 'all' }, async () => {
    const flood = async (path: string, method: string) => {
      const seen = new Set<number>();
      for (let i = 0; i <= limits.publicCallsPerMinute; i++) {
        const response = await fetch(`${api.base}/agt/v1/${path}`, {
          method,
          headers: from(`198.51.100.${i % 250}, 203.0.113.77`),
          ...(method === 'POST' && { body: '{}' }),
        });
        await response.arrayBuffer();
        seen.add(response.status);
      }
      return seen;
    };
    expect(await flood('captcha', 'GET')).toContain(429);
    expect(await flood('forgetpwd', 'POST')).toContain(429);
  });
});

it('more ids than the parameters of a statement are bad input', async () => {
  const vno_ids = Array.from({ length: 70_000 }, (_, i) => i + 1);
  const role = { name: '太多', scope: 'vno', vno_limit: 'specified', vno_ids, permissions: { vno_list: '11' } };
  const reply = await admin.call(vnoRoles.calls.create, role);
  expect(reply).toMatchObject({ status: 400, data: { fields: { vno_ids: '格式不正确' } } });
});

it('a number that is too large for its column is bad input', async () => {
  expect((await admin.call(vnoCalls.list, { page: 10_000_001 })).status).toBe(400);
  expect((await request('agent/role?use_count=2147483648')).status).toBe(400);
  const late = await readReply(await request('agent?create_at_start=999999999999999'));
  expect(late).toMatchObject({ status: 400, data: { fields: { create_at_start: '格式不正确' } } });
});

it('serves metrics to private addresses only, not through a proxy', async () => {
  expect((await fetch(`${api.base}/metrics`)).status).toBe(200);
  const signs = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'];
  for (const headers of signs.map((name) => ({ [name]: '127.0.0.1' })))
    expect((await fetch(`${api.base}/metrics`, { headers })).status).toBe(404);
});
