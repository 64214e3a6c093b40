import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { compression, isCompressed } from './compression.ts';

let api: Api;
let admin: Caller;
beforeAll(async () => {
  api = await startApi();
  admin = await api.login('admin');
});
afterAll(() => api.close());

/** The reply as it was sent; fetch would decompress it. */
const rawReply = (path: string, encodings: string) =>
  new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>((done, failed) => {
    const headers = { authorization: admin.session?.token ?? '', ...(encodings && { 'accept-encoding': encodings }) };
    get(`${api.base}/agt/v1/${path}`, { headers }, async (response) => {
      const { 'content-encoding': encoding, vary } = response.headers;
      done({ encoding, vary, body: await buffer(response) });
    }).on('error', failed);
  });

test('a reply above 1 KB is compressed with an encoding that the client accepts, with the same content', async () => {
  const plain = await rawReply('openapi.json', '');
  expect(plain.encoding).toBeUndefined();
  const br = await rawReply('openapi.json', 'gzip, deflate, br');
  const gzip = await rawReply('openapi.json', 'gzip');
  expect([br.encoding, gzip.encoding, br.vary]).toEqual(['br', 'gzip', 'accept-encoding']);
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(br.body.length * 4).toBeLessThan(plain.body.length);
  expect((await rawReply('openapi.json', 'compress, identity')).encoding).toBeUndefined();
});

test('the reply of a call above 1 KB is compressed, a small reply and an error are not', async () => {
  const tree = await rawReply('agent/role/permissions', 'br');
  expect(tree.encoding).toBe('br');
  expect(JSON.parse(brotliDecompressSync(tree.body).toString())).toMatchObject({ code: 0, data: { list: expect.any(Array) } });
  expect((await rawReply('agent/999999', 'br')).encoding).toBeUndefined();
  expect((await rawReply('agent?page=9999', 'br')).encoding).toBeUndefined();
});

test.each([
  ['a browser', 'gzip, deflate, br, zstd', 'br', (body: Buffer) => brotliCompressSync(body, compression.brotliOptions)],
  ['a client without brotli', 'gzip, deflate, zstd', 'gzip', (body: Buffer) => gzipSync(body, compression.zlibOptions)],
])('%s gets the declared encoding and quality', async (_, accepted, encoding, compressed) => {
  const plain = await rawReply('agent/role/permissions', '');
  const reply = await rawReply('agent/role/permissions', accepted);
  expect(reply.encoding).toBe(encoding);
  expect(reply.body.equals(compressed(plain.body))).toBe(true);
});

test('replies with tokens, streams, files and writes are not compressed', () => {
  const compressed = endpoints.filter(isCompressed);
  expect(compressed.length).toBeGreaterThan(50);
  expect(
    compressed.filter(
      ({ kind, access, method }) => access === 'public' || method !== 'GET' || ['auth', 'stream', 'file', 'export'].includes(kind),
    ),
  ).toEqual([]);
  expect(endpoints.filter(({ path }) => path === 'login' || path === 'live').filter(isCompressed)).toEqual([]);
});

test('a compressed request body is not decompressed', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', authorization: admin.session?.token ?? '' };
  const response = await fetch(`${api.base}/agt/v1/agent`, { method: 'POST', headers, body: Buffer.from('1f8b', 'hex') });
  expect(response.status).toBe(400);
});
