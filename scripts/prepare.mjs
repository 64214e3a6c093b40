// Prerequisites of `npm start`, `npm test` and `npm run dev`. Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modules, nodeMajor, npm, pinnedNode, printLine, root, run, StepError } from './run.mjs';

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
/** @param {string} file */
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');

/** Hash of the expected installation: the lock, and the parts of each manifest that npm installs. */
const expectedHash = () => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of ['.', ...readJson('package.json').workspaces]) {
    const { workspaces, dependencies, devDependencies, optionalDependencies, overrides } = readJson(join(folder, 'package.json'));
    hash.update(JSON.stringify([folder, workspaces, dependencies, devDependencies, optionalDependencies, overrides]));
  }
  return hash.digest('hex');
};

/** npm's record of node_modules contains every package of the lock, so `npm install` was run manually. */
const installedByHand = () => {
  if (!existsSync(join(modules, '.package-lock.json'))) return false;
  const have = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(
    ([path, { version, link, optional }]) =>
      path === '' || link || optional || !path.includes('node_modules') || have[path]?.version === version,
  );
};

const pinnedNodeWorks = () => {
  const { status, stdout } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(stdout.slice(1).split('.')[0]) >= nodeMajor;
};

/** The package of the pinned Node leaves headers and documents of 68 MB beside the program. */
const removeNodeHeaders = () => {
  const folder = join(modules, 'node', 'node_modules');
  if (pinnedNodeWorks()) rmSync(folder, { recursive: true, force: true });
};

/** If an npm policy blocks install scripts, the pinned Node has not been downloaded yet. */
const repairPinnedNode = async () => {
  const folder = join(modules, 'node');
  printLine(`Fetching Node ${nodeMajor}…`);
  if (existsSync(folder)) await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder });
  if (!existsSync(pinnedNode)) await npm(['rebuild', 'node', '--ignore-scripts=false', '--no-audit', '--no-fund']);
  if (!pinnedNodeWorks()) {
    throw new StepError(
      `Node ${nodeMajor} could not be installed into node_modules: allow install scripts for the package "node" in npm, or start with Node ${nodeMajor} yourself: node server/src/main.ts.`,
    );
  }
};

/** A release archive is complete: nothing is installed or built in it. */
const isRelease = () => existsSync(join(root, 'RELEASE.json'));

/** Workspaces that `npm start` needs: the server, the console that it builds, and the ships of the demo data. */
export const startWorkspaces = ['server', 'web', 'simulator'];

/** The machine's Node is used if it has the tested major version. */
const runtimeWorkspaces = pinnedNode === process.execPath ? [] : ['runtime'];

/**
 * Arguments of npm. What a start installed is kept and completed, because a server may be running from it.
 * @param {'start' | 'all'} scope
 * @param {boolean} isStarted
 */
const installArguments = (scope, isStarted) => {
  if (scope === 'start') return ['ci', ...[...startWorkspaces, ...runtimeWorkspaces].map((name) => `--workspace=${name}`)];
  return isStarted ? ['install', '--no-save'] : ['ci'];
};

/**
 * Installs the dependencies if they are missing or differ from the lock: those of `npm start`, or all with the tools for work on the code.
 * @param {'start' | 'all'} [scope]
 */
export const ensureInstalled = async (scope = 'all') => {
  if (isRelease()) return;
  const marker = join(modules, '.farlink-installed');
  const hash = expectedHash();
  const [installedHash, installedScope] = readText(marker).split(' ');
  const isCurrent = installedHash === hash;
  if (!isCurrent || (scope === 'all' && installedScope !== 'all')) {
    const isComplete = installedByHand();
    if (!isComplete) {
      printLine('Installing the dependencies…');
      if ((await npm([...installArguments(scope, isCurrent), '--no-audit', '--no-fund', '--loglevel=error'])) !== 0) {
        throw new StepError('The dependencies could not be installed: the reason is printed above.');
      }
    }
    if (!pinnedNodeWorks()) await repairPinnedNode();
    removeNodeHeaders();
    writeFileSync(marker, `${hash} ${isComplete ? 'all' : scope}\n`);
  } else if (!pinnedNodeWorks()) await repairPinnedNode();
};

/**
 * @param {string} folder
 * @returns {string[]}
 */
const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist'].includes(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((entry) => (entry.isDirectory() ? sourcesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();

const webSources = () => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of ['contract', 'gateway', 'portal', 'web'].flatMap(sourcesIn))
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

/** Builds the console if its sources have changed. Returns true if it was built. */
export const ensureWebBuilt = async () => {
  if (isRelease()) return false;
  const marker = join(root, 'web', 'dist', '.built');
  const hash = webSources();
  if (readText(marker) === hash) return false;
  printLine('Building the console…');
  const vite = join(modules, 'vite', 'bin', 'vite.js');
  if ((await run(pinnedNode, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web') })) !== 0) {
    throw new StepError('The console could not be built: the reason is printed above.');
  }
  writeFileSync(marker, `${hash}\n`);
  return true;
};
