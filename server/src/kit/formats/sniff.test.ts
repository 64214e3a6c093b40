import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { makeTarGz } from './make-tar.ts';
import { sniffers } from './sniff.ts';
import { xlsx } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-sniff-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'file');

/** Self-signed test certificate, valid for a hundred years. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBhDCCASugAwIBAgIUDkKJf0+MKl+NPWfhF0Yis4PBMNMwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZmFybGluayB0ZXN0MCAXDTI2MTExNTA0MjEwNloYDzIxMjYx
MDIyMDQyMTA2WjAXMRUwEwYDVQQDDAxmYXJsaW5rIHRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARKCNNyykIjt0JH60os6AKGi2trQ4ff1Wog6Gal9ohQYq7O
h7SlmNe1/38EGjPrlR+TcGMrWxcVn29oUDSHRc2eo1MwUTAdBgNVHQ4EFgQUU3cX
IbydV0p2mH4m/uUtNoxmXjYwHwYDVR0jBBgwFoAUU3cXIbydV0p2mH4m/uUtNoxm
XjYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBUnjYG5cYhvz7o
1lZowXzuP+4LihQfZLQSuvGQWJvaowIgNFBhE6zj53WfgJJd4d+utRXapM65B360
11KX2LH53zU=
-----END CERTIFICATE-----
`;

const is = async (kind: string, content: Buffer | string) => {
  writeFileSync(path, content);
  return sniffers[kind]?.(path);
};

const png = (width: number, height: number) => {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4);
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header, deflateSync('pixels')]);
};
const jpeg = (width: number, height: number, before = '') => {
  const frame = Buffer.from('ffc000110800000000030122000211010311010000', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from(`ffd8ffe000104a46494600010100000100010000${before}`, 'hex'), frame]);
};
const zip = async (files: Record<string, Buffer | string>) => {
  const made = new ZipFile();
  for (const [name, content] of Object.entries(files)) made.addBuffer(Buffer.from(content), name);
  made.end();
  return buffer(made.outputStream);
};
/** Offset of a field in the first entry of the central directory. */
const inDirectory = (bytes: Buffer, field: number) => bytes.indexOf(Buffer.from('504b0102', 'hex')) + field;

test('an image is accepted only with a valid size', async () => {
  expect(await is('png', png(190, 60))).toBe(true);
  expect(await is('jpg', jpeg(190, 60))).toBe(true);
  // Fill bytes and a table before the frame.
  expect(await is('jpeg', jpeg(190, 60, 'ffffffc4000400ab'))).toBe(true);
  for (const [w, h] of [
    [0, 60],
    [190, 0],
    [30_000, 30_000],
    [16_000, 16_000],
  ] as const) {
    expect(await is('png', png(w, h)), `${w}x${h}`).toBe(false);
    expect(await is('jpg', jpeg(w, h)), `${w}x${h}`).toBe(false);
  }
});

test('a PNG is not accepted as JPEG or the reverse, and other or truncated content as neither', async () => {
  expect(await is('png', jpeg(190, 60))).toBe(false);
  expect(await is('jpg', png(190, 60))).toBe(false);
  for (const kind of ['png', 'jpg'])
    for (const content of ['<svg onload="alert(1)"/>', '', 'x', png(190, 60).subarray(0, 20), jpeg(190, 60).subarray(0, 12)])
      expect(await is(kind, content)).toBe(false);
});

test('a valid zip is accepted', async () => {
  expect(await is('zip', await zip({ 'index.html': '<h1>hi</h1>', 'img/a.png': png(1, 1) }))).toBe(true);
  expect(await is('zip', await zip({ big: 'x'.repeat(900_000) }))).toBe(true);
});

test('an invalid, truncated or empty zip is refused', async () => {
  const intact = await zip({ a: 'x'.repeat(1000), b: 'y' });
  for (const content of [
    'PK',
    '',
    'x'.repeat(5000),
    intact.subarray(0, -30),
    intact.subarray(40),
    Buffer.concat([intact, Buffer.from('tail')]),
    await zip({}),
  ])
    expect(await is('zip', content)).toBe(false);
});

