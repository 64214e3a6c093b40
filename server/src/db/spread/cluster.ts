import type { Pool, PoolClient } from 'pg';

type Connection = Pool | PoolClient;

export interface Worker {
  readonly host: string;
  readonly port: number;
}

export interface Cluster {
  /** Version of the extension, such as 13.2-1. */
  readonly version: string;
  readonly hasCoordinator: boolean;
  readonly workers: readonly Worker[];
}

/** Undefined on PostgreSQL without Citus. */
export const readCluster = async (db: Connection): Promise<Cluster | undefined> => {
  const { rows: found } = await db.query<{ extversion: string }>(`select extversion from pg_extension where extname = 'citus'`);
  const version = found[0]?.extversion;
  if (version === undefined) return undefined;
  const { rows } = await db.query<Worker & { groupid: number; shards: boolean }>(
    `select nodename as host, nodeport as port, groupid, shouldhaveshards as shards from pg_dist_node
     where noderole = 'primary' and isactive order by groupid`,
  );
  return {
    version,
    hasCoordinator: rows.some(({ groupid }) => groupid === 0),
    workers: rows.filter(({ groupid, shards }) => groupid > 0 && shards).map(({ host, port }) => ({ host, port })),
  };
};

/** Names of the tables that are spread over workers, without their partitions. Empty on PostgreSQL without Citus. */
export const readSpread = async (db: Connection): Promise<ReadonlySet<string>> => {
  const { rows: known } = await db.query<{ is_known: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as is_known`,
  );
  if (known[0]?.is_known !== true) return new Set();
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
     where d.partmethod = 'h' and not c.relispartition`,
  );
  return new Set(rows.map(({ name }) => name));
};

interface WorkerReply {
  /** Address of the worker. */
  readonly name: string;
  readonly success: boolean;
  /** The value, or the error. */
  readonly result: string;
}

/** Runs a statement that returns one value on each worker. */
export const queryWorkers = async (db: Connection, statement: string): Promise<WorkerReply[]> => {
  const { rows } = await db.query<WorkerReply>(
    `select nodename || ':' || nodeport as name, success, result from run_command_on_workers($1) order by 1`,
    [statement],
  );
  return rows;
};
