import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBroker } from './broker.mjs';
import { ensureBrowser } from './browser.mjs';
import { changedTests } from './changed.mjs';
import { openMemoryFolder } from './memory-folder.mjs';
import { ensurePeers } from './peers.mjs';
import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { main, modules, pinnedNode, printLine, root, run, StepError } from './run.mjs';
import { browserDurations, browserFailures, slowest, unitDurations, unitFailures } from './test-reports.mjs';

/** @typedef {{ passed: number, failed: number }} Count */

const options = new Set(process.argv.slice(2).filter((name) => name.startsWith('--')));
const known = ['--all', '--changed', '--soak'];
const unknown = [...options].filter((name) => !known.includes(name));
const isSoak = options.has('--soak');
const isAll = isSoak || options.has('--all');
if (isSoak) process.env.SOAK = '1';
if (isAll) process.env.TEST_ALL = '1';
// Long runs store more than the memory can hold.
const memoryFolder = isSoak ? undefined : openMemoryFolder();
if (memoryFolder) process.env.TMPDIR = memoryFolder;
const reports = mkdtempSync(join(tmpdir(), 'farlink-reports-'));
const filters = process.argv.slice(2).filter((name) => !options.has(name));
/** Unit tests and stories to run; undefined means all of the tier. */
const chosen = options.has('--changed') ? changedTests() : undefined;
/** A named path runs with all its tests. */
const tier = isAll || filters.length > 0 ? [] : ['--tags-filter=!all'];
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (interrupted = true));

/** @param {string} path @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
const tool = (path, args, env) => run(pinnedNode, [join(modules, path), ...args], { env: { ...process.env, ...env } });

/**
 * Counts of a test report. A run that fails without a failed test (a crash, no tests) counts as one failure.
 * @param {number} code
 * @param {() => Count} read
 * @returns {Count}
 */
const countOf = (code, read) => {
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

/** Repeated at the end, for readers of the last lines only. */
/** @type {import('./test-reports.mjs').Failure[]} */
const failures = [];
/** @type {string[]} */
const second = [];
/** @type {import('./test-reports.mjs').Duration[]} */
const durations = [];

/** @param {readonly string[]} files */
const vitest = async (files) => {
  const file = join(reports, 'unit.json');
  rmSync(file, { force: true });
  const code = await tool('vitest/vitest.mjs', [
    'run',
    ...tier,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...files,
  ]);
  /** @type {import('./test-reports.mjs').Failure[]} */
  let failed = [];
  const count = countOf(code, () => {
    const read = report('unit.json');
    failed = unitFailures(read);
    durations.push(...unitDurations(read));
    return { passed: read.numPassedTests, failed: failed.length };
  });
  return { count, failed };
};

/** A failed file is run once more, alone. If it then passes, it is listed, as in the browser tests. */
const unit = async () => {
  if (chosen?.unit.length === 0) return { passed: 0, failed: 0 };
  const { count, failed } = await vitest(chosen?.unit ?? filters);
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length === 0 || files.length > 5 || interrupted) {
    failures.push(...failed);
    return count;
  }
  printLine(`\n== ${files.length} files failed and are run once more`);
  const again = await vitest(files);
  failures.push(...again.failed);
  second.push(
    ...failed.filter(({ name }) => !again.failed.some((f) => f.name === name)).map(({ file, name, why }) => `${file}: ${name}: ${why}`),
  );
  return { passed: count.passed + count.failed - again.count.failed, failed: again.count.failed };
};

const browser = async () => {
  if (chosen?.stories.length === 0) return { passed: 0, failed: 0 };
  // Node runs TypeScript itself, so the runner need not compile each story again.
  const quick = tier.length > 0 && { TEST_QUICK: '1' };
  const env = {
    ...quick,
    CHROMIUM: await ensureBrowser(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'browser.json'),
    PW_DISABLE_TS_ESM: '1',
  };
  const code = await tool('@playwright/test/cli.js', ['test', '--config', 'e2e', '--reporter=list,json', ...(chosen?.stories ?? [])], env);
  return countOf(code, () => {
    const read = report('browser.json');
    const { expected, unexpected, flaky } = read.stats;
    failures.push(...browserFailures(read));
    durations.push(...browserDurations(read));
    if (flaky > 0) second.push(`${flaky} browser tests: see "flaky" above`);
    return { passed: expected + flaky, failed: unexpected };
  });
};

/** @typedef {[name: string, work: () => Promise<Count>]} Stage */

/** @type {Stage} */
const unitStage = ['unit and module tests', unit];

/** The checkers of a project each resolve the types that they share, so with few cores one of them needs less time than four. */
const oneChecker = availableParallelism() > 2 ? [] : ['--checkers', '1'];

/**
 * The stages of a group run at once. The first group mostly uses one core per program; tests run alone, so that load does not fail them.
 * @type {Stage[][]}
 */
const groups = [
  [
    ['types', async () => check(await tool('typescript/bin/tsc', ['-b', ...oneChecker]))],
    ['lint', async () => check(await tool('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings']))],
    ['layers and cycles', async () => check(await run(pinnedNode, [join(root, 'scripts/check-imports.mjs')]))],
    ['retired names', async () => check(await run(pinnedNode, [join(root, 'scripts/check-names.mjs')]))],
    [
      'console build',
      async () => {
        await ensureWebBuilt();
        return check(0);
      },
    ],
  ],
  [unitStage],
  [['browser tests', browser]],
];

/** @type {string[]} */
const notRun = [];

await main(async () => {
  if (unknown.length > 0) throw new StepError(`Unknown option ${unknown.join(', ')}. Known: ${known.join(', ')}, or paths of tests.`);
  await ensureInstalled();
  if (filters.length === 0) {
    process.env.MOSQUITTO = await ensureBroker();
    notRun.push(...(await ensurePeers()));
    if (!process.env.TEST_CITUS_URL) notRun.push('tests on Citus (set TEST_CITUS_URL to a database of its coordinator)');
    if (process.env.TEST_CITUS_FAULTS !== 'on') notRun.push('tests that stop workers of Citus (set TEST_CITUS_FAULTS=on, run them alone)');
    await ensureBrowser();
  }
  /** @type {Count} */
  const total = { passed: 0, failed: 0 };
  const times = [];
  /** @param {Stage} stage */
  const runStage = async ([name, work]) => {
    const begun = performance.now();
    const count = await work().catch((error) => {
      printLine(String(error.message));
      return check(1);
    });
    total.passed += count.passed;
    total.failed += count.failed;
    return `${name.padEnd(24)}${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s   ${count.passed} passed, ${count.failed} failed`;
  };
  for (const group of filters.length > 0 ? [[unitStage]] : groups) {
    if (interrupted) break;
    printLine(`\n== ${group.map(([name]) => name).join(', ')}`);
    times.push(...(await Promise.all(group.map(runStage))));
  }
  if (durations.length > 0) printLine(`\nslowest\n${slowest(durations).join('\n')}`);
  for (const line of second) printLine(`passed only at the second attempt: ${line}`);
  for (const { file, name, why } of failures) printLine(`failed: ${file}: ${name}: ${why}`);
  for (const what of notRun) printLine(`could not run: ${what}`);
  printLine(`\n${times.join('\n')}\n`);
  if (interrupted) total.failed += 1;
  printLine(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}).finally(() => rmSync(memoryFolder ?? reports, { recursive: true, force: true }));
