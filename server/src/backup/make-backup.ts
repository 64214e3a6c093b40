import { existsSync, statSync } from 'node:fs';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Pool } from 'pg';
import { keyMark } from '../db/check-secret-key.ts';
import { type OpenDatabase, openDatabase } from '../db/connect.ts';
import { lockGroup, locks } from '../db/lock.ts';
import { readKeyFile } from '../env/secret-key.ts';
import { reasonOf, StartError } from '../env/start-error.ts';
import { archiveEnding, type Description, thisPlatform } from './archive.ts';
import { baseBackup } from './base-backup.ts';
import { findDatabase } from './find-database.ts';
import { verifyArchive } from './read-archive.ts';
import { recordDone, recordFailed, recordStart } from './record.ts';
import { writeArchive } from './write-archive.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** New file, or a folder in which a file is named by the time. */
  readonly target: string;
  /** false: files are in a bucket. */
  readonly hasFiles: boolean;
  /** Value of SECRET_KEY, else DATA_DIR/secret.key is the key. */
  readonly secretKey?: Buffer | undefined;
  /** File that gets a copy of the secret key. */
  readonly keyFile?: string | undefined;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

const fileFor = (target: string): string => {
  const path = resolve(target);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = isFolder ? join(path, `farlink-${stamp}${archiveEnding}`) : path;
  if (existsSync(file)) throw new StartError(`${file} exists already: a backup never overwrites a file.`);
  if (!existsSync(dirname(file))) throw new StartError(`The folder ${dirname(file)} does not exist.`);
  return file;
};

const describeDatabase = async (pool: Pool, hasFiles: boolean): Promise<Description> => {
  const { rows: versions } = await pool.query<{ major: string }>(
    "select (current_setting('server_version_num')::int / 10000)::text as major",
  );
  const { rows: migrations } = await pool.query<{ name: string }>('select name from migration order by name');
  const { rows: tables } = await pool.query<{ found: boolean }>("select to_regclass('installation') is not null as found");
  const marks = tables[0]?.found ? (await pool.query<{ key_mark: string }>('select key_mark from installation')).rows : [];
  return {
    made_at: new Date().toISOString(),
    postgres: versions[0]?.major ?? '',
    platform: thisPlatform,
    migrations: migrations.map(({ name }) => name),
    key_mark: marks[0]?.key_mark ?? null,
    has_files: hasFiles,
  };
};

/** Copies the key to a separate file. Refuses a key that is not the key of this database. */
const saveKey = async ({ keyFile, secretKey, dataDir }: BackupOptions, { key_mark }: Description) => {
  if (keyFile === undefined) return;
  const key = secretKey ?? readKeyFile(join(dataDir, 'secret.key'));
  if (!key) throw new StartError(`There is no key: neither SECRET_KEY nor ${join(dataDir, 'secret.key')}.`);
  if (key_mark !== null && keyMark(key) !== key_mark) throw new StartError('SECRET_KEY is not the key of this database.');
  const text = `${key.toString('hex')}\n`;
  if (existsSync(keyFile)) {
    if (!readKeyFile(keyFile)?.equals(key)) throw new StartError(`${keyFile} contains another key: it is not overwritten.`);
  } else await writeFile(keyFile, text, { mode: 0o600, flag: 'wx' });
};

/** One backup at a time. The lock ends with its connection. */
const withLock = async <T>(pool: Pool, work: () => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [lockGroup, locks.systemBackup]);
    if (!rows[0]?.mine) throw new StartError('Another backup of this installation is running.');
    return await work();
  } finally {
    client.release(true);
  }
};

/** The name appears with its content, also after a power failure. */
const publish = async (partialFile: string, file: string) => {
  await rename(partialFile, file);
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
};

/** Writes the archive beside its final name and reads it back before it gets that name. */
const writeVerified = async (options: BackupOptions, url: string, file: string, description: Description): Promise<number> => {
  const { dataDir, signal } = options;
  const partialFile = `${file}.${process.pid}.part`;
  try {
    await writeArchive(partialFile, { dataDir, description, cluster: () => baseBackup(url), signal });
    await verifyArchive(partialFile, signal);
    const { size } = await stat(partialFile);
    await publish(partialFile, file);
    return size;
  } catch (error) {
    await rm(partialFile, { force: true });
    if (signal.aborted) throw new StartError('The backup was interrupted.');
    if (error instanceof StartError) throw error;
    throw new StartError(`The backup failed: ${reasonOf(error)}.`);
  }
};

const recorded = async ({ db, pool }: OpenDatabase, file: string, work: () => Promise<number>): Promise<number> => {
  // A database that this version has not migrated yet may lack the table.
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass('system_backup') is not null as found");
  if (!rows[0]?.found) return work();
  const id = await recordStart(db, file);
  try {
    const bytes = await work();
    await recordDone(db, id, bytes);
    return bytes;
  } catch (error) {
    await recordFailed(db, id, `${reasonOf(error)}.`).catch(() => {});
    throw error;
  }
};

/** Makes a consistent archive of the embedded database and its files, also while the server runs. */
export const makeBackup = async (options: BackupOptions): Promise<Backup> => {
  const file = fileFor(options.target);
  const found = await findDatabase(options.dataDir, options.print);
  try {
    const database = await openDatabase(found.url, { max: 3 });
    try {
      return await withLock(database.pool, async () => {
        const description = await describeDatabase(database.pool, options.hasFiles);
        await saveKey(options, description);
        const bytes = await recorded(database, file, () => writeVerified(options, found.url, file, description));
        return { file, bytes };
      });
    } finally {
      await database.close();
    }
  } finally {
    await found.stop();
  }
};
