import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { batchSize, sweepAccounts } from '../metering/run/sweep-accounts.ts';
import { sweepJobs } from './sweep-job.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

test('accounts expire in periodic runs, and old runs are removed', async () => {
  const { db } = service.deps;
  const { agent_id } = service.me;
  const now = service.clock.now();
  const rows = [10, 7000].map((s) => subscriberRow({ agent_id, account: `ends${s}`, expire_at: now + s }));
  await db.insertInto('subscriber').values(rows).execute();
  const runner = startJobs(service.deps, sweepJobs, { pollMs: 0 });
  const states = async () => {
    await runner.tick();
    const found = await db.selectFrom('subscriber').select('status').orderBy('id').execute();
    return found.map((s) => s.status);
  };
  expect(await states()).toEqual(['normal', 'normal']);
  service.clock.advance(15);
  expect(await states()).toEqual(['expired', 'normal']);
  service.clock.advance(7200);
  expect(await states()).toEqual(['expired', 'expired']);
  await runner.stop();
  expect(await db.selectFrom('job').select('state').execute()).toEqual([{ state: 'done' }]);
});

test('a step ends a limited number of accounts, so that it locks few rows for a short time', { tags: 'all' }, async () => {
  const { db } = service.deps;
  const { agent_id } = service.me;
  const now = service.clock.now();
  const rows = Array.from({ length: batchSize + 5 }, (_, i) => subscriberRow({ agent_id, account: `many${i}`, expire_at: now }));
  await db.insertInto('subscriber').values(rows).execute();
  const step = () => db.transaction().execute((tx) => sweepAccounts(tx, service.deps.config, now));
  expect([await step(), await step(), await step()]).toEqual([batchSize, 5, 0]);
});
