import type { Deps } from './kit/deps.ts';
import { exportJobs } from './kit/export-job.ts';
import { housekeepingEvery, housekeepingJobs } from './kit/housekeeping.ts';
import { startJobs } from './kit/job-runner.ts';
import { outboxJobs } from './kit/outbox.ts';
import { logExports } from './modules/log/export-log.ts';
import { packageExports } from './modules/package/package.ts';

/** Everything that a worker does, by the kind of its job. */
export const startWork = (deps: Deps) =>
  startJobs(
    deps,
    { ...exportJobs({ ...logExports, ...packageExports }), ...outboxJobs(deps), ...housekeepingJobs },
    { every: housekeepingEvery },
  );
