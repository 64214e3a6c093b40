/** @module-tag all */
import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import { errors } from '@farlink/contract/errors.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { startPair } from '../../../test/standby.ts';
import { makeBranches } from '../../../test/world.ts';
import { openDatabase } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { logExports } from '../../modules/log/export-log.ts';
import { exportJobs } from '../export/export-job.ts';
import { openMetrics } from '../http/metrics.ts';
import { startJobs } from '../jobs/job-runner.ts';
import { type OpenReplica, openReplica } from './read-replica.ts';

let pair: Awaited<ReturnType<typeof startPair>>;
let api: Api;
let replica: OpenReplica;
let admin: Caller;
let east: Caller;
let eastId: number;
let standby: Client;

const soon = { timeout: 30_000, interval: 50 };
const isUsed = async () => {
  await replica.check();
  return replica.state.is_used;
};
/** The standby has everything that is committed now. */
const caughtUp = async () => {
  await expect.poll(isUsed, soon).toBe(true);
  await expect.poll(() => replica.poolForExport().then(Boolean), soon).toBe(true);
};

/** Starts the standby, and connects to it. */
const openStandby = async () => {
  const readUrl = await pair.start();
  standby = new Client({ connectionString: readUrl });
  await standby.connect();
  return readUrl;
};

beforeAll(async () => {
  pair = await startPair();
  const { pool } = await openDatabase(pair.url);
  await migrate(pool);
  await pool.query("insert into installation (key_mark, create_at) values ('mark', 1)");
  await pool.end();
  const readUrl = await openStandby();
  api = await startApi({ DATABASE_URL: pair.url, DATABASE_READ_URL: readUrl });
  if (!api.replica) throw new Error('no replica');
  replica = api.replica;
  ({ admin, east, eastId } = await makeBranches(api));
}, 120_000);
afterAll(async () => {
  await standby?.end().catch(() => {});
  await api?.close();
  await pair?.close();
}, 60_000);

const addPrefix = async (by: Caller, prefix: string) =>
  expect((await by.call(prefixCalls.create, { vno_id: eastId, prefix })).code).toBe(0);
/** Whether the operator log that the caller reads has a line about this prefix. */
const sees = async (by: Caller, prefix: string) => {
  const { data } = await by.call(logCalls.own, { page: 1, limit: 50 });
  return JSON.stringify(data.list).includes(prefix);
};

