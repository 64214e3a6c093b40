import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openFileStore } from './open-file-store.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'farlink-files-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const store = openFileStore({ dataDir, s3: undefined });
const source = join(dataDir, 'source.txt');
writeFileSync(source, '远联');

test('a stored file is read back unchanged, from a path or from a stream', async () => {
  await store.put('export/1/a.csv', source, 6);
  await store.put('export/1/b.csv', Readable.from([Buffer.from('远'), Buffer.from('联')]), 6);
  for (const key of ['export/1/a.csv', 'export/1/b.csv']) {
    expect(await text(await store.get(key))).toBe('远联');
    expect(await store.size(key)).toBe(6);
  }
  expect(existsSync(source)).toBe(true);
});

test('a byte range of a file includes both ends', async () => {
  await store.put('span', Readable.from(['0123456789']), 10);
  expect(await text(await store.get('span', { start: 2, end: 5 }))).toBe('2345');
  expect(await text(await store.get('span', { start: 9, end: 9 }))).toBe('9');
  expect(await text(await store.get('span', { start: 0, end: 9 }))).toBe('0123456789');
  await expect(store.get('nothing', { start: 0, end: 1 })).rejects.toMatchObject({ reason: 'not_found' });
});

test('putting again replaces the whole file', async () => {
  await store.put('logo', Readable.from(['old and long']), 12);
  await store.put('logo', Readable.from(['new']), 3);
  expect(await text(await store.get('logo'))).toBe('new');
});

test('a source that fails or has another length leaves no draft, and an older file unchanged', async () => {
  await store.put('kept', Readable.from(['old']), 3);
  const broken = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('the line broke');
    })(),
  );
  await expect(store.put('kept', broken, 100)).rejects.toThrow('the line broke');
  await expect(store.put('kept', Readable.from(['short']), 100)).rejects.toThrow('5 bytes instead of 100');
  expect(await text(await store.get('kept'))).toBe('old');
  expect(readdirSync(join(dataDir, 'files', '.draft'))).toEqual([]);
});

test('a missing file is refused as not found, and can still be removed', async () => {
  await expect(store.get('nothing')).rejects.toMatchObject({ reason: 'not_found' });
  await expect(store.size('nothing/here')).rejects.toMatchObject({ reason: 'not_found' });
  await store.remove('nothing');
  await store.put('gone', source, 6);
  await store.remove('gone');
  await expect(store.get('gone')).rejects.toMatchObject({ reason: 'not_found' });
});

test('a file that is removed while it is read is read to its end', async () => {
  await store.put('read', Readable.from(['x'.repeat(500_000)]), 500_000);
  const stream = await store.get('read');
  await store.remove('read');
  expect((await text(stream)).length).toBe(500_000);
});

test('an invalid key, such as one that points outside the folder, is refused', async () => {
  const bad = [
    '../secret.key',
    'a/../../secret.key',
    '/etc/passwd',
    'a//b',
    '',
    '.',
    '..',
    '.draft/x',
    'a/.b',
    'a\\..\\b',
    'a\0b',
    'C:/x',
    'a/',
    '名',
    'x'.repeat(513),
  ];
  for (const key of bad) {
    await expect(store.get(key), key).rejects.toThrow('not a key');
    await expect(store.put(key, source, 6), key).rejects.toThrow('not a key');
    await expect(store.remove(key), key).rejects.toThrow('not a key');
    await expect(store.size(key), key).rejects.toThrow('not a key');
  }
  expect(statSync(source).size).toBe(6);
});
