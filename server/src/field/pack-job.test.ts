import { loadCalls } from '@farlink/contract/device/load.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../test/api.ts';
import { addAuditDevice, mailRows, storeAuditRows, urlRows } from '../../test/audit.ts';
import { onCitus } from '../../test/setup/citus.ts';
import { storeHours } from '../../test/traffic-rows.ts';
import { dropPartitions, makePartitions, reportTables, weekS } from '../db/partitions.ts';
import { poolQuery, rowProofs } from '../domain/audit/proofs.ts';
import { sealRound } from '../domain/audit/seal-job.ts';
import { startManual, verifyJobs } from '../domain/audit/verify-job.ts';
import { startJobs } from '../kit/jobs/job-runner.ts';
import { packOld } from './pack-job.ts';

const pack = (api: Api) => packOld({ deps: api.deps, signal: new AbortController().signal });

describe.skipIf(onCitus)('on PostgreSQL without Citus', () => {
  it('no old partition is packed', async () => {
    const api = await startApi();
    const { pool } = api.deps;
    const partitions = async () =>
      (await pool.query(`select oid, relname, relam, relfilenode from pg_class where relispartition and relkind = 'r' order by oid`)).rows;
    await makePartitions(pool, api.clock.now());
    const before = await partitions();
    expect(before.map(({ relname }) => relname)).toContainEqual(expect.stringMatching(/^device_load_/));
    api.clock.advance(32 * weekS);
    await pack(api);
    expect(await partitions()).toEqual(before);
    await api.close();
  });
});

describe.skipIf(!onCitus)('old weeks on Citus', () => {
  let api: Api;
  let admin: Caller;
  let device: number;
  let begin: number;
  const day = 86_400;

  const packed = async () =>
    (
      await api.deps.pool.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_am m on m.oid = c.relam where m.amname = 'columnar' order by 1`,
      )
    ).rows.map(({ name }) => name);

  beforeAll(async () => {
    api = await startApi();
    admin = await api.login('admin');
    begin = api.clock.now();
    await makePartitions(api.deps.pool, begin);
    const agent = await api.db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    device = await addAuditDevice(api.deps, agent.id, 'PACK1');
    for (const table of ['device_load (device_id, at, cpu, memory)', 'device_track (device_id, at, lat, lon)'])
      await api.deps.pool.query(
        `insert into ${table} select $1::bigint + d, $2::bigint - t * 60, t % 90, t % 80 from generate_series(0, 9) d, generate_series(1, 500) t`,
        [device, begin],
      );
    const hour = begin - (begin % 3600) - 7200;
    await storeHours(api.db, [
      { kind: 'flow_usr', time: hour, agent_id: agent.id, device_id: device, up: 100, down: 2000, account: 'anna' },
      { kind: 'flow_usr', time: hour + 3600, agent_id: agent.id, device_id: device, up: 7, down: 9, account: 'bob' },
      { kind: 'dpi_usr', time: hour, agent_id: agent.id, device_id: device, up: 1, down: 2, account: 'bob', protocol_id: '7.0' },
    ]);
    await storeAuditRows(api.deps, device, 'a_url', urlRows(20, begin));
    await storeAuditRows(api.deps, device, 'a_mail', mailRows(5, begin));
    api.clock.advance(120);
    await sealRound(api.deps);
  });
  afterAll(() => api?.close());

  /** All that is shown or proven of the stored rows. */
  const shown = async () => {
    const range = { device_id: device, start_at: begin - 8 * 3600, end_at: begin };
    const filters = { stat_by: 'hour', time_start: begin - day, time_end: begin };
    const { pool, db, config } = api.deps;
    const batches = await db.selectFrom('audit_batch').selectAll().orderBy('id').execute();
    const proofs = [];
    for (const { id, kind, stored_at, count } of batches)
      proofs.push(
        await rowProofs(
          poolQuery(pool),
          kind,
          { batch: id, stored_at },
          new Set(Array.from({ length: count }, (_, n) => n)),
          config.secretKey,
        ),
      );
    return {
      load: (await admin.call(loadCalls.series, range)).data,
      list: (await admin.call(trafficCalls.flow_usr.list, filters)).data,
      dpi: (await admin.call(trafficCalls.dpi_usr.list, filters)).data,
      track: (await pool.query('select * from device_track order by device_id, at')).rows,
      urls: (await pool.query('select * from audit_url order by id')).rows,
      batches,
      proofs,
    };
  };

  const findings = async () => {
    const { db, clock } = api.deps;
    const id = await db
      .transaction()
      .execute((tx) => startManual(tx, clock.now(), { from_at: begin - 60, to_at: begin + 3600, operator: 'Test' }));
    const runner = startJobs(api.deps, verifyJobs, { pollMs: 0 });
    await runner.tick();
    await runner.stop();
    return db
      .selectFrom('audit_verification')
      .select(['state', 'row_count', 'batch_count', 'finding_count'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  };

  it('are not packed while late reports may arrive', async () => {
    await pack(api);
    expect(await packed()).toEqual([]);
  });

  it('are packed afterwards, with the same charts, lists, rows and proofs', async () => {
    const verified = { state: 'done', row_count: 25, batch_count: 2, finding_count: 0 };
    expect(await findings()).toEqual(verified);
    api.clock.advance(32 * 7 * day);
    await dropPartitions(api.deps.pool, reportTables, api.clock.now() - 100 * day);
    await makePartitions(api.deps.pool, api.clock.now());
    await dropPartitions(api.deps.pool, reportTables, api.clock.now() - 100 * day);
    admin = await api.login('admin');
    const before = await shown();
    expect(before.load.list.length).toBeGreaterThan(100);
    expect(before.proofs.flat()).toHaveLength(25);
    await pack(api);
    const names = await packed();
    for (const table of ['device_load', 'device_track', 'business_flow_hour', 'flow_sum_hour', 'audit_url', 'audit_mail'])
      expect(names.filter((name) => name.startsWith(`${table}_`)).length, table).toBeGreaterThan(0);
    expect(await shown()).toEqual(before);
    expect(await findings()).toEqual(verified);
  });

  it('accept late rows, and are dropped like other weeks', async () => {
    const { pool } = api.deps;
    const count = async () => (await pool.query<{ n: number }>('select count(*)::int as n from device_load')).rows[0]?.n ?? 0;
    const before = await count();
    await pool.query('insert into device_load (device_id, at, cpu, memory) values ($1, $2, 1, 1)', [device, begin - 30]);
    expect(await count()).toBe(before + 1);
    await dropPartitions(pool, ['device_load'], (Math.floor(begin / weekS) + 2) * weekS);
    expect(await count()).toBe(0);
  });
});
