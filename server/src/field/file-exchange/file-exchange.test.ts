import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { seal } from '../../kit/session/secret.ts';
import { claimUpload, readAddress, uploaded, writeAddress } from '../../orders/file-exchange.ts';
import { sweepFileExchange } from '../../orders/file-exchange-sweep.ts';
import { fileExchangeRoutes } from './routes.ts';

let service: ServiceDeps;
let app: FastifyInstance;
let base: string;
let device: number;
const arrived: string[] = [];

const content = randomBytes(300_000);
const hashOf = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex');
const sha256 = hashOf('sha256', content);

const addDevice = async (sn: string, more: { auth_status?: 'suspended' } = {}) => {
  const row = { agent_id: service.me.agent_id, name: sn, sn, create_at: 1, ...more };
  return (await service.deps.db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

beforeAll(async () => {
  service = await serviceDeps();
  device = await addDevice('FL1');
  await openFileStore(service.deps.config).put('file/a', Readable.from([content]), content.length);
  app = Fastify();
  await app.register(fileExchangeRoutes(service.deps, { backup: async (_, { id }) => void arrived.push(id) }));
  base = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
  await service.close();
});

/** URL of a gateway, at the port of this test. */
const at = (url: string) => url.replace(/^http:\/\/127\.0\.0\.1:\d+/, base);
const until = () => service.clock.now() + 3600;
const readUrl = (more: Partial<Parameters<typeof readAddress>[1]> = {}) =>
  at(readAddress(service.deps.config, { device_id: device, key: 'file/a', sha256, until: until(), ...more }));
const writeUrl = (more: Partial<Parameters<typeof writeAddress>[1]> = {}) => {
  const { id, url } = writeAddress(service.deps.config, { device_id: device, purpose: 'backup', max: 1_000_000, until: until(), ...more });
  return { id, url: at(url) };
};
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const put = (url: string, body: Buffer, from?: number, total = content.length) => {
  const headers = from === undefined ? {} : { 'content-range': `bytes ${from}-${from + body.length - 1}/${total}` };
  return fetch(url, { method: 'PUT', body: new Uint8Array(body), headers });
};
const offsetOf = (reply: Response) => Number(reply.headers.get('upload-offset'));

test('a file can be downloaded completely, checked with HEAD, and resumed with a range request', async () => {
  const whole = await get(readUrl());
  expect(whole.status).toBe(200);
  expect((await bytesOf(whole)).equals(content)).toBe(true);
  const head = await get(readUrl(), {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag'), head.headers.get('accept-ranges')]).toEqual([
    200,
    '300000',
    `"${sha256}"`,
    'bytes',
  ]);
  const rest = await get(readUrl(), { range: 'bytes=250000-', 'if-range': `"${sha256}"` });
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 250000-299999/300000']);
  expect((await bytesOf(rest)).equals(content.subarray(250_000))).toBe(true);
  const few = await get(readUrl(), { range: 'bytes=10-19' });
  expect((await bytesOf(few)).equals(content.subarray(10, 20))).toBe(true);
  const last = await get(readUrl(), { range: 'bytes=-5' });
  expect((await bytesOf(last)).equals(content.subarray(-5))).toBe(true);
});

test('a range outside the file is refused, and a range of another version gets the whole file', async () => {
  const outside = await get(readUrl(), { range: 'bytes=300000-' });
  expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
  const other = await get(readUrl(), { range: 'bytes=10-19', 'if-range': '"other"' });
  expect([other.status, (await bytesOf(other)).length]).toEqual([200, 300_000]);
  for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-'])
    expect((await get(readUrl(), { range }, 'HEAD')).status, range).toBe(200);
  expect((await get(readUrl(), { 'if-none-match': `W/"x", "${sha256}"` })).status).toBe(304);
});

test('a URL that is modified, invented or sealed with another key is not found', async () => {
  const url = readUrl();
  const token = url.split('/depot/')[1] ?? '';
  const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`;
  const foreign = seal(randomBytes(32), JSON.stringify(['r', device, 'file/a', sha256, until()]));
  const otherSecret = seal(service.deps.config.secretKey, JSON.stringify(['r', device, 'file/a', sha256, until()]));
  const bad = [changed, token.slice(4), foreign, otherSecret, '', 'v1.', 'file/a', '../secret.key', '%2e%2e/secret.key', 'x'.repeat(5000)];
  for (const one of bad) {
    expect((await get(`${base}/depot/${one}`)).status, one).toBe(404);
    expect((await put(`${base}/depot/${one}`, Buffer.from('x'))).status, one).toBe(404);
  }
});

test('a URL is refused after its expiry, without its file, and for a missing or suspended device', async () => {
  const url = readUrl({ until: service.clock.now() + 10 });
  expect((await get(url, {}, 'HEAD')).status).toBe(200);
  service.clock.advance(10);
  expect((await get(url)).status).toBe(410);
  expect((await get(readUrl({ key: 'file/none' }))).status).toBe(404);
  expect((await get(readUrl({ device_id: 999_999 }))).status).toBe(404);
  expect((await get(readUrl({ device_id: await addDevice('FL2', { auth_status: 'suspended' }) }))).status).toBe(403);
});

test('a download URL refuses uploads, and an upload URL refuses downloads', async () => {
  expect((await put(readUrl(), Buffer.from('x'))).status).toBe(405);
  const { url } = writeUrl();
  expect((await put(url, Buffer.from('secret'))).status).toBe(201);
  expect((await get(url)).status).toBe(405);
});

test('a file sent in one request is stored, hashed and reported once', async () => {
  const { id, url } = writeUrl();
  expect(await uploaded(service.deps.db, id)).toBeUndefined();
  const reply = await put(url, content);
  expect([reply.status, offsetOf(reply), reply.headers.get('etag')]).toEqual([201, 300_000, `"${sha256}"`]);
  const row = await uploaded(service.deps.db, id);
  expect(row).toMatchObject({ device_id: device, purpose: 'backup', size: 300_000, sha256, md5: hashOf('md5', content), claimed: false });
  expect((await buffer(await openFileStore(service.deps.config).get(row?.key ?? ''))).equals(content)).toBe(true);
  // The reply was lost, so the upload is repeated.
  expect((await put(url, content)).status).toBe(200);
  expect(arrived.filter((one) => one === id)).toEqual([id]);
});

test('a file arrives in chunks, and the upload continues after an interruption', async () => {
  const { id, url } = writeUrl();
  expect(offsetOf(await get(url, {}, 'HEAD'))).toBe(0);
  const first = await put(url, content.subarray(0, 100_000), 0);
  expect([first.status, offsetOf(first)]).toEqual([202, 100_000]);
  const head = await get(url, {}, 'HEAD');
  expect([head.status, offsetOf(head), head.headers.get('upload-complete')]).toEqual([200, 100_000, null]);
  expect(head.headers.get('content-length')).toBe('100000');
  const gap = await put(url, content.subarray(200_000), 200_000);
  expect([gap.status, offsetOf(gap)]).toEqual([409, 100_000]);
  const again = await put(url, content.subarray(0, 100_000), 0);
  expect([again.status, offsetOf(again)]).toEqual([409, 100_000]);
  expect((await put(url, content.subarray(100_000), 100_000)).status).toBe(201);
  const after = await get(url, {}, 'HEAD');
  expect([offsetOf(after), after.headers.get('upload-complete')]).toEqual([300_000, '?1']);
  // The gateway missed the final reply and has no more data.
  const nothing = await fetch(url, { method: 'PUT', headers: { 'content-range': 'bytes 300000-299999/300000' } });
  expect(nothing.status).toBe(200);
  expect(await uploaded(service.deps.db, id)).toMatchObject({ sha256, md5: hashOf('md5', content), size: 300_000 });
});

test('the bytes received before a connection broke are kept', async () => {
  const { id, url } = writeUrl();
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  const request = rawRequest(url, {
    agent: false,
    method: 'PUT',
    headers: { 'content-range': 'bytes 0-299999/300000', 'content-length': 300_000 },
  });
  request.on('error', () => resolve());
  request.write(content.subarray(0, 150_000));
  await expect.poll(async () => offsetOf(await get(url, {}, 'HEAD'))).toBe(150_000);
  request.destroy(new Error('the satellite went behind the horizon'));
  await broken;
  expect((await put(url, content.subarray(150_000), 150_000)).status).toBe(201);
  expect(await uploaded(service.deps.db, id)).toMatchObject({ sha256 });
});

test('a second connection takes over from a dead one that was not closed', async () => {
  const { id, url } = writeUrl();
  const dead = rawRequest(url, {
    agent: false,
    method: 'PUT',
    headers: { 'content-range': 'bytes 0-299999/300000', 'content-length': 300_000 },
  });
  dead.on('error', () => {});
  dead.write(content.subarray(0, 50_000));
  await expect.poll(async () => offsetOf(await get(url, {}, 'HEAD'))).toBe(50_000);
  expect((await put(url, content.subarray(50_000), 50_000)).status).toBe(201);
  expect(await uploaded(service.deps.db, id)).toMatchObject({ sha256 });
  dead.destroy();
});

test('a request for the offset completes an upload whose bytes have all arrived', async () => {
  const { id, url } = writeUrl();
  expect((await put(url, content.subarray(0, 200_000), 0)).status).toBe(202);
  const requestOffset = () => fetch(url, { method: 'PUT', headers: { 'content-range': 'bytes */200000' } });
  expect((await requestOffset()).status).toBe(201);
  expect(await uploaded(service.deps.db, id)).toMatchObject({ sha256: hashOf('sha256', content.subarray(0, 200_000)) });
});

test('a file longer than allowed, or than its declared size, is refused', async () => {
  const { id, url } = writeUrl({ max: 100_000 });
  expect((await put(url, content)).status).toBe(413);
  expect((await put(url, content.subarray(0, 10), 0, 100_001)).status).toBe(413);
  for (const range of ['bytes 5-2/10', 'bytes 0-10/10', 'bytes 0-1', 'nonsense'])
    expect((await fetch(url, { method: 'PUT', body: 'xx', headers: { 'content-range': range } })).status, range).toBe(400);
  expect((await fetch(url, { method: 'PUT', body: 'xxx', headers: { 'content-range': 'bytes 0-1/2' } })).status).toBe(400);
  // Without a length, the limit is detected during the upload.
  const endless = Readable.toWeb(Readable.from([content.subarray(0, 90_000), content.subarray(0, 90_000)]));
  const reply = await fetch(url, { method: 'PUT', body: endless, duplex: 'half' }).then(
    ({ status }) => status,
    () => 413,
  );
  expect(reply).toBe(413);
  expect(await uploaded(service.deps.db, id)).toBeUndefined();
});

test('a gateway may have at most four transfers, and does not block other gateways', async () => {
  const busy = await addDevice('FL3');
  const urls = Array.from({ length: 5 }, () => writeUrl({ device_id: busy }).url);
  const open = urls.slice(0, 4).map((url) => {
    const request = rawRequest(url, { agent: false, method: 'PUT', headers: { 'content-length': 10 } });
    request.on('error', () => {});
    request.write('x');
    return request;
  });
  await expect.poll(async () => (await get(urls[4] ?? '', {}, 'HEAD')).status).toBe(429);
  expect((await get(readUrl(), {}, 'HEAD')).status).toBe(200);
  for (const request of open) request.destroy();
  await expect.poll(async () => (await get(urls[4] ?? '', {}, 'HEAD')).status).toBe(200);
});

test('unclaimed files are removed after two days, claimed files stay', async () => {
  const { deps, clock } = service;
  const claimed = writeUrl();
  const unclaimed = writeUrl();
  for (const { url } of [claimed, unclaimed]) expect((await put(url, content)).status).toBe(201);
  expect(await claimUpload(deps.db, claimed.id)).toMatchObject({ id: claimed.id, sha256 });
  expect(await claimUpload(deps.db, claimed.id)).toBeUndefined();
  const storedAt = (id: string) => join(deps.config.dataDir, 'files', 'depot', 'backup', id);
  clock.advance(2 * 86_400 - 1);
  await sweepFileExchange(deps);
  expect(existsSync(storedAt(unclaimed.id))).toBe(true);
  clock.advance(2);
  await sweepFileExchange(deps);
  expect([existsSync(storedAt(unclaimed.id)), await uploaded(deps.db, unclaimed.id)]).toEqual([false, undefined]);
  expect(existsSync(storedAt(claimed.id))).toBe(true);
});

test('completed uploads leave no files in the temporary folder', async () => {
  const done = (await service.deps.db.selectFrom('depot_upload').select('id').execute()).map(({ id }) => `depot-${id}`);
  expect(readdirSync(join(service.deps.config.dataDir, 'tmp')).filter((name) => done.includes(name))).toEqual([]);
});
