import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { keyMark } from '../db/check-secret-key.ts';
import { openDatabase } from '../db/connect.ts';
import { AlreadyRunning, startEmbedded } from '../db/embedded.ts';
import { knownMigrations, withoutMerged } from '../db/migrate.ts';
import { embeddedMajor } from '../db/postgres-programs.ts';
import { runningPostmaster } from '../db/postmaster.ts';
import { makeFolder } from '../env/make-folder.ts';
import { readKeyFile } from '../env/secret-key.ts';
import { reasonOf, StartError } from '../env/start-error.ts';
import type { TarEntry } from '../kit/formats/tar.ts';
import { ArchiveError, type Description, thisPlatform } from './archive.ts';
import { clusterIn, moveIntoPlace, refuseContent } from './move-into-place.ts';
import { readArchive } from './read-archive.ts';
import { recordRestored } from './record.ts';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly file: string;
  /** Moves the present content of DATA_DIR aside. */
  readonly replace: boolean;
  /** Value of SECRET_KEY. */
  readonly secretKey?: Buffer | undefined;
  /** File with the secret key; it becomes DATA_DIR/secret.key. */
  readonly keyFile?: string | undefined;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** false: faster and unsafe, for tests. */
  readonly fsync?: boolean;
}

export interface Restored {
  readonly description: Description;
  /** Folder with the previous content. */
  readonly previous: string | undefined;
}

/** Key of the restored installation. `isStored`: it belongs into DATA_DIR, because SECRET_KEY does not set it. */
const findKey = ({ secretKey, keyFile, dataDir }: RestoreOptions): { key: Buffer; isStored: boolean } => {
  if (keyFile !== undefined) {
    const key = readKeyFile(keyFile);
    if (!key) throw new StartError(`The key file ${keyFile} does not exist.`);
    return { key, isStored: secretKey === undefined };
  }
  const key = secretKey ?? readKeyFile(join(dataDir, 'secret.key'));
  if (key) return { key, isStored: secretKey === undefined };
  throw new StartError('The secret key is not part of a backup: name its copy with --key FILE, or set SECRET_KEY.');
};

const checkContent = (
  file: string,
  key: Buffer,
  known: ReadonlySet<string>,
  { migrations, key_mark }: Pick<Description, 'migrations' | 'key_mark'>,
) => {
  const unknown = withoutMerged(migrations).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new ArchiveError(
      `${file} was made by another version of Farlink (it has the migration ${unknown}): restore it with that version.`,
    );
  if (key_mark !== null && key_mark !== keyMark(key))
    throw new ArchiveError(`The secret key is not the key of ${file}: its stored secrets could not be read.`);
};

const accept = (file: string, key: Buffer, known: ReadonlySet<string>) => (description: Description) => {
  const { postgres, platform } = description;
  if (platform !== thisPlatform) throw new ArchiveError(`${file} was made on ${platform} and cannot be used on ${thisPlatform}.`);
  if (postgres !== embeddedMajor())
    throw new ArchiveError(`${file} has a database of PostgreSQL ${postgres} and this version of Farlink brings ${embeddedMajor()}.`);
  checkContent(file, key, known, description);
};

const extractTo =
  (draft: string, fsync: boolean) =>
  async ({ name, isFolder }: TarEntry, content: AsyncIterable<Buffer>) => {
    const path = join(draft, name);
    await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    // PostgreSQL flushes its cluster at its first start.
    const flush = fsync && !name.startsWith('postgres/cluster/');
    if (!isFolder) await pipeline(content, createWriteStream(path, { mode: 0o600, flush }));
  };

/** Root restores for the owner of DATA_DIR. */
const setOwner = (dataDir: string, draft: string) => {
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0 && uid !== 0) spawnSync('chown', ['-R', `${uid}:${gid}`, draft]);
};

/** Starts the database once: it recovers to its consistent state, and its content is compared with the description. */
const tryDatabase = async (draft: string, key: Buffer, known: ReadonlySet<string>, options: RestoreOptions) => {
  const { file } = options;
  // An empty folder would become a new database.
  if (!existsSync(join(clusterIn(draft), 'PG_VERSION'))) throw new ArchiveError(`${file} is damaged: it has no database.`);
  const { url, stop } = await startEmbedded(draft, { print: options.print, fsync: options.fsync ?? true });
  try {
    const { pool, db, close } = await openDatabase(url, { max: 2 });
    try {
      const { rows: tables } = await pool.query<{ name: string }>(
        "select relname as name from pg_class where relname in ('installation', 'system_backup') and relkind = 'r'",
      );
      const has = (name: string) => tables.some((table) => table.name === name);
      const marks = has('installation') ? (await pool.query<{ key_mark: string }>('select key_mark from installation')).rows : [];
      const { rows: migrations } = await pool.query<{ name: string }>('select name from migration');
      checkContent(file, key, known, { migrations: migrations.map(({ name }) => name), key_mark: marks[0]?.key_mark ?? null });
      if (has('system_backup')) await recordRestored(db, (await stat(file)).size);
    } finally {
      await close();
    }
  } finally {
    await stop();
  }
};

/** A database that a killed server left running is stopped; one that belongs to a running server refuses the restore. */
const stopDatabase = async ({ dataDir, print }: RestoreOptions) => {
  if (!runningPostmaster(clusterIn(dataDir))) return;
  try {
    await (await startEmbedded(dataDir, { print })).stop();
  } catch (error) {
    throw error instanceof AlreadyRunning ? new StartError(`A Farlink server runs on ${dataDir}: stop it before a restore.`) : error;
  }
};

const checkTarget = async ({ dataDir, replace }: RestoreOptions) => {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(`The folder ${dataDir} cannot be used (${reasonOf(error)}).`);
  }
  if (!replace) refuseContent(dataDir, await readdir(dataDir));
};

/** Restores an archive into DATA_DIR. Until everything is checked, nothing in DATA_DIR is changed. */
export const restoreBackup = async (rawOptions: RestoreOptions): Promise<Restored> => {
  await checkTarget(rawOptions);
  // PostgreSQL notes the real path of its folder.
  const options = { ...rawOptions, dataDir: realpathSync(rawOptions.dataDir) };
  const { dataDir, file, signal, fsync = true } = options;
  const { key, isStored } = findKey(options);
  const known = new Set(await knownMigrations());
  const draft = join(dataDir, `restore-${process.pid}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const description = await readArchive(file, { accept: accept(file, key, known), entry: extractTo(draft, fsync) }, signal);
    if (isStored) await writeFile(join(draft, 'secret.key'), `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    setOwner(dataDir, draft);
    await tryDatabase(draft, key, known, options);
    signal.throwIfAborted();
    await stopDatabase(options);
    const previous = await moveIntoPlace(dataDir, draft, options.replace);
    return { description, previous };
  } catch (error) {
    if (signal.aborted) throw new StartError('The restore was interrupted.');
    if (error instanceof StartError) throw error;
    throw new StartError(`The restore failed: ${reasonOf(error)}.`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
