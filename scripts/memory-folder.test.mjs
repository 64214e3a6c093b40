import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openMemoryFolder } from './memory-folder.mjs';

const openParent = () => {
  const parent = mkdtempSync(join(tmpdir(), 'farlink-memory-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
};

/** A process that waits until it is ended. */
const openProcess = () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, child, ended };
};

test('the folder of a test run is named after its process', () => {
  const parent = openParent();
  const folder = openMemoryFolder({ parent, neededBytes: 0 });
  expect(folder).toBe(join(parent, `farlink-tests-${process.pid}`));
  expect(existsSync(folder ?? '')).toBe(true);
});

test('there is no folder if the memory is not sufficient or missing', () => {
  const parent = openParent();
  expect(openMemoryFolder({ parent, neededBytes: Number.MAX_SAFE_INTEGER })).toBeUndefined();
  expect(openMemoryFolder({ parent: join(parent, 'missing'), neededBytes: 0 })).toBeUndefined();
});

test('the folder of a killed run is removed and its database is ended, a running one is kept', async () => {
  const parent = openParent();
  const killed = openProcess();
  const running = openProcess();
  const database = openProcess();
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [killedFolder, runningFolder] = [killed, running].map(({ pid }) => join(parent, `farlink-tests-${pid}`));
  if (!killedFolder || !runningFolder) throw new Error('no folders');
  mkdirSync(join(killedFolder, 'farlink-test-1', 'cluster'), { recursive: true });
  writeFileSync(join(killedFolder, 'farlink-test-1', 'cluster', 'postmaster.pid'), `${database.pid}\n/cluster\n`);
  mkdirSync(runningFolder);
  openMemoryFolder({ parent, neededBytes: 0 });
  const [, signal] = await database.ended;
  expect(signal).toBe('SIGQUIT');
  expect(existsSync(killedFolder)).toBe(false);
  expect(existsSync(runningFolder)).toBe(true);
});
