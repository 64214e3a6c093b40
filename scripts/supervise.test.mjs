/** @module-tag all */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'farlink-supervise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const supervisor = JSON.stringify(new URL('supervise.mjs', import.meta.url).href);

/**
 * Runs a server, passed as code, under the supervisor. `life` is the number of its start, from 1.
 * @param {string} code
 * @param {number} [calmMs]
 */
const start = (code, calmMs = 60_000) => {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  writeFileSync(
    file,
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const note = process.argv[1] + '.life';
    const life = existsSync(note) ? Number(readFileSync(note, 'utf8')) + 1 : 1;
    writeFileSync(note, String(life));
    console.log('life ' + life);
    const ready = () => new Promise((sent) => process.send('ready', sent));
    ${code}`,
  );
  const timing = `{ firstPauseMs: 20, longestPauseMs: 50, calmMs: ${calmMs} }`;
  const main = `import { supervise } from ${supervisor};
    process.exitCode = await supervise(process.execPath, [${JSON.stringify(file)}], {}, ${timing});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', main], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
  return { child, output: () => output, ended: once(child, 'close').then(([exit]) => exit) };
};

test('a server that crashes is started again, each time after a longer pause, until it stops cleanly', async () => {
  const { output, ended } = start(`await ready();
    if (life === 1) throw new Error('crash');
    if (life === 2) process.kill(process.pid, 'SIGKILL');
    if (life === 3) process.exit(7);`);
  expect(await ended).toBe(0);
  expect(output().match(/life \d/g)).toEqual(['life 1', 'life 2', 'life 3', 'life 4']);
  expect(output().match(/ended unexpectedly \(exit code \d+\)\. It starts again in [\d.]+ s/g)).toEqual([
    'ended unexpectedly (exit code 1). It starts again in 0.02 s',
    'ended unexpectedly (exit code 137). It starts again in 0.04 s',
    'ended unexpectedly (exit code 7). It starts again in 0.05 s',
  ]);
});

test('after a time of service without a crash the pause is the first one again; a slow start does not count', async () => {
  const { output, ended } = start(
    `const live = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    if (life === 2) await live(450);
    await ready();
    if (life === 3) await live(450);
    if (life < 4) process.exit(7);`,
    400,
  );
  expect(await ended).toBe(0);
  expect(output().match(/again in [\d.]+ s/g)).toEqual(['again in 0.02 s', 'again in 0.04 s', 'again in 0.02 s']);
});

test('a first start that fails is final, and its exit code is the answer', async () => {
  const { output, ended } = start(`console.error('PORT must be a whole number.'); process.exit(3);`);
  expect(await ended).toBe(3);
  expect(output()).toBe('life 1\nPORT must be a whole number.\n');
});

test('a signal ends the server in any state, and it is not restarted', async () => {
  const { child, output, ended } = start(`process.on('SIGTERM', () => process.exit(1));
    setInterval(() => {}, 1000);
    await ready();
    console.log('is ready');`);
  await expect.poll(output).toContain('is ready');
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(output()).toBe('life 1\nis ready\n');
});
