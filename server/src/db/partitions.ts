import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { readSpread } from './spread/cluster.ts';
import { heapIndexSql } from './spread/heap-indexes.ts';

export const weekS = 7 * 86_400;
/** Reports of the last 90 days are accepted. */
export const lateS = 90 * 86_400;
/** The day of a late hour can begin earlier, and a report can span a day. */
export const marginS = 2 * 86_400;
const weeksAhead = 4;
const lock = 728_465_019;

/** Measurements without a summary. */
export const telemetryTables = ['device_load', 'device_track', 'device_flow'] as const;
/** Reported traffic, from which the tables of `trafficTables` are worked out. */
export const reportTables = ['user_flow', 'app_flow', 'own_flow', 'own_app_flow'] as const;
/** Tables of gateway measurements, partitioned by week, so that old data is dropped at no cost. */
export const streamTables = [...telemetryTables, ...reportTables] as const;

export const hourTables = ['business_flow_hour', 'manage_flow_hour', 'business_dpi_hour', 'manage_dpi_hour', 'flow_sum_hour'] as const;
const dayTables = [
  ...['business_flow_day', 'manage_flow_day', 'business_dpi_day', 'manage_dpi_day', 'flow_sum_day'],
  ...['agent_flow_hour', 'agent_flow_day', 'dpi_device_day', 'dpi_agent_day'],
] as const;
/** Traffic per hour and day. */
export const trafficTables: readonly string[] = [...hourTables, ...dayTables];
/** Rows of audit data, partitioned by the time of storing. */
export const auditTables = ['audit_auth', 'audit_identity', 'audit_url', 'audit_forum', 'audit_mail', 'audit_terminal'] as const;

/** Weeks of a partition. */
const spanOf = new Map<string, number>([
  ...streamTables.map((table) => [table, 1] as const),
  ...hourTables.map((table) => [table, 4] as const),
  ...dayTables.map((table) => [table, 52] as const),
  ...auditTables.map((table) => [table, 1] as const),
]);

interface Partition {
  readonly name: string;
  /** Null: detached from its table but not dropped yet. */
  readonly parent: string | null;
  /** A detach was started and not finished. */
  readonly leaving: boolean;
}

const partitionsSql = `
  select c.relname as name, i.inhparent::regclass::text as parent, coalesce(i.inhdetachpending, false) as leaving
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ '^(${[...spanOf.keys()].join('|')})_(w|before_)\\d+$'
  order by c.relname`;

const partitionsOf = async (db: Pool | PoolClient) => (await db.query<Partition>(partitionsSql)).rows;

/**
 * Table and weeks, counted from 1970: `device_load_w2968` begins with week 2968, `device_load_before_2968` contains all earlier ones.
 */
const rangeOf = ({ name }: Partition) => {
  const [, table = '', kind, digits] = /^(.+)_(w|before_)(\d+)$/.exec(name) ?? [];
  const week = Number(digits);
  return kind === 'w' ? { table, from: week, to: week + (spanOf.get(table) ?? 1) } : { table, from: 0, to: week };
};

/** A partition that is in use, with its weeks. */
export interface Range {
  readonly table: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export const rangesOf = async (db: Pool | PoolClient): Promise<Range[]> =>
  (await partitionsOf(db)).filter(({ parent, leaving }) => parent !== null && !leaving).map((one) => ({ name: one.name, ...rangeOf(one) }));

/** Audit data is partitioned by the time of storing, so no earlier weeks are needed; two for history that is stored at the first start. */
const auditS = 15 * 86_400;
const isAudit = (table: string) => auditTables.some((one) => one === table);

const missing = (partitions: readonly Partition[], now: number) =>
  [...spanOf].flatMap(([table, span]) => {
    const ranges = partitions.filter(({ parent }) => parent === table).map(rangeOf);
    const oldest = Math.floor((now - (isAudit(table) ? auditS : lateS + marginS)) / weekS / span) * span;
    const first = Math.max(oldest, ...ranges.map(({ to }) => to));
    const count = Math.ceil((Math.floor(now / weekS) + weeksAhead + 1 - first) / span);
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ table, week: first + i * span, span }));
  });

