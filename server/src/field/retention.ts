import type { Pool } from 'pg';
import type { JobKinds, JobRun } from '../kit/jobs/job.ts';
import { dropWeeks, lateS } from './weeks.ts';

const day = 86_400;
/** So many rows go in one commit: a moment's work, so that nobody waits for it. */
const atOnce = 5000;

interface Aged {
  readonly table: string;
  /** The column by whose index the oldest are found. */
  readonly by: string;
  /** What else must be true; `$1` is the moment before which they are old. */
  readonly and?: string;
}

/** What lasts still is not old, whenever it began. */
const ended = 'create_at + duration < $1';

/** What the field tells, and what was told to it. The operator log and the books are not among it: they are kept. */
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
  { table: 'device_command', by: 'create_at', and: 'state >= 3' },
  { table: 'config_campaign', by: 'create_at', and: 'finish_at is not null' },
  { table: 'online_session', by: 'logout_at' },
];

/** What is needed only as long as something can arrive late. */
const memory: readonly Aged[] = [
  { table: 'device_stream', by: 'update_at' },
  { table: 'ap_look', by: 'at' },
];

const forget = async (pool: Pool, { table, by, and = 'true' }: Aged, before: number, signal: AbortSignal) => {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${by} < $1 and ${and} order by ${by} limit ${atOnce}))`;
  do signal.throwIfAborted();
  while ((await pool.query(sql, [before])).rowCount === atOnce);
};

export const forgetField = async ({ deps: { pool, clock, config }, signal }: Pick<JobRun, 'deps' | 'signal'>) => {
  const now = clock.now();
  const { telemetryDays, logDays } = config.keep;
  await dropWeeks(pool, now - telemetryDays * day, signal);
  for (const aged of logs) await forget(pool, aged, now - logDays * day, signal);
  for (const aged of memory) await forget(pool, aged, now - lateS - day, signal);
};

export const fieldJobs: JobKinds = { forget_field: { run: forgetField } };

/** For `startJobs`: once an hour, so that there is never much at a time. */
export const fieldEvery = { forget_field: 3600 };
