import type { Pool } from 'pg';
import { queryWorkers, readSpread } from './cluster.ts';

export interface WorkerSize {
  /** Address of the worker. */
  readonly name: string;
  /** Size of its database; undefined if it does not answer. */
  readonly bytes: number | undefined;
}

/** Empty on PostgreSQL without Citus, and before the tables are spread. */
export const workerSizes = async (pool: Pool): Promise<readonly WorkerSize[]> => {
  if ((await readSpread(pool)).size === 0) return [];
  const replies = await queryWorkers(pool, 'select pg_database_size(current_database())');
  return replies.map(({ name, success, result }) => ({ name, bytes: success ? Number(result) : undefined }));
};

export interface ShardSize {
  readonly bytes: number;
  /** An estimate, as of a local table. */
  readonly row_count: number;
}

const shardsSql = `select coalesce(json_agg(json_build_array(name, bytes, row_count)), '[]') from (
    select s.logicalrelid::text as name, sum(pg_total_relation_size(c.oid)) as bytes, sum(greatest(c.reltuples, 0))::bigint as row_count
    from pg_dist_shard s join pg_class c on c.relname = s.logicalrelid::text || '_' || s.shardid and c.relkind = 'r'
    group by s.logicalrelid) shard`;

/** Sizes of the shards of each spread table and partition, on all workers that answer. */
export const shardSizes = async (pool: Pool): Promise<ReadonlyMap<string, ShardSize>> => {
  const sizes = new Map<string, ShardSize>();
  if ((await readSpread(pool)).size === 0) return sizes;
  for (const { success, result } of await queryWorkers(pool, shardsSql)) {
    const rows: readonly [string, number, number][] = success ? JSON.parse(result) : [];
    for (const [name, bytes, row_count] of rows) {
      const known = sizes.get(name);
      sizes.set(name, { bytes: bytes + (known?.bytes ?? 0), row_count: row_count + (known?.row_count ?? 0) });
    }
  }
  return sizes;
};
