import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { expiriesAtOnce, hasUnremindedExpiry, remindOfExpiry } from '../metering/run/remind.ts';
import { batchSize, hasPassedTime, sweepAccounts } from '../metering/run/sweep-accounts.ts';
import { recheck, recheckKind } from './recheck-job.ts';
import { isShutdownDue, shutDownDue, shutdownsAtOnce } from './reserved-shutdown.ts';

/** Retention of completed jobs; the next round starts long before. */
const retentionS = 3600;

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

const isDue = ({ clock }: Pick<Deps, 'clock'>): RawBuilder<boolean> => {
  const now = clock.now();
  return sql`(${hasPassedTime(now)} or ${hasUnremindedExpiry(now)} or ${isShutdownDue(now)})`;
};

/** Time-based changes of accounts and packages are visible within seconds. */
export const sweepJobs: JobKinds = { subscriber_sweep: { run: sweep, everyS: 15, isDue, retentionS }, [recheckKind]: { run: recheck } };
