import { sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { dueForRenewal, renewAccount, renewalsAtOnce } from './renew-account.ts';

/** Retention of completed jobs. */
const retentionS = 3600;

/** Accounts with a package again, by a purchase or a reset: the next end is tried without the wait after a refusal. */
const renewedOtherwise = sql<boolean>`auto_renew and renew_refused_at is not null and package_status = 'normal'`;

const isDue = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  sql<boolean>`(exists (select from subscriber where ${renewedOtherwise}) or exists (${dueForRenewal(db, clock.now())}))`;

const renew = async ({ deps, signal }: JobRun) => {
  const now = deps.clock.now();
  await deps.db.updateTable('subscriber').set({ renew_refused_at: null, renew_price: null }).where(renewedOtherwise).execute();
  const due = await dueForRenewal(deps.db, now)
    .orderBy('renew_refused_at', (order) => order.asc().nullsFirst())
    .limit(renewalsAtOnce)
    .execute();
  for (const { id } of due) {
    if (signal.aborted) return;
    await deps.db.transaction().execute((db) => renewAccount(db, deps, id, now));
  }
};

/** A package that has ended or is used up is renewed within seconds. */
export const renewJobs: JobKinds = { auto_renewal: { run: renew, everyS: 15, isDue, retentionS } };
