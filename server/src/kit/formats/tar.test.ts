import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { padding, readTar, type TarEntry, TarError, tarEnd, tarHeader } from './tar.ts';

const tarOf = (files: Readonly<Record<string, string>>) =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, content]) => {
      const size = Buffer.byteLength(content);
      return [tarHeader({ name, size, isFolder: name.endsWith('/') }), Buffer.from(content), padding(size)];
    }),
    tarEnd(),
  ]);

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = async (bytes: Buffer, size = 1000) => {
  const found: Record<string, string> = {};
  await readTar(chunksOf(bytes, size), async ({ name, isFolder }, content) => {
    found[name] = isFolder ? 'folder' : await text(content);
  });
  return found;
};

const long = `files/${'long-name/'.repeat(40)}a.csv`;
const files = { 'a.txt': '远联', empty: '', 'cluster/': '', [long]: 'x'.repeat(2000), block: 'y'.repeat(512) };

test('entries are read back from chunks of any size', async () => {
  for (const size of [1, 511, 512, 513, 100_000]) {
    expect(await read(tarOf(files), size)).toEqual({
      'a.txt': '远联',
      empty: '',
      cluster: 'folder',
      [long]: files[long],
      block: files.block,
    });
  }
});

test('the tar command lists the same names', () => {
  const { stdout } = spawnSync('tar', ['-tf', '-'], { input: tarOf(files), encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(['a.txt', 'empty', 'cluster/', long, 'block']);
});

test('a file of more than 8 GiB has its size in a pax header', async () => {
  const seen: TarEntry[] = [];
  const header = tarHeader({ name: 'large', size: 9 * 2 ** 30, isFolder: false });
  const reading = readTar(chunksOf(Buffer.concat([header, Buffer.alloc(512)]), 512), async (entry) => {
    seen.push(entry);
  });
  await expect(reading).rejects.toThrow('it ends too early');
  expect(seen).toEqual([{ name: 'large', size: 9 * 2 ** 30, isFolder: false }]);
});

test('a truncated archive, a changed header and a link are refused', async () => {
  const whole = tarOf(files);
  await expect(read(whole.subarray(0, 700))).rejects.toThrow(TarError);
  const changed = Buffer.from(whole);
  changed[3] = 65;
  await expect(read(changed)).rejects.toThrow('the checksum of a header is wrong');
  const link = tarHeader({ name: 'link', size: 0, isFolder: false });
  link.write('2', 156);
  link.write(
    `${link
      .reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  await expect(read(Buffer.concat([link, tarEnd()]))).rejects.toThrow('link is neither a file nor a folder');
});
