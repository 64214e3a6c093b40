import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { subscriberRow } from '../../test/subscriber.ts';
import { runMetering, startMetering } from './start-metering.ts';

const day = 86_400;
const usageSql = 'insert into usage (subscriber_id, at, seconds, up_bytes, down_bytes, create_at) values (1, 1, 1, 1, 1, 1)';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

test('without waiting usage or changes a run is one statement', async () => {
  await runMetering(service.deps);
  const connect = vi.spyOn(service.deps.pool, 'connect');
  await runMetering(service.deps);
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mockRestore();
});

test('a waiting change of an account, a device or a usage row is taken by the next run', async () => {
  const { pool } = service.deps;
  await pool.query('insert into account_change (device_id) values (1)');
  await pool.query('insert into release_change (device_id) values (1)');
  await pool.query(usageSql);
  await runMetering(service.deps);
  for (const table of ['account_change', 'release_change', 'usage'])
    expect((await pool.query(`select from ${table}`)).rowCount, table).toBe(0);
});

/** Whether metering of a process sleeps. */
const isAsleep = async () => {
  const { rowCount } = await service.deps.pool.query(
    "select from pg_locks where locktype = 'advisory' and objid = 728465040 and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())",
  );
  return rowCount === 1;
};

const waiting = async () => (await service.deps.pool.query('select from usage')).rowCount;

test('metering without work sleeps without a statement, and new usage wakes it', async () => {
  const { pool } = service.deps;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const metering = startMetering(service.deps);
  const afterTick = async <T>(read: () => Promise<T>) => {
    await vi.advanceTimersByTimeAsync(500);
    return read();
  };
  try {
    await expect.poll(() => afterTick(isAsleep)).toBe(true);
    const connect = vi.spyOn(pool, 'connect');
    // The first one looks once more after the lock.
    await expect
      .poll(async () => {
        connect.mockClear();
        await vi.advanceTimersByTimeAsync(2000);
        return connect.mock.calls.length;
      })
      .toBe(0);
    connect.mockRestore();
    await pool.query(usageSql);
    await expect.poll(() => afterTick(waiting)).toBe(0);
    await expect.poll(() => afterTick(isAsleep)).toBe(true);
  } finally {
    await metering.stop();
    vi.useRealTimers();
  }
  expect(await isAsleep()).toBe(false);
});

test('metering does not fall asleep while a transaction that adds work is open', async () => {
  const { pool } = service.deps;
  const client = await pool.connect();
  await client.query('begin');
  await client.query(usageSql);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const metering = startMetering(service.deps);
  const connect = vi.spyOn(pool, 'connect');
  try {
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(500);
        return connect.mock.calls.length;
      })
      .toBeGreaterThan(8);
    expect(await isAsleep()).toBe(false);
    await client.query('commit');
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(500);
        return waiting();
      })
      .toBe(0);
  } finally {
    client.release();
    connect.mockRestore();
    await metering.stop();
    vi.useRealTimers();
  }
});

test('an account keeps the cycles of the days that gateways may still report', async () => {
  const { db } = service.deps;
  const now = service.clock.now();
  const { id: agent_id } = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
  const subscriber = await db
    .insertInto('subscriber')
    .values(subscriberRow({ agent_id, account: 'hourly' }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const terms = { package_type: 'flow', flow_capacity: 9, flow_unit: 'GB' } as const;
  const cycle = { cycle_length: 1, cycle_unit: 'hour', cycle_quota: 1, cycle_quota_unit: 'MB' } as const;
  const pack = await db
    .insertInto('package')
    .values({ agent_id, kind: 'online', name: 'Hourly', price: '1', create_at: 1, update_at: 1, ...terms, ...cycle, device_ids: [1] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const start = now - 200 * day;
  const cycles = Object.fromEntries(Array.from({ length: 200 * 24 }, (_, cycle) => [cycle, 5]));
  await db
    .insertInto('holding')
    .values({
      subscriber_id: subscriber.id,
      package_id: pack.id,
      agent_id,
      cycles: JSON.stringify(cycles),
      start_at: start,
      activated_at: start,
      create_at: start,
    })
    .execute();
  await db
    .insertInto('usage')
    .values({ subscriber_id: subscriber.id, at: now - 60, seconds: 1, up_bytes: 3, down_bytes: 4, create_at: now })
    .execute();
  await runMetering(service.deps);
  const holding = await db
    .selectFrom('holding')
    .select(['cycles', 'first_cycle'])
    .where('subscriber_id', '=', subscriber.id)
    .executeTakeFirstOrThrow();
  expect(holding.first_cycle).toBe(110 * 24);
  expect(Object.keys(holding.cycles)).toHaveLength(90 * 24);
  expect(holding.cycles[200 * 24 - 1]).toBe(5 + 7);
});
