import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { auditTables, hourTables, type Range, rangesOf, weekS } from '../partitions.ts';
import { readSpread } from './cluster.ts';
import { firstTable } from './tables.ts';

/** Tables whose old partitions are packed, with the columns that order their rows. */
const orders = new Map<string, string>([
  ['device_load', 'device_id, at'],
  ['device_track', 'device_id, at'],
  ...hourTables.map((table) => [table, 'device_id, time'] as const),
  ...auditTables.map((table) => [table, 'device_id, stored_at'] as const),
]);
export const packedTables: readonly string[] = [...orders.keys()];

const tries = 10;
const pauseMs = 1000;
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Column of the ranges, and columns that are not computed. */
const columnsOf = async (client: PoolClient, table: string) => {
  const { rows } = await client.query<{ name: string; is_key: boolean }>(
    `select a.attname as name, a.attnum = p.partattrs[0] as is_key from pg_attribute a join pg_partitioned_table p on p.partrelid = a.attrelid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [table],
  );
  return { names: rows.map(({ name }) => name).join(', '), key: rows.find(({ is_key }) => is_key)?.name ?? '' };
};

const countOf = async (client: PoolClient, table: string) =>
  (await client.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n ?? 0;

/** Copies a partition into columnar storage, ordered by device. The lock blocks writers, but nothing writes to an old partition. */
const copy = async (client: PoolClient, { table, name, from, to }: Range, packed: string) => {
  const { names, key } = await columnsOf(client, table);
  await client.query(`create table ${packed} (like ${table} including all excluding identity) using columnar`);
  await client.query(`select create_distributed_table($1, 'device_id', colocate_with => '${firstTable}')`, [packed]);
  await client.query(`lock table ${name} in exclusive mode`);
  await client.query(`insert into ${packed} (${names}) select ${names} from ${name} order by ${orders.get(table)}`);
  const before = await countOf(client, name);
  const after = await countOf(client, packed);
  if (before !== after) throw new Error(`${packed} has ${after} rows, ${name} has ${before}`);
  // With this constraint the table is not read again when it is attached.
  const low = from > 0 ? `${key} >= ${from * weekS} and ` : '';
  await client.query(`alter table ${packed} add constraint ${packed}_range check (${key} is not null and ${low}${key} < ${to * weekS})`);
};

/** Replaces the partition with the copy. The table is locked for about a second. */
const swap = async (client: PoolClient, { table, name, from, to }: Range, packed: string) => {
  await client.query(`alter table ${table} detach partition ${name}`);
  const low = from > 0 ? from * weekS : 'minvalue';
  await client.query(`alter table ${table} attach partition ${packed} for values from (${low}) to (${to * weekS})`);
  await client.query(`drop table ${name}`);
  await client.query(`alter table ${packed} drop constraint ${packed}_range`);
  await client.query(`alter table ${packed} rename to ${name}`);
};

/** Running statements go first: the table is locked within 2 seconds, or tried again. */
const swapWhenFree = async (client: PoolClient, range: Range, packed: string, signal?: AbortSignal) => {
  await client.query(`set local lock_timeout = '2s'`);
  for (let tried = 1; ; tried++) {
    signal?.throwIfAborted();
    await client.query('savepoint before_swap');
    try {
      return await swap(client, range, packed);
    } catch (error) {
      if (codeOf(error) !== '55P03' || tried === tries) throw error;
      await client.query('rollback to savepoint before_swap');
      await pause(pauseMs);
    }
  }
};

const packOne = async (client: PoolClient, range: Range, signal?: AbortSignal) => {
  const packed = `${range.name}_packed`;
  await client.query('begin');
  try {
    await copy(client, range, packed);
    await swapWhenFree(client, range, packed, signal);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

/** Names of partitions in columnar storage. */
const readPacked = async (pool: Pool): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_am m on m.oid = c.relam where m.amname = 'columnar' and c.relispartition`,
  );
  return new Set(rows.map(({ name }) => name));
};

export interface PackBefore {
  /** Partitions of measurements and audit data that end before. */
  readonly rows: number;
  /** Partitions of traffic per hour that end before: hours with reports can be worked out again. */
  readonly hours: number;
}

/**
 * Packs the partitions that nothing writes any more into columnar storage, on Citus only. Returns their names. Rows that arrive later are
 * appended; a packed row can be neither changed nor deleted.
 */
export const packPartitions = async (pool: Pool, before: PackBefore, signal?: AbortSignal): Promise<string[]> => {
  const spread = await readSpread(pool);
  if (spread.size === 0) return [];
  const { rowCount } = await pool.query(`select 1 from pg_extension where extname = 'citus_columnar'`);
  if (rowCount === 0) return [];
  const done = await readPacked(pool);
  const isHours = (table: string) => hourTables.some((one) => one === table);
  const due = (await rangesOf(pool)).filter(
    ({ table, name, to }) =>
      orders.has(table) && spread.has(table) && !done.has(name) && to * weekS <= (isHours(table) ? before.hours : before.rows),
  );
  const names: string[] = [];
  const client = await pool.connect();
  try {
    for (const range of due) {
      signal?.throwIfAborted();
      await packOne(client, range, signal);
      names.push(range.name);
    }
  } finally {
    client.release(true);
  }
  return names;
};
