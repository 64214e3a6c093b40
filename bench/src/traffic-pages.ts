import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { Pool } from 'pg';
import { systemClock } from '../../server/src/kit/clock.ts';
import { table } from './measure.ts';
import { openTestServer, type Server, signInAt, startServer, type TestServer } from './test-server.ts';
import { ingestLoss } from './traffic.ts';
import { baselineDashboard } from './traffic-pages/dashboard.ts';
import { copyRange, exportRange } from './traffic-pages/export.ts';
import { filledRange, fillTraffic, rowsOfHour, type Size } from './traffic-pages/fill.ts';
import { type Case, casesOf, type Range, type Readers } from './traffic-pages/pages.ts';
import { makeLargeVno, quiet } from './world/open.ts';
import { largeVno } from './world/tables.ts';

const many: Size = { gateways: Number(process.env.BENCH_GATEWAYS ?? 1000), days: Number(process.env.BENCH_DAYS ?? 84) };
const few: Size = { ...many, gateways: Math.max(3, Math.round(many.gateways / 100)) };
const only = process.env.BENCH_CASES ? new RegExp(process.env.BENCH_CASES) : undefined;
const rounds = 31;
const baselineRounds = 11;
const exportedRows = 1_000_000;

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const p50 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const ms = (n: number) => (n < 10 ? n.toFixed(1) : n.toFixed(0));

const timed = async (once: () => Promise<unknown>) => {
  const begun = performance.now();
  await once();
  return performance.now() - begun;
};

const nameOf = ({ gateways, days }: Size) => `traffic_${gateways}_${days}`;

/** New weeks have no statistics: the planner expects one row of them, and would join their sums in nested loops. */
const fillOptions = '-c enable_nestloop=off -c work_mem=256MB -c maintenance_work_mem=1GB -c synchronous_commit=off';

