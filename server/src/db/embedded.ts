import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { makeFolder } from '../env/make-folder.ts';
import { reasonOf, StartError } from '../env/start-error.ts';
import { type Home, openHome } from './make-cluster.ts';
import { isPostgres, readPostmaster, runningPostmaster } from './postmaster.ts';
import { bringUp, interrupt, urlAt } from './run-postmaster.ts';

export type Embedded = {
  /** Connection URL. It stays the same while this process runs. */
  readonly url: string;
  /** Stops PostgreSQL and waits until all data is written. */
  readonly stop: () => Promise<void>;
  /** Signals PostgreSQL to stop and does not wait. */
  readonly abandon: () => void;
};

export type EmbeddedOptions = {
  /** false: faster and unsafe, for tests. */
  readonly fsync?: boolean;
  readonly print?: (sentence: string) => void;
};

/** The database of this folder belongs to a running server. */
export class AlreadyRunning extends StartError {}

/** Exists in DATA_DIR while a restore moves its files into place. */
export const unfinishedRestore = 'restore-unfinished';

const ownerLock = 728_465_001;
const lockPatienceMs = 1500;

/** Errors while PostgreSQL starts, recovers or stops: try again. */
const notYet = (error: unknown) =>
  (error instanceof DatabaseError && (error.code ?? '').startsWith('57P')) ||
  (error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')) ||
  (error instanceof Error && error.message.startsWith('Connection terminated'));

/**
 * One server owns the database: it holds this lock on a separate connection while it runs. Unlike a pid file, the lock is released when its
 * owner is killed, so only an orphaned PostgreSQL is adopted.
 */
const lockAsOwner = async (url: string): Promise<Client | undefined> => {
  const at = new URL(url);
  at.pathname = '/postgres';
  const client = new Client({ connectionString: at.href, application_name: 'farlink owner' });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ownerLock]);
    if (!rows[0]?.mine) {
      await client.end();
      return undefined;
    }
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'farlink'");
    if (rowCount === 0) await client.query('create database farlink');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (notYet(error)) return undefined;
    throw error;
  }
};

const acquire = async (home: Home, dataDir: string, options: EmbeddedOptions): Promise<Client> => {
  const patience = Date.now() + lockPatienceMs;
  for (;;) {
    const postmaster = await bringUp(home, options);
    const owner = await lockAsOwner(urlAt(home, postmaster.port));
    if (owner) return owner;
    if (Date.now() > patience) {
      throw new AlreadyRunning(
        `Another Farlink server already runs on ${dataDir}: stop it, or set DATA_DIR (or DATABASE_URL to share a database).`,
      );
    }
    await pause(200);
  }
};

/** Starts the bundled PostgreSQL, or adopts the one that a killed server left running in this folder. */
export const startEmbedded = async (folder: string, options: EmbeddedOptions = {}): Promise<Embedded> => {
  let home: Home;
  let dataDir: string;
  try {
    makeFolder(folder);
    dataDir = realpathSync(folder);
    if (existsSync(join(dataDir, unfinishedRestore)))
      throw new StartError(`A restore into ${dataDir} was interrupted: run npm run restore with --replace again.`);
    home = openHome(dataDir, options.fsync ?? true);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The embedded database in ${folder} cannot be opened (${reasonOf(error)}).`);
  }
  let stopping = false;
  let holding: Promise<Client> = Promise.resolve(await acquire(home, dataDir, options));

  // If the postmaster dies or closes its connections after a crash, it is restarted at the same address.
  const restartWhenLost = (owner: Client) => {
    owner.once('end', () => {
      if (stopping) return;
      options.print?.('The embedded database stopped and is being restarted.');
      holding = acquire(home, dataDir, options);
      holding.then(restartWhenLost, (error) => options.print?.(reasonOf(error)));
    });
    return owner;
  };
  restartWhenLost(await holding);

  const abandon = () => {
    stopping = true;
    interrupt(home);
  };
  const stop = async () => {
    stopping = true;
    await holding.then((owner) => owner.end()).catch(() => {});
    const pid = readPostmaster(home.cluster)?.pid;
    interrupt(home);
    // The pid file is removed shortly before the process ends.
    while (runningPostmaster(home.cluster) || (pid !== undefined && isPostgres(pid))) await pause(25);
  };
  return { url: urlAt(home), stop, abandon };
};
