import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { updateAlarms } from './alarms.ts';
import { storeSizeSample } from './database.ts';
import { findingsOf, readStatus } from './read-status.ts';

/** Retention of completed jobs. */
const retentionS = 3600;

const check = async ({ deps, commit }: JobRun) => {
  await storeSizeSample(deps);
  const findings = findingsOf(await readStatus(deps));
  await commit(async (db) => {
    await updateAlarms(db, deps, findings);
    return undefined;
  });
};

export const statusJobs: JobKinds = { check_status: { run: check, everyS: 60, retentionS } };
