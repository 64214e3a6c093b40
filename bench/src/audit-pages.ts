import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { systemClock } from '../../server/src/kit/clock.ts';
import { accountsOf, days, devicesOf, fillVisits, macOf } from './audit-pages/fill.ts';
import { openTestServer, signInAt, startServer, type TestServer } from './test-server.ts';
import { makeLargeVno, quiet } from './world/open.ts';
import { largeVno } from './world/tables.ts';

const few = 1_000_000;
/** The complete measurement takes BENCH_ROWS=50000000 and 40 GB. */
const many = Number(process.env.BENCH_ROWS ?? 5_000_000);
const rounds = 15;

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const p50 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const makeDatabase = async (testServer: TestServer, name: string, rows: number) => {
  const url = await testServer.newDatabase(name);
  const server = await startServer(url, testServer.folder, quiet);
  await makeLargeVno(server);
  await server.stop();
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`set maintenance_work_mem = '1GB'`);
  const begun = performance.now();
  await fillVisits(pool, rows, systemClock.now());
  printLine(`${name}: ${rows} rows, ${days} days, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  await pool.end();
};

const openSide = async (testServer: TestServer, name: string, rows: number) => {
  const server = await startServer((await testServer.findDatabase(name)) ?? '', testServer.folder, quiet);
  const vno = await signInAt(server.base, largeVno.username);
  for (const { post } of [server, vno]) await post('audit/reason', { page: 'networkURL', reason: 'Measurement of lists' });
  const close = async () => {
    vno.close();
    await server.stop();
  };
  return { rows, readers: { platform: server.get, vno: vno.get }, close };
};

type Side = Awaited<ReturnType<typeof openSide>>;
type Reader = keyof Side['readers'];
type Query = Readonly<Record<string, string | number>>;

/** Filters of a page. `n` differs for each request, so that no reply comes from a cache. */
const filters: Readonly<Record<string, (side: Side, n: number) => Query>> = {
  'newest, 7 days': () => ({}),
  'page 500': () => ({ page: 500 }),
  'one hour in the middle': (_, n) => {
    const at = systemClock.now() - (40 + n) * 86_400;
    return { create_at_start: at - 3600, create_at_end: at };
  },
  'account, 84 days': ({ rows }, n) => ({ account: `u${(n * 7919) % accountsOf(rows)}`, ...wide() }),
  'MAC, 84 days': ({ rows }, n) => ({ mac: macOf((n * 7919) % accountsOf(rows)), ...wide() }),
  'device, 84 days': ({ rows }, n) => ({ device_id: 1 + ((n * 31) % devicesOf(rows)), ...wide() }),
  'host, 84 days': (_, n) => ({ host: `www${n}.example.com`, ...wide() }),
};
const wide = () => ({ create_at_start: systemClock.now() - days * 86_400, create_at_end: systemClock.now() });

const timeRequest = async (side: Side, reader: Reader, filter: string, n: number) => {
  const query = Object.entries({ page: 1, limit: 20, lang: 'zh', ...filters[filter]?.(side, n) });
  const path = `audit/url?${query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
  const begun = performance.now();
  const reply: { code: number; data: { list: readonly unknown[] } } = JSON.parse(await side.readers[reader](path));
  if (reply.code !== 0) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return { ms: performance.now() - begun, rows: reply.data.list.length };
};

/** In turns, so that other load affects both equally. */
const measure = async (small: Side, large: Side, reader: Reader, filter: string) => {
  const [first, second]: [number[], number[]] = [[], []];
  let shown = 0;
  for (let n = 0; n <= rounds; n++) {
    const one = await timeRequest(small, reader, filter, n);
    const other = await timeRequest(large, reader, filter, n);
    // The first round warms up.
    if (n === 0) continue;
    first.push(one.ms);
    second.push(other.ms);
    shown += other.rows;
  }
  const a = p50(first);
  const b = p50(second);
  const cells = [a.toFixed(1), b.toFixed(1), `${(b / a).toFixed(2)}x`, Math.max(...second).toFixed(0), (shown / rounds).toFixed(0)];
  printLine(`${b / a > 1.3 ? '!' : ' '} ${`${reader}, ${filter}`.padEnd(40)}${cells.map((cell) => cell.padStart(9)).join('')}`);
};

/** npm run bench -- audit-pages: visited sites on a table of 1 M rows and on one of BENCH_ROWS rows. */
export const benchAuditPages = async () => {
  const folder = process.env.BENCH_DATA ?? mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  const testServer = await openTestServer(folder);
  if (!(await testServer.findDatabase('audit_few'))) await makeDatabase(testServer, 'audit_few', few);
  if (!(await testServer.findDatabase('audit_many'))) await makeDatabase(testServer, 'audit_many', many);
  const small = await openSide(testServer, 'audit_few', few);
  const large = await openSide(testServer, 'audit_many', many);
  printLine(`\n${'p50 ms, one caller'.padEnd(42)}${['few', 'many', 'ratio', 'max', 'rows'].map((head) => head.padStart(9)).join('')}`);
  for (const reader of ['platform', 'vno'] as const) for (const filter of Object.keys(filters)) await measure(small, large, reader, filter);
  await small.close();
  await large.close();
  await testServer.close();
  if (!process.env.BENCH_DATA) rmSync(folder, { recursive: true, force: true });
};
