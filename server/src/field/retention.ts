import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { Pool } from 'pg';
import { dropPartitions, lateS, reportTables, telemetryTables, trafficTables } from '../db/partitions.ts';
import type { JobKinds, JobRun } from '../kit/jobs/job.ts';
import { packJobs } from './pack-job.ts';

const day = 86_400;
/** Rows deleted per commit; few, so that other statements do not wait. */
const atOnce = 5000;

interface Aged {
  readonly table: string;
  /** Indexed column used to find the oldest rows. */
  readonly by: string;
  /** Additional condition; `$1` is the cutoff time. */
  readonly and?: string;
  /** Primary key of a table that may be spread over workers, where rows have no common address. */
  readonly key?: string;
}

/** A row that is still open is not old, regardless of its start. */
const ended = 'create_at + duration < $1';

/** Logs of gateway reports and commands. The operator log and the ledger are kept. */
const logs: readonly Aged[] = [
  { table: 'device_event', by: 'create_at' },
  { table: 'wan_link_log', by: 'create_at', and: ended },
  { table: 'ap_link_log', by: 'create_at', and: ended },
  { table: 'wan_change', by: 'create_at' },
  { table: 'fence_change', by: 'create_at' },
  { table: 'docker_log', by: 'create_at' },
  { table: 'sync_log', by: 'create_at' },
  { table: 'policy_log', by: 'create_at' },
  { table: 'login_rejection', by: 'create_at' },
  { table: 'release_event', by: 'create_at' },
  { table: 'device_command', by: 'create_at', and: `state >= ${commandState.ids.done}` },
  { table: 'config_campaign', by: 'create_at', and: 'finish_at is not null' },
  { table: 'dpi_task', by: 'create_at', and: 'ended and section_rev is null' },
  { table: 'online_session', by: 'logout_at' },
];

/** History of service and traffic, in days. */
const historyDays = 400;

/** Data that is needed only while late reports may arrive. */
const memory: readonly Aged[] = [
  { table: 'device_stream', by: 'update_at', key: 'device_id, boot, stream' },
  { table: 'ap_look', by: 'at' },
];

const forget = async (pool: Pool, { table, by, and = 'true', key }: Aged, before: number, signal: AbortSignal) => {
  const oldest = `from ${table} where ${by} < $1 and ${and} order by ${by} limit ${atOnce}`;
  const sql =
    key === undefined
      ? `delete from ${table} where ctid = any(array(select ctid ${oldest}))`
      : `delete from ${table} where (${key}) in (select ${key} ${oldest}) and ${by} < $1 and ${and}`;
  do signal.throwIfAborted();
  while ((await pool.query(sql, [before])).rowCount === atOnce);
};

/** Reports of marked hours are not processed yet. A report can begin a day earlier. */
const neededSince = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ hour: number | null }>('select min(hour) as hour from traffic_dirty');
  const hour = rows[0]?.hour ?? undefined;
  return hour === undefined ? Number.MAX_SAFE_INTEGER : hour - day;
};

export const forgetField = async ({ deps: { pool, clock, config }, signal }: Pick<JobRun, 'deps' | 'signal'>) => {
  const now = clock.now();
  const { telemetryDays, reportDays, trafficDays, logDays } = config.retention;
  await dropPartitions(pool, telemetryTables, now - telemetryDays * day, signal);
  await dropPartitions(pool, reportTables, Math.min(now - reportDays * day, await neededSince(pool)), signal);
  await dropPartitions(pool, trafficTables, now - trafficDays * day, signal);
  for (const aged of logs) await forget(pool, aged, now - logDays * day, signal);
  await forget(pool, { table: 'service_event', by: 'create_at' }, now - historyDays * day, signal);
  await forget(pool, { table: 'traffic_day', by: 'day' }, dayNumber(now) - historyDays, signal);
  for (const aged of memory) await forget(pool, aged, now - lateS - day, signal);
};

/** Hourly, so that each run is small. */
export const fieldJobs: JobKinds = { forget_field: { run: forgetField, everyS: 3600 }, ...packJobs };
