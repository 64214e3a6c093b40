import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { dueForRenewal, renewAccount, renewalsAtOnce } from './renew-account.ts';

/** For `startJobs`: a package that has ended or is used up is renewed within seconds. */
export const renewEvery = { auto_renewal: 15 };

/** Retention of completed jobs. */
const retentionS = 3600;

const renew = async ({ deps, signal }: JobRun) => {
  const now = deps.clock.now();
  await deps.db
    .updateTable('subscriber')
    .set({ renew_refused_at: null, renew_price: null })
    .where('auto_renew', '=', true)
    .where('renew_refused_at', 'is not', null)
    .where('package_status', '=', 'normal')
    .execute();
  const due = await dueForRenewal(deps.db, now)
    .orderBy('renew_refused_at', (order) => order.asc().nullsFirst())
    .limit(renewalsAtOnce)
    .execute();
  for (const { id } of due) {
    if (signal.aborted) return;
    await deps.db.transaction().execute((db) => renewAccount(db, deps, id, now));
  }
};

export const renewJobs: JobKinds = { auto_renewal: { run: renew, retentionS } };
