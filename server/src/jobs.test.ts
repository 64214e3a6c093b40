import { jobNames } from '@farlink/contract/advanced/job-names.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../test/setup/service-deps.ts';
import { jobKinds } from './jobs.ts';
import { openRounds } from './kit/jobs/rounds.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('each job has a name, and each name a job', () => {
  expect(Object.keys(jobKinds(service.deps)).toSorted()).toEqual(Object.keys(jobNames).toSorted());
});

it('an idle system has few jobs', async () => {
  const { deps, clock } = service;
  const kinds = jobKinds(deps);
  const beginRounds = openRounds(deps, kinds);
  await beginRounds();
  await deps.db.deleteFrom('job').execute();
  for (let second = 0; second < 60; second += 5) {
    clock.advance(5);
    await beginRounds();
  }
  const made = (await deps.db.selectFrom('job').select('kind').execute()).map(({ kind }) => kind);
  expect(made.filter((kind) => (kinds[kind]?.everyS ?? 0) <= 60).toSorted()).toEqual([
    'check_status',
    'roll_traffic',
    'seal_audit',
    'sync_brands',
  ]);
});
