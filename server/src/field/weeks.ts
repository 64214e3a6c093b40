import type { Pool, PoolClient } from 'pg';

export const weekS = 7 * 86_400;
/** A gateway is believed what it tells of the last 90 days. */
export const lateS = 90 * 86_400;
const weeksAhead = 4;
const lock = 728_465_019;

/** Where what gateways measure goes: each week is a table of its own, so that letting go of one costs nothing, whatever it holds. */
export const streamTables = ['device_load', 'device_track', 'device_flow', 'user_flow', 'app_flow'] as const;

interface WeekPartition {
  readonly name: string;
  /** Null: it was taken out of its stream but is still there. */
  readonly stream: string | null;
  /** Somebody began to take it out. */
  readonly leaving: boolean;
}

const partitionsSql = `
  select c.relname as name, i.inhparent::regclass::text as stream, coalesce(i.inhdetachpending, false) as leaving
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ '^(${streamTables.join('|')})_(w|before_)\\d+$'
  order by c.relname`;

const partitionsOf = async (db: Pool | PoolClient) => (await db.query<WeekPartition>(partitionsSql)).rows;

/** The week, counted from 1970, with which it ends: `device_load_w2968` has that one, `device_load_before_2968` all before. */
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

/** Sees to it that there is a place for whatever may be told in the next weeks. Writing goes on meanwhile: nothing is locked for it. */
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

/** Lets go of the weeks that ended before; who reads is waited for, who writes does not notice. What was interrupted is taken up again. */
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
