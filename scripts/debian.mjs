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
 * A program where it usually is, or on the path.
 * @param {readonly string[]} places
 * @param {readonly string[]} names
 */
export const findProgram = (places, names) => {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find(runs);
};

/** Whether it is ours to install packages: on Debian and Ubuntu as root. */
export const mayApt = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

const policy = '/usr/sbin/policy-rc.d';

/**
 * Installs packages and starts none of their services: a test wants the program, not a server on this machine.
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
