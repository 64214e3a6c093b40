import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as secured } from 'node:tls';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import ssh2, { type Connection } from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from '../gateway.ts';
import { operations } from '../operations/registry.ts';

/** About one of 200 ed25519 keys that the library generates cannot be parsed by it. */
const keys = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
const parsed = ssh2.utils.parseKey(keys.private);
if (parsed instanceof Error) throw parsed;
const fp = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`;

/** SSH server of the console: accepts one token and only forwards. */
let hub: Connection | undefined;
const forwarded: string[] = [];
const server = new ssh2.Server({ hostKeys: [keys.private] }, (client) => {
  client.on('error', () => {});
  client.on('authentication', (ctx) => (ctx.method === 'password' && ctx.password === 'token' ? ctx.accept() : ctx.reject(['password'])));
  client.on('request', (accept, reject, name, info) => {
    if (name !== 'tcpip-forward' || info.bindAddr === 'antenna') return reject?.();
    forwarded.push(`${info.bindAddr}:${info.bindPort}`);
    hub = client;
    accept?.();
  });
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = address && typeof address === 'object' ? address.port : 0;
});
afterAll(() => server.close());

const gateway = new Gateway({
  sn: 'BOX1',
  host: '127.0.0.1',
  port: 9,
  seed: 1,
  key: 'k',
  calm: true,
  at: { lat: 20, lon: 115 },
  links: ['6d', 'l_band'],
});
gateway.step(1_790_000_000);

const run = (op: string, args: object, id = '0123456789ab'): Promise<Result | undefined> => {
  const operation = operations[op];
  if (!operation) throw new Error(op);
  return Promise.resolve(operation(gateway, { id, args: JSON.parse(JSON.stringify(args)), report: () => {} }));
};

const order = (services: string[], more: object = {}) => ({
  host: '127.0.0.1',
  port,
  user: 'BOX1',
  token: 'token',
  fp,
  services,
  ttl: 60,
  ...more,
});

const channel = (service: string, to: number) =>
  new Promise<Duplex>((resolve, reject) => {
    hub?.forwardOut(service, to, '127.0.0.1', 0, (error, stream) => (error ? reject(error) : resolve(stream)));
  });

const fetchPath = async (service: string, path: string, { method = 'GET', cookie = '', body = '' } = {}) => {
  const plain = await channel(service, service === 'ac' ? 443 : 80);
  const socket = service === 'ac' ? secured({ socket: plain, rejectUnauthorized: false }) : plain;
  const sent = request({
    createConnection: () => socket,
    method,
    path,
    headers: {
      host: 'router.test',
      connection: 'close',
      cookie,
      'content-length': body.length,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  sent.end(body);
  const [reply] = await once(sent, 'response');
  let text = '';
  for await (const chunk of reply) text += String(chunk);
  return { status: reply.statusCode, headers: reply.headers, text };
};

describe('a tunnel', () => {
  test('is opened on request with the right key, and its services reply', async () => {
    expect(await run('remote.open', order(['router', 'ac', 'telnet']))).toEqual({
      st: 'done',
      out: { services: ['router', 'ac', 'telnet'] },
    });
    expect(forwarded).toEqual(['router:80', 'ac:443', 'telnet:23']);
    expect((await fetchPath('router', '/')).headers.location).toBe('/login');
    expect(await fetchPath('ac', '/')).toMatchObject({ status: 200, text: expect.stringContaining('ap1') });
  });

  test('is refused with a wrong host key or token, a refused service or an unreachable server', async () => {
    const reason = async (more: object, services = ['router']) => await run('remote.open', order(services, more), 'ba9876543210');
    expect(await reason({ fp: 'SHA256:other' })).toEqual({ st: 'fail', err: 'the host key has another fingerprint' });
    expect(await reason({ token: 'wrong' })).toMatchObject({ st: 'fail', err: expect.stringMatching(/authentication/) });
    expect(await reason({}, ['antenna'])).toMatchObject({ st: 'fail', err: expect.stringMatching(/antenna/) });
    expect(await reason({ port: 9 })).toMatchObject({ st: 'fail', err: expect.stringMatching(/ECONNREFUSED/) });
    expect(gateway.tunnels.ids).toEqual(['0123456789ab']);
  });
});

describe('the router', () => {
  const logIn = (password: string) => fetchPath('router', '/login', { method: 'POST', body: `account=admin&password=${password}` });

  test('uses the configured language', async () => {
    gateway.changeLocally('advanced_device_info', { device_name: 'BOX1', language: 'zh' });
    const page = await fetchPath('router', '/login');
    expect(page.text).toContain('<html lang="zh">');
    expect(page.text).toContain('登录');
    gateway.changeLocally('advanced_device_info', { device_name: 'BOX1' });
    expect((await fetchPath('router', '/login')).text).toContain('Log in');
  });

  test('accepts the password, sets a cookie, and shows its state', async () => {
    expect(await logIn('wrong')).toMatchObject({ status: 401, text: expect.stringContaining('Wrong') });
    const { headers } = await logIn('admin');
    expect(headers.location).toBe('/status');
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const page = await fetchPath('router', '/status', { cookie });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('03.02.01') });
    expect(page.text).toContain('src="/img/logo.png"');
    expect(await fetchPath('router', '/img/logo.png')).toMatchObject({ headers: { 'content-type': 'image/png' } });
    expect(JSON.parse((await fetchPath('router', '/api/status', { cookie })).text)).toMatchObject({ link: '6d' });
    const saved = await fetchPath('router', '/wifi', { method: 'POST', cookie, body: 'ssid=%3Cb%3Ebar' });
    expect(saved.headers.location).toBe('http://router.test/wifi');
    expect(gateway.sections.get('wifi')?.doc).toEqual({ ssid: '<b>bar' });
    expect((await fetchPath('router', '/wifi', { cookie })).text).not.toContain('<b>bar');
    await fetchPath('router', '/logout', { cookie });
    expect((await fetchPath('router', '/status', { cookie })).headers.location).toBe('/login');
  });
});

test('telnet negotiates, asks for the login, and has a small shell', async () => {
  const stream = await channel('telnet', 23);
  let bytes = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  const seen = () => bytes.toString('latin1');
  const type = async (text: string, until: string | RegExp) => {
    stream.write(text);
    await expect.poll(seen).toMatch(until);
  };
  await type('', 'login: ');
  expect([...bytes.subarray(0, 12)]).toEqual([255, 251, 1, 255, 251, 3, 255, 253, 24, 255, 253, 31]);
  // The server refuses unsupported options, and reads a window-size subnegotiation to its end.
  stream.write(Buffer.from([255, 253, 5, 255, 250, 31, 0, 80, 0, 24, 255, 240]));
  await expect.poll(() => [...bytes.subarray(-3)]).toEqual([255, 252, 5]);
  await type('admin\r\n', 'Password: ');
  await type('nonsense\r\0', 'Login incorrect');
  expect(seen()).not.toContain('nonsense');
  await type('admin\r\n', /Login incorrect[\s\S]*Password: /);
  await type('admin\r\n', 'FG-200> ');
  await type('help\r\n', 'show version');
  await type('show version\r\n', /Firmware {2}03\.02\.01/);
  await type('show links\r\n', /6d +on/);
  await type('ping 1.1.1.1\r\nbogus\r\n', /4 sent, \d received[\s\S]*command not found/);
  const ended = once(stream, 'end');
  await type('exit\r\n', 'Bye');
  await ended;
});

test('a tunnel ends on request and when the link changes to L-band, and is refused there', async () => {
  expect(await run('remote.close', { open: '0123456789ab' })).toEqual({ st: 'done' });
  expect(gateway.tunnels.ids).toEqual([]);
  await run('remote.open', order(['router']));
  expect(gateway.tunnels.ids).toEqual(['0123456789ab']);
  gateway.world.force('l_band');
  expect(gateway.tunnels.ids).toEqual([]);
  expect(await run('remote.open', order(['router']))).toEqual({ st: 'fail', err: 'not on this link' });
});
