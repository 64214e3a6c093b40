import { completeSince, lateS, marginS, reportTables } from '../db/partitions.ts';
import { packPartitions } from '../db/spread/pack.ts';
import type { JobKinds, JobRun } from '../kit/jobs/job.ts';

const day = 86_400;

/** Packs the partitions that no late report can change. Does nothing without Citus. */
export const packOld = async ({ deps: { pool, clock, log }, signal }: Pick<JobRun, 'deps' | 'signal'>) => {
  const rows = clock.now() - lateS - marginS;
  // Hours can be recomputed as long as their reports are stored.
  const hours = Math.min(rows, await completeSince(pool, reportTables));
  const names = await packPartitions(pool, { rows, hours }, signal);
  if (names.length > 0) log.info({ partitions: names }, 'old partitions packed');
};

export const packJobs: JobKinds = { pack_weeks: { run: packOld, everyS: 6 * 3600, retentionS: day } };
