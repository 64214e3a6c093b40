import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { idempotencyHeader } from '@farlink/contract/kit/idempotency.ts';
import { limits } from '@farlink/contract/limits.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { domainRegistryOf } from '../src/domain/custom-domain/domain-registry.ts';
import { ownerOf } from '../src/kit/process/peers.ts';
import { openNode, type ProcessNode } from '../src/kit/process/process-node.ts';
import { writeAddress } from '../src/orders/file-exchange.ts';
import { notifyChange } from '../src/orders/notify.ts';
import { type Api, startApi } from './api.ts';
import { openRemoteTestServer, openTunnel, type RemoteTestServer, remotePorts, webBehind } from './remote.ts';
import { makeBranches } from './world.ts';

/** Two processes of one installation, with separate folders. */
const env = { SECRET_KEY: randomBytes(32).toString('hex'), REMOTE_WEB_URL: 'http://*.remote.test' };
let a: RemoteTestServer;
let b: Api;
const nodes: ProcessNode[] = [];

beforeAll(async () => {
  a = await openRemoteTestServer({ ...env, PROCESS_NAME: 'api-a' });
  b = await startApi({ ...env, ...remotePorts, PROCESS_NAME: 'api-b' }, a);
  for (const api of [a, b]) {
    const node = await openNode(api.deps, { id: api.deps.processId ?? '' });
    await node.publish({ address: new URL(api.base).host, remoteWebPort: api.remote?.webPort });
    nodes.push(node);
  }
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await b.close();
  await a.close();
});

/** The page of a session as a balancer passes it to a process: the Host header has the session, the port is that of the process. */
const requestAt = async (
  api: Pick<Api, 'remote'>,
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
) => {
  const { host, pathname } = new URL(url);
  const headers = { host, ...options.headers };
  const req = request({
    host: '127.0.0.1',
    port: api.remote?.webPort,
    path: options.path ?? pathname,
    method: options.method ?? 'GET',
    headers,
  });
  req.end(options.body);
  const [res]: IncomingMessage[] = await once(req, 'response');
  if (!res) throw new Error('no answer');
  return { status: res.statusCode, headers: res.headers, text: await text(res) };
};

const terminalAt = (api: Pick<Api, 'base'>, id: number, ticket: string) => {
  const socket = new WebSocket(`${api.base.replace('http', 'ws')}/agt/terminal`, { origin: api.base });
  const seen = { states: [] as { state: string; reason?: string }[], screen: '' };
  socket.on('open', () => socket.send(JSON.stringify({ id, ticket, token: a.admin().session?.token, cols: 80, rows: 24 })));
  socket.on('message', (data, isBinary) => {
    if (isBinary) seen.screen += String(data);
    else seen.states.push(JSON.parse(String(data)));
  });
  return { socket, seen };
};

describe('remote access opened at one process', () => {
  test('works as a terminal at the other process', async () => {
    const device = await a.addDevice();
    const granted = await a.grant('telnet', device.id);
    const tab = terminalAt(b, granted.id, granted.token);
    await expect.poll(() => tab.seen.states.at(-1)?.state).toBe('opening');
    const tunnel = await openTunnel(
      granted.order,
      (channel) => void channel.on('data', (d: Buffer) => channel.write(`<${d.toString('latin1')}>`)),
    );
    await expect.poll(() => tab.seen.states.at(-1)?.state).toBe('open');
    tab.socket.send(Buffer.from('hello\r'));
    await expect.poll(() => tab.seen.screen).toContain('hello');
    tunnel.destroy();
    await expect.poll(() => tab.seen.states.at(-1)).toMatchObject({ state: 'ended', reason: 'tunnel' });
    await expect.poll(() => tab.socket.readyState).toBe(WebSocket.CLOSED);
  });

  test('ends when the browser disconnects from the other process', async () => {
    const device = await a.addDevice();
    const granted = await a.grant('telnet', device.id);
    const tab = terminalAt(b, granted.id, granted.token);
    await expect.poll(() => tab.seen.states.at(-1)?.state).toBe('opening');
    tab.socket.close();
    await expect.poll(async () => (await a.row(granted.id)).end_reason).toBe('closed');
  });

  test('needs its ticket at the other process too', async () => {
    const device = await a.addDevice();
    const granted = await a.grant('telnet', device.id);
    const tab = terminalAt(b, granted.id, 'wrong');
    await expect.poll(() => tab.seen.states).toEqual([{ state: 'refused' }]);
  });

  test('serves web pages at both processes', async () => {
    const device = await a.addDevice();
    const { url, order } = await a.grant('router', device.id);
    const { origin } = new URL(url);
    await openTunnel(
      order,
      webBehind((req, res) => void res.end(`page of ${req.url}`)),
    );
    const body = JSON.stringify({ ticket: url.split('#')[1] });
    const entered = await requestAt(b, url, {
      method: 'POST',
      path: '/_farlink/enter',
      headers: { origin, 'content-type': 'application/json' },
      body,
    });
    expect(entered.status).toBe(200);
    const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    for (const api of [b, a, b])
      expect(await requestAt(api, url, { path: '/status?x=1', headers: { cookie } })).toMatchObject({
        status: 200,
        text: 'page of /status?x=1',
      });
    expect((await requestAt(b, url, { path: '/status' })).status).toBe(401);
    expect((await requestAt(b, url.replace(/\w{20}\./, `${'x'.repeat(20)}.`))).status).toBe(404);
  });
});

