import type { Updateable } from 'kysely';
import { idleLimit } from '../../db/lock.ts';
import type { JobTable } from '../../db/tables.ts';
import type { Db, Deps } from '../deps.ts';
import type { Job } from './job.ts';

/** Leases of jobs: a runner claims a job and checks at each step that it still holds the lease. */

/** Four heartbeats. A job of a killed process is taken over within 30 seconds, with the poll interval of the runner. */
export const leaseS = 20;

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
