import { jobNames } from '@farlink/contract/advanced/job-names.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../test/setup/service-deps.ts';
import { jobKinds } from './jobs.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('each job has a name, and each name a job', () => {
  expect(Object.keys(jobKinds(service.deps)).toSorted()).toEqual(Object.keys(jobNames).toSorted());
});
