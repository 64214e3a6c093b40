import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const prefix = 'farlink-tests-';

/**
 * Sends a signal; 0 sends none. Returns whether the process exists.
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 */
const sendSignal = (pid, signal) => {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * Removes the folder of a run that was killed, and ends the databases in it.
 * @param {string} folder
 */
const removeFolder = (folder) => {
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('postmaster.pid')) sendSignal(Number(readFileSync(join(folder, name), 'utf8').split('\n')[0]), 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A folder of another user.
  }
};

/** Containers often forbid programs in memory. @param {string} folder */
const canRunPrograms = (folder) => {
  const file = join(folder, 'program');
  writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(file);
  rmSync(file);
  return status === 0;
};

/**
 * A new folder in memory for the temporary files of a test run: copying a test database takes 64 ms there, and 100 to 900 ms on a disk.
 * Undefined if the memory is not sufficient or no program can run there.
 */
export const openMemoryFolder = ({ parent = '/dev/shm', neededBytes = 6 * 1024 ** 3 } = {}) => {
  try {
    for (const name of readdirSync(parent))
      if (name.startsWith(prefix) && !sendSignal(Number(name.slice(prefix.length)), 0)) removeFolder(join(parent, name));
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, freemem()) < neededBytes) return undefined;
    const folder = join(parent, `${prefix}${process.pid}`);
    mkdirSync(folder);
    // For root, the database runs as another user, whatever the umask is.
    chmodSync(folder, 0o755);
    if (canRunPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // No such memory on this system.
  }
  return undefined;
};
