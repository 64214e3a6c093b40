import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { runMetering } from './start-metering.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

test('without waiting usage or changes a run is one statement', async () => {
  await runMetering(service.deps);
  const connect = vi.spyOn(service.deps.pool, 'connect');
  await runMetering(service.deps);
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mockRestore();
});

test('a waiting change of an account, a device or a usage row is taken by the next run', async () => {
  const { pool } = service.deps;
  await pool.query('insert into account_change (device_id) values (1)');
  await pool.query('insert into release_change (device_id) values (1)');
  await pool.query('insert into usage (subscriber_id, at, seconds, up_bytes, down_bytes, create_at) values (1, 1, 1, 1, 1, 1)');
  await runMetering(service.deps);
  for (const table of ['account_change', 'release_change', 'usage'])
    expect((await pool.query(`select from ${table}`)).rowCount, table).toBe(0);
});