/** Creates the first of the missing partitions in one commit. Returns how many it created. */
const makeSome = async (client: PoolClient, now: number, max: number, spread: ReadonlySet<string>): Promise<number> => {
  await client.query(`begin; set local lock_timeout = '10s'`);
  await client.query('select pg_advisory_xact_lock($1)', [lock]);
  const some = missing(await partitionsOf(client), now).slice(0, max);
  for (const { table, week, span } of some) {
    const name = `${table}_w${week}`;
    // A partition takes the identity of its table.
    await client.query(`create table ${name} (like ${table} including all excluding identity)`);
    if (spread.has(table)) for (const sql of heapIndexSql(table, name)) await client.query(sql);
    await client.query(`alter table ${table} attach partition ${name} for values from (${week * weekS}) to (${(week + span) * weekS})`);
  }
  await client.query('commit');
  return some.length;
};

/**
 * Creates the missing partitions for the accepted range and the next weeks. Inserts are not blocked. Spread over workers, a partition takes
 * a second and blocks its table, so each has its own commit.
 */
export const makePartitions = async (pool: Pool, now: number) => {
  if (missing(await partitionsOf(pool), now).length === 0) return;
  const client = await pool.connect();
  let broken = true;
  try {
    const spread = await readSpread(client);
    const max = spread.size > 0 ? 1 : Number.MAX_SAFE_INTEGER;
    while ((await makeSome(client, now, max, spread)) === max);
    broken = false;
  } finally {
    client.release(broken);
  }
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** The partition for a row does not exist: a check violation without a constraint name. A worker of Citus returns it without its code. */
export const isMissingPartition = (error: unknown): boolean =>
  error instanceof Error &&
  ((codeOf(error) === '23514' && !('constraint' in error && error.constraint)) || error.message.startsWith('no partition of relation'));

const spreadTries = 10;
const spreadPauseMs = 1000;

/**
 * A spread table cannot detach concurrently, so writers wait while a partition is dropped: at most 2 seconds for running statements, then
 * they go first.
 */
const dropSpread = async (client: PoolClient, name: string, signal?: AbortSignal) => {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      await client.query(`begin; set local lock_timeout = '2s'; drop table ${name}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      if (codeOf(error) !== '55P03' || tries === spreadTries) throw error;
      await pause(spreadPauseMs);
    }
  }
};

/** Drops partitions that ended before. Waits for readers, does not block writers, and continues an interrupted detach. */
export const dropPartitions = async (pool: Pool, tables: readonly string[], before: number, signal?: AbortSignal) => {
  const old = (await partitionsOf(pool)).filter((partition) => {
    const { table, to } = rangeOf(partition);
    return tables.includes(table) && to * weekS <= before;
  });
  if (old.length === 0) return;
  const client = await pool.connect();
  try {
    const spread = await readSpread(client);
    await client.query(`set lock_timeout = '60s'`);
    for (const { name, parent, leaving } of old) {
      signal?.throwIfAborted();
      if (parent !== null && spread.has(parent)) {
        await dropSpread(client, name, signal);
        continue;
      }
      if (parent !== null) await client.query(`alter table ${parent} detach partition ${name} ${leaving ? 'finalize' : 'concurrently'}`);
      await client.query(`drop table ${name}`);
    }
  } finally {
    client.release(true);
  }
};

/** Since this time no partition of these tables was dropped. */
export const completeSince = async (pool: Pool, tables: readonly string[]): Promise<number> => {
  const ranges = await rangesOf(pool);
  const starts = tables.map((table) => Math.min(...ranges.filter((range) => range.table === table).map(({ from }) => from)));
  return Math.max(...starts) * weekS;
};
