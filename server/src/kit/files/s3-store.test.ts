import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listening } from '../../../test/setup/service-deps.ts';
import type { FileStore } from './file-store.ts';
import { openFileStore } from './open-file-store.ts';

let origin: string;
const keys = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-west-9' };
const bucket = new Map<string, Buffer>();
const seen: { method: string; headers: IncomingMessage['headers'] }[] = [];
let reply: number | undefined;
let supportsRanges = true;

const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();

/** AWS Signature Version 4, computed from its specification and the received request. */
const signed = ({ method, url = '', headers }: IncomingMessage): boolean => {
  const found = /^AWS4-HMAC-SHA256 Credential=(.+?)\/(\d{8}\/.+?), SignedHeaders=(.+?), Signature=(\w{64})$/.exec(
    headers.authorization ?? '',
  );
  if (!found) return false;
  const [, id, scope = '', names = '', signature] = found;
  const date = String(headers['x-amz-date']);
  const [day = '', region = '', service = ''] = scope.split('/');
  const age = Math.abs(Date.now() - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')));
  const canonicalHeaders = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, url.split('?')[0], url.split('?')[1] ?? '', canonicalHeaders, names, headers['x-amz-content-sha256']].join(
    '\n',
  );
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${keys.secretKey}`, day), region), service), 'aws4_request');
  return (
    id === keys.accessKey &&
    age < 900_000 &&
    day === date.slice(0, 8) &&
    `${region} ${service}` === `${keys.region} s3` &&
    ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name)) &&
    signature === hmac(key, toSign).toString('hex')
  );
};

const standIn = createServer(async (request, response) => {
  seen.push({ method: request.method ?? '', headers: request.headers });
  const body = await buffer(request).catch(() => undefined);
  if (body === undefined) return response.destroy();
  if (!signed(request)) return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
  if (reply) return response.writeHead(reply).end('<Error/>');
  // S3 refuses a body of unknown length.
  if (request.method === 'PUT' && request.headers['content-length'] === undefined) return response.writeHead(411).end();
  const name = request.url ?? '';
  if (request.method === 'PUT') bucket.set(name, body);
  if (request.method === 'DELETE') bucket.delete(name);
  const file = bucket.get(name);
  if (request.method === 'PUT' || request.method === 'DELETE') return response.writeHead(request.method === 'PUT' ? 200 : 204).end();
  if (!file) return response.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (supportsRanges && first && last) return response.writeHead(206).end(file.subarray(Number(first), Number(last) + 1));
  return response.writeHead(200, { 'content-length': file.length }).end(request.method === 'HEAD' ? undefined : file);
});

const folder = mkdtempSync(join(tmpdir(), 'farlink-s3-'));
const at = (change: Partial<typeof keys> = {}) => openFileStore({ dataDir: folder, s3: { url: `${origin}/bucket`, ...keys, ...change } });
let store: FileStore;

beforeAll(async () => {
  origin = await listening(standIn);
  store = at();
});
afterEach(() => {
  reply = undefined;
  seen.length = 0;
});
afterAll(() => {
  standIn.closeAllConnections();
  standIn.close();
  rmSync(folder, { recursive: true });
});

test('a file is stored in the bucket and read back, from a path and from a stream, path-style and with its length', async () => {
  const big = Buffer.alloc(3_000_000, '远联');
  const path = join(folder, 'big');
  writeFileSync(path, big);
  await store.put('export/1/a-b_c.1.csv', path, big.length);
  await store.put('export/2.csv', Readable.from([big.subarray(0, 1_000_000), big.subarray(1_000_000)]), big.length);
  expect([...bucket.keys()]).toEqual(['/bucket/export/1/a-b_c.1.csv', '/bucket/export/2.csv']);
  for (const { headers } of seen) {
    expect(headers['content-length']).toBe(String(big.length));
    expect(headers['transfer-encoding']).toBeUndefined();
  }
  for (const key of ['export/1/a-b_c.1.csv', 'export/2.csv']) {
    expect((await buffer(await store.get(key))).equals(big)).toBe(true);
    expect(await store.size(key)).toBe(big.length);
  }
});

test('a range is requested as such, and a reply with the whole file is refused', async () => {
  await store.put('span', Readable.from(['0123456789']), 10);
  expect(await text(await store.get('span', { start: 2, end: 5 }))).toBe('2345');
  expect(await text(await store.get('span', { start: 9, end: 9 }))).toBe('9');
  supportsRanges = false;
  await expect(store.get('span', { start: 2, end: 5 })).rejects.toThrow('answered 200 to GET span');
  supportsRanges = true;
});

test('a missing file is refused as not found, and can still be removed', async () => {
  await expect(store.get('nothing')).rejects.toMatchObject({ reason: 'not_found' });
  await expect(store.size('nothing')).rejects.toMatchObject({ reason: 'not_found' });
  await store.put('x', Readable.from(['x']), 1);
  expect(await text(await store.get('x'))).toBe('x');
  await store.remove('x');
  await store.remove('x');
  expect(bucket.has('/bucket/x')).toBe(false);
  reply = 404;
  await store.remove('x');
});

test('a wrong secret, region or key is refused by the bucket and reported as an error', async () => {
  for (const change of [{ secretKey: 'wrong' }, { region: 'us-east-1' }, { accessKey: 'OTHER' }])
    await expect(at(change).put('y', Readable.from(['y']), 1)).rejects.toThrow('answered 403 to PUT y');
  expect(bucket.has('/bucket/y')).toBe(false);
});

test('a failing bucket and a broken source are errors, and nothing is stored', async () => {
  reply = 500;
  await expect(store.put('z', Readable.from(['z']), 1)).rejects.toThrow('answered 500');
  await expect(store.remove('z')).rejects.toThrow('answered 500');
  reply = undefined;
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the line broke');
    })(),
  );
  await expect(store.put('z', broken, 100)).rejects.toThrow();
  await expect(store.put('z', Readable.from(['short']), 100)).rejects.toThrow();
  expect(bucket.has('/bucket/z')).toBe(false);
});
