import type { JobKinds } from '../../kit/jobs/job.ts';
import { dropEvery, dropJobs } from './retention.ts';
import { sealEvery, sealJobs } from './seal-job.ts';
import { verifyEvery, verifyJobs } from './verify-job.ts';

/** Sealing, verification and retention of audit data. */
export const auditJobs: JobKinds = { ...sealJobs, ...verifyJobs, ...dropJobs };
export const auditEvery = { ...sealEvery, ...verifyEvery, ...dropEvery };
