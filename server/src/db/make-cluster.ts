import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../env/start-error.ts';
import { type Programs, postgresPrograms } from './postgres-programs.ts';
import { type Launcher, launcherFor, type PostgresUser, postgresUser } from './postgres-user.ts';

/** Location of an embedded database: its files, and how to run programs on them. */
export type Home = {
  readonly cluster: string;
  readonly log: string;
  readonly url: string;
  readonly launch: Launcher;
  readonly programs: Programs;
};

// pg_trgm splits words by LC_CTYPE: with plain C it would ignore Chinese characters.
const ctypes: Partial<Record<NodeJS.Platform, string>> = { darwin: 'UTF-8', win32: 'C' };

const initOptions = (user: string, sync: boolean) => [
  `--username=${user}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  `--lc-ctype=${ctypes[process.platform] ?? 'C.UTF-8'}`,
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
  ...(sync ? [] : ['--no-sync']),
];

const changeOwner = (user: PostgresUser, path: string) => {
  if (user.other) chownSync(path, user.uid, user.gid);
};

const initialise = (draft: string, user: PostgresUser, dataDir: string, sync: boolean) => {
  const cluster = join(draft, 'cluster');
  mkdirSync(draft, { mode: 0o755 });
  mkdirSync(cluster, { mode: 0o700 });
  changeOwner(user, cluster);
  const launch = launcherFor(user, cluster);
  const password = randomBytes(24).toString('hex');
  const passwordFile = join(draft, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  changeOwner(user, passwordFile);
  const init = launch(postgresPrograms(dataDir, launch).initdb, [
    `--pgdata=${cluster}`,
    `--pwfile=${passwordFile}`,
    ...initOptions('farlink', sync),
  ]);
  const { status, stderr, error } = spawnSync(init.file, init.args, { ...init.options, encoding: 'utf8' });
  if (status !== 0)
    throw new StartError(`The embedded database cannot be created: ${error?.message ?? String(stderr).trim().split('\n').at(-1)}`);
  rmSync(passwordFile);
  writeFileSync(join(draft, 'url'), `postgres://farlink:${password}@127.0.0.1:0/farlink?sslmode=disable\n`, { mode: 0o600 });
};

/** A folder restored by root belongs to root and is world-readable; PostgreSQL would refuse it. */
const takeOver = (user: PostgresUser, cluster: string) => {
  const now = statSync(cluster);
  if (user.other && now.uid !== user.uid) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
  if ((now.mode & 0o777) !== 0o700) chmodSync(cluster, 0o700);
};

/**
 * Opens or creates the embedded database under DATA_DIR. It is created in a draft folder first, so that an interrupted initdb never looks
 * complete.
 */
export const openHome = (dataDir: string, sync: boolean): Home => {
  const home = join(dataDir, 'postgres');
  const cluster = join(home, 'cluster');
  const user = postgresUser(cluster);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    try {
      initialise(draft, user, dataDir, sync);
      renameSync(draft, home);
    } catch (error) {
      // Another process may have created the folder first; then it is used.
      if (!existsSync(home)) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  takeOver(user, cluster);
  const launch = launcherFor(user, cluster);
  const programs = postgresPrograms(dataDir, launch);
  const clusterMajor = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (clusterMajor !== programs.major) {
    throw new StartError(
      `The database in ${home} was made by PostgreSQL ${clusterMajor} and this version of Farlink brings PostgreSQL ${programs.major}.`,
    );
  }
  return { cluster, log: join(home, 'log'), url: join(home, 'url'), launch, programs };
};