/** A database with a VNO and traffic. It gets its final name when it is complete. */
const makeDatabase = async (testServer: TestServer, size: Size) => {
  const name = nameOf(size);
  if (await testServer.findDatabase(name)) return;
  const draft = `${name}_draft`;
  await testServer.dropDatabase(draft);
  const url = await testServer.newDatabase(draft);
  const server = await startServer(url, testServer.folder, quiet);
  await makeLargeVno(server);
  await server.stop();
  const pool = new Pool({ connectionString: url, max: 2, options: fillOptions });
  const begun = performance.now();
  const rows = await fillTraffic(pool, size, systemClock.now());
  printLine(
    `${name}: ${size.gateways} gateways, ${size.days} days, ${rows} reported rows, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  await pool.end();
  await testServer.renameDatabase(draft, name);
};

interface Side {
  readonly pool: Pool;
  readonly server: Server;
  readonly readers: Readers;
  readonly range: Range;
  readonly close: () => Promise<void>;
}

const openSide = async (testServer: TestServer, size: Size): Promise<Side> => {
  const url = (await testServer.findDatabase(nameOf(size))) ?? '';
  const server = await startServer(url, testServer.folder, quiet);
  const vno = await signInAt(server.base, largeVno.username);
  const pool = new Pool({ connectionString: url, max: 2 });
  const close = async () => {
    vno.close();
    await pool.end();
    await server.stop();
  };
  return { pool, server, readers: { platform: server.get, vno: vno.get }, range: await filledRange(pool), close };
};

interface Result {
  readonly few: number;
  readonly many: number;
  readonly baseline: number;
}

/** In turns, so that other load affects all three equally. */
const measureCase = async (one: Case, small: Side, large: Side): Promise<Result> => {
  const smallRows = await one.count(small.pool);
  const largeRows = await one.count(large.pool);
  const times = { few: [] as number[], many: [] as number[], baseline: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const [first, second, third] = [
      await timed(() => one.request(small.readers, smallRows)),
      await timed(() => one.request(large.readers, largeRows)),
      // Slow references are measured three times.
      round < 3 || (round < baselineRounds && p50(times.baseline) < 500)
        ? await timed(() => one.baseline(large.pool, largeRows))
        : undefined,
    ];
    // The first round warms up.
    if (round === 0) continue;
    times.few.push(first);
    times.many.push(second);
    if (third !== undefined) times.baseline.push(third);
  }
  return { few: p50(times.few), many: p50(times.many), baseline: p50(times.baseline) };
};

const measurePages = async (small: Side, large: Side) => {
  const results = new Map<string, Result>();
  printLine(`\n${'p50 ms, one caller'.padEnd(48)}        few      many     ratio SQL, many`);
  for (const one of casesOf(large.range).filter(({ name }) => !only || only.test(name))) {
    const result = await measureCase(one, small, large);
    results.set(one.name, result);
    const ratio = result.many / result.few;
    const cells = [ms(result.few), ms(result.many), `${ratio.toFixed(2)}x`, ms(result.baseline)].map((cell) => cell.padStart(9));
    printLine(`${one.kind !== 'sums' && ratio > 1.3 ? '!' : ' '} ${one.name.padEnd(46)}${cells.join(' ')}`);
  }
  for (const reader of only ? [] : ['platform', 'vno']) {
    const of = (kind: string) => results.get(`business DPI, ${reader}, ${kind}`)?.many ?? 0;
    printLine(`biggest against newest, business DPI, ${reader}: ${(of('biggest') / of('newest')).toFixed(2)}x`);
  }
};

/** The first figures after a start of the database, and the median of the next ten. */
const measureDashboard = async (folder: string) => {
  const first = await openTestServer(folder);
  const pool = new Pool({ connectionString: (await first.findDatabase(nameOf(many))) ?? '', max: 2 });
  // The database may stop before the connections are closed.
  pool.on('error', () => {});
  const today = dayStart(systemClock.now());
  await pool.query('select 1');
  const baselineCold = await timed(() => baselineDashboard(pool, today));
  await pool.end();
  await first.close();
  const second = await openTestServer(folder);
  const large = await openSide(second, many);
  const lines: [string, string, string?][] = [['two traffic figures by plain SQL, cold', `${ms(baselineCold)} ms`]];
  for (const [caller, get] of Object.entries(large.readers)) {
    const cold = await timed(() => get('home/summary?lang=zh'));
    const warm: number[] = [];
    for (let i = 0; i < 10; i++) warm.push(await timed(() => get('home/summary?lang=zh')));
    lines.push(
      [`all figures, ${caller}, cold`, `${ms(cold)} ms`, 'target < 200 ms'],
      [`all figures, ${caller}, warm`, `${ms(p50(warm))} ms`],
    );
  }
  table('dashboard', lines);
  return { testServer: second, large };
};

const measureIngest = async (testServer: TestServer) => {
  await testServer.dropDatabase('traffic_ingest');
  const loss = await ingestLoss(await testServer.newDatabase('traffic_ingest'));
  table('ingest with and without marks of the rollup', [
    ['rows/s without and with', `${loss.plainRate.toFixed(0)} / ${loss.markedRate.toFixed(0)}`],
    ['loss', `${(100 * loss.loss).toFixed(1)} %`, 'target < 10 %'],
  ]);
};

const measureExport = async ({ server, pool, range: { end } }: Side) => {
  const perHour = many.gateways * (rowsOfHour - 8);
  const range = { start: end + 1 - Math.min(many.days * 24, Math.ceil(exportedRows / perHour)) * 3600, end };
  await copyRange(pool, range);
  const copyMs = await copyRange(pool, range);
  const first = await exportRange(server, range);
  const second = await exportRange(server, range);
  const ratio = Math.min(first.ms, second.ms) / copyMs;
  table(`export of ${second.rows} rows of business DPI`, [
    ['COPY of the same rows', `${ms(copyMs)} ms`],
    ['export, first and second', `${ms(first.ms)} / ${ms(second.ms)} ms`],
    ['ratio', `${ratio.toFixed(2)}x`, 'target <= 3x'],
    ['memory growth, first and second', `${first.growthMb.toFixed(0)} / ${second.growthMb.toFixed(0)} MB`],
  ]);
};

/**
 * Traffic pages on a table of BENCH_GATEWAYS gateways and on one of a hundredth, BENCH_DAYS days each. A gateway reports 28 rows an hour.
 * With BENCH_DATA, the tables are kept in that folder and filled once. BENCH_CASES (a pattern) selects pages by name.
 */
export const benchTrafficPages = async () => {
  const folder = process.env.BENCH_DATA ?? mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  const first = await openTestServer(folder);
  await makeDatabase(first, few);
  await makeDatabase(first, many);
  await first.close();
  const { testServer, large } = await measureDashboard(folder);
  const small = await openSide(testServer, few);
  await measurePages(small, large);
  if (!only) await measureExport(large);
  await small.close();
  await large.close();
  if (!only) await measureIngest(testServer);
  await testServer.close();
  if (!process.env.BENCH_DATA) rmSync(folder, { recursive: true, force: true });
};
