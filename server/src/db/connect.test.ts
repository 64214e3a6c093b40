import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/setup/database.ts';
import { type OpenDatabase, openDatabase } from './connect.ts';

let testDatabase: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  open = await openDatabase(testDatabase.url, { max: 2 });
});

afterAll(async () => {
  await open.close();
  await testDatabase.drop();
});

const one = async (expression: string) => (await open.pool.query(`select ${expression} as value`)).rows[0].value;

test.each([
  ['1752000000::int8', 1_752_000_000],
  ['array[1, 2]::int8[]', [1, 2]],
  ['12.50::numeric(12,2)', '12.50'],
  ['array[1.10]::numeric[]', ['1.10']],
  ["date '2026-03-01'", '2026-03-01'],
  ['null::int8', null],
  ['\'{"a": [1]}\'::jsonb', { a: [1] }],
  ["current_setting('TimeZone')", 'UTC'],
])('%s is read as the expected JavaScript value', async (expression, value) => {
  expect(await one(expression)).toEqual(value);
});

test('a number that would lose digits is an error, not a wrong number', async () => {
  await expect(one('9007199254740993::int8')).rejects.toThrow('too large');
});

test('a lost idle connection does not end the process and is replaced', async () => {
  await open.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const other = await openDatabase(testDatabase.url, { max: 1 });
  await other.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await other.close();
  await expect.poll(() => one('1').catch(() => undefined)).toBe(1);
});

test('an unreachable server is named in one sentence without its password', async () => {
  const closed = createServer();
  const port = await new Promise<number>((done) => {
    closed.listen(0, '127.0.0.1', () => {
      const address = closed.address();
      closed.close(() => done(address && typeof address === 'object' ? address.port : 0));
    });
  });
  await expect(openDatabase(`postgres://me:hunter2@127.0.0.1:${port}/there`)).rejects.toThrow(
    `The database at 127.0.0.1:${port}/there cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});

test('a missing database is reported as missing', async () => {
  const url = new URL(testDatabase.url);
  url.pathname = '/farlink_nowhere';
  await expect(openDatabase(url.href)).rejects.toThrow(/cannot be used: database "farlink_nowhere" does not exist/);
});

test('a connection lost in a transaction fails that transaction and does not end the process', async () => {
  const lost = open.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const other = await openDatabase(testDatabase.url, { max: 1 });
    await other.pool.query('select pg_terminate_backend($1::int)', [rows[0]?.pid]);
    await other.close();
    await expect
      .poll(() =>
        sql`select 1`.execute(tx).then(
          () => 'alive',
          () => 'gone',
        ),
      )
      .toBe('gone');
    await sql`select 1`.execute(tx);
  });
  await expect(lost).rejects.toThrow();
  expect(await one('1')).toBe(1);
});

test('idle connections stay open for minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { pool, close } = await openDatabase(testDatabase.url, { max: 2 });
    for (const client of await Promise.all([pool.connect(), pool.connect()])) client.release();
    vi.advanceTimersByTime(4 * 60_000);
    expect(pool.totalCount).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(pool.totalCount).toBe(0);
    await close();
  } finally {
    vi.useRealTimers();
  }
});
