import type { JobKinds } from '../../kit/jobs/job.ts';
import { dropJobs } from './retention.ts';
import { sealJobs } from './seal-job.ts';
import { verifyJobs } from './verify-job.ts';
import { witnessJobs } from './witness.ts';

/** Sealing, verification, retention and witnesses of audit data. */
export const auditJobs: JobKinds = { ...sealJobs, ...verifyJobs, ...dropJobs, ...witnessJobs };
