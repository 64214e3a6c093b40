import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { leanClient } from './lean-client.ts';
import { allCases, allPairs, type Get, pageSize } from './list/cases.ts';
import { timeLogin, walkPages } from './list/pages.ts';
import { type Timed, walkLists } from './list/walk.ts';
import { runInTurns, Turn, table } from './measure.ts';
import { signInAt } from './test-server.ts';
import { openWorld, startOnWorld } from './world/open.ts';
import { largeVno } from './world/tables.ts';

const limitMs = 100;
const leftOut =
  'Not measured, because this world has no rows for them: audit lists other than visited sites, portals, firmware, configuration campaigns, charts of one device.';
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const baselineFile = fileURLToPath(new URL('list/baseline.ts', import.meta.url));

const startBaseline = async (url: string) => {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query<{ id: string }>(`select id from agent where path like '/1/${largeVno.id}/%'`);
  await pool.end();
  const env = { ...process.env, DATABASE_URL: url, BRANCH: JSON.stringify(rows.map(({ id }) => Number(id))) };
  const child = spawn(process.execPath, [baselineFile], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = chunk.toString().match(/Address:\s+(\S+)/)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error('the baseline handler ended')));
  });
  const { get, close } = leanClient(base, '');
  const stop = () => {
    close();
    child.removeAllListeners('exit').kill();
  };
  return { get, stop };
};

/** The same page of accounts from the server and from a hand-written handler. */
const compared = [
  { what: 'first page', query: '', baseline: 'first?', target: 0.6 },
  { what: 'status=normal', query: '&status=normal', baseline: 'status?value=normal', target: 0.5 },
  { what: 'status=frozen', query: '&status=frozen', baseline: 'status?value=frozen', target: 0.5 },
  { what: 'account_source=counter', query: '&account_source=counter', baseline: 'account_source?value=counter', target: 0.5 },
];

const compareWithBaseline = async (callers: Readonly<Record<'platform' | 'vno', Get>>, baseline: Get) => {
  const lines: [string, string, string][] = [];
  for (const { what, query, baseline: path, target } of compared) {
    for (const [role, get] of Object.entries(callers)) {
      const ours = new Turn(async () => void (await get(`user?lang=zh&limit=${pageSize}${query}`)));
      const baselineTurn = new Turn(async () => void (await baseline(`${path}&scope=${role}`)));
      await runInTurns([ours, baselineTurn], 4);
      const ratio = ours.measured.perSecond / baselineTurn.measured.perSecond;
      const rates = `${ours.measured.perSecond.toFixed(0)} / ${baselineTurn.measured.perSecond.toFixed(0)} = ${ratio.toFixed(2)}`;
      lines.push([`${what}, ${role}`, rates, `target >= ${target.toFixed(2)}`]);
    }
  }
  table('accounts, requests/s of the server and of a plain Fastify + pg handler, eight callers', lines);
};

const cell = (timed: Timed | undefined) => (timed ? `${timed.p50.toFixed(0)} / ${timed.p95.toFixed(0)}` : '-').padStart(12);

/** With `slowOnly`, for walks of thousands of cases. */
const printWalk = (title: string, platform: readonly Timed[], vno: readonly Timed[], slowOnly = false) => {
  const below = new Map(vno.map((timed) => [timed.name, timed]));
  const names = [...new Set([...platform, ...vno].map(({ name }) => name))];
  const above = new Map(platform.map((timed) => [timed.name, timed]));
  const slow = names.filter((name) => Math.max(above.get(name)?.p95 ?? 0, below.get(name)?.p95 ?? 0) > limitMs);
  process.stdout.write(`\n${`${title}, p50 / p95 ms, one caller`.padEnd(70)}    platform   VNO, 20 %\n`);
  for (const name of slowOnly ? slow : names) {
    process.stdout.write(`${slow.includes(name) ? '!' : ' '} ${name.padEnd(68)}${cell(above.get(name))}${cell(below.get(name))}\n`);
  }
  process.stdout.write(`${slow.length} of ${names.length} above ${limitMs} ms\n`);
};

/**
 * Dashboard, login, details of a row, and every list, sort, filter, pair of both and option of the console, with 1,000,000 accounts, 100,000 devices
 * and 2,000 VNOs. BENCH_DATA keeps the data in a folder. BENCH_LISTS (a pattern) selects lists by path.
 */
export const benchList = async () => {
  const { testServer, url } = await openWorld();
  try {
    const server = await startOnWorld(url, testServer.folder);
    const vno = await signInAt(server.base, largeVno.username);
    const only = process.env.BENCH_LISTS ? new RegExp(process.env.BENCH_LISTS) : undefined;
    try {
      for (const { post } of [server, vno]) await post('audit/reason', { page: 'networkURL', reason: 'Measurement of lists' });
      printWalk('dashboard, details', await walkPages(server.get, limitMs, only), await walkPages(vno.get, limitMs, only));
      const walk = async (get: Get, casesOf: typeof allCases) => walkLists(get, await casesOf(get, only), limitMs);
      printWalk('lists', await walk(server.get, allCases), await walk(vno.get, allCases));
      printWalk('pairs of filter and sort', await walk(server.get, allPairs), await walk(vno.get, allPairs), true);
      const baseline = await startBaseline(url);
      await compareWithBaseline({ platform: server.get, vno: vno.get }, baseline.get);
      baseline.stop();
      // Last, because a login may end the session of the same account.
      const platform = await timeLogin(server.base, 'admin', limitMs);
      const below = await timeLogin(server.base, largeVno.username, limitMs);
      printWalk('login', platform ? [platform] : [], below ? [below] : []);
      printLine(leftOut);
    } finally {
      vno.close();
      await server.stop();
    }
  } finally {
    await testServer.close();
  }
};
