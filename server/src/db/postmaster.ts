import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../env/start-error.ts';

/** Content of postmaster.pid. */
export type Postmaster = { readonly pid: number; readonly folder: string; readonly port: number; readonly ready: boolean };

export const pidFile = (cluster: string) => join(cluster, 'postmaster.pid');

export const readPostmaster = (cluster: string): Postmaster | undefined => {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(cluster), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, folder: lines[1] ?? '', port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
};

const programOf = (pid: number): string => {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    if (process.platform === 'darwin') return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    process.kill(pid, 0);
    return 'postgres';
  } catch {
    return '';
  }
};

/** Checks the program, not only the pid: pids are reused, soon in containers, and a zombie has no program. */
export const isPostgres = (pid: number) => basename(programOf(pid)) === 'postgres';

/**
 * Postmaster that runs in this folder, if any. A stale postmaster.pid, or one copied with the folder, is removed: PostgreSQL refuses to
 * start while any process of its user has that pid.
 */
export const runningPostmaster = (cluster: string): Postmaster | undefined => {
  const found = readPostmaster(cluster);
  if (!found) return undefined;
  if (!isPostgres(found.pid)) {
    rmSync(pidFile(cluster), { force: true });
    return undefined;
  }
  if (found.folder === cluster || found.folder === '') return found;
  if (!existsSync(found.folder)) {
    throw new StartError(`The folder ${cluster} was moved while its database runs (process ${found.pid}): stop that process first.`);
  }
  rmSync(pidFile(cluster), { force: true });
  return undefined;
};
