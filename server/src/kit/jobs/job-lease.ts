import { sql, type Updateable } from 'kysely';
import { idleLimit } from '../../db/lock.ts';
import type { JobTable } from '../../db/tables.ts';
import type { Db, Deps } from '../deps.ts';
import type { Job } from './job.ts';

/** Leases of jobs: a runner claims a job and checks at each step that it still holds the lease. */

/** Four heartbeats. A job of a killed process is taken over within 30 seconds, with the poll interval of the runner. */
export const leaseS = 20;

/** Claims due jobs: waiting ones, and running ones whose lease has expired. */
export const claimJobs = async (deps: Deps, kinds: readonly string[], count: number): Promise<Job[]> => {
  const now = deps.clock.now();
  const due = deps.db
    .selectFrom('job')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .where('kind', 'in', kinds)
    .where('run_at', '<=', now)
    .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('lease_until', '<', now)]))
    .orderBy('run_at')
    .orderBy('id')
    .limit(count)
    .forUpdate()
    .skipLocked();
  const rows = await deps.db
    .updateTable('job')
    .set({
      state: 'running',
      owner: sql`gen_random_uuid()`,
      lease_until: now + leaseS,
      attempts: sql`attempts + 1`,
      start_at: sql`coalesce(start_at, ${now}::bigint)`,
    })
    .where('id', 'in', due)
    .returning(['id', 'kind', 'payload', 'attempts', 'owner', 'customer_id', 'agent_id', 'lang', 'rights'])
    .execute();
  return rows.flatMap(({ owner, ...row }) => (owner ? [{ ...row, owner }] : []));
};

/** Deletes completed jobs of the kind that are older than the kind keeps them. */
export const removeCompleted = async (db: Db, kind: string, before: number) => {
  await db.deleteFrom('job').where('kind', '=', kind).where('state', '=', 'done').where('finish_at', '<', before).execute();
};

export type LeaseState = 'held' | 'cancel' | 'lost';

/** Extends the lease and returns its state. */
export const beat = async (deps: Deps, job: Job, more: Updateable<JobTable> = {}): Promise<LeaseState> => {
  const row = await deps.db
    .updateTable('job')
    .set({ ...more, lease_until: deps.clock.now() + leaseS })
    .where('id', '=', job.id)
    .where('owner', '=', job.owner)
    .returning('cancel_requested')
    .executeTakeFirst();
  if (!row) return 'lost';
  return row.cancel_requested ? 'cancel' : 'held';
};

export class LeaseLost extends Error {}

/** Runs `decide` with the job row locked, then writes its result. Throws if another runner holds the lease. */
export const whileLeased = (deps: Deps, job: Job, decide: (db: Db, cancel: boolean) => Promise<Updateable<JobTable>>): Promise<void> =>
  deps.db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('job')
      .select(['cancel_requested', idleLimit.as('limit')])
      .where('id', '=', job.id)
      .where('owner', '=', job.owner)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new LeaseLost(`job ${job.id} is held by another runner`);
    const decision = await decide(db, row.cancel_requested);
    await db
      .updateTable('job')
      .set({ owner: null, lease_until: null, ...decision })
      .where('id', '=', job.id)
      .execute();
  });
