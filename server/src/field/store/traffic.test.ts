import { dayStart } from '@farlink/contract/kit/zone.ts';
import { maxBytes, maxBytesPerSecond } from '@farlink/gateway/protocol/limits.ts';
import type { Batch, StreamName } from '@farlink/gateway/protocol/stream.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyTables } from '../../../test/setup/empty-tables.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { runs } from '../../../test/soak.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { listTables, sumTables, trafficOf, trafficSums } from '../../../test/traffic-tables.ts';
import { addVno } from '../../../test/vno.ts';
import { completeSince, makePartitions, reportTables, weekS } from '../../db/partitions.ts';
import { chargeOnce } from '../../domain/metering/run/charge-waiting.ts';
import { rebuildTraffic, rollTraffic } from '../../domain/traffic/roll-traffic.ts';
import { forgetField } from '../retention.ts';
import { type Message, storeMessages } from './store.ts';

const hour = 3600;
const day = 86_400;
const sns = ['ROLL1', 'ROLL2', 'ROLL3'] as const;

let service: ServiceDeps;
let devices: number[];
let west: number;
const now = () => service.clock.now();

beforeAll(async () => {
  service = await serviceDeps();
  const { db, pool } = service.deps;
  service.clock.advance(1234);
  await makePartitions(pool, now());
  west = await addVno(db, service.me.agent_id);
  const rows = sns.map((sn, i) => ({ agent_id: i === 2 ? west : service.me.agent_id, name: sn, sn, create_at: 1 }));
  devices = (await db.insertInto('device').values(rows).returning('id').execute()).map(({ id }) => id);
  await db
    .insertInto('subscriber')
    .values(subscriberRow({ agent_id: service.me.agent_id, account: 'Anna', device_id: devices[0] ?? 0, create_at: 1 }))
    .execute();
});
afterAll(() => service.close());

beforeEach(async () => {
  const tables = [...reportTables, ...listTables, ...sumTables, 'traffic_dirty', 'device_stream', 'usage', 'device_transfer'];
  await emptyTables(service.deps.pool, tables);
});

const message = (sn: string, stream: StreamName, seq: number, batch: Omit<Batch, 'b' | 'seq'>): Message => ({
  sn,
  conn: 'c1',
  content: { kind: 'batch', stream, body: { b: 'boot1', seq, ...batch } },
});
const store = (...messages: Message[]) => storeMessages(service.deps.pool, now(), 'test', messages);
const roll = (all = true) => rollTraffic(service.deps, { all });
const expectSums = async () => {
  for (const [name, [left, right]] of Object.entries(await trafficSums(service.deps.db))) expect(right, name).toEqual(left);
};
const hoursOf = (table: 'business_flow_hour' | 'business_dpi_hour', device = 0) =>
  service.deps.db
    .selectFrom(table)
    .selectAll()
    .where('device_id', '=', devices[device] ?? 0)
    .orderBy('time')
    .execute();
const marks = async () => Number((await service.deps.db.selectFrom('traffic_dirty').select(sql<number>`count(*)`.as('n')).execute())[0]?.n);

const bytes = fc.oneof(fc.nat(5), fc.nat(1_000_000), fc.integer({ min: 1e14, max: 2e14 }));
const cells: Record<'user' | 'mgt' | 'dpi' | 'mdpi', fc.Arbitrary<Record<string, string | number>>> = {
  user: fc.record(
    {
      acc: fc.constantFrom('Anna', 'bob'),
      u: bytes,
      d: bytes,
      i: fc.constantFrom('6d', 'lte2', 'wire'),
      pk: fc.nat(500),
      s: fc.constant(10),
    },
    { requiredKeys: ['acc', 'u', 'd'] },
  ),
  mgt: fc.record(
    { svc: fc.constantFrom('mqtt', 'ntp'), u: bytes, d: bytes, i: fc.constantFrom('6d', 'l_band'), pk: fc.nat(500) },
    { requiredKeys: ['svc', 'u', 'd'] },
  ),
  dpi: fc.record(
    { app: fc.constantFrom('7', '91.124'), acc: fc.constantFrom('Anna', 'bob'), u: bytes, d: bytes, n: fc.nat(50) },
    { requiredKeys: ['app', 'u', 'd'] },
  ),
  mdpi: fc.record(
    { app: fc.constantFrom('7', '91.222'), u: bytes, d: bytes, i: fc.constantFrom('6d'), n: fc.nat(50) },
    { requiredKeys: ['app', 'u', 'd'] },
  ),
};
const batches = fc.constantFrom('user' as const, 'mgt' as const, 'dpi' as const, 'mdpi' as const).chain((stream) =>
  fc.record({
    stream: fc.constant(stream),
    sn: fc.constantFrom(...sns),
    ago: fc.oneof(fc.nat(3 * hour), fc.integer({ min: 60 * day, max: 60 * day + 5 * hour }), fc.nat(89 * day)),
    dt: fc.constantFrom(0, 1, 60, 599, 601, hour, 2 * hour + 7, day),
    rows: fc.array(cells[stream], { minLength: 1, maxLength: 4 }),
  }),
);

