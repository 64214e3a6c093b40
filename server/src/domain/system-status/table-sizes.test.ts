import { tableNames } from '@farlink/contract/advanced/table-names.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onCitus } from '../../../test/setup/citus.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { makePartitions } from '../../db/partitions.ts';
import { shardSizes, workerSizes } from '../../db/spread/sizes.ts';
import { readDatabase, storeSizeSample } from './database.ts';
import { readTables } from './table-sizes.ts';

const rowCount = 5000;
let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
  const { pool, clock } = service.deps;
  await makePartitions(pool, clock.now());
  await pool.query(`insert into device_load (device_id, at, cpu, memory) select n, $1, 1, 1 from generate_series(1, ${rowCount}) n`, [
    clock.now(),
  ]);
  expect((await readTables(service.deps)).find(({ name }) => name === 'device_load')?.row_count).toBe(onCitus ? 0 : null);
  await pool.query('analyze device_load');
});
afterAll(() => service.close());

it('a table has the size and the rows of its weeks, also of those on workers', async () => {
  const load = (await readTables(service.deps)).find(({ name }) => name === 'device_load');
  expect(load?.row_count).toBe(rowCount);
  expect(load?.bytes).toBeGreaterThan(rowCount * 40);
  expect(load?.weeks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(load?.bytes);
});

it('the console has a name for each partitioned table, and none for a table that does not exist', async () => {
  const { rows } = await service.deps.pool.query<{ name: string; is_partitioned: boolean }>(
    "select relname as name, relkind = 'p' as is_partitioned from pg_class where relnamespace = current_schema()::regnamespace",
  );
  const partitioned = rows.filter((row) => row.is_partitioned);
  expect(partitioned.length).toBeGreaterThan(10);
  expect(partitioned.filter(({ name }) => !(name in tableNames))).toEqual([]);
  const existing = new Set(rows.map(({ name }) => name));
  expect(Object.keys(tableNames).filter((name) => !existing.has(name))).toEqual([]);
});

it.skipIf(onCitus)('PostgreSQL without Citus has no workers', async () => {
  expect(await workerSizes(service.deps.pool)).toEqual([]);
  expect([...(await shardSizes(service.deps.pool))]).toEqual([]);
});

describe.skipIf(!onCitus)('on Citus', () => {
  const samples = async () => (await service.deps.pool.query<{ bytes: number }>('select bytes from system_size')).rows;

  it('the size of the database contains the workers', async () => {
    const { pool } = service.deps;
    const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    const workers = await workerSizes(pool);
    expect(workers.length).toBeGreaterThan(0);
    const minimum = workers.reduce((sum, { bytes }) => sum + (bytes ?? 0), rows[0]?.bytes ?? 0);
    expect(minimum).toBeGreaterThan(2 * (rows[0]?.bytes ?? 0));
    const { figures, findings } = await readDatabase(service.deps);
    // Files grow while they are read.
    expect(Math.abs((figures?.bytes ?? 0) / minimum - 1)).toBeLessThan(0.1);
    expect(findings).toEqual([]);
    await storeSizeSample(service.deps);
    expect(await samples()).toHaveLength(1);
  });

  it('a worker that does not answer is a critical problem, and no size is stored', async () => {
    const { pool } = service.deps;
    await pool.query('delete from system_size');
    await pool.query('update pg_dist_node set nodeport = 1 where groupid = (select max(groupid) from pg_dist_node)');
    service.clock.advance(120);
    const { findings, level } = await readDatabase(service.deps);
    expect(level).toBe('critical');
    expect(findings[0]?.reason).toEqual(['数据库工作节点无应答：127.0.0.1:1', 'Database workers do not answer: 127.0.0.1:1']);
    await storeSizeSample(service.deps);
    expect(await samples()).toEqual([]);
  });
});