test('a zip bomb is refused: high ratio, large total, overlapping entries, false sizes', async () => {
  expect(await is('zip', await zip({ zeros: Buffer.alloc(20_000_000) }))).toBe(false);
  const big = await zip(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}`, 'x'])));
  for (let at = big.indexOf(Buffer.from('504b0102', 'hex')); at >= 0; at = big.indexOf(Buffer.from('504b0102', 'hex'), at + 4)) {
    big.writeUInt32LE(1_000_000, at + 24);
  }
  expect(await is('zip', big)).toBe(true);
  for (let at = big.indexOf(Buffer.from('504b0102', 'hex')); at >= 0; at = big.indexOf(Buffer.from('504b0102', 'hex'), at + 4)) {
    big.writeUInt32LE(10_000_000, at + 24);
  }
  expect(await is('zip', big)).toBe(false);
  const overlapping = await zip({ a: 'first '.repeat(50), b: 'second '.repeat(50) });
  const second = overlapping.lastIndexOf(Buffer.from('504b0102', 'hex'));
  overlapping.writeUInt32LE(0, second + 42);
  expect(await is('zip', overlapping)).toBe(false);
  const beyond = await zip({ a: 'text '.repeat(50) });
  beyond.writeUInt32LE(1_000_000, inDirectory(beyond, 20));
  expect(await is('zip', beyond)).toBe(false);
});

test('a zip with names outside its folder or an unknown compression method is refused', async () => {
  for (const name of ['../x', 'aa/../../x', '/etc/x', 'C:\\x', 'a\\..\\..\\x']) {
    const plain = 'n'.repeat(Buffer.byteLength(name));
    const bytes = await zip({ [plain]: 'x' });
    for (let at = bytes.indexOf(plain); at >= 0; at = bytes.indexOf(plain, at + 1)) bytes.write(name, at);
    expect(await is('zip', bytes), name).toBe(false);
  }
  const odd = await zip({ a: 'x' });
  odd.writeUInt16LE(99, inDirectory(odd, 10));
  expect(await is('zip', odd)).toBe(false);
});

test('an XLSX file is accepted only if the zip contains a workbook', async () => {
  async function* rows() {
    yield [['a', 1]];
  }
  await writeFile(path, Readable.from(xlsx(['n', 'm'], rows())));
  expect(await sniffers.xlsx?.(path)).toBe(true);
  expect(await is('xlsx', await zip({ 'word/document.xml': '<x/>', '[Content_Types].xml': '<x/>' }))).toBe(false);
});

test('text in UTF-8 or GBK is CSV, anything binary is not', async () => {
  const long = '账号,姓名\r\n'.repeat(20_000);
  expect(await is('csv', long)).toBe(true);
  expect(await is('csv', `\ufeff${long}`)).toBe(true);
  const gbk = Buffer.from('d5cbbac52cd0d5c3fb0d0a', 'hex');
  expect(await is('csv', Buffer.concat(Array.from({ length: 20_000 }, () => gbk)))).toBe(true);
  for (const content of [Buffer.from('a,b\0c'), png(190, 60), Buffer.from('ff41ff42', 'hex'), await zip({ a: 'x' })])
    expect(await is('csv', content)).toBe(false);
});

test('certificates and keys are parsed, and not trusted by their extension', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(await is('key', key)).toBe(true);
  expect(await is('', key)).toBe(true);
  expect(await is('key', publicKey.export({ type: 'spki', format: 'pem' }))).toBe(false);
  expect(await is('key', privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }))).toBe(false);
  expect(await is('crt', key)).toBe(false);
  expect(await is('crt', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')).toBe(false);
  expect(await is('crt', certificate)).toBe(true);
  expect(await is('key', certificate)).toBe(false);
});

test('a .gz of firmware is accepted only if it starts with a tar header', async () => {
  expect(await is('gz', makeTarGz({ 'etc/version': '03.02.01\n', 'rootfs.squashfs': Buffer.alloc(300_000, 7) }))).toBe(true);
  expect(await is('tgz', makeTarGz({ version: '' }))).toBe(true);
  expect(await is('gz', gzipSync('only text'))).toBe(false);
  expect(await is('gz', gzipSync(Buffer.alloc(4096)))).toBe(false);
  expect(await is('gz', 'not packed at all')).toBe(false);
  // Cut inside the first block, so there is no complete tar header.
  expect(await is('gz', makeTarGz({ version: '1' }).subarray(0, 12))).toBe(false);
});

test('a firmware image must be binary, and not a picture, a zip, a Windows program or a script', async () => {
  expect(await is('bin', Buffer.from('27051956000000000000', 'hex'))).toBe(true);
  expect(await is('img', Buffer.concat([Buffer.from('hsqs'), Buffer.alloc(100)]))).toBe(true);
  expect(await is('bin', 'just a text')).toBe(false);
  expect(await is('bin', png(10, 10))).toBe(false);
  expect(await is('img', await zip({ a: 'b' }))).toBe(false);
  expect(await is('bin', Buffer.from('4d5a900003000000', 'hex'))).toBe(false);
  expect(await is('bin', '#!/bin/sh\n\0')).toBe(false);
});
