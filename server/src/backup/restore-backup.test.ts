import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { keyMark } from '../db/check-secret-key.ts';
import { startEmbedded, unfinishedRestore } from '../db/embedded.ts';
import { embeddedMajor } from '../db/postgres-programs.ts';
import { padding, tarEnd, tarHeader } from '../kit/formats/tar.ts';
import { ArchiveError, type Description, descriptionName, thisPlatform, writeDescription } from './archive.ts';
import { makeBackup } from './make-backup.ts';
import { verifyArchive } from './read-archive.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeArchive } from './write-archive.ts';

const root = mkdtempSync(join(tmpdir(), 'farlink-restore-'));
afterAll(() => rmSync(root, { recursive: true }));
const { signal } = new AbortController();
const print = () => {};
const secretKey = Buffer.alloc(32, 5);

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(root, 'data-'));
  file = `${dataDir}.tar.zst`;
});

const fitting: Description = {
  made_at: '2026-11-17T19:00:00.000Z',
  postgres: embeddedMajor(),
  platform: thisPlatform,
  migrations: [],
  key_mark: keyMark(secretKey),
  has_files: true,
};

const entry = (name: string, content: string) =>
  Buffer.concat([tarHeader({ name, size: content.length, isFolder: false }), Buffer.from(content), padding(content.length)]);

/** An archive with one stored file, and a cluster of these files. */
const archive = async (more: Partial<Description> = {}, files: Readonly<Record<string, string>> = {}) => {
  const source = mkdtempSync(join(root, 'source-'));
  mkdirSync(join(source, 'files', 'export'), { recursive: true });
  writeFileSync(join(source, 'files', 'export', 'a.csv'), 'a,b\n'.repeat(50_000));
  mkdirSync(join(source, 'postgres'));
  writeFileSync(join(source, 'postgres', 'url'), 'postgres://farlink:x@127.0.0.1:0/farlink\n');
  async function* cluster() {
    for (const [name, content] of Object.entries(files)) yield entry(name, content);
    yield tarEnd();
  }
  await writeArchive(file, { dataDir: source, description: { ...fitting, ...more }, cluster, signal });
  return file;
};

const restore = (more: { keyFile?: string; secretKey?: Buffer | undefined; replace?: boolean } = {}) =>
  restoreBackup({ dataDir, file, replace: false, secretKey, signal, print, fsync: false, ...more });

const refused = async (message: RegExp | string, more = {}) => {
  const before = readdirSync(dataDir);
  const error = await restore(more).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  expect(String(error)).toEqual(typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message));
  expect(readdirSync(dataDir)).toEqual(before);
};

test('an archive with one changed byte, or cut at any place, is refused', async () => {
  const whole = readFileSync(await archive());
  await verifyArchive(file);
  for (const at of [10, Math.floor(whole.length / 2), whole.length - 20]) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    writeFileSync(file, changed);
    await refused(/damaged|not a backup/);
    writeFileSync(file, whole.subarray(0, at));
    await refused(/damaged|not complete|not a backup/);
  }
});

test('files of other programs are refused', async () => {
  writeFileSync(file, 'hello');
  await refused('is not a backup of Farlink');
  writeFileSync(file, zstdCompressSync(Buffer.concat([entry('notes.txt', 'hello'), tarEnd()])));
  await refused('is not a backup of Farlink');
  writeFileSync(file, zstdCompressSync(Buffer.concat([entry(descriptionName, '{"product":"other"}'), tarEnd()])));
  await refused('is not a backup of Farlink');
  writeFileSync(
    file,
    zstdCompressSync(Buffer.concat([entry(descriptionName, writeDescription(fitting)), entry('../escaped', 'x'), tarEnd()])),
  );
  await refused(/the name "..\/escaped" is not expected/);
  writeFileSync(file, zstdCompressSync(Buffer.concat([entry(descriptionName, writeDescription(fitting)), tarEnd()])));
  await refused('is not complete: it has no checksums');
});

test('an archive of a newer version, of another system or of another key is refused', async () => {
  await archive({ migrations: ['9999_future.sql'] });
  await refused('was made by another version of Farlink (it has the migration 9999_future.sql)');
  rmSync(file);
  await archive({ migrations: ['0001_foundation.sql', '0134_periods.sql'] });
  await refused('was made by another version of Farlink (it has the migration 0001_foundation.sql)');
  rmSync(file);
  // Its migrations are accepted, its key is not.
  await archive({ migrations: ['0001_foundation.sql', '0250_plain_phones.sql'] });
  await refused('The secret key is not the key of', { secretKey: Buffer.alloc(32, 6) });
  rmSync(file);
  await archive({ platform: 'win32-arm64' });
  await refused('was made on win32-arm64 and cannot be used on');
  rmSync(file);
  await archive({ postgres: '12' });
  await refused('has a database of PostgreSQL 12');
  rmSync(file);
  await archive();
  await refused('The secret key is not the key of', { secretKey: Buffer.alloc(32, 6) });
  const newer = writeDescription(fitting).replace('"format": 1', '"format": 2');
  const header = tarHeader({ name: descriptionName, size: newer.length, isFolder: false });
  writeFileSync(file, zstdCompressSync(Buffer.concat([header, Buffer.from(newer), padding(newer.length), tarEnd()])));
  await refused('was made by a newer version of Farlink: restore it with that version');
});

test('without a key, with a missing key file, or into a folder with data, nothing is restored', async () => {
  await archive();
  await expect(restore({ secretKey: undefined })).rejects.toThrow('The secret key is not part of a backup: name its copy with --key FILE');
  await expect(restore({ keyFile: join(root, 'missing.key') })).rejects.toThrow('missing.key does not exist');
  writeFileSync(join(dataDir, 'notes.txt'), 'mine');
  await expect(restore()).rejects.toThrow('is not empty (it contains notes.txt): set DATA_DIR to an empty folder, or add --replace');
  expect(readdirSync(dataDir)).toEqual(['notes.txt']);
});

test('an archive without a database, or with one that does not start, is refused, and the present content stays', async () => {
  writeFileSync(join(dataDir, 'notes.txt'), 'mine');
  await archive();
  await refused('is damaged: it has no database', { replace: true });
  rmSync(file);
  await archive({}, { PG_VERSION: `${embeddedMajor()}\n`, 'postgresql.conf': '' });
  await expect(restore({ replace: true })).rejects.toThrow('The embedded database did not start');
  expect(readdirSync(dataDir)).toEqual(['notes.txt']);
});

test('a server does not start in a folder with an interrupted restore', async () => {
  writeFileSync(join(dataDir, unfinishedRestore), '');
  await expect(startEmbedded(dataDir, { fsync: false })).rejects.toThrow('was interrupted: run npm run restore with --replace again');
});

test('a backup never creates a database and never overwrites a file', async () => {
  const options = { dataDir, hasFiles: true, signal, print };
  await expect(makeBackup({ ...options, target: join(root, 'none', 'x') })).rejects.toThrow(/The folder .*none does not exist/);
  await expect(makeBackup({ ...options, target: join(root, 'x') })).rejects.toThrow('There is no embedded database in');
  writeFileSync(file, 'mine');
  await expect(makeBackup({ ...options, target: file })).rejects.toThrow('a backup never overwrites a file');
  expect(readdirSync(dataDir)).toEqual([]);
});
