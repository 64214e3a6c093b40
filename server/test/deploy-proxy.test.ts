import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority } from './certificates.ts';
import {
  chooseBackPorts,
  chooseFrontPorts,
  deployed,
  has,
  machines,
  openBrowser,
  type PortMap,
  portOf,
  programs,
  type Running,
  runToEnd,
  startProgram,
  stopProgram,
  withAddresses,
} from './deploy.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

/** deploy/haproxy.cfg and deploy/nginx.conf with real traffic to two processes. Only addresses, ports and paths are replaced. */
const proxies = (['haproxy', 'nginx'] as const).filter(has);
type Proxy = (typeof proxies)[number];

const folder = mkdtempSync(join(tmpdir(), 'farlink-deploy-'));
const authority = makeAuthority(folder, 'ca');
const front = new Map<Proxy, PortMap>();
let back: PortMap;
let database: TestDatabase;
let servers: ServerProcess[] = [];
const running: Running[] = [];
const browsers: { close: () => void }[] = [];

const startServers = () => {
  const radsec = authority.issue('radius');
  const common = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'ab'.repeat(32),
    FILES_SHARED: 'on',
    ROLES: 'api,field,radius',
    DATABASE_POOL: '16',
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: 'https://localhost',
    REMOTE_WEB_URL: 'https://*.remote.example.com',
    PORT: `${portOf(back, 8080)}`,
    HEALTH_PORT: `${portOf(back, 9181)}`,
    REMOTE_WEB_PORT: `${portOf(back, 8091)}`,
    MQTT_PORT: `${portOf(back, 1883)}`,
    REMOTE_SSH_PORT: `${portOf(back, 2222)}`,
    RADSEC_PORT: `${portOf(back, 2083)}`,
    RADIUS_AUTH_PORT: '0',
    RADIUS_ACCT_PORT: '0',
    RADSEC_TLS_CERT: radsec.certFile,
    RADSEC_TLS_KEY: radsec.keyFile,
  };
  return Promise.all(
    machines.map((host) =>
      startProcess(join(folder, 'data'), { ...common, HOST: host, MQTT_HOST: host, RADIUS_HOST: host, REMOTE_SSH_HOST: host }),
    ),
  );
};

const binds = (text: string, ports: PortMap, pattern: RegExp) =>
  text.replace(pattern, (_, word: string, port: string) => `${word} 127.0.0.1:${portOf(ports, Number(port))}`);

/** The user of the package does not exist if the package is only unpacked. */
const haproxyText = (certs: string, ports: PortMap) =>
  binds(withAddresses(deployed('haproxy.cfg'), back), ports, /(bind) (?:10\.0\.0\.\d+)?:(\d+)/g)
    .replaceAll('/etc/haproxy/certs/', certs)
    .replace(/^ +(user|group) haproxy\n/gm, '')
    .replace('maxconn 100000', 'maxconn 200');

