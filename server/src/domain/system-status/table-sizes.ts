import type { StatusTable } from '@farlink/contract/advanced/system-status.ts';
import { sql } from 'kysely';
import { weekS } from '../../db/partitions.ts';
import { type ShardSize, shardSizes } from '../../db/spread/sizes.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';

const maxShown = 25;

export type SizeDeps = Pick<Deps, 'db' | 'clock' | 'pool'>;

interface Relation {
  readonly name: string;
  /** Name of the partition; null for a table without partitions. */
  readonly partition: string | null;
  readonly bytes: number;
  /** Null before PostgreSQL has estimated it. */
  readonly row_count: number | null;
}

/** Sizes of files and estimates of rows: no table is read. */
const relationsOf = async (db: Db): Promise<readonly Relation[]> => {
  const { rows } = await sql<Relation>`
    select coalesce(p.relname, c.relname) as name, case when p.oid is not null then c.relname end as partition,
      pg_total_relation_size(c.oid) as bytes, case when c.reltuples >= 0 then c.reltuples::bigint end as row_count
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`.execute(db);
  return rows;
};

/** `device_load_w2968` begins with week 2968, `device_load_before_2968` contains all earlier ones. */
const weekOf = ({ partition, bytes }: Relation) => {
  const week = /_w(\d+)$/.exec(partition ?? '')?.[1];
  return partition === null ? [] : [{ from_at: week === undefined ? null : Number(week) * weekS, bytes }];
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

const rowsOf = (partitions: readonly Relation[]): number | null => {
  const known = partitions.flatMap(({ row_count }) => row_count ?? []);
  return known.length === 0 ? null : sum(known);
};

/** With many weeks there are a hundred thousand shards, and each is a file to look at. */
const readShards = cachedFor(600, ({ pool }: SizeDeps) => shardSizes(pool));

/** A spread table has no rows of its own on the coordinator. */
const withShards = (relation: Relation, shards: ReadonlyMap<string, ShardSize>): Relation => {
  const spread = shards.get(relation.partition ?? relation.name);
  return spread ? { ...relation, bytes: relation.bytes + spread.bytes, row_count: spread.row_count } : relation;
};

/** The largest tables, partitioned ones with their weeks. On Citus with their shards on all workers. */
export const readTables = async (deps: SizeDeps): Promise<StatusTable[]> => {
  const shards = await readShards(deps);
  const relations = (await relationsOf(deps.db)).map((relation) => withShards(relation, shards));
  return [...Map.groupBy(relations, ({ name }) => name)]
    .map(([name, partitions]) => ({
      name,
      bytes: sum(partitions.map(({ bytes }) => bytes)),
      row_count: rowsOf(partitions),
      weeks: partitions.flatMap(weekOf).sort((a, b) => (a.from_at ?? 0) - (b.from_at ?? 0)),
    }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, maxShown);
};
