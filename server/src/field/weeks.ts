import type { Pool, PoolClient } from 'pg';

export const weekS = 7 * 86_400;
/** Reports of the last 90 days are accepted. */
export const lateS = 90 * 86_400;
const weeksAhead = 4;
const lock = 728_465_019;

/** Tables of gateway measurements, partitioned by week, so that old data is dropped at no cost. */
export const streamTables = ['device_load', 'device_track', 'device_flow', 'user_flow', 'app_flow', 'own_flow'] as const;

interface WeekPartition {
  readonly name: string;
  /** Null: detached from its table but not dropped yet. */
  readonly stream: string | null;
  /** A detach was started and not finished. */
  readonly leaving: boolean;
}

const partitionsSql = `
  select c.relname as name, i.inhparent::regclass::text as stream, coalesce(i.inhdetachpending, false) as leaving
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ '^(${streamTables.join('|')})_(w|before_)\\d+$'
  order by c.relname`;

const partitionsOf = async (db: Pool | PoolClient) => (await db.query<WeekPartition>(partitionsSql)).rows;

/**
 * First week, counted from 1970, after the partition: `device_load_w2968` contains week 2968, `device_load_before_2968` all earlier ones.
 */
const endOf = ({ name }: WeekPartition): number => {
  const [, kind, week] = /_(w|before_)(\d+)$/.exec(name) ?? [];
  return Number(week) + (kind === 'w' ? 1 : 0);
};

const missing = (partitions: readonly WeekPartition[], now: number) =>
  streamTables.flatMap((stream) => {
    const known = Math.max(0, ...partitions.filter((partition) => partition.stream === stream).map(endOf));
    const first = Math.max(known, Math.floor((now - lateS) / weekS));
    const count = Math.floor(now / weekS) + weeksAhead + 1 - first;
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ stream, week: first + i }));
  });

/** Creates the missing partitions for the accepted range and the next weeks. Inserts are not blocked. */
export const makeWeeks = async (pool: Pool, now: number) => {
  if (missing(await partitionsOf(pool), now).length === 0) return;
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(`begin; set local lock_timeout = '10s'`);
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    for (const { stream, week } of missing(await partitionsOf(client), now)) {
      const name = `${stream}_w${week}`;
      await client.query(`create table ${name} (like ${stream} including all)`);
      await client.query(`alter table ${stream} attach partition ${name} for values from (${week * weekS}) to (${(week + 1) * weekS})`);
    }
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
};

/** Drops the partitions that ended before. Waits for readers, does not block writers, and continues an interrupted detach. */
export const dropWeeks = async (pool: Pool, before: number, signal?: AbortSignal) => {
  const old = (await partitionsOf(pool)).filter((partition) => endOf(partition) * weekS <= before);
  if (old.length === 0) return;
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = '60s'`);
    for (const { name, stream, leaving } of old) {
      signal?.throwIfAborted();
      if (stream !== null) await client.query(`alter table ${stream} detach partition ${name} ${leaving ? 'finalize' : 'concurrently'}`);
      await client.query(`drop table ${name}`);
    }
  } finally {
    client.release(true);
  }
};
