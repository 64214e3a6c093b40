import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { liveCalls } from '@farlink/contract/device/live.ts';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { mutations, sendAllRaw } from '../../../test/byte-fuzz.ts';
import { type DnsServer, openDnsServer } from '../../../test/dns-server.ts';
import { domainRow, filesOf, proveDomain, setDomain } from '../../../test/domain.ts';
import { freePort } from '../../../test/mosquitto.ts';
import { isSoak } from '../../../test/soak.ts';
import { makeTestAuthority, type TestAuthority } from '../../../test/test-authority.ts';
import { makeBranches } from '../../../test/world.ts';
import { domainRegistryOf, openDomainRegistry } from './domain-registry.ts';

const day = 86_400;
const consoleName = 'noc.east.example.com';
const portalName = 'wifi.east.example.com';
let api: Api;
let dns: DnsServer;
let ca: TestAuthority;
let east: Caller;
let port: number;

beforeAll(async () => {
  [dns, port] = [await openDnsServer(), await freePort()];
  api = await startApi({
    DNS_SERVERS: dns.address,
    HTTPS_PORT: String(port),
    HTTPS_PUBLIC_PORT: '443',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://noc.farlink.cn',
    REMOTE_SSH_PORT: '0',
    REMOTE_WEB_PORT: '0',
    REMOTE_SSH_HOST: '127.0.0.1',
  });
  ca = makeTestAuthority(api.clock.now());
  ({ east } = await makeBranches(api));
  for (const [use, domain] of [
    ['console', consoleName],
    ['portal', portalName],
  ] as const) {
    expect(await setDomain(api, east, use, { domain, https: true, ...filesOf(ca.issue([domain])) })).toMatchObject({ code: 0 });
    expect((await proveDomain(api, dns, east, use)).data.is_proven).toBe(true);
  }
  await domainRegistryOf(api.deps)?.load();
});
afterAll(async () => {
  await api.close();
  await dns.close();
});

interface HttpReply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}
/** One request over HTTPS. The certificate is verified with the root of the test. */
const get = (name: string, path: string, more: { host?: string; verify?: boolean; method?: string } = {}) =>
  new Promise<HttpReply>((done, failed) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      servername: name,
      ca: ca.root,
      agent: false,
      method: more.method ?? 'GET',
      rejectUnauthorized: more.verify ?? true,
      headers: { host: more.host ?? name },
    };
    const sent = request(options, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    });
    sent.on('error', failed).end();
  });
/** One request over plain HTTP with this Host. */
const getPlain = (host: string, path: string, method = 'GET') =>
  new Promise<HttpReply>((done, failed) => {
    const sent = plainRequest(`${api.base}${path}`, { headers: { host }, method, agent: false }, (reply) => {
      reply.resume().on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text: '' }));
    });
    sent.on('error', failed).end();
  });
const openTls = (servername: string | undefined) =>
  new Promise<TLSSocket>((done, failed) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...(servername && { servername }) }, () => done(socket));
    socket.on('error', failed);
  });
/** The first message of a TLS client. */
const clientHello = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const accepted = once(server, 'connection');
  const client = connect({ host: '127.0.0.1', port: address && typeof address === 'object' ? address.port : 0, servername: consoleName });
  client.on('error', () => {});
  const [socket] = await accepted;
  const [hello] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
};
const nameShown = async (servername: string | undefined) => {
  const socket = await openTls(servername);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
};

