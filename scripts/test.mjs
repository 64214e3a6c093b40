import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { main, modules, pinnedNode, run, say } from './run.mjs';

/** @typedef {{ passed: number, failed: number }} Count */

const reports = mkdtempSync(join(tmpdir(), 'farlink-reports-'));
const filters = process.argv.slice(2);
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = true));

/** @param {string} path @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
const tool = (path, args, env) => run(pinnedNode, [join(modules, path), ...args], { env: { ...process.env, ...env } });

/**
 * What a run of tests says in its report. One that ended badly without a failed test to show (it crashed, it found nothing) failed once.
 * @param {number} code
 * @param {() => Count} read
 * @returns {Count}
 */
const counted = (code, read) => {
  /** @type {Count} */
  let count = { passed: 0, failed: 0 };
  try {
    count = read();
  } catch {}
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
};

/** @param {string} file */
const report = (file) => JSON.parse(readFileSync(join(reports, file), 'utf8'));

/** @param {number} code */
const check = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

const unit = async () => {
  const file = join(reports, 'unit.json');
  const code = await tool('vitest/vitest.mjs', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters]);
  return counted(code, () => {
    const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = report('unit.json');
    const broken = testResults.filter(
      (/** @type {{ status: string, assertionResults: unknown[] }} */ r) => r.status === 'failed' && r.assertionResults.length === 0,
    );
    return { passed: numPassedTests, failed: numFailedTests + (numFailedTestSuites > 0 ? broken.length : 0) };
  });
};

const browser = async () => {
  const env = { CHROMIUM: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'browser.json') };
  const code = await tool('@playwright/test/cli.js', ['test', '--config', 'e2e', '--reporter=list,json'], env);
  return counted(code, () => {
    const { expected, unexpected, flaky } = report('browser.json').stats;
    if (flaky > 0) say(`${flaky} browser tests passed at the second try only: see "flaky" above.`);
    return { passed: expected + flaky, failed: unexpected };
  });
};

/** @type {[name: string, work: () => Promise<Count>][]} */
const stages = [
  ['types', async () => check(await tool('typescript/bin/tsc', ['-b']))],
  ['lint and boundaries', async () => check(await tool('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings']))],
  ['unit and module tests', unit],
  [
    'console build',
    async () => {
      await ensureWebBuilt();
      return check(0);
    },
  ],
  ['browser tests', browser],
];

await main(async () => {
  await ensureInstalled();
  if (filters.length === 0) await ensureBrowser();
  /** @type {Count} */
  const total = { passed: 0, failed: 0 };
  const times = [];
  for (const [name, work] of filters.length > 0 ? stages.filter(([n]) => n.startsWith('unit')) : stages) {
    if (interrupted) break;
    say(`\n== ${name}`);
    const begun = performance.now();
    const count = await work().catch((error) => {
      say(String(error.message));
      return check(1);
    });
    total.passed += count.passed;
    total.failed += count.failed;
    times.push(
      `${name.padEnd(24)}${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s   ${count.passed} passed, ${count.failed} failed`,
    );
  }
  say(`\n${times.join('\n')}\n`);
  if (interrupted) total.failed += 1;
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}).finally(() => rmSync(reports, { recursive: true, force: true }));
