// Content of the release archive.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, StepError } from './run.mjs';

/** @typedef {{ version?: string, license?: string, link?: boolean, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Entry */
/** @typedef {{ path: string, name: string, version: string, license: string }} Package */

/** Workspaces of the server. The console is included as built files. */
const workspaces = ['contract', 'gateway', 'portal', 'simulator', 'server'];
const documents = ['README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'package.json'];
const folders = ['bin', 'deploy', 'docs', 'scripts'];

/** Scripts for work on the code. */
const development =
  /^scripts\/(broker|browser|changed|check-|complete-lock|debian|dev|markdown-|pages-|peers|pictures|release|settings-|tar\.|test|third-party|tsconfig|write-)/;
export const isTest = (/** @type {string} */ path) => /(^|\/)(test|e2e|bench)\/|\.(test|spec)\.|\/tsconfig[^/]*$/.test(path);

/** @param {string} file */
const isSource = (file) => {
  const [top = ''] = file.split('/');
  const isIncluded = workspaces.includes(top) || folders.includes(top) || documents.includes(file);
  return isIncluded && !isTest(file) && !development.test(file);
};

/** @param {readonly string[]} args */
export const git = (args) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 }).trim();
  } catch {
    throw new StepError('A release needs a git checkout: git cannot read this folder.');
  }
};

const sources = () => git(['ls-files', '-z']).split('\0').filter(isSource);

/** @returns {Record<string, Entry>} */
const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Optional native code of ssh2, compiled at the installation if there is a compiler; ssh2 works without it. */
const compiled = ['cpu-features'];

/**
 * Packages that the workspaces need at run time, as the lock resolves them. A package for another system is not installed and is left out.
 * @param {readonly string[]} from
 * @param {Record<string, Entry>} lock
 * @returns {Package[]}
 */
export const packagesOf = (from, lock = readLock()) => {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {string} dependent @param {string} name @returns {string | undefined} */
  const resolved = (dependent, name) => {
    for (let at = dependent; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (lock[path]) return path;
      if (at === '') return undefined;
    }
  };
  /** @param {string} path */
  const visit = (path) => {
    const entry = lock[path];
    if (!entry || seen.has(path)) return;
    seen.add(path);
    if (entry.link) return visit(entry.resolved ?? '');
    const { dependencies, optionalDependencies, peerDependencies } = entry;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const next = resolved(path, name);
      if (next && !compiled.includes(name)) visit(next);
    }
  };
  for (const workspace of from) visit(workspace);
  return [...seen].sort().flatMap((path) => {
    const { version = '', license, link } = lock[path] ?? {};
    if (link || !path.includes('node_modules/') || !existsSync(join(root, path, 'package.json'))) return [];
    const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    if (manifest.version !== version)
      throw new StepError(`${path} has version ${manifest.version} instead of ${version} of the lock: run npm ci.`);
    const older = manifest.licenses?.map((/** @type {{ type: string }} */ { type }) => type).join(' OR ');
    return [{ path, name: manifest.name, version, license: license ?? manifest.license ?? older ?? 'unknown' }];
  });
};

export const serverPackages = () => packagesOf(['runtime', ...workspaces]);
export const consolePackages = () => packagesOf(['web']);

/** Parts of packages that are used only by their authors, by compilers and by type checkers. */
const leftOut = [
  /\.d\.[mc]?ts(\.map)?$|\.[mc]?js\.map$|\.(test|spec)\.[mc]?[jt]s$|\.(a|gyp|gypi|o|mk)$/,
  /^(\.|tests?\/|__tests__\/|examples?\/|bench(marks?)?\/|docs?\/|coverage\/|tap-snapshots\/|node_modules\/)/,
  /^native\/(include|lib\/pkgconfig)\//,
  /(^|\/)(build\/|Makefile$|tsconfig[^/]*$)/,
  /(^|\/)__tests__\//,
];

/**
 * @param {string} folder
 * @param {string} [below]
 * @returns {string[]}
 */
const filesIn = (folder, below = '') =>
  readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}${entry.name}`;
    return entry.isDirectory() ? filesIn(folder, `${path}/`) : [path];
  });

/** @param {Package} item */
const packageFiles = ({ path }) =>
  filesIn(join(root, path))
    .filter((file) => !leftOut.some((pattern) => pattern.test(file)))
    .map((file) => `${path}/${file}`);

/** Built files. The marker belongs to the checkout, and browsers never request the source maps. */
const consoleFiles = () =>
  existsSync(join(root, 'web/dist'))
    ? filesIn(join(root, 'web/dist'))
        .filter((file) => file !== '.built' && !file.endsWith('.map'))
        .map((file) => `web/dist/${file}`)
    : [];

/** @param {string} path @returns {import('./tar.mjs').Member} */
const memberOf = (path) => {
  const file = join(root, path);
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return { name: path, mode: 0o777, link: readlinkSync(file) };
  const isProgram = (stat.mode & 0o100) !== 0 || /\/native\/bin\//.test(path);
  return { name: path, mode: isProgram ? 0o755 : 0o644, file, size: stat.size };
};

/** All members of the archive except generated texts, in the order of their names. */
export const releaseMembers = () => {
  const links = workspaces.map((name) => `node_modules/@farlink/${name}`);
  const paths = [...sources(), ...serverPackages().flatMap(packageFiles), ...consoleFiles()];
  /** @type {import('./tar.mjs').Member[]} */
  const fixed = [
    ...links.map((name) => ({ name, mode: 0o777, link: `../../${name.slice('node_modules/@farlink/'.length)}` })),
    { name: 'node_modules/.bin/node', mode: 0o777, link: '../node/bin/node' },
  ];
  return [...paths.map(memberOf), ...fixed].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** A release has this file; the scripts then neither install nor build. */
export const releaseFile = 'RELEASE.json';
