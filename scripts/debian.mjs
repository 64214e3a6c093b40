import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/** @param {string} file */
export const runs = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Finds a program at the usual paths, or on PATH.
 * @param {readonly string[]} places
 * @param {readonly string[]} names
 */
export const findProgram = (places, names) => {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find(runs);
};

/** True if packages may be installed: on Debian and Ubuntu as root. */
export const mayApt = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

const policy = '/usr/sbin/policy-rc.d';

/**
 * Installs packages without starting their services, because the tests need only the programs.
 * @param {readonly string[]} packages
 */
export const aptInstall = async (packages) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=30'];
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('apt-get', ['update', ...quiet], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await run('apt-get', ['install', '-y', ...quiet, ...packages], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
};
