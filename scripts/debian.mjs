import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { modules, run } from './run.mjs';

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
 * @param {readonly string[]} paths
 * @param {readonly string[]} names
 */
export const findProgram = (paths, names) => {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...paths, ...onPath].find(runs);
};

const isDebian = () => existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

/** True if packages may be installed: on Debian and Ubuntu as root. */
export const mayApt = () => process.getuid?.() === 0 && isDebian();

/** True if packages can be downloaded and unpacked without being installed: on Debian and Ubuntu as any user. */
export const mayUnpack = isDebian;

const policy = '/usr/sbin/policy-rc.d';

/**
 * Installs packages without starting their services, because the tests need only the programs.
 * @param {readonly string[]} packages
 * @param {readonly string[]} [options]
 */
export const aptInstall = async (packages, options = []) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=30'];
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('apt-get', ['update', ...quiet], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await run('apt-get', ['install', '-y', ...quiet, ...options, ...packages], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
};

/** Folder with the files of unpacked packages; it replaces the root folder of the system. */
export const unpacked = join(modules, '.cache', 'debian');

/** apt with its own lists, so that it works without root and without lists of the system. */
const aptWithOwnLists = () => {
  const state = join(unpacked, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'debs']) mkdirSync(join(state, folder), { recursive: true });
  const options = [
    `Dir::State::lists=${join(state, 'lists')}`,
    `Dir::Cache=${join(state, 'cache')}`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=',
  ];
  return { debs: join(state, 'debs'), options: ['-qq', ...options.flatMap((option) => ['-o', option])] };
};

/**
 * An unpacked program finds its libraries and data only through a wrapper, so a wrapper replaces it.
 * @param {string} program
 * @param {readonly string[]} options
 */
const wrap = (program, options) => {
  const real = `${program}.real`;
  renameSync(program, real);
  const folders = ['usr/lib', 'lib'].flatMap((lib) => {
    const folder = join(unpacked, lib);
    if (!existsSync(folder)) return [];
    return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(
      (path) => path.endsWith(lib) || /-linux-|^freeradius$/.test(basename(path)),
    );
  });
  const command = [real, ...options].map((word) => `'${word}'`).join(' ');
  writeFileSync(program, `#!/bin/sh\nLD_LIBRARY_PATH='${folders.join(':')}' exec ${command} "$@"\n`, { mode: 0o755 });
};

/**
 * A program of a Debian package, with its paths in an installed system. `options` are added if it is unpacked.
 * @typedef {{ packages: readonly string[], paths: readonly string[], options?: readonly string[] }} Unpackable
 */

/**
 * Downloads packages with the dependencies that are not installed, and unpacks them.
 * @param {readonly Unpackable[]} programs
 */
export const aptUnpack = async (programs) => {
  const packages = programs.flatMap((program) => program.packages);
  const { debs, options } = aptWithOwnLists();
  await run('apt-get', ['update', ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  const plan = spawnSync('apt-get', ['install', '-s', '--no-install-recommends', ...options.slice(1), ...packages], { encoding: 'utf8' });
  const missing = [...(plan.stdout ?? '').matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []);
  const names = new Set([...packages, ...missing]);
  await run('apt-get', ['download', ...options, ...names], { cwd: debs, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const deb of readdirSync(debs)) await run('dpkg', ['-x', join(debs, deb), unpacked]);
  rmSync(join(unpacked, 'apt'), { recursive: true });
  for (const program of programs)
    for (const path of program.paths.map((name) => join(unpacked, name)).filter(existsSync)) wrap(path, program.options ?? []);
};
