import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { recheck, recheckKind } from './recheck-job.ts';
import { atOnce, sweepSubscribers } from './refresh-packages.ts';
import { shutDownDue, shutdownsAtOnce } from './reserved-shutdown.ts';

const everyS = 15;
/** Retention of finished job rows; the next round starts long before. */
const keepS = 3600;

/** For `startJobs`: time-based changes of accounts and packages are visible within seconds. */
export const sweepEvery = { subscriber_sweep: everyS };

const sweep = async ({ deps, job, signal, commit }: JobRun) => {
  const now = deps.clock.now();
  let swept = atOnce;
  while (swept >= atOnce && !signal.aborted) swept = await deps.db.transaction().execute((db) => sweepSubscribers(db, now));
  let due = shutdownsAtOnce;
  while (due >= shutdownsAtOnce && !signal.aborted) due = await deps.db.transaction().execute((db) => shutDownDue(db, now));
  await commit(async (db) => {
    await db
      .deleteFrom('job')
      .where('kind', '=', job.kind)
      .where('state', '=', 'done')
      .where('finish_at', '<', now - keepS)
      .execute();
  });
};

export const sweepJobs: JobKinds = { subscriber_sweep: { run: sweep }, [recheckKind]: { run: recheck } };
