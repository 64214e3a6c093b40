import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { expiriesAtOnce, remindOfExpiry } from '../metering/run/remind.ts';
import { batchSize, sweepAccounts } from '../metering/run/sweep-accounts.ts';
import { recheck, recheckKind } from './recheck-job.ts';
import { shutDownDue, shutdownsAtOnce } from './reserved-shutdown.ts';

const everyS = 15;
/** Retention of completed jobs; the next round starts long before. */
const retentionS = 3600;

/** For `startJobs`: time-based changes of accounts and packages are visible within seconds. */
export const sweepEvery = { subscriber_sweep: everyS };

const sweep = async ({ deps, signal }: JobRun) => {
  const now = deps.clock.now();
  let swept = batchSize;
  while (swept >= batchSize && !signal.aborted) swept = await deps.db.transaction().execute((db) => sweepAccounts(db, deps.config, now));
  let reminded = expiriesAtOnce;
  while (reminded >= expiriesAtOnce && !signal.aborted)
    reminded = await deps.db.transaction().execute((db) => remindOfExpiry(db, deps, now));
  let due = shutdownsAtOnce;
  while (due >= shutdownsAtOnce && !signal.aborted) due = await deps.db.transaction().execute((db) => shutDownDue(db, now));
};

export const sweepJobs: JobKinds = { subscriber_sweep: { run: sweep, retentionS }, [recheckKind]: { run: recheck } };
