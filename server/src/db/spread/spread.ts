import type { Pool, PoolClient } from 'pg';
import { reasonOf, StartError } from '../../env/start-error.ts';
import { clusterFaults } from './check.ts';
import { readCluster, readSpread } from './cluster.ts';
import { heapIndexes, heapIndexSql } from './heap-indexes.ts';
import { firstTable, spreadTables } from './tables.ts';

/** Shards of a table. More than workers will ever be, because shards are moved, not split. */
const shardCount = 32;

/** One process at a time. */
const lock = 728_465_059;

const mode = 'citus.multi_shard_modify_mode';

/** Statements on many shards use one connection per worker: a batch of rows takes 3 ms instead of 130. */
const setMode = async (client: PoolClient) => {
  await client.query(`do $$ begin execute format('alter database %I set ${mode} = ''sequential''', current_database()); end $$`);
  await client.query(`set ${mode} = 'sequential'`);
};

const distribute = async (client: PoolClient, table: string, shards: number) => {
  const group = table === firstTable ? `colocate_with => 'none', shard_count => ${shards}` : `colocate_with => '${firstTable}'`;
  await client.query(`select create_distributed_table($1, 'device_id', ${group})`, [table]);
};

/** The rows that are on the workers now were copied from here. */
const truncateLocal = async (client: PoolClient, table: string) => {
  const { rows } = await client.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree($1::regclass) where isleaf order by level desc`,
    [table],
  );
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
};

/** Packing needs columnar storage, which may not be installed. */
const addColumnar = async (client: PoolClient, print: (line: string) => void) => {
  try {
    await client.query('create extension if not exists citus_columnar');
  } catch (error) {
    print(`Warning: old data is not packed, because the extension citus_columnar cannot be created: ${reasonOf(error)}`);
  }
};

/** Indexes that columnar storage does not have are made for each partition. */
const moveHeapIndexes = async (client: PoolClient) => {
  for (const { name } of heapIndexes) await client.query(`drop index if exists ${name}`);
  const { rows } = await client.query<{ parent: string; name: string }>(
    `select i.inhparent::regclass::text as parent, c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_am m on m.oid = c.relam
     where m.amname = 'heap' and i.inhparent::regclass::text = any($1::text[]) order by 2`,
    [heapIndexes.map(({ table }) => table)],
  );
  for (const { parent, name } of rows) for (const sql of heapIndexSql(parent, name)) await client.query(sql);
};

/** Rows of these tables are deleted and worked out again, also while logical replication moves their shard, which needs a primary key. */
const listTables = ['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi'].flatMap((name) => [`${name}_hour`, `${name}_day`]);

const addKeys = async (client: PoolClient) => {
  const { rows } = await client.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint where contype = 'p' and conrelid::regclass::text = any($1::text[])`,
    [listTables],
  );
  const done = new Set(rows.map(({ name }) => name));
  for (const table of listTables.filter((name) => !done.has(name))) {
    await client.query(`alter table ${table} add primary key (device_id, time, id)`);
    // The key, read backwards, is the same index.
    await client.query(`drop index if exists ${table}_device`);
  }
};

export interface SpreadOptions {
  readonly shards?: number;
  readonly print?: (line: string) => void;
}

/** Refuses a database that is not the coordinator of a cluster with fitting workers. */
const requireCluster = async (pool: Pool, print: (line: string) => void) => {
  const cluster = await readCluster(pool);
  if (!cluster) throw new StartError('The database has no extension citus: create it here and on all workers first (docs/citus.md).');
  const { errors, warnings } = await clusterFaults(pool, cluster);
  // The mode is set by this command.
  const left = [...errors.filter((error) => !error.startsWith(mode)), ...warnings.filter((warning) => warning.includes('does not answer'))];
  if (left.length > 0) throw new StartError(`The cluster is not ready: ${left.join('; ')}.`);
  for (const warning of warnings) print(`Warning: ${warning}`);
  print(`Citus ${cluster.version} with ${cluster.workers.length} workers.`);
};

/** Spreads the tables of a migrated database over the workers. A repeated run completes an interrupted one. */
export const spread = async (pool: Pool, { shards = shardCount, print = () => {} }: SpreadOptions = {}): Promise<readonly string[]> => {
  await requireCluster(pool, print);
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await setMode(client);
    const done = await readSpread(client);
    const left = spreadTables.filter((table) => !done.has(table));
    for (const table of left) {
      await distribute(client, table, shards);
      print(`${table} spread`);
    }
    for (const table of spreadTables) await truncateLocal(client, table);
    await addKeys(client);
    await addColumnar(client, print);
    await moveHeapIndexes(client);
    return left;
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
};
