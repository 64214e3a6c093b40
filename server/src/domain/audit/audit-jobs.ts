import type { JobKinds } from '../../kit/jobs/job.ts';
import { dropEvery, dropJobs } from './retention.ts';
import { sealEvery, sealJobs } from './seal-job.ts';
import { verifyEvery, verifyJobs } from './verify-job.ts';
import { witnessEvery, witnessJobs } from './witness.ts';

/** Sealing, verification, retention and witnesses of audit data. */
export const auditJobs: JobKinds = { ...sealJobs, ...verifyJobs, ...dropJobs, ...witnessJobs };
export const auditEvery = { ...sealEvery, ...verifyEvery, ...dropEvery, ...witnessEvery };