describe('traffic per hour and day', () => {
  it('is the same for any order, repetition and delay of reports', { tags: 'all', timeout: 300_000 }, async () => {
    const plans = fc.record({
      made: fc.array(batches, { minLength: 1, maxLength: 25 }),
      order: fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
      repeats: fc.array(fc.nat(1000), { maxLength: 6 }),
      group: fc.integer({ min: 1, max: 8 }),
      rolls: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    });
    await fc.assert(
      fc
        .asyncProperty(plans, async ({ made, order, repeats, group, rolls }) => {
          const at = now();
          const all = made.map(({ stream, sn, ago, dt, rows }, i) => message(sn, stream, i + 1, { t0: at - ago, dt, rows }));
          const sent = [...all, ...repeats.flatMap((n) => all[n % all.length] ?? [])]
            .map((item, i) => ({ item, by: order[i % order.length] ?? 0 }))
            .sort((a, b) => a.by - b.by)
            .map(({ item }) => item);
          for (let i = 0; i * group < sent.length; i++) {
            await store(...sent.slice(i * group, (i + 1) * group));
            if (rolls[i % rolls.length]) await roll();
          }
          await roll();
          expect(await marks()).toBe(0);
          await expectSums();
          const tables = await trafficOf(service.deps.db);
          await emptyTables(service.deps.pool, [...reportTables, ...listTables, ...sumTables, 'device_stream']);
          await store(...all);
          await roll();
          expect(await trafficOf(service.deps.db)).toEqual(tables);
          await rebuildTraffic(service.deps);
          expect(await trafficOf(service.deps.db)).toEqual(tables);
        })
        .beforeEach(async () => {
          await emptyTables(service.deps.pool, [...reportTables, ...listTables, ...sumTables, 'traffic_dirty', 'device_stream']);
        }),
      { numRuns: runs(60, 4, 1) },
    );
  });

  it('has account, subscriber, link, peak speed and session count of the reports', async () => {
    const t0 = Math.floor(now() / hour) * hour - hour;
    await store(
      message('ROLL1', 'user', 1, {
        t0,
        dt: 300,
        rows: [
          { acc: 'anna', u: 1000, d: 5000, i: 'lte2', pk: 30 },
          { acc: 'ghost', u: 1, d: 1 },
        ],
      }),
      message('ROLL1', 'user', 2, { t0: t0 + 300, dt: 300, rows: [{ acc: 'anna', u: 1, d: 2, i: 'lte2', pk: 90 }] }),
      message('ROLL1', 'dpi', 1, {
        t0,
        dt: 300,
        rows: [
          { app: '91.124', acc: 'anna', u: 10, d: 20, n: 3 },
          { app: '7', u: 4, d: 4 },
        ],
      }),
    );
    await roll();
    const anna = await service.deps.db.selectFrom('subscriber').select('id').where('account', '=', 'Anna').executeTakeFirstOrThrow();
    const [first, ghost] = (await hoursOf('business_flow_hour')).sort((a, b) => b.total_bytes - a.total_bytes);
    expect(first).toMatchObject({
      time: t0,
      account: 'anna',
      subscriber_id: anna.id,
      link: 'lte2',
      network: 'lte',
      seconds: 600,
      peak_speed: 90,
      total_bytes: 6003,
    });
    expect(ghost).toMatchObject({ account: 'ghost', subscriber_id: null, link: '', network: 'unknown', seconds: 300, peak_speed: null });
    const apps = (await hoursOf('business_dpi_hour')).map((row) => [row.account, row.protocol_id, row.session_count, row.subscriber_id]);
    expect(apps.sort()).toEqual([
      ['', '7', null, null],
      ['anna', '91.124', 3, anna.id],
    ]);
  });

  it('divides a report that spans two hours by seconds, to the byte', async () => {
    const edge = Math.floor(now() / hour) * hour - hour;
    await store(message('ROLL1', 'user', 1, { t0: edge - 100, dt: 300, rows: [{ acc: 'anna', u: 100, d: 1 }] }));
    await roll();
    expect((await hoursOf('business_flow_hour')).map((r) => [r.time, r.up_bytes, r.down_bytes, r.seconds])).toEqual([
      [edge - hour, 33, 0, 100],
      [edge, 67, 1, 200],
    ]);
  });

  it('is computed after a minute without reports, or after five minutes at most', async () => {
    const t0 = Math.floor(now() / hour) * hour;
    const report = (seq: number) => store(message('ROLL1', 'user', seq, { t0, dt: 60, rows: [{ acc: 'anna', u: 10, d: 0 }] }));
    const total = async () => (await hoursOf('business_flow_hour'))[0]?.total_bytes;
    const asOf = async () =>
      (await service.deps.db.selectFrom('traffic_state').select('as_of').where('kind', '=', 'flow_usr').executeTakeFirstOrThrow()).as_of;
    await report(1);
    const first = now();
    await roll(false);
    expect([await total(), await asOf()]).toEqual([undefined, first]);
    service.clock.advance(60);
    await roll(false);
    expect([await total(), await asOf()]).toEqual([10, now()]);
    for (let seq = 2; seq <= 7; seq++) {
      await report(seq);
      service.clock.advance(50);
      await roll(false);
      expect(await total()).toBe(seq < 7 ? 10 : 70);
    }
  });

  it('changes one hour and one day when a report comes 60 days late', async () => {
    const t0 = Math.floor((now() - 60 * day) / hour) * hour;
    const row = (u: number) => [{ acc: 'anna', u, d: 0 }];
    await store(
      message('ROLL1', 'user', 1, { t0, dt: 60, rows: row(1) }),
      message('ROLL1', 'user', 2, { t0: t0 + hour, dt: 60, rows: row(2) }),
      message('ROLL1', 'user', 3, { t0: t0 + 3 * day, dt: 60, rows: row(4) }),
    );
    await roll();
    const ids = async () => (await hoursOf('business_flow_hour')).map(({ id, total_bytes }) => [id, total_bytes]);
    const before = await ids();
    await store(message('ROLL1', 'user', 9, { t0: t0 + 60, dt: 60, rows: row(8) }));
    await roll();
    const after = await ids();
    expect(after.map(([, total]) => total)).toEqual([9, 2, 4]);
    expect(after.slice(1)).toEqual(before.slice(1));
    const days = await service.deps.db.selectFrom('business_flow_day').select(['time', 'total_bytes']).orderBy('time').execute();
    expect(days[0]).toEqual({ time: dayStart(t0), total_bytes: dayStart(t0) === dayStart(t0 + hour) ? 11 : 9 });
  });

  it('gives each VNO its part of an hour in which the device was transferred', async () => {
    const t0 = Math.floor(now() / hour) * hour - 2 * hour;
    const { db } = service.deps;
    const device_id = devices[1] ?? 0;
    const report = (seq: number, at: number, u: number) =>
      message('ROLL2', 'user', seq, { t0: at, dt: 300, rows: [{ acc: 'anna', u, d: 0, i: '6d' }] });
    await store(report(1, t0, 1), report(2, t0 + 1500, 2));
    await roll();
    const parties = { device_id, sn: 'ROLL2', from_agent_id: service.me.agent_id, to_agent_id: west, keep_users: false };
    const { id } = await db
      .insertInto('device_transfer')
      .values({ ...parties, state: 'preparing', deadline: now(), create_at: t0, operator: '', command_id: 'c' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('device_transfer')
      .set({ state: 'done', finish_at: t0 + 1800 })
      .where('id', '=', id)
      .execute();
    await db.updateTable('device').set({ agent_id: west }).where('id', '=', device_id).execute();
    await store(report(3, t0 + 1800, 4), report(4, t0 + hour, 8));
    await roll();
    const rows = async () => (await hoursOf('business_flow_hour', 1)).map((r) => [r.time, r.agent_id, r.total_bytes]).sort();
    const expected = [
      [t0, service.me.agent_id, 3],
      [t0, west, 4],
      [t0 + hour, west, 8],
    ].sort();
    expect(await rows()).toEqual(expected);
    await expectSums();
    // Late reports of the old VNO still belong to it.
    await store(report(5, t0 + 900, 16));
    await roll();
    expect(await rows()).toEqual([[t0, service.me.agent_id, 19], ...expected.filter(([, , total]) => total !== 3)].sort());
    await expectSums();
    await db.updateTable('device').set({ agent_id: service.me.agent_id }).where('id', '=', device_id).execute();
  });

  it('is complete or unchanged when the job is killed at any statement', { timeout: 300_000, tags: 'all' }, async () => {
    const { pool } = service.deps;
    const t0 = Math.floor(now() / hour) * hour - 30 * hour;
    const rows = { user: { acc: 'anna', u: 5, d: 7, i: '6d' }, dpi: { app: '7', u: 5, d: 7, n: 1 } };
    const report = (round: number) =>
      (['user', 'dpi'] as const).flatMap((stream) =>
        [0, 1].map((i) => message(sns[i] ?? '', stream, round, { t0: t0 + round * 1000, dt: 4000, rows: [rows[stream]] })),
      );
    /** Bytes of each table of a kind; they are equal after each transaction. */
    const totals = async () => {
      const sums = (tables: readonly string[], kind: string) =>
        tables.map((table) => `select '${kind}' as kind, coalesce(sum(up_bytes + down_bytes), 0)::bigint as bytes from ${table}`);
      const ofKind = (kind: string) =>
        ['flow_sum_hour', 'flow_sum_day', 'agent_flow_hour', 'agent_flow_day'].map((table) => `${table} where kind = '${kind}'`);
      const selects = [
        ...sums(['business_flow_hour', 'business_flow_day', ...ofKind('flow_usr')], 'flow_usr'),
        ...sums(['business_dpi_hour', 'business_dpi_day', 'dpi_device_day', 'dpi_agent_day', ...ofKind('dpi_usr')], 'dpi_usr'),
      ];
      const { rows: found } = await sql<{ kind: string; n: number }>`
        select kind, count(distinct bytes)::int as n from (${sql.raw(selects.join(' union all '))}) t group by kind order by kind`.execute(
        service.deps.db,
      );
      return found;
    };
    let results = 0;
    let killAt = 0;
    const db = service.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++results === killAt)
          await pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
          );
        return result;
      },
    });
    let round = 0;
    for (killAt = 1; results >= killAt - 1; killAt++) {
      await store(...report(++round));
      results = 0;
      await rollTraffic({ ...service.deps, db }, { all: true }).catch(() => {});
      expect(await totals(), `statement ${killAt}`).toEqual([
        { kind: 'dpi_usr', n: 1 },
        { kind: 'flow_usr', n: 1 },
      ]);
      await roll();
      expect(await marks(), `statement ${killAt}`).toBe(0);
      await expectSums();
    }
    expect(killAt).toBeGreaterThan(30);
    const tables = await trafficOf(service.deps.db);
    await rebuildTraffic(service.deps);
    expect(await trafficOf(service.deps.db)).toEqual(tables);
  });

  it('is calculated for the other devices if the numbers of one are out of range', async () => {
    const { db, log } = service.deps;
    const [bad = 0, , good = 0] = devices;
    const constraint = `check (case when device_id = ${bad} then 2147483647::integer + device_id::integer else 0 end >= 0)`;
    await sql.raw(`alter table business_dpi_hour add constraint out_of_range ${constraint}`).execute(db);
    const logged = vi.spyOn(log, 'error');
    const at = Math.floor(now() / hour) * hour;
    for (const sn of sns) await store(message(sn, 'dpi', 1, { t0: at, dt: 60, rows: [{ app: '7', u: 10, d: 20 }] }));
    await roll();
    await sql`alter table business_dpi_hour drop constraint out_of_range`.execute(db);
    const { rows } = await sql<{ device_id: number }>`select device_id from business_dpi_hour order by device_id`.execute(db);
    expect(rows.map(({ device_id }) => device_id)).toEqual([devices[1], good]);
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ kind: 'dpi_usr', device_id: bad }), 'traffic of device set aside');
    logged.mockRestore();
    await rebuildTraffic(service.deps);
    await expectSums();
  });

  it('fits a number, whatever counters a device reports', async () => {
    const { db } = service.deps;
    const most = maxBytesPerSecond * day;
    const rows = (row: object) => Array.from({ length: 100 }, () => ({ ...row, u: most, d: most }));
    const at = dayStart(now()) - day;
    await store(
      message('ROLL1', 'dpi', 1, { t0: at, dt: day, rows: rows({ app: '7' }) }),
      message('ROLL1', 'user', 1, { t0: at, dt: day, rows: rows({ acc: 'Anna' }) }),
      message('ROLL1', 'flow', 1, { t0: now(), dt: day, rows: rows({ i: 'lte' }) }),
    );
    await roll();
    const { rows: days } = await sql<{ up_bytes: number; total_bytes: number }>`select up_bytes, total_bytes from business_dpi_day`.execute(
      db,
    );
    expect(days).toEqual([{ up_bytes: maxBytes, total_bytes: 2 * maxBytes }]);
    expect(await db.selectFrom('device_flow_day').select('bytes').executeTakeFirstOrThrow()).toEqual({ bytes: maxBytes });
    while (await chargeOnce(service.deps));
    const [meter] = await db.selectFrom('meter').select('overrun_bytes').execute();
    expect(meter).toEqual({ overrun_bytes: maxBytes });
  });

  it('is kept when its reports are removed, and is removed after its own retention time', { tags: 'all' }, async () => {
    const { db, pool, config } = service.deps;
    const at = now();
    const row = [{ acc: 'anna', u: 5, d: 7 }];
    await store(
      message('ROLL1', 'user', 1, { t0: at, dt: 60, rows: row }),
      message('ROLL1', 'dpi', 1, { t0: at, dt: 60, rows: [{ app: '7', u: 1, d: 2 }] }),
    );
    const forget = () => forgetField({ deps: service.deps, signal: new AbortController().signal });
    const count = async (table: 'user_flow' | 'business_flow_hour' | 'business_flow_day') =>
      Number((await db.selectFrom(table).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n);
    // The first partition of a new database ends in the week of its migration.
    service.clock.advance(Math.max(0, Math.floor(Date.now() / 1000) - at) + config.retention.reportDays * day + 2 * weekS);
    await makePartitions(pool, now());
    await forget();
    expect(await count('user_flow'), 'not computed yet').toBe(1);
    await roll();
    const tables = await trafficOf(db);
    await forget();
    expect([await count('user_flow'), await count('business_flow_hour')]).toEqual([0, 1]);
    expect(await completeSince(pool, reportTables)).toBeGreaterThan(at);
    await db
      .insertInto('traffic_dirty')
      .values({ kind: 'flow_usr', device_id: devices[0] ?? 0, hour: Math.floor(at / hour) * hour, marked_at: 0, touched_at: 0 })
      .execute();
    await roll();
    await rebuildTraffic(service.deps);
    expect(await trafficOf(db)).toEqual(tables);
    expect(await marks()).toBe(0);
    service.clock.advance(config.retention.trafficDays * day + 104 * weekS);
    await makePartitions(pool, now());
    await forget();
    expect([await count('business_flow_hour'), await count('business_flow_day')]).toEqual([0, 0]);
  });
});