test('a list is read from the replica, and a session sees its own change at once', async () => {
  const other = await api.login('admin');
  await caughtUp();
  await standby.query('select pg_wal_replay_pause()');
  try {
    await addPrefix(admin, 'QW');
    expect(await sees(admin, 'QW')).toBe(true);
    // The other session has written nothing since, so the replica without the change is new enough for it.
    expect(await sees(other, 'QW')).toBe(false);
    expect(await replica.poolForExport()).toBeUndefined();
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
  await expect.poll(() => sees(other, 'QW'), soon).toBe(true);
});

test('a refused change is visible at once in the operator log', async () => {
  await caughtUp();
  await standby.query('select pg_wal_replay_pause()');
  try {
    const total = async () => (await admin.call(logCalls.own, { page: 1, limit: 10 })).data.total;
    const before = await total();
    expect((await admin.call(prefixCalls.remove, { id: 999_999 })).code).toBe(errors.not_found.code);
    expect(await total()).toBe(before + 1);
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
});

test('audit data is read from the replica, and the access is logged in the primary', async () => {
  expect((await admin.call(auditAccessLogCalls.giveReason, { page: 'networkURL', reason: 'check of the replica' })).code).toBe(0);
  await caughtUp();
  expect((await admin.call(auditUrlCalls.list, { page: 1, limit: 10 })).code).toBe(0);
  // A write to the replica would have failed, and the replica would not be used any more.
  expect(replica.state.is_used).toBe(true);
  const { data } = await admin.call(auditAccessLogCalls.list, { page: 1, limit: 10 });
  expect(data.list).toMatchObject([{ reason: 'check of the replica' }]);
});

test('a replica that is more than ten seconds behind is not used until it has caught up', async () => {
  const other = await api.login('admin');
  await caughtUp();
  await standby.query('select pg_wal_replay_pause()');
  const now = performance.now.bind(performance);
  try {
    await addPrefix(admin, 'LA');
    expect(await isUsed()).toBe(true);
    expect(await sees(other, 'LA')).toBe(false);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
    expect(await isUsed()).toBe(false);
    expect(replica.state.lag_s).toBeGreaterThan(10);
    expect(await sees(other, 'LA')).toBe(true);
  } finally {
    vi.restoreAllMocks();
    await standby.query('select pg_wal_replay_resume()');
  }
  await caughtUp();
});

/** Exports the operator log. Returns the numbers of rows of the file and of the list. */
const exportOwnLog = async () => {
  await admin.call(logCalls.export, { format: 'csv' });
  const { total } = (await admin.call(logCalls.own, { page: 1, limit: 10 })).data;
  await expect.poll(isUsed, soon).toBe(true);
  const runner = startJobs(api.deps, exportJobs(logExports), { pollMs: 0 });
  await runner.tick();
  await runner.stop();
  const { row_count } = await api.db.selectFrom('export_task').select('row_count').orderBy('id', 'desc').executeTakeFirstOrThrow();
  return { row_count, total };
};

test('an export is read from the replica and includes all earlier changes', async () => {
  await addPrefix(admin, 'EX');
  const opened = vi.spyOn(replica, 'poolForExport');
  const { row_count, total } = await exportOwnLog();
  expect(await opened.mock.results[0]?.value).toBeDefined();
  expect(row_count).toBe(total);
  expect(replica.state.is_used).toBe(true);
});

test('an export whose replica stops is read from the primary', async () => {
  await caughtUp();
  const { poolForExport } = replica;
  const opened = vi.spyOn(replica, 'poolForExport').mockImplementation(async () => {
    const pool = await poolForExport();
    await standby.end();
    await pair.stop();
    return pool;
  });
  const { row_count, total } = await exportOwnLog();
  expect(await opened.mock.results[0]?.value).toBeDefined();
  expect(row_count).toBe(total);
  expect(replica.state.is_used).toBe(false);
  await openStandby();
});

test('the replica refuses writes, and a server that is not a standby is not used', async () => {
  const session = admin.session;
  const row = await api.db
    .selectFrom('session')
    .select('id')
    .where('customer_id', '=', session?.uid ?? 0)
    .executeTakeFirstOrThrow();
  await caughtUp();
  const db = await replica.dbFor(row.id);
  await expect(db?.deleteFrom('outbox').execute()).rejects.toThrow(/read-only|recovery/);
  const wrong = openReplica(api.deps, pair.url, 2);
  try {
    await wrong.check();
    expect(wrong.state.is_used).toBe(false);
    expect(await wrong.dbFor(row.id)).toBeUndefined();
  } finally {
    await wrong.close();
  }
});

test('a replica that stops is replaced by the primary, and used again when it is back', async () => {
  const metrics = openMetrics(api.deps, replica.gauges);
  await expect.poll(isUsed, soon).toBe(true);
  expect(await metrics.metrics()).toMatch(/^farlink_replica_used 1\n/m);
  expect(await metrics.metrics()).toMatch(/^farlink_replica_lag_seconds [\d.]+\n/m);
  await standby.end();
  await pair.stop();
  await addPrefix(admin, 'ZZ');
  expect(await sees(admin, 'ZZ')).toBe(true);
  expect((await east.call(logCalls.own, { page: 1, limit: 10 })).code).toBe(0);
  expect(await isUsed()).toBe(false);
  expect(await metrics.metrics()).toMatch(/^farlink_replica_used 0\n/m);
  api.clock.advance(120);
  const status = (await admin.call(systemStatusCalls.read)).data;
  expect(status.database.figures?.replica).toEqual({ is_used: false, lag_s: null });
  expect(status.database.findings.map(({ name }) => name)).toContain('replica');
  await pair.start();
  await expect.poll(isUsed, soon).toBe(true);
  await caughtUp();
  expect(await sees(admin, 'ZZ')).toBe(true);
});