test('a WebSocket of a remote page works through the other process', async () => {
  const device = await a.addDevice();
  const { url, order } = await a.grant('router', device.id);
  const { origin, host } = new URL(url);
  const received: string[] = [];
  await openTunnel(order, (channel) => {
    channel.once('data', () => {
      channel.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\nwelcome');
      channel.on('data', (d: Buffer) => void received.push(d.toString()));
    });
  });
  const body = JSON.stringify({ ticket: url.split('#')[1] });
  const headers = { origin, 'content-type': 'application/json' };
  const entered = await requestAt(a, url, { method: 'POST', path: '/_farlink/enter', headers, body });
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const req = request({
    host: '127.0.0.1',
    port: b.remote?.webPort,
    path: '/socket',
    headers: { host, origin, cookie, upgrade: 'websocket', connection: 'Upgrade' },
  });
  const upgraded = Promise.withResolvers<{ socket: Duplex; head: Buffer }>();
  req.once('upgrade', (_, socket: Duplex, head: Buffer) => upgraded.resolve({ socket, head }));
  req.once('response', (res) => upgraded.reject(new Error(`status ${res.statusCode}`)));
  req.end();
  const { socket, head } = await upgraded.promise;
  let seen = head.toString();
  socket.on('data', (d: Buffer) => {
    seen += d.toString();
  });
  socket.write('hello');
  await expect.poll(() => seen).toBe('welcome');
  await expect.poll(() => received.join('')).toBe('hello');
  socket.destroy();
});

describe('an upload of a gateway', () => {
  test('continues at any process', async () => {
    const device = await a.addDevice({ auth_status: 'formal' });
    const content = randomBytes(40_000);
    const owners = new Set<boolean>();
    for (let n = 0; n < 8; n++) {
      const until = a.clock.now() + 3600;
      const { id, url } = writeAddress(a.deps.config, { device_id: device.id, purpose: 'backup', max: 1_000_000, until });
      owners.add((await ownerOf(a.deps, id)) === undefined);
      const path = new URL(url).pathname;
      for (let from = 0; from < content.length; from += 10_000) {
        const api = (from / 10_000 + n) % 2 === 0 ? a : b;
        const headers = { 'content-range': `bytes ${from}-${from + 9999}/${content.length}` };
        const reply = await fetch(`${api.base}${path}`, {
          method: 'PUT',
          headers,
          body: new Uint8Array(content.subarray(from, from + 10_000)),
        });
        expect([reply.status, reply.headers.get('upload-offset')]).toEqual([from === 30_000 ? 201 : 202, String(from + 10_000)]);
        const head = await fetch(`${(api === a ? b : a).base}${path}`, { method: 'HEAD' });
        expect(head.headers.get('upload-offset')).toBe(String(from + 10_000));
      }
      const row = await a.db.selectFrom('depot_upload').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
      expect(row.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    }
    // Both processes had some of the uploads.
    expect(owners.size).toBe(2);
  });
});

describe('two processes', () => {
  test('share sessions, also when one process ends a session', async () => {
    const admin = await a.login('admin');
    const there = admin.session && b.as(admin.session);
    expect((await there?.call(authCalls.profile))?.code).toBe(0);
    await admin.call(authCalls.logout);
    await expect.poll(async () => (await there?.call(authCalls.profile))?.code).toBe(errors.session_ended.code);
  });

  test('process a repeated form only once', async () => {
    const admin = await a.login('admin');
    const there = admin.session ? b.as(admin.session) : admin;
    const key = { [idempotencyHeader]: 'attempt-of-a-form-at-two-processes' };
    await makeBranches(a);
    const { id: vno_id } = await a.db.selectFrom('agent').select('id').where('agent_level', '=', 1).executeTakeFirstOrThrow();
    const input = { vno_id, prefix: 'twoapis' };
    const replies = await Promise.all([admin.call(prefixCalls.create, input, key), there.call(prefixCalls.create, input, key)]);
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[0]?.code).toBe(0);
    expect(await a.db.selectFrom('prefix').select('id').where('prefix', '=', 'twoapis').execute()).toHaveLength(1);
  });

  test('share the limit of public calls', { tags: 'all' }, async () => {
    const statuses: number[] = [];
    const wrong = { username: 'x', password: '', verifycode: '' };
    for (let n = 0; n < limits.publicCallsPerMinute + 20; n++) {
      const { base } = n % 2 === 0 ? a : b;
      const headers = { 'content-type': 'application/json' };
      statuses.push((await fetch(`${base}/agt/v1/login`, { method: 'POST', headers, body: JSON.stringify(wrong) })).status);
    }
    const refused = statuses.filter((status) => status === errors.too_many.status).length;
    expect(refused).toBeGreaterThanOrEqual(20);
    a.clock.advance(60);
  });

  test('serve a certificate that was stored by the other process', async () => {
    await a.db
      .updateTable('domain')
      .set({ domain: 'noc.two.example', proven_at: 1, https: true, cert: 'chain', cert_key: 'sealed', cert_sha256: 'hash' })
      .where('agent_id', '=', 1)
      .where('domain_type', '=', 'console')
      .execute();
    for (const api of [a, b])
      await expect
        .poll(() => domainRegistryOf(api.deps)?.certificateOf('noc.two.example'))
        .toMatchObject({ cert: 'chain', sha256: 'hash' });
  });

  test('send changes made at the other process to their live streams', async () => {
    const device = await a.addDevice();
    const admin = await a.login('admin');
    const abort = new AbortController();
    const stream = await fetch(`${b.base}/agt/v1/live?ids=${device.id}`, {
      headers: { authorization: admin.session?.token ?? '' },
      signal: abort.signal,
    });
    let received = '';
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString();
    })().catch(() => {});
    await expect.poll(() => received).toContain(`"id":${device.id}`);
    received = '';
    await notifyChange(a.db, 'record', [device.id]);
    await expect.poll(() => received).toContain('record');
    abort.abort();
    await reading;
  });
});
