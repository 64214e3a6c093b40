import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const modules = join(root, 'node_modules');
export const windows = process.platform === 'win32';

/** Major version that the tests run with. */
export const nodeMajor = 24;
const installedNode = windows ? join(modules, 'node', 'bin', 'node.exe') : join(modules, '.bin', 'node');
const isTestedMajor = Number(process.versions.node.split('.')[0]) === nodeMajor;
/** The Node of the lock, or that of the machine if it has the same major version and none was installed. */
export const pinnedNode = isTestedMajor && !existsSync(installedNode) ? process.execPath : installedNode;

/** Arguments of Node. V8 would keep 64 MB for new objects; with 16 MB an idle server needs 80 MB less, and a busy one is as fast. */
export const serverArguments = ['--max-semi-space-size=16', 'server/src/main.ts'];

// Compiled code is kept for the next start, which is then about three seconds faster. A folder that cannot be written is ignored.
process.env.NODE_COMPILE_CACHE ??= join(modules, '.cache', 'compiled');

const parent = process.ppid;
/**
 * npm sends a signal only to its shell, so the end of the shell is the only sign of a stop. Without npm, a server outlives the terminal
 * that started it.
 */
export const npmEnded = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent;

/** @param {string} line */
export const printLine = (line) => process.stdout.write(`${line}\n`);

/** A failed step; its message is one sentence for the user. */
export class StepError extends Error {}

/**
 * Runs a program with the same standard streams, forwards signals and returns its exit code.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {{ signal?: () => void, message?: (message: unknown) => void }} [events]
 * @returns {Promise<number>}
 */
export const run = (file, args, options = {}, events = {}) =>
  new Promise((done, fail) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options });
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      events.signal?.();
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    const watch = setInterval(() => npmEnded() && forward('SIGTERM'), 500);
    child.on('message', (message) => events.message?.(message));
    const stopForwarding = () => {
      clearInterval(watch);
      for (const signal of signals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      stopForwarding();
      fail(error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      done(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });

/**
 * Runs npm with the system's own Node, because npm may replace the pinned one.
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
export const npm = (args, cwd = root) => {
  const separator = windows ? ';' : ':';
  const path = (process.env.PATH ?? '')
    .split(separator)
    .filter((folder) => !`${folder}${sep}`.startsWith(`${modules}${sep}`))
    .join(separator);
  // Settings of the outer npm call, such as its folder, would override ours.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_local_prefix|package_|lifecycle_|command)/.test(name)),
  );
  return run(windows ? 'npm.cmd' : 'npm', args, { cwd, shell: windows, env: { ...env, PATH: path } });
};

/**
 * Runs a script; an error is reported as one sentence.
 * @param {() => Promise<number>} work
 */
export const main = async (work) => {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
};
