import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeUrls, onCitus } from '../../../test/setup/citus.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { makePartitions } from '../partitions.ts';
import { checkSpread, clusterFaults } from './check.ts';
import { readCluster, readSpread } from './cluster.ts';
import { spread } from './spread.ts';
import { spreadTables } from './tables.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

describe.skipIf(onCitus)('on PostgreSQL without Citus', () => {
  it('nothing is checked at the start', async () => {
    const warnings: string[] = [];
    await checkSpread(service.deps.pool, (what) => warnings.push(what));
    expect(warnings).toEqual([]);
    expect(await readCluster(service.deps.pool)).toBeUndefined();
    expect([...(await readSpread(service.deps.pool))]).toEqual([]);
  });

  it('spreading is refused with the missing requirements', async () => {
    await expect(spread(service.deps.pool)).rejects.toThrow('no extension citus');
  });
});

describe('tables that can be spread', () => {
  it('have no foreign key and no trigger, and device_id in each unique key', async () => {
    const { rows } = await service.deps.pool.query<{ what: string }>(
      `select conrelid::regclass || ' ' || conname as what from pg_constraint
         where contype = 'f' and (conrelid::regclass::text = any($1::text[]) or confrelid::regclass::text = any($1::text[]))
       union all
       select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal and tgrelid::regclass::text = any($1::text[])
       union all
       select i.indrelid::regclass || ' ' || i.indexrelid::regclass from pg_index i where i.indisunique and i.indrelid::regclass::text = any($1::text[])
         and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'device_id' and a.attnum = any(i.indkey))`,
      [spreadTables],
    );
    expect(rows).toEqual([]);
  });

  it('are all partitioned tables of gateway data with a device', async () => {
    const { rows } = await service.deps.pool.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id'
       where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(spreadTables.filter((table) => table !== 'device_stream').toSorted());
  });

  it('forget the streams of a deleted device', async () => {
    const { db, pool } = service.deps;
    const add = (sn: string) =>
      db
        .insertInto('device')
        .values({ agent_id: service.me.agent_id, name: sn, sn, create_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
    const gone = await add('GONE1');
    const kept = await add('KEPT1');
    for (const { id } of [gone, kept])
      await db.insertInto('device_stream').values({ device_id: id, boot: 'a', stream: 'load', update_at: 1 }).execute();
    await db.deleteFrom('device').where('id', '=', gone.id).execute();
    const { rows } = await pool.query<{ device_id: number }>('select device_id from device_stream');
    expect(rows).toEqual([{ device_id: kept.id }]);
  });
});

describe.skipIf(!onCitus)('on Citus', () => {
  it('all tables are in one colocation group, their rows are on workers only, and a repeated run changes nothing', async () => {
    const { pool } = service.deps;
    expect([...(await readSpread(pool))].toSorted()).toEqual(spreadTables.toSorted());
    const { rows } = await pool.query<{ groups: number; column: string }>(
      `select count(distinct colocationid)::int as groups, min(column_to_column_name(logicalrelid, partkey)) as column
       from pg_dist_partition where partmethod = 'h'`,
    );
    expect(rows).toEqual([{ groups: 1, column: 'device_id' }]);
    await makePartitions(pool, service.clock.now());
    await pool.query('insert into device_load (device_id, at, cpu, memory) select n, $1, 1, 1 from generate_series(1, 100) n', [
      service.clock.now(),
    ]);
    expect(await spread(pool)).toEqual([]);
    const [coordinator = '', ...workers] = await nodeUrls(`${pool.options.connectionString ?? ''}`);
    expect(coordinator).not.toBe('');
    expect(workers.length).toBeGreaterThan(0);
    const own = await pool.query<{ n: number }>('select count(*)::int as n from device_load');
    expect(own.rows).toEqual([{ n: 100 }]);
    const local = await pool.query<{ n: number }>(`select sum(pg_relation_size(c.oid))::int as n from pg_class c
      where c.relname ~ '^device_load_(w|before_)\\d+$' and c.relkind = 'r'`);
    expect(local.rows).toEqual([{ n: 0 }]);
  });

  it('rows that were stored before are moved', async () => {
    const { pool } = service.deps;
    await pool.query(`insert into device_track (device_id, at, lat, lon) values (1, 5, 1, 1), (2, 6, 1, 1)`);
    await pool.query(`select undistribute_table('device_track')`);
    expect((await readSpread(pool)).has('device_track')).toBe(false);
    const warnings: string[] = [];
    await checkSpread(pool, (what) => warnings.push(what));
    expect(warnings).toEqual(['not spread yet: device_track; run `npm run spread`']);
    expect(await spread(pool)).toEqual(['device_track']);
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from device_track');
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('a required setting is checked at the start, and set by another run', async () => {
    const { pool } = service.deps;
    const cluster = await readCluster(pool);
    if (!cluster) throw new Error('no cluster');
    expect(await clusterFaults(pool, cluster)).toEqual({ errors: [], warnings: [] });
    const url = pool.options.connectionString;
    const name = new URL(url ?? '').pathname.slice(1);
    await pool.query(`alter database ${name} reset citus.multi_shard_modify_mode`);
    const other = new Pool({ connectionString: url, max: 1 });
    try {
      await expect(checkSpread(other, () => {})).rejects.toThrow('citus.multi_shard_modify_mode is parallel');
      expect(await spread(other)).toEqual([]);
    } finally {
      await other.end();
    }
    const after = new Pool({ connectionString: url, max: 1 });
    await checkSpread(after, () => {});
    await after.end();
  });

  it('a cluster that does not fit is refused with all reasons', async () => {
    const { pool } = service.deps;
    const cluster = await readCluster(pool);
    if (!cluster) throw new Error('no cluster');
    const { errors } = await clusterFaults(pool, { ...cluster, version: '11.3-1', workers: [], hasCoordinator: false });
    expect(errors).toEqual([
      'Citus is 11.3-1: Farlink needs 12 or newer',
      'The coordinator has no active worker: add one with citus_add_node',
      'The coordinator is not in pg_dist_node: call citus_set_coordinator_host',
    ]);
  });
});
