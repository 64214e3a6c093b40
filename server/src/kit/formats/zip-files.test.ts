import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { readZipDirectory } from './read-zip.ts';
import { type ZipEntry, zipFiles } from './zip-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a ZIP contains the files by name, and each is opened only when the previous one has been read', async () => {
  const open: string[] = [];
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const name of ['a.txt', 'b.gz', '中文.csv']) {
      expect(open).toEqual([]);
      open.push(name);
      const source = Readable.from([Buffer.alloc(200_000, name)]);
      source.once('end', () => open.pop());
      yield { name, source, at: 1_750_000_000 };
    }
  }
  const path = join(folder, 'a.zip');
  await writeFile(path, zipFiles(entries()));
  const found = await readZipDirectory(path);
  expect(found?.map(({ fileName, uncompressedSize, compressionMethod }) => [fileName, uncompressedSize, compressionMethod])).toEqual([
    ['a.txt', 200_000, 8],
    ['b.gz', 200_000, 0],
    ['中文.csv', 200_000, 8],
  ]);
});

test('a read error in the middle of a file fails the whole ZIP', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    const broken = (async function* () {
      yield Buffer.from('half');
      throw new Error('the disk is gone');
    })();
    yield { name: 'a.txt', source: Readable.from(broken), at: 1_750_000_000 };
  }
  await expect(writeFile(join(folder, 'b.zip'), zipFiles(entries()))).rejects.toThrow('the disk is gone');
});