describe('HTTPS', () => {
  it('serves each domain with its own certificate, and other names with a neutral one', async () => {
    expect(await nameShown(consoleName)).toBe(consoleName);
    expect(await nameShown(consoleName.toUpperCase())).toBe(consoleName);
    expect(await nameShown(portalName)).toBe(portalName);
    expect(await nameShown('unknown.example.com')).toBe('localhost');
    expect(await nameShown(undefined)).toBe('localhost');
  });

  it('serves the console and its API on a console domain, with secure cookies of this host', async () => {
    const captcha = await get(consoleName, '/agt/v1/captcha');
    expect(captcha.status).toBe(200);
    const cookie = String(captcha.headers['set-cookie']);
    expect(cookie).toContain('Secure');
    expect(cookie).not.toContain('Domain=');
    expect((await get(consoleName, '/agt/v1/domain')).status).toBe(401);
  });

  it('serves the portal on a portal domain, and neither console nor API', async () => {
    expect((await get(portalName, '/')).headers.location).toBe('/zh/');
    for (const path of ['/login', '/agt/v1/captcha', '/agt/v1/openapi.json', '/metrics', '/index.html', '//agt/v1/captcha'])
      expect((await get(portalName, path)).status, path).toBe(404);
    expect((await get(portalName, '/healthz')).status).toBe(200);
    expect((await getPlain(portalName, '/agt/v1/login', 'POST')).status).toBe(404);
  });

  it('answers 421 with an empty body to an unknown host, except for shared paths and names of the platform', async () => {
    for (const path of ['/', '/agt/v1/captcha', '/agt/v1/domain']) {
      const reply = await get(consoleName, path, { host: 'other.example.com' });
      expect([reply.status, reply.text]).toEqual([421, '']);
      expect(JSON.stringify(reply.headers)).not.toContain('east');
    }
    const unverified = { verify: false };
    expect((await get('x.example.com', '/healthz', unverified)).status).toBe(200);
    expect((await get('x.example.com', '/depot/none', unverified)).status).not.toBe(421);
    expect((await get('x.example.com', '/gateway/none', unverified)).status).toBe(404);
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, '[::1]', 'localhost', 'NOC.farlink.cn', 'noc.farlink.cn:443'])
      expect((await get('localhost', '/agt/v1/captcha', { ...unverified, host })).status, host).toBe(200);
  });

  it('redirects reads on plain HTTP, but not writes, gateways, health, challenges and other hosts', async () => {
    const { status, headers } = await getPlain(consoleName, '/device/list?page=2');
    expect([status, headers.location]).toEqual([308, `https://${consoleName}/device/list?page=2`]);
    expect((await getPlain(`${consoleName}:8080`, '/agt/v1/domain', 'HEAD')).status).toBe(308);
    expect((await getPlain(consoleName, '/agt/v1/login', 'POST')).status).not.toBe(308);
    for (const path of ['/healthz', '/depot/x', '/.well-known/acme-challenge/abcdefghijklmnopqrstuv'])
      expect((await getPlain(consoleName, path)).status, path).not.toBe(308);
    expect((await getPlain('other.example.com', '/agt/v1/captcha')).status).toBe(200);
  });

  it('sends HSTS for a domain only after a day of success', async () => {
    const hsts = async () => (await get(consoleName, '/healthz')).headers['strict-transport-security'];
    expect(await hsts()).toBeUndefined();
    api.clock.advance(day);
    expect(await hsts()).toBe('max-age=15552000');
    expect((await getPlain(consoleName, '/healthz')).headers['strict-transport-security']).toBeUndefined();
    east = await api.login('east');
  });

  it('uses a new certificate within two seconds, also in other processes, without closing connections', async () => {
    const other = await openDomainRegistry({ ...api.deps });
    const open = await openTls(consoleName);
    const first = open.getPeerCertificate().fingerprint256;
    const pair = ca.issue([consoleName]);
    const since = performance.now();
    expect((await setDomain(api, east, 'console', { domain: consoleName, https: true, ...filesOf(pair) })).code).toBe(0);
    const shown = async () => {
      const socket = await openTls(consoleName);
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    await expect.poll(shown, { timeout: 2000, interval: 50 }).not.toBe(first);
    const { cert_sha256 } = await api.db
      .selectFrom('domain')
      .select('cert_sha256')
      .where('domain', '=', consoleName)
      .executeTakeFirstOrThrow();
    await expect.poll(() => other.certificateOf(consoleName)?.sha256, { timeout: 2000, interval: 20 }).toBe(cert_sha256);
    expect(performance.now() - since).toBeLessThan(4000);
    const reply = new Promise<string>((done) => open.once('data', (chunk: Buffer) => done(chunk.toString('latin1'))));
    open.write(`GET /healthz HTTP/1.1\r\nHost: ${consoleName}\r\n\r\n`);
    expect(await reply).toContain('200 OK');
    open.destroy();
    await other.close();
  });

  it('follows changes again after its database connection was lost', async () => {
    const lost = new Pool({ connectionString: api.deps.pool.options.connectionString });
    await lost.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`);
    await lost.end();
    const { status } = await domainRow(east, 'portal');
    expect(status).toBe(1);
    expect((await setDomain(api, east, 'portal', { domain: portalName, https: true, status: 0 })).code).toBe(0);
    await expect.poll(async () => (await get(portalName, '/healthz', { verify: false })).status, { timeout: 5000 }).toBe(200);
    await expect.poll(() => nameShown(portalName), { timeout: 5000 }).toBe('localhost');
    await expect.poll(async () => (await get(portalName, '/', { verify: false })).status).toBe(421);
  });

  it('serves web sockets as plain HTTP does', async () => {
    const socket = await openTls(consoleName);
    const head = new Promise<string>((done) => socket.once('data', (chunk: Buffer) => done(chunk.toString('latin1'))));
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      [
        'GET /agt/terminal HTTP/1.1',
        `Host: ${consoleName}`,
        `Origin: https://${consoleName}`,
        ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`, '', ''],
      ].join('\r\n'),
    );
    const reply = await head;
    expect(reply).toContain('101 Switching Protocols');
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    expect(reply).toContain(accept);
    socket.destroy();
  });

  it('serves the stream of live updates', async () => {
    const reply = await new Promise<IncomingMessage>((done, failed) => {
      const path = `/agt/v1/${liveCalls.open.path}?ids=&any=online`;
      const headers = { host: consoleName, authorization: east.session?.token ?? '' };
      request({ host: '127.0.0.1', port, path, servername: consoleName, ca: ca.root, agent: false, headers }, done)
        .on('error', failed)
        .end();
    });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const [first] = await once(reply, 'data');
    expect(String(first)).not.toBe('');
    reply.destroy();
  });

  it('survives garbage instead of a client hello', async () => {
    const hello = await clientHello();
    const garbage = [
      ...mutations([hello], isSoak ? 5000 : 150),
      Buffer.alloc(0),
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.from('16030100050100000100', 'hex'),
      Buffer.from('1603010200010001fc0303', 'hex'),
      Buffer.alloc(20_000, 0x16),
      ...Array.from({ length: 20 }, (_, i) => createHash('sha512').update(`garbage ${i}`).digest()),
    ];
    await sendAllRaw(port, garbage);
    expect((await get(consoleName, '/healthz')).status).toBe(200);
  });
});
