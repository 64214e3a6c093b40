import { sweepEvery, sweepJobs } from './domain/subscriber/sweep-job.ts';
import type { Deps } from './kit/deps.ts';
import { exportJobs } from './kit/export-job.ts';
import { housekeepingEvery, housekeepingJobs } from './kit/housekeeping.ts';
import { startJobs } from './kit/job-runner.ts';
import { outboxJobs } from './kit/outbox.ts';
import { cardExports } from './modules/card/export-cards.ts';
import { cardJobs, cardJobsEvery } from './modules/card/index.ts';
import { billExports } from './modules/finance/bill.ts';
import { logExports } from './modules/log/export-log.ts';
import { packageExports } from './modules/package/package.ts';
import { payEvery, payJobs } from './modules/payment/watch.ts';
import { userExports } from './modules/user/export-users.ts';
import { openingJobs } from './modules/user/opening/opening-job.ts';

/** Everything that a worker does, by the kind of its job. */
export const startWork = (deps: Deps) =>
  startJobs(
    deps,
    {
      ...exportJobs({ ...logExports, ...packageExports, ...billExports, ...userExports, ...cardExports }),
      ...outboxJobs(deps),
      ...housekeepingJobs,
      ...sweepJobs,
      ...payJobs,
      ...cardJobs,
      ...openingJobs,
    },
    { every: { ...housekeepingEvery, ...sweepEvery, ...payEvery, ...cardJobsEvery } },
  );
