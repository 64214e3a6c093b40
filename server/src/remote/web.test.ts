import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { remoteCalls } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { makeCertificate } from '@farlink/simulator/payment/certificate.ts';
import type { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openRemoteTestServer, openTunnel, type RemoteTestServer, webBehind } from '../../test/remote.ts';
import { makeBranches } from '../../test/world.ts';

let testServer: RemoteTestServer;
const clients: Client[] = [];
const hello = webBehind((_, res) => res.end('hello'));

beforeAll(async () => {
  testServer = await openRemoteTestServer();
  await makeBranches(testServer);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await testServer.renew();
});
afterAll(async () => {
  await testServer.close();
});

const selfSigned = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = { issuer: 'CN=ac', subject: 'CN=ac', serial: 1n, publicKey, signer: privateKey, from: 0, until: 1 };
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: makeCertificate(content) };
};

const open: RemoteTestServer['openWeb'] = async (...args) => {
  const opened = await testServer.openWeb(...args);
  clients.push(opened.tunnel);
  return opened;
};

describe('a browser that resets its connection', () => {
  it('right after the upgrade does not affect other connections', async () => {
    const { tab } = await open('router', (_, res) => res.end('page'));
    const { port, host } = new URL(tab.origin);
    const upgradeRequest = [`GET /ws HTTP/1.1`, `host: ${host}`, 'connection: Upgrade', 'upgrade: websocket', '', ''].join('\r\n');
    for (let i = 0; i < 100; i++) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      await new Promise((sent) => socket.write(upgradeRequest, sent));
      socket.resetAndDestroy();
    }
    expect((await tab.get('/')).text).toBe('page');
  });
});

