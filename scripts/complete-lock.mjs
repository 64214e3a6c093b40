// npm omits builds for other systems from the lock if its registry did not list them at that moment. `npm ci` then refuses the lock. The
// package names contain all data that the lock needs, so the entries are added here.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** @typedef {{ version?: string, optionalDependencies?: Record<string, string> }} Entry */
/** @typedef {Record<string, Entry>} Packages */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * Optional packages that the lock refers to but does not contain.
 * @param {Packages} packages
 * @returns {[path: string, version: string][]}
 */
export const missingIn = (packages) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map(([name, version]) => /** @type {[string, string]} */ ([`node_modules/${name}`, version])),
  );

/** @param {string} path @param {string} version */
const entryFor = (path, version) => {
  const segments = path.split(/[/-]/);
  const os = segments.filter((segment) => systems.includes(segment));
  const cpu = segments.filter((segment) => processors.includes(segment));
  const libc = segments.includes('musl') ? ['musl'] : segments.includes('gnu') && os.includes('linux') ? ['glibc'] : undefined;
  if (os.length + cpu.length === 0 || !/^\d/.test(version)) throw new Error(`${path}@${version} is not a build for one system`);
  return { version, cpu, ...(libc && { libc }), optional: true, ...(os.length > 0 && { os }) };
};

/** @param {Packages} packages */
export const completed = (packages) => {
  const added = missingIn(packages).map(([path, version]) => [path, entryFor(path, version)]);
  return Object.fromEntries([...Object.entries(packages), ...added].sort(([a], [b]) => String(a).localeCompare(String(b), 'en')));
};

if (import.meta.main) {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: completed(lock.packages) }, null, 2)}\n`);
}
