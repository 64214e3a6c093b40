import { type SpawnOptions, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../env/start-error.ts';

/** User that runs PostgreSQL: the current one, or a user with fewer rights instead of root, which PostgreSQL refuses. */
export type PostgresUser = { readonly uid: number; readonly gid: number; readonly other: boolean };

const windows = process.platform === 'win32';

/** PostgreSQL gets none of our environment: PGDATA, PGPORT and similar variables would change its behaviour. */
const bare: SpawnOptions = windows ? {} : { cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };

const idOf = (flag: '-u' | '-g', name: string) => {
  const { status, stdout } = spawnSync('id', [flag, name], { ...bare, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

/** Root uses the owner of an existing cluster, else the system's `postgres`, else `nobody`. */
export const postgresUser = (cluster: string): PostgresUser => {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? -1, other: false };
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, other: true };
  for (const name of ['postgres', 'nobody']) {
    const other = idOf('-u', name);
    const group = idOf('-g', name);
    if (other && group) return { uid: other, gid: group, other: true };
  }
  throw new StartError(
    'PostgreSQL refuses to run as root and this system has no user postgres or nobody: start as another user or set DATABASE_URL.',
  );
};

export type Launch = { readonly file: string; readonly args: readonly string[]; readonly options: SpawnOptions };
export type Launcher = (file: string, args: readonly string[]) => Launch;

const asUser =
  (user: PostgresUser): Launcher =>
  (file, args) => ({ file, args, options: user.other ? { ...bare, uid: user.uid, gid: user.gid } : bare });

/**
 * The other user cannot traverse root's private home, so it gets the one capability that allows it. The secure bit makes access(2), which
 * PostgreSQL uses to find its programs, respect it too.
 */
const asUserWithPassage =
  (user: PostgresUser): Launcher =>
  (file, args) => ({
    file: 'setpriv',
    args: [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      file,
      ...args,
    ],
    options: bare,
  });

const succeeds = ({ file, args, options }: Launch) => spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;

export const canWrite = (launch: Launcher, folder: string) => succeeds(launch('/bin/sh', ['-c', 'test -w "$0" && test -x "$0"', folder]));
export const canRun = (launch: Launcher, program: string) => succeeds(launch(program, ['--version']));

/** Returns the launcher for programs that work in `folder`, which already belongs to the user. */
export const launcherFor = (user: PostgresUser, folder: string): Launcher => {
  if (windows) return asUser(user);
  const found = [asUser(user), ...(user.other ? [asUserWithPassage(user)] : [])].find((launch) => canWrite(launch, folder));
  if (found) return found;
  const why = user.other ? `by the user ${user.uid}, as which PostgreSQL must run because it refuses root` : 'by this user';
  throw new StartError(
    `The folder ${dirname(dirname(folder))} cannot be reached ${why}: set DATA_DIR to another place or set DATABASE_URL.`,
  );
};
