import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { operations } from './operations/registry.ts';
import { entryOf, page } from './sample-accounts.ts';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31 + (i >> 8)) & 255));
const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex');

/** A file server like the file exchange of the console: ranges, ETag, resumable PUT. */
const requests: string[] = [];
const put = new Map<string, Buffer>();
let fileServer: Server;
let base: string;

beforeAll(async () => {
  fileServer = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path} ${request.headers.range ?? ''}`.trim());
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          put.set(path, Buffer.concat(chunks));
          response.writeHead(path === '/refused' ? 403 : 201).end();
        });
      return;
    }
    const body = path === '/backup' ? put.get('/put') : path.startsWith('/file') ? content : undefined;
    if (!body) return void response.writeHead(404).end();
    const from = Number(request.headers.range?.match(/^bytes=(\d+)-/)?.[1] ?? 0);
    const tag = { etag: `"${sha256(body)}"`, 'content-length': body.length - from };
    response.writeHead(from > 0 ? 206 : 200, {
      ...tag,
      ...(from > 0 && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    });
    response.end(body.subarray(from));
  }).listen(0, '127.0.0.1');
  await once(fileServer, 'listening');
  const address = fileServer.address();
  base = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
});
afterAll(() => fileServer.close());

/** An unconnected gateway on land with stable links. */
const boxGateway = (options: Partial<GatewayOptions> = {}) => {
  const gateway = new Gateway({
    sn: 'BOX1',
    host: '127.0.0.1',
    port: 9,
    seed: 1,
    key: 'k',
    calm: true,
    at: { lat: 20, lon: 115 },
    links: ['6d', 'low_orbit', 'l_band'],
    ...options,
  });
  gateway.step(1_790_000_000);
  return gateway;
};

const run = (gateway: Gateway, op: string, args: JsonObject = {}, results: Result[] = []) => {
  const operation = operations[op];
  if (!operation) throw new Error(op);
  return Promise.resolve(operation(gateway, { id: '0123456789ab', args, report: (result) => results.push(result) }));
};

/** Field `then` of the wire. A literal object with this field would be a thenable. */
const after = (what: string): JsonObject => Object.fromEntries(new Map([['then', what]]));

const file = (more: JsonObject = {}): JsonObject => ({
  task: 7,
  url: `${base}/file`,
  size: content.length,
  sha256: sha256(content),
  name: 'app.zip',
  path: '/opt',
  ...after('none'),
  ...more,
});

describe('a file', () => {
  test.each([
    ['none', 100],
    ['install', 105],
    ['decompress', 104],
    ['execute', 103],
  ])('is downloaded, and the action %s ends with code %i', async (then, code) => {
    const results: Result[] = [];
    expect(await run(boxGateway(), 'file.get', file(after(then)), results)).toMatchObject({ st: 'done', code });
    expect(results[0]).toEqual({ st: 'run', pct: 0, code: 1 });
    expect(results.at(-1)).toEqual({ st: 'run', pct: 100, code: 1 });
  });

  test.each([
    ['net', 'none', 200],
    ['missing', 'none', 202],
    ['corrupt', 'none', 203],
    ['install', 'install', 101],
    ['execute', 'execute', 101],
    ['unzip', 'decompress', 102],
  ] as const)('with the fault %s and the action %s ends with code %i', async (fault, then, code) => {
    const gateway = boxGateway();
    gateway.faults.file = fault;
    expect(await run(gateway, 'file.get', file(after(then)))).toMatchObject({ st: 'fail', code, err: expect.any(String) });
  });

  test('that is missing, corrupt or not an archive ends with a separate code', async () => {
    expect(await run(boxGateway(), 'file.get', file({ url: `${base}/none` }))).toMatchObject({ code: 202, err: 'HTTP 404' });
    expect(await run(boxGateway(), 'file.get', file({ sha256: '0'.repeat(64) }))).toMatchObject({ code: 203 });
    expect(await run(boxGateway(), 'file.get', file({ name: 'a.txt', ...after('decompress') }))).toMatchObject({ code: 102 });
    expect(await run(boxGateway(), 'file.get', file({ sha256: 'no' }))).toMatchObject({
      st: 'fail',
      err: expect.stringMatching(/^arguments: sha256/),
    });
  });

  test('resumes after each interruption', async () => {
    const gateway = boxGateway();
    gateway.faults.drops = 3;
    requests.length = 0;
    expect(await run(gateway, 'file.get', file({ url: `${base}/file/broken` }))).toMatchObject({ code: 100 });
    const ranges = requests.map((line) => Number(line.match(/bytes=(\d+)-/)?.[1] ?? 0));
    expect(ranges).toHaveLength(4);
    expect(ranges.toSorted((a, b) => a - b)).toEqual(ranges);
    expect(ranges[1]).toBeGreaterThan(0);
  });

  test('waits when it is paused or the link is too expensive, and continues or ends on request', async () => {
    const gateway = boxGateway();
    gateway.faults.hold = 40;
    const results: Result[] = [];
    const got = run(gateway, 'file.get', file(), results);
    await expect.poll(() => results.at(-1)).toEqual({ st: 'run', pct: 40, code: 1 });
    expect(await run(gateway, 'file.pause', { task: 7 })).toEqual({ st: 'done' });
    await expect.poll(() => results.at(-1)).toEqual({ st: 'run', pct: 40, code: 2 });
    expect(await run(gateway, 'file.resume', { task: 7 })).toEqual({ st: 'done' });
    await expect.poll(() => results.at(-1)).toEqual({ st: 'run', pct: 40, code: 1 });
    gateway.world.force('l_band');
    await expect.poll(() => results.at(-1)).toEqual({ st: 'run', pct: 40, code: 2 });
    gateway.world.force('6d');
    await expect.poll(() => results.at(-1)).toEqual({ st: 'run', pct: 40, code: 1 });
    expect(await run(gateway, 'file.stop', { task: 7 })).toEqual({ st: 'done' });
    expect(await got).toMatchObject({ st: 'fail', code: 201 });
    expect(await run(gateway, 'file.pause', { task: 7 })).toMatchObject({ st: 'fail', err: 'no such task' });
  });

  test('survives a power failure, and is deleted on request', async () => {
    const gateway = boxGateway();
    gateway.faults.hold = 50;
    const results: Result[] = [];
    const got = run(gateway, 'file.get', file(), results);
    await expect.poll(() => results.at(-1)?.pct).toBe(50);
    gateway.power('off');
    await expect.poll(() => results.at(-1)?.code).toBe(2);
    gateway.faults.hold = undefined;
    gateway.power('on');
    expect(await got).toMatchObject({ code: 100 });
    expect(gateway.files.here).toEqual([{ name: 'app.zip', path: '/opt', size: content.length }]);
    expect(await run(gateway, 'file.delete', { task: 7 })).toEqual({ st: 'done', code: 255 });
    expect(gateway.files.here).toEqual([]);
  });
});

describe('firmware', () => {
  const upgrade = (more: JsonObject = {}): JsonObject => ({
    url: `${base}/file`,
    size: content.length,
    sha256: sha256(content),
    version: '03.03.00',
    ...more,
  });

  test('is installed in the other slot and started, and can be rolled back', async () => {
    const gateway = boxGateway();
    const { boot } = gateway;
    expect(await run(gateway, 'sys.upgrade', upgrade())).toEqual({ st: 'done', out: { version: '03.03.00' } });
    expect([gateway.firmware.version, gateway.firmware.previous]).toEqual(['03.03.00', '03.02.01']);
    expect(gateway.boot).not.toBe(boot);
    expect(await run(gateway, 'sys.rollback', { version: '01.00.00' })).toEqual({ st: 'fail', err: 'no such version' });
    expect(await run(gateway, 'sys.rollback', { version: '03.02.01' })).toEqual({ st: 'done', out: { version: '03.02.01' } });
    expect([gateway.firmware.version, gateway.firmware.previous]).toEqual(['03.02.01', '03.03.00']);
  });

  test.each([
    ['boot', true],
    ['power', true],
    ['install', false],
  ] as const)('with the fault %s keeps the old version', async (fault, restarts) => {
    const gateway = boxGateway();
    const { boot } = gateway;
    gateway.faults.upgrade = fault;
    expect(await run(gateway, 'sys.upgrade', upgrade())).toMatchObject({ st: 'fail', code: 101 });
    expect(gateway.firmware.version).toBe('03.02.01');
    expect(gateway.boot !== boot).toBe(restarts);
  });

  test('with a wrong hash is not started', async () => {
    const gateway = boxGateway();
    expect(await run(gateway, 'sys.upgrade', upgrade({ sha256: 'f'.repeat(64) }))).toMatchObject({ st: 'fail', code: 203 });
    expect(gateway.firmware.version).toBe('03.02.01');
  });
});

test('a backup contains the sections and restores them', async () => {
  const gateway = boxGateway();
  gateway.changeLocally('wifi', { ssid: 'one' });
  const result = await run(gateway, 'backup.make', { put: `${base}/put`, kind: 'auto' });
  const body = put.get('/put') ?? Buffer.alloc(0);
  expect(result).toMatchObject({
    st: 'done',
    out: { name: expect.stringMatching(/^BOX1-\d{8}T\d{6}\.json\.gz$/), size: body.length, sha256: sha256(body) },
  });
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ sn: 'BOX1', kind: 'auto', sections: { wifi: { ssid: 'one' } } });
  gateway.changeLocally('wifi', { ssid: 'two' });
  expect(await run(gateway, 'backup.restore', { url: `${base}/backup`, sha256: sha256(body) })).toEqual({
    st: 'done',
    out: { sections: 1 },
  });
  expect(gateway.sections.get('wifi')?.doc).toEqual({ ssid: 'one' });
  expect(await run(boxGateway({ sn: 'BOX2' }), 'backup.restore', { url: `${base}/backup`, sha256: sha256(body) })).toMatchObject({
    code: 101,
  });
  put.set('/put', gzipSync('[]'));
  expect(await run(gateway, 'backup.restore', { url: `${base}/backup`, sha256: sha256(gzipSync('[]')) })).toMatchObject({ code: 102 });
  expect(await run(gateway, 'backup.make', { put: `${base}/refused` })).toMatchObject({ st: 'fail', code: 200, err: 'upload: HTTP 403' });
});

test('containers are reported, controlled and crash; a gateway without them refuses', async () => {
  const gateway = boxGateway();
  const names = gateway.containers.info().map((c) => c.name);
  expect(await run(gateway, 'docker.info')).toMatchObject({
    st: 'done',
    out: { containers: names.map((name) => ({ name, st: 1, log: expect.any(String) })) },
  });
  expect(await run(gateway, 'docker.ctl', { container: 'portal', act: 'stop' })).toMatchObject({
    out: { containers: [{ name: 'portal', st: 3 }] },
  });
  expect(await run(gateway, 'docker.ctl', { container: 'mine', act: 'install', image: 'a/b:1' })).toMatchObject({ st: 'done' });
  expect(await run(gateway, 'docker.info', { container: 'mine' })).toMatchObject({ out: { containers: [{ image: 'a/b:1', st: 1 }] } });
  expect(await run(gateway, 'docker.info', { container: 'none' })).toEqual({ st: 'fail', err: 'no such container' });
  gateway.containers.crash();
  expect(gateway.containers.status).toBe(2);
  expect(await run(gateway, 'docker.logs', { put: `${base}/put` })).toMatchObject({ st: 'done', out: { name: 'BOX1-docker.log.gz' } });
  expect(gunzipSync(put.get('/put') ?? Buffer.alloc(0)).toString()).toContain('== portal');
  expect(await run(boxGateway({ docker: 0 }), 'docker.info')).toEqual({ st: 'fail', err: 'unsupported' });
  expect(await run(boxGateway({ docker: 3 }), 'docker.info')).toEqual({ st: 'fail', err: 'not enabled' });
  expect(await run(boxGateway({ docker: 4 }), 'docker.info')).toEqual({ st: 'done', out: { containers: [] } });
});

test('links are switched and locked; an unknown link is refused', async () => {
  const gateway = boxGateway();
  expect(gateway.current).toBe('low_orbit');
  expect(await run(gateway, 'link.switch', { link: '6d' })).toEqual({ st: 'done', out: { link: '6d' } });
  await expect.poll(() => gateway.current).toBe('6d');
  gateway.step(1_790_000_060);
  expect(gateway.current).toBe('6d');
  expect(await run(gateway, 'link.switch', { link: 'lte' })).toEqual({ st: 'fail', err: 'no such link' });
  expect(await run(gateway, 'link.lock', { lock: 'second_satellite', mode: 'roaming' })).toEqual({
    st: 'done',
    out: { link: 'low_orbit' },
  });
  await expect.poll(() => gateway.current).toBe('low_orbit');
  expect([gateway.world.radio.lock, gateway.world.radio.mode]).toEqual(['second_satellite', 'roaming']);
  // A lock has priority over a manual switch, except to the locked link itself.
  expect(await run(gateway, 'link.switch', { link: '6d' })).toEqual({ st: 'fail', err: 'locked' });
  expect(await run(gateway, 'link.switch', { link: 'low_orbit' })).toEqual({ st: 'done', out: { link: 'low_orbit' } });
  expect(await run(boxGateway({ links: ['6d'] }), 'link.lock', { lock: 'second_satellite' })).toEqual({ st: 'fail', err: 'no such link' });
});

test('a section that is too large for a message is refused', async () => {
  const gateway = boxGateway();
  const rows = Array.from({ length: 2000 }, (_, i) => ({ name: `group ${i}`, addresses: [{ address: '10.0.0.1' }] }));
  gateway.changeLocally('network_ip_group', { rows });
  expect(await run(gateway, 'cfg.get', { section: 'network_ip_group' })).toEqual({ st: 'fail', err: 'too large' });
  expect(gateway.outgoing).toMatchObject({ length: 0, refused: 1 });
});

test('a session is ended once, and an access point is switched off', async () => {
  const gateway = boxGateway();
  const { sid } = gateway.users.signIn('crew001');
  expect(await run(gateway, 'user.kick', { sid })).toEqual({ st: 'done' });
  expect(await run(gateway, 'user.kick', { sid })).toEqual({ st: 'fail', err: 'no such session' });
  expect(await run(gateway, 'ap.ctl', { ap: 'ap1', act: 'off' })).toEqual({ st: 'done' });
  expect(gateway.view().aps[0]?.s).toBe(0);
  expect(await run(gateway, 'ap.ctl', { ap: 'ap9', act: 'off' })).toEqual({ st: 'fail', err: 'no such access point' });
});

test('a login that the console has checked opens one session, within the limits of the account', async () => {
  const gateway = boxGateway();
  gateway.accounts.applyPage(page(0, 1, [entryOf('crew1'), entryOf('crew2')]), new Set());
  const client = { mac: '02:00:00:00:00:01', ip: '192.168.1.9' };
  const first = await run(gateway, 'user.login', { acc: 'crew1', ...client });
  expect(first).toEqual({ st: 'done', out: { sid: gateway.users.sessions[0]?.sid } });
  expect(await run(gateway, 'user.login', { acc: 'crew1', ...client })).toEqual(first);
  expect(gateway.users.sessions).toMatchObject([{ acc: 'crew1', ...client }]);
  expect(await run(gateway, 'user.login', { acc: 'crew1', mac: '02:00:00:00:00:02' })).toEqual({ st: 'fail', err: 'too_many' });
  expect(await run(gateway, 'user.login', { acc: 'stranger', ...client })).toEqual({ st: 'fail', err: 'unknown' });
  expect(await run(gateway, 'user.login', { acc: 'crew2', ...client })).toMatchObject({ st: 'done' });
  expect(gateway.users.sessions).toMatchObject([{ acc: 'crew2', ...client }]);
});

describe('a transfer to another VNO', () => {
  const key = 'n'.repeat(43);

  test('keeps both keys until the new one was accepted', async () => {
    const gateway = boxGateway({ accounts: ['a'] });
    expect(await run(gateway, 'vno.transfer', { code: 'NEW', key })).toEqual({ st: 'done' });
    expect(gateway.keys.all).toEqual([key, 'k']);
    expect(await run(gateway, 'vno.clear')).toEqual({ st: 'done' });
    expect(gateway.keys.all).toEqual(['k']);
    await run(gateway, 'key.set', { key });
    gateway.keys.opened(key);
    expect(gateway.keys.all).toEqual([key]);
    gateway.keys.prepare('other');
    // The new key was refused and the old one accepted.
    gateway.keys.opened(key);
    expect(gateway.keys.all).toEqual([key]);
  });

  test('can be refused, ignored or unsupported', async () => {
    const gateway = boxGateway();
    gateway.faults.transfer = 'refuse';
    expect(await run(gateway, 'vno.transfer', { key })).toEqual({ st: 'fail', err: 'refused' });
    gateway.faults.transfer = 'ignore';
    expect(await run(gateway, 'vno.transfer', { key })).toBeUndefined();
    gateway.faults.transfer = 'vanish';
    expect(await run(gateway, 'vno.transfer', { key })).toBeUndefined();
    expect([gateway.powered, gateway.keys.all]).toEqual([false, ['k']]);
    expect(await run(boxGateway({ version: '02.09.09' }), 'vno.transfer', { key })).toEqual({ st: 'fail', err: 'unsupported' });
  });
});

test('ping and trace report the link, and a capture is uploaded', async () => {
  expect(await run(boxGateway(), 'diag.ping', { count: 3 })).toMatchObject({
    out: { sent: 3, rtt: [expect.any(Number), expect.any(Number), expect.any(Number)] },
  });
  expect(await run(boxGateway(), 'diag.trace', { host: 'example.org' })).toMatchObject({
    out: { hops: expect.arrayContaining([{ hop: 1, ip: '192.168.10.1', rtt: 1 }]) },
  });
  expect(await run(boxGateway(), 'diag.capture', { put: `${base}/put` })).toMatchObject({ out: { name: 'BOX1.pcap.gz' } });
});