/** Folders of the package belong to root. */
const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};\n`).join('');

const nginxText = (certs: string, ports: PortMap) =>
  binds(withAddresses(deployed('nginx.conf'), back), ports, /(listen) (\d+)/g)
    .replaceAll('/etc/nginx/certs/', certs)
    .replace('/usr/lib/nginx/modules', join(dirname(programs.nginx), '../lib/nginx/modules'))
    .replace(/^user .*\n/m, '')
    .replace('/run/nginx.pid', join(folder, 'nginx.pid'))
    .replace('http {', `http {\n${tempPaths}`)
    .replace(/worker_rlimit_nofile \d+;/, '')
    .replace(/worker_connections \d+/, 'worker_connections 200');

const files = { haproxy: join(folder, 'haproxy.cfg'), nginx: join(folder, 'nginx.conf') };
const checks = {
  haproxy: ['-c', '-f', files.haproxy],
  nginx: ['-t', '-e', 'stderr', '-p', folder, '-c', files.nginx],
};
const runs = { haproxy: ['-db', '-f', files.haproxy], nginx: ['-e', 'stderr', '-p', folder, '-c', files.nginx, '-g', 'daemon off;'] };

beforeAll(async () => {
  back = await chooseBackPorts();
  for (const name of proxies) front.set(name, await chooseFrontPorts());
  database = await createTestDatabase();
  const certs = `${join(folder, 'certs')}/`;
  mkdirSync(certs);
  const { cert, key } = authority.issue('localhost');
  // HAProxy reads each file of its folder, and finds the key in console.pem.key or in the same file.
  writeFileSync(join(certs, 'console.pem'), Buffer.concat([cert, key]));
  writeFileSync(join(certs, 'console.key'), key);
  for (const name of proxies) {
    const text = { haproxy: haproxyText, nginx: nginxText }[name];
    const own = name === 'haproxy' ? `${join(folder, 'haproxy-certs')}/` : certs;
    if (name === 'haproxy') {
      mkdirSync(own);
      writeFileSync(join(own, 'console.pem'), Buffer.concat([cert, key]));
    }
    writeFileSync(files[name], text(own, front.get(name) ?? new Map()));
  }
  servers = await startServers();
}, 240_000);

afterAll(async () => {
  for (const browser of browsers) browser.close();
  for (const program of running) await stopProgram(program);
  for (const server of servers) await stopProgram(server, 'SIGKILL');
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const browserOf = (name: Proxy, port: number, ca?: string) => {
  const browser = openBrowser(portOf(front.get(name) ?? new Map(), port), ca);
  browsers.push(browser);
  return browser;
};

/** The first bytes that a listener sends, after `hello` if the client must send first. */
const firstBytes = async (port: number, hello?: Buffer) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  if (hello) socket.write(hello);
  const [bytes]: Buffer[] = await once(socket, 'data');
  socket.destroy();
  return bytes ?? Buffer.alloc(0);
};

/** CONNECT of MQTT 5 with the client id "x" and without a password. */
const mqttConnect = Buffer.from('100e00044d5154540502003c00000178', 'hex');

const tokenOf = (at: number) => servers[at]?.token ?? '';

for (const name of proxies)
  describe(`deploy: ${name}`, { tags: name === proxies[0] ? [] : ['all'] }, () => {
    const port = (of: number) => portOf(front.get(name) ?? new Map(), of);

    it('accepts the configuration and forwards requests', async () => {
      const { status, output } = runToEnd(programs[name], checks[name]);
      expect([status, output.match(/warning|alert|emerg/i)?.input]).toEqual([0, undefined]);
      const program = startProgram(programs[name], runs[name]);
      running.push(program);
      const browser = browserOf(name, 443, authority.caText);
      await expect
        .poll(async () => (await browser.call('/healthz').catch(() => undefined))?.status ?? program.output(), { interval: 50 })
        .toBe(200);
    });

    it('redirects browsers to HTTPS, but not gateways and payment providers', async () => {
      const plain = browserOf(name, 80);
      const page = await plain.call('/deviceList?x=1', { headers: { host: 'console.example.com' } });
      expect([page.status, page.headers.location]).toEqual([308, 'https://console.example.com/deviceList?x=1']);
      expect((await plain.call('/depot/unknown')).status).toBe(404);
      const notice = await plain.call('/agt/v1/pay/notify/wechat/999999', { method: 'POST', body: '{}' });
      expect([notice.status, notice.headers.location]).toEqual([404, undefined]);
    });

    it('forwards the address of the client, and ignores addresses in its headers', async () => {
      const browser = browserOf(name, 443, authority.caText);
      const captcha = await browser.call('/agt/v1/captcha');
      const cookie = (captcha.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      const login = await browser.call('/agt/v1/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' },
        body: JSON.stringify({ username: 'admin', password: Buffer.from('Farlink2026').toString('base64'), verifycode: '8888' }),
      });
      expect(JSON.parse(login.text)).toMatchObject({ code: 0 });
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query("select last_login_ip from customer where username = 'admin'");
      await client.end();
      expect(rows).toEqual([{ last_login_ip: '127.0.0.1' }]);
    });

    it('does not serve metrics', async () => {
      expect((await browserOf(name, 443, authority.caText).call('/metrics')).status).toBe(404);
    });

    it('routes web pages behind gateways by host name', async () => {
      const headers = { host: 'abc.remote.example.com' };
      const page = await browserOf(name, 443, authority.caText).call('/', { headers });
      expect(page).toMatchObject({ status: 404, text: expect.stringContaining('Remote session not found') });
    });

    it('forwards live updates without delay', async () => {
      const stream = await browserOf(name, 443, authority.caText).send('/agt/v1/live?notices=1', {
        headers: { authorization: tokenOf(0) },
      });
      const [chunk]: Buffer[] = await once(stream, 'data');
      expect([stream.statusCode, String(chunk)]).toEqual([200, expect.stringContaining('data: {"notices"')]);
      stream.destroy();
    });

    it('forwards WebSockets', async () => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        origin: 'https://localhost',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
        'sec-websocket-version': '13',
      };
      expect(await browserOf(name, 443, authority.caText).upgrade('/agt/terminal', headers)).toBe(101);
    });

    it('forwards an upload of 16 MB', async () => {
      const form = new FormData();
      const fields = { lang: 'en', batch: `B-${name}`, name: 'upload', type: 'other' };
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new Blob([new Uint8Array(16 * 2 ** 20).fill(120)]), 'upload.tar.gz');
      const body = new Response(form);
      const reply = await browserOf(name, 443, authority.caText).call('/agt/v1/file', {
        method: 'POST',
        headers: { authorization: tokenOf(0), 'content-type': body.headers.get('content-type') ?? '' },
        body: new Uint8Array(await body.arrayBuffer()),
      });
      expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('"code":0') });
    });

    it('forwards MQTT on both ports, SSH tunnels and RadSec', async () => {
      expect((await firstBytes(port(1883), mqttConnect))[0]).toBe(0x20);
      const secure = connectTls({ host: '127.0.0.1', port: port(8883), ca: authority.caText, servername: 'localhost' });
      await once(secure, 'secureConnect');
      secure.write(mqttConnect);
      const [ack]: Buffer[] = await once(secure, 'data');
      secure.destroy();
      expect(ack?.[0]).toBe(0x20);
      for (const ssh of [2221, 2222]) expect(String(await firstBytes(port(ssh)))).toMatch(/^SSH-2\.0/);
      const radsec = connectTls({ host: '127.0.0.1', port: port(2083), ca: authority.caText, servername: 'localhost' });
      await once(radsec, 'secureConnect');
      expect(radsec.getPeerCertificate().subject.CN).toBe('radius');
      radsec.destroy();
    });
  });

describe.skipIf(proxies.length === 0)('deploy: a killed api process', () => {
  it('causes no failed call of operators', { tags: 'all' }, async () => {
    const token = tokenOf(1);
    const results = new Map<string, number>();
    let isOver = false;
    const callAll = async (name: Proxy) => {
      const browser = browserOf(name, 443, authority.caText);
      while (!isOver) {
        const status = await browser.call('/agt/v1/customer/profile', { headers: { authorization: token } }).then(
          (reply) => String(reply.status),
          (error: Error) => error.message,
        );
        results.set(`${name} ${status}`, (results.get(`${name} ${status}`) ?? 0) + 1);
      }
    };
    const callers = proxies.flatMap((name) => [callAll(name), callAll(name), callAll(name)]);
    await expect.poll(() => Math.min(...proxies.map((name) => results.get(`${name} 200`) ?? 0))).toBeGreaterThan(30);
    const [first] = servers;
    if (first) await stopProgram(first, 'SIGKILL');
    const before = new Map(results);
    await expect
      .poll(() => Math.min(...proxies.map((name) => (results.get(`${name} 200`) ?? 0) - (before.get(`${name} 200`) ?? 0))))
      .toBeGreaterThan(100);
    isOver = true;
    await Promise.all(callers);
    expect([...results.keys()].sort()).toEqual(proxies.map((name) => `${name} 200`));
  });
});