describe('a page behind a gateway', () => {
  it('is proxied with its paths, cookies and redirects, and without secrets of the console', async () => {
    const requests: Record<string, unknown>[] = [];
    const { tab } = await open('router', (req, res) => {
      requests.push({ url: req.url, ...req.headers });
      if (req.url === '/')
        return res.writeHead(302, { location: 'http://192.168.1.1/login', 'set-cookie': 'sid=1; Domain=x.y; Secure; HttpOnly' }).end();
      res.writeHead(200, {
        'x-frame-options': 'DENY',
        'service-worker-allowed': '/',
        'strict-transport-security': 'max-age=1',
        'content-security-policy': 'default-src *',
      });
      res.end('page');
    });
    const first = await tab.get('/');
    expect(first).toMatchObject({ status: 302, headers: { location: '/login' } });
    expect(first.headers['set-cookie']).toEqual(['sid=1; HttpOnly']);
    const headers = { authorization: 'token-of-the-console', referer: `${tab.origin}/`, origin: tab.origin, 'x-forwarded-for': '10.0.0.1' };
    const page = await tab.get('/login?a=1', { headers });
    expect(page).toMatchObject({ status: 200, text: 'page' });
    expect(requests[1]).toMatchObject({
      url: '/login?a=1',
      host: '127.0.0.1',
      cookie: 'sid=1',
      referer: 'http://127.0.0.1/',
      origin: 'http://127.0.0.1',
    });
    for (const name of ['authorization', 'x-forwarded-for']) expect(requests[1]).not.toHaveProperty(name);
    for (const name of ['x-frame-options', 'service-worker-allowed', 'strict-transport-security'])
      expect(page.headers).not.toHaveProperty(name);
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('default-src *');
  });

  it('is refused without the cookie, for a service worker and for another site', async () => {
    const { tab, url } = await open('router', (_, res) => res.end('secret'));
    expect((await testServer.browser(url).get('/')).status).toBe(401);
    expect((await tab.get('/sw.js', { headers: { 'service-worker': 'script' } })).status).toBe(403);
    expect((await tab.get('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await tab.get('/', { method: 'POST', headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await tab.get('/', { headers: { 'sec-fetch-site': 'same-origin' } })).text).toBe('secret');
  });

  it('gets complete request bodies, and its replies are streamed with backpressure', { tags: 'all' }, async () => {
    const size = 32 * 1024 * 1024;
    const chunk = randomBytes(64 * 1024);
    const received = createHash('sha256');
    let sentBytes = 0;
    let receivedBytes = 0;
    const { tab, id } = await open('antenna', async (req, res) => {
      if (req.method === 'PUT') {
        for await (const part of req) received.update(part);
        return res.end(received.digest('hex'));
      }
      const more = () => {
        while (sentBytes < size) {
          sentBytes += chunk.length;
          if (!res.write(chunk)) return void res.once('drain', more);
        }
        res.end();
      };
      more();
    });
    const reply = await tab.send('/big');
    let seen = -1;
    const isHeldBack = () => {
      const was = seen;
      seen = sentBytes;
      return was === sentBytes;
    };
    // The reply is not read, so the device must stop long before it has sent everything.
    await expect.poll(isHeldBack, { interval: 200 }).toBe(true);
    expect(sentBytes).toBeLessThan(12 * 1024 * 1024);
    for await (const part of reply) receivedBytes += part.length;
    expect(receivedBytes).toBe(size);

    const body = randomBytes(10 * 1024 * 1024);
    const put = await tab.get('/up', { method: 'PUT', body, headers: { 'content-length': String(body.length) } });
    expect(put.text).toBe(createHash('sha256').update(body).digest('hex'));

    await testServer.remote.hub.refresh();
    expect(await testServer.row(id)).toMatchObject({ request_count: 2 });
    const lines = await testServer.admin().call(remoteCalls.requests, { session_id: id, page: 1, limit: 10 });
    expect(
      lines.data.list.map(({ method, path, status, up_bytes, down_bytes }) => ({ method, path, status, up_bytes, down_bytes })),
    ).toEqual(
      expect.arrayContaining([
        { method: 'GET', path: '/big', status: 200, up_bytes: 0, down_bytes: size },
        { method: 'PUT', path: '/up', status: 200, up_bytes: body.length, down_bytes: 64 },
      ]),
    );
  });

  it('ends with its tunnel, and shows the reason afterwards', async () => {
    const { tab, tunnel, id } = await open('router', (req, res) => {
      if (req.url === '/') return res.end('home');
      res.writeHead(200, { 'content-length': 1_000_000 }).write('begin');
    });
    const reply = await tab.send('/slow');
    await new Promise((started) => reply.once('data', started));
    tunnel.destroy();
    await expect(
      (async () => {
        for await (const _ of reply);
      })(),
    ).rejects.toThrow();
    await expect.poll(async () => (await testServer.row(id)).end_reason).toBe('tunnel');
    expect(await tab.get('/')).toMatchObject({ status: 410, text: expect.stringContaining('隧道中断') });
  });

  it('that sends garbage affects only itself', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const says = [
      'HTTP/1.1 200 \x01\x02\r\nx: \x01\r\ncontent-length: 0\r\n\r\n',
      'what?\r\n\r\n',
      'HTTP/1.1 200 OK\r\nlocation: http://[\r\n\r\n',
    ];
    const rude = (channel: Duplex) => {
      channel.once('data', () => channel.end(says.shift()));
      channel.on('error', () => {});
    };
    clients.push(await openTunnel(granted.order, rude));
    const tab = testServer.browser(granted.url);
    await tab.enter();
    const odd = await tab.get('/a');
    expect(odd.status).toBe(200);
    expect(odd.headers).not.toHaveProperty('x');
    expect((await tab.get('/b')).status).toBe(502);
    expect(await tab.get('/c')).toMatchObject({ status: 200, headers: { location: '/' } });
    expect((await testServer.row(granted.id)).state).toBe('open');
  });

  it('that always redirects to another address is reported instead of a redirect loop', async () => {
    const { tab } = await open('router', (req, res) => res.writeHead(302, { location: `https://192.168.1.1${req.url}` }).end());
    expect(await tab.get('/')).toMatchObject({ status: 502, text: expect.stringContaining('https://192.168.1.1/') });
  });
});

describe('the connection to a device', () => {
  it('uses TLS if the device does, with any certificate, and is plain otherwise', async () => {
    const { key, cert } = selfSigned();
    const secure = createTlsServer({ key, cert }, (req, res) => res.end(`secure ${req.headers.origin}`));
    const granted = await testServer.grant('ac', (await testServer.addDevice()).id);
    clients.push(await openTunnel(granted.order, (channel) => void secure.emit('connection', channel)));
    const tab = testServer.browser(granted.url);
    await tab.enter();
    expect((await tab.get('/')).text).toBe('secure undefined');
    expect((await tab.get('/', { method: 'POST', headers: { origin: tab.origin } })).text).toBe('secure https://127.0.0.1');

    const plain = await open('ac', (_, res) => res.end('plain'));
    expect((await plain.tab.get('/')).text).toBe('plain');
  });

  it('is kept for the next request, and opened again if the device has closed it', async () => {
    const ways = new Set<unknown>();
    const server = createServer((req, res) => {
      ways.add(req.socket);
      // Announces keep-alive but closes the connection.
      if (req.url === '/leave') res.on('finish', () => req.socket.destroy());
      res.end(`${ways.size}`);
    });
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    clients.push(await openTunnel(granted.order, (channel) => void server.emit('connection', channel)));
    const tab = testServer.browser(granted.url);
    await tab.enter();
    expect((await tab.get('/')).text).toBe('1');
    expect((await tab.get('/leave')).text).toBe('1');
    expect((await tab.get('/')).text).toBe('2');
  });

  it('carries a WebSocket of the page, and of no other origin', async () => {
    const server = createServer();
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
    const granted = await testServer.grant('antenna', (await testServer.addDevice()).id);
    clients.push(await openTunnel(granted.order, (channel) => void server.emit('connection', channel)));
    const tab = testServer.browser(granted.url);
    await tab.enter();
    const { host, port } = new URL(tab.origin);
    const cookie = [...tab.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const open = (origin: string) => new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, headers: { host, cookie } });
    const own = open(tab.origin);
    await once(own, 'open');
    own.send('hello');
    expect(String((await once(own, 'message'))[0])).toBe('echo hello');
    own.terminate();
    const [error] = await once(open('http://evil.example'), 'error');
    expect(error).toMatchObject({ message: expect.stringContaining('403') });
  });

  it('uses a separate port for each session if the browser uses an IP address of the console', async () => {
    const granted = await testServer.grantAt('192.0.2.7:8080', 'router', (await testServer.addDevice()).id);
    const other = await testServer.grantAt('192.0.2.7:8080', 'router', (await testServer.addDevice()).id);
    expect(granted.url).toMatch(/^http:\/\/192\.0\.2\.7:\d+\/_farlink\/#/);
    expect(new URL(granted.url).origin).not.toBe(new URL(other.url).origin);
    const seen: unknown[] = [];
    const reply = webBehind((req, res) => {
      seen.push(req.headers.cookie);
      res.writeHead(200, { 'set-cookie': 'sid=7; Path=/' }).end('here');
    });
    clients.push(await openTunnel(granted.order, reply));
    const tab = testServer.browser(granted.url);
    expect((await tab.enter()).status).toBe(200);
    const stray = { cookie: `captcha=console; ${[...tab.jar].map(([n, v]) => `${n}=${v}`).join('; ')}` };
    const first = await tab.get('/', { headers: stray });
    expect(first).toMatchObject({ text: 'here', headers: { 'cache-control': 'no-store' } });
    expect(first.headers['set-cookie']?.[0]).toMatch(/^[a-z0-9]{20}_sid=7; Path=\/; HttpOnly$/);
    await tab.get('/');
    // Cookies of the console or another device on this host are not passed on.
    expect(seen).toEqual([undefined, 'sid=7']);
    expect((await testServer.browser(other.url).get('/')).status).toBe(401);
  });
});

describe('a session ends', () => {
  it('at once when the operator logs out', async () => {
    const by = await testServer.login('west');
    const { tab, tunnel, id } = await open('router', (_, res) => res.end('x'), by);
    const closed = once(tunnel, 'close');
    expect((await tab.get('/')).status).toBe(200);
    await by.call(authCalls.logout, {});
    await closed;
    await expect.poll(async () => (await testServer.row(id)).end_reason).toBe('logout');
    expect((await tab.get('/')).status).toBe(410);
  });

  it('when an operator ends it, with a log entry', async () => {
    const { tab, tunnel, id, device } = await open('router', (_, res) => res.end('x'));
    const closed = once(tunnel, 'close');
    expect((await testServer.admin().call(remoteCalls.close, { id })).code).toBe(0);
    await closed;
    expect((await tab.get('/')).status).toBe(410);
    expect((await testServer.admin().call(remoteCalls.close, { id })).code).toBe(errors.remote_ended.code);
    const log = await testServer.db
      .selectFrom('syslog')
      .select(['content_en', 'result'])
      .where('subject', '=', `device:${device.id}`)
      .orderBy('id')
      .execute();
    expect(log).toEqual([
      { content_en: expect.stringContaining('Opened remote Router'), result: 'success' },
      { content_en: expect.stringMatching(/^Ended remote session #\d+ to device /), result: 'success' },
    ]);
  });

  it('when the device disconnects, changes to L-band or is transferred', async () => {
    const ends = async (change: object) => {
      const { id, device } = await open('router', (_, res) => res.end('x'));
      await testServer.db.updateTable('device').set(change).where('id', '=', device.id).execute();
      await testServer.remote.hub.refresh();
      return (await testServer.row(id)).end_reason;
    };
    expect(await ends({ online_state: 0 })).toBe('offline');
    expect(await ends({ network: 'l_band' })).toBe('l_band');
    const other = await testServer.db.selectFrom('agent').select('id').where('agent_level', '=', 1).executeTakeFirstOrThrow();
    expect(await ends({ agent_id: other.id })).toBe('moved');
  });

  it('when it was idle for long enough; using it keeps the login alive', async () => {
    const by = await testServer.login('west');
    const { id, tab } = await open('router', (_, res) => res.end('x'), by);
    for (const _ of [1, 2, 3]) {
      testServer.clock.advance(limits.remoteIdleS - 60);
      expect((await tab.get('/')).status).toBe(200);
      await testServer.remote.hub.refresh();
    }
    expect((await testServer.row(id)).state).toBe('open');
    testServer.clock.advance(limits.remoteIdleS);
    await testServer.remote.hub.refresh();
    expect((await testServer.row(id)).state).toBe('ended');
  });

  it('when it was never used', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    clients.push(await openTunnel(granted.order, hello));
    testServer.clock.advance(limits.remoteTicketS);
    await testServer.remote.hub.refresh();
    expect(await testServer.row(granted.id)).toMatchObject({ state: 'ended', end_reason: 'idle' });
  });

  it('when its process has died', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    await testServer.db
      .updateTable('remote_session')
      .set({ node: 'dead', beat_at: testServer.clock.now() - 61 })
      .where('id', '=', granted.id)
      .execute();
    await testServer.remote.hub.refresh();
    expect(await testServer.row(granted.id)).toMatchObject({ state: 'failed', end_reason: 'lost' });
  });
});
