import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { onCitus } from '../../test/setup/citus.ts';
import { subscriberRow } from '../../test/subscriber.ts';
import { dropPartitions, makePartitions, reportTables, streamTables, weekS } from '../db/partitions.ts';
import { forgetField } from './retention.ts';
import { sweepRarely } from './sweep.ts';

let testServer: FieldTestServer;
const day = 86_400;
const now = () => testServer.clock.now();

/** Partitions of a stream, each with its end in weeks from now. */
const weeksOf = async (stream: string) => {
  const { rows } = await sql<{ name: string; bound: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${stream}::regclass and c.relpartbound is not null`.execute(testServer.db);
  const ends = rows.map(({ bound }) => Number(/TO \('(\d+)'\)/.exec(bound)?.[1]));
  return ends.map((end) => Math.floor(end / weekS) - Math.floor(now() / weekS)).sort((a, b) => a - b);
};
const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(testServer.db)).rows[0]?.n;
const forget = () => forgetField({ deps: testServer.deps, signal: new AbortController().signal });

beforeAll(async () => {
  testServer = await openFieldTestServer();
  // The first partition ends with the week of the migration, so the clock of this test starts in the week after.
  const { rows } = await sql<{ week: number }>`
    select substring(relname from 'before_(\\d+)$')::int as week from pg_class where relname ~ '^device_load_before_\\d+$'`.execute(
    testServer.db,
  );
  testServer.clock.advance((rows[0]?.week ?? 0) * weekS + 3 * day - now());
});
afterAll(() => testServer?.close());

const measure = (at: number, device = -1) =>
  sql`insert into device_load (device_id, at, cpu, memory) values (${device}, ${at}, 1, 1)`.execute(testServer.db);

describe('telemetry', () => {
  it('has partitions for the next weeks, created once by concurrent processes', async () => {
    expect(await weeksOf('device_load')).toEqual([0]);
    await Promise.all([sweepRarely(testServer.deps.pool, now()), sweepRarely(testServer.deps.pool, now())]);
    for (const stream of streamTables) expect(await weeksOf(stream)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const at of [now() - 90 * day, now(), now() + 300, now() + 28 * day]) await measure(at);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from device_load where device_id = 1 and at >= ${now() - day}::bigint and at < ${now()}::bigint`.execute(
      testServer.db,
    );
    const plan = rows.map((r) => r['QUERY PLAN']).join('\n');
    expect(plan).toContain(`device_load_w${Math.floor(now() / weekS)}_device_id_at_idx`);
    expect(plan).not.toContain('before');
  });

  it('is stored even if its partition does not exist yet', async () => {
    const { id, sn, key } = await testServer.addDevice('EARLY');
    const client = testServer.client(sn, key);
    await client.connect();
    testServer.clock.advance(20 * weekS);
    const batch = { b: 'boot1', seq: 1, t0: now() - 60, dt: 60, c: ['cpu', 'mem'], v: [[1, 2]] };
    expect(await client.publish(upTopic(sn, 't/load'), JSON.stringify(batch))).toBe(0);
    expect(await testServer.db.selectFrom('device_load').select('cpu').where('device_id', '=', id).execute()).toEqual([{ cpu: 1 }]);
    expect((await weeksOf('device_load')).at(-1)).toBe(5);
  });

  it('is removed with its week after the retention time, and not before', { tags: 'all' }, async () => {
    await sql`truncate device_load`.execute(testServer.db);
    const { telemetryDays, reportDays } = testServer.deps.config.retention;
    const week = Math.floor(now() / weekS) * weekS;
    await measure(week);
    await measure(week + weekS - 1);
    await measure(week + weekS);
    testServer.clock.advance(week + weekS + telemetryDays * day - 1 - now());
    await makePartitions(testServer.deps.pool, now());
    await forget();
    expect(await count('device_load')).toBe(3);
    testServer.clock.advance(1);
    await forget();
    expect(await count('device_load')).toBe(1);
    for (const stream of streamTables) {
      const [oldest = 0] = await weeksOf(stream);
      const end = (Math.floor(now() / weekS) + oldest) * weekS;
      const isReport = reportTables.some((table) => table === stream);
      const cutoff = now() - (isReport ? reportDays : telemetryDays) * day;
      expect(end).toBeGreaterThan(cutoff);
      // The clock was moved past weeks of reports, whose partitions were never created.
      if (!isReport) expect(end - weekS).toBeLessThanOrEqual(cutoff);
    }
    await measure(now() - 90 * day);
  });

  it.skipIf(onCitus)('is removed while others read it, without blocking writers', { tags: 'all' }, async () => {
    const reader = await testServer.deps.pool.connect();
    const writer = await testServer.deps.pool.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from device_load');
      await writer.query(`set statement_timeout = '5s'`);
      let isGone = false;
      const oldest = (await weeksOf('device_load'))[0] ?? 0;
      const dropping = dropPartitions(testServer.deps.pool, streamTables, (Math.floor(now() / weekS) + oldest) * weekS).then(() => {
        isGone = true;
      });
      const waits = async () =>
        (
          await writer.query(
            `select 1 from pg_stat_activity where query like 'alter table device_load detach%' and wait_event_type = 'Lock'`,
          )
        ).rowCount;
      await expect.poll(waits).toBe(1);
      await writer.query('insert into device_load (device_id, at, cpu, memory) values (1, $1, 1, 1)', [now()]);
      expect(isGone).toBe(false);
      await reader.query('commit');
      await dropping;
      expect((await weeksOf('device_load'))[0]).toBeGreaterThan(oldest);
    } finally {
      reader.release(true);
      writer.release(true);
    }
  });

  it.skipIf(!onCitus)('is removed on Citus after others have read it, while writers wait at most two seconds', async () => {
    const reader = await testServer.deps.pool.connect();
    const writer = await testServer.deps.pool.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from device_load');
      await writer.query(`set statement_timeout = '10s'`);
      let isGone = false;
      const oldest = (await weeksOf('device_load'))[0] ?? 0;
      const dropping = dropPartitions(testServer.deps.pool, ['device_load'], (Math.floor(now() / weekS) + oldest) * weekS).then(() => {
        isGone = true;
      });
      for (let n = 0; n < 3; n++) await writer.query('insert into device_load (device_id, at, cpu, memory) values (1, $1, 1, 1)', [now()]);
      expect(isGone).toBe(false);
      await reader.query('commit');
      await dropping;
      expect((await weeksOf('device_load'))[0]).toBeGreaterThan(oldest);
    } finally {
      reader.release(true);
      writer.release(true);
    }
  });

  it.skipIf(onCitus)('is removed by the next run if a removal was interrupted', { tags: 'all' }, async () => {
    const [week] = (
      await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'device_track'::regclass order by c.relname`.execute(
        testServer.db,
      )
    ).rows;
    const reader = await testServer.deps.pool.connect();
    const breaker = await testServer.deps.pool.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from device_track');
      await breaker.query(`set statement_timeout = '200ms'`);
      await expect(breaker.query(`alter table device_track detach partition ${week?.name} concurrently`)).rejects.toThrow(/timeout/);
    } finally {
      reader.release(true);
      breaker.release(true);
    }
    await sql`create table device_flow_w1 (like device_flow)`.execute(testServer.db);
    const before = (Number(/\d+$/.exec(week?.name ?? '')?.[0]) + 1) * weekS;
    await dropPartitions(testServer.deps.pool, streamTables, before);
    const { rows } = await sql`select from pg_class where relname in (${week?.name ?? ''}, 'device_flow_w1')`.execute(testServer.db);
    expect(rows).toEqual([]);
  });
});

describe('logs of gateways', () => {
  it('are removed after the retention time; open intervals and unfinished commands are kept', async () => {
    const { id, sn } = await testServer.addDevice('OLD');
    const { logDays } = testServer.deps.config.retention;
    const old = now() - logDays * day - 1;
    const young = now() - logDays * day;
    const of = { agent_id: testServer.platformId, device_id: id, sn };
    const { db } = testServer;
    const times = [old, young];
    await sql`
      insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
      select ${sn}, 'boot1-' || n, ${id}::bigint, ${testServer.platformId}::bigint, 'lock', ${old}::bigint, 0, '{}', ${old}::bigint from generate_series(1, 12000) n`.execute(
      db,
    );
    await sql`
      insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
      values (${sn}, 'boot2-1', ${id}, ${testServer.platformId}, 'lock', ${old}, 0, '{}', ${young})`.execute(db);
    for (const create_at of times) {
      await db
        .insertInto('wan_change')
        .values({ ...of, source: 'wan', network: 'lte', create_at })
        .execute();
      await db
        .insertInto('fence_change')
        .values({ ...of, fence_name: 'x', fence_state: 'in', network: 'lte', create_at })
        .execute();
      await db
        .insertInto('docker_log')
        .values({ ...of, docker_status: 1, result: 'success', create_at })
        .execute();
    }
    // One row ended long ago, one started then and ended later, one is still open.
    for (const duration of [0, 10, null]) {
      await db
        .insertInto('wan_link_log')
        .values({ ...of, link: `l${duration}`, network: 'lte', link_state: 'on', duration, create_at: old })
        .execute();
      await db
        .insertInto('ap_link_log')
        .values({ ...of, ap_name: `a${duration}`, ap_state: 'up', duration, create_at: old })
        .execute();
    }
    for (const [i, [state, create_at]] of [[3, old] as const, [3, young] as const, [0, old] as const].entries())
      await db
        .insertInto('device_command')
        .values({ id: `c${i}`, device_id: id, op: 'sys.reboot', args: '{}', state, deadline: now() + day, create_at })
        .execute();
    await sql`insert into device_stream (device_id, boot, stream, update_at) values (${id}, 'a', 'load', ${now() - 92 * day}), (${id}, 'b', 'load', ${now() - 90 * day})`.execute(
      db,
    );
    await sql`insert into ap_look (device_id, mac, at, state) values (${id}, 'm', ${now() - 92 * day}, 'up'), (${id}, 'm', ${now() - 90 * day}, 'up')`.execute(
      db,
    );
    for (const [title_en, state, create_at, finish_at] of [
      ['ended', 'done', old, old],
      ['young', 'done', young, young],
      ['open', 'running', old, null],
    ] as const)
      await db
        .insertInto('config_campaign')
        .values({
          kind: 'bulk',
          agent_id: testServer.platformId,
          title_zh: '',
          title_en,
          operator: '',
          spec: '',
          pages: [],
          keep: 0,
          state,
          create_at,
          finish_at,
        })
        .execute();
    for (const [task_no, ended, create_at] of [
      ['D-old', true, old],
      ['D-young', true, young],
      ['D-open', false, old],
    ] as const)
      await db
        .insertInto('dpi_task')
        .values({
          task_no,
          ended,
          create_at,
          ...of,
          device_name: sn,
          operate: 'report',
          data_type: 'dpi_usr',
          mode: 'single',
          method: 'immediate',
          start_at: 1,
          end_at: 2,
          next_at: 1,
          operator: '',
          update_at: create_at,
        })
        .execute();
    await forget();
    expect((await db.selectFrom('dpi_task').select('task_no').orderBy('id').execute()).map(({ task_no }) => task_no)).toEqual([
      'D-young',
      'D-open',
    ]);
    expect(await db.selectFrom('config_campaign').select('title_en').orderBy('id').execute()).toEqual([
      { title_en: 'young' },
      { title_en: 'open' },
    ]);
    const remaining = (table: 'wan_change' | 'fence_change' | 'docker_log') =>
      db.selectFrom(table).select('create_at').where('device_id', '=', id).execute();
    expect(await db.selectFrom('device_event').select('id').where('device_id', '=', id).execute()).toEqual([{ id: 'boot2-1' }]);
    for (const table of ['wan_change', 'fence_change', 'docker_log'] as const)
      expect(await remaining(table)).toEqual([{ create_at: young }]);
    for (const table of ['wan_link_log', 'ap_link_log'] as const)
      expect(await db.selectFrom(table).select('duration').where('device_id', '=', id).orderBy('id').execute()).toEqual([
        { duration: 10 },
        { duration: null },
      ]);
    expect(await db.selectFrom('device_command').select('id').where('device_id', '=', id).orderBy('id').execute()).toEqual([
      { id: 'c1' },
      { id: 'c2' },
    ]);
    expect(await db.selectFrom('device_stream').select('boot').where('device_id', '=', id).execute()).toEqual([{ boot: 'b' }]);
    expect(await count('ap_look')).toBe(1);
  });

  it('are removed after 400 days if they are service events or daily traffic', async () => {
    const { id } = await testServer.addDevice('DAYS');
    const { db, platformId: agent_id } = testServer;
    const user = await db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id, account: 'aged' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const ages = [399, 400, 401];
    const days = ages.map((age) => ({ device_id: id, agent_id, day: dayNumber(now()) - age, update_at: now() }));
    await db.insertInto('traffic_day').values(days).execute();
    const events = ages.map((age) => ({ subscriber_id: user.id, agent_id, kind: 'stop' as const, at: 1, create_at: now() - age * day }));
    await db.insertInto('service_event').values(events).execute();
    await forget();
    expect(await count('traffic_day')).toBe(2);
    expect(await count('service_event')).toBe(2);
  });

  it('are found by an index, independent of the number of recent rows', { tags: 'all' }, async () => {
    await testServer.db.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db);
      for (const [table, by, index] of [
        ['device_event', 'create_at', 'device_event_age'],
        ['wan_link_log', 'create_at', 'wan_link_log_time'],
        ['device_command', 'state >= 3 and create_at', 'device_command_age'],
        ['online_session', 'logout_at', 'online_session_age'],
        ['login_rejection', 'create_at', 'login_rejection_age'],
      ] as const) {
        const column = by.split(' ').at(-1) ?? '';
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select ctid from ${sql.table(table)} where ${sql.raw(by)} < 1 order by ${sql.ref(column)} limit 5000`.execute(db);
        expect(rows.map((r) => r['QUERY PLAN']).join('\n')).toContain(index);
      }
    });
  });
});
