import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRadiusWorld } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let radius: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  // The test runs the ticks.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const world = await openRadiusWorld(service.deps, service.me.agent_id, { tickMs: 1000, sweepMs: 5000 });
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
  vi.useRealTimers();
});

test('without work five seconds take no statement', async () => {
  await radius.tick();
  const connect = vi.spyOn(service.deps.pool, 'connect');
  // The first ones complete the start.
  await expect
    .poll(async () => {
      connect.mockClear();
      await vi.advanceTimersByTimeAsync(5000);
      return connect.mock.calls.length;
    })
    .toBe(0);
  connect.mockRestore();
});

test('a notification is looked after by the next tick', async () => {
  await service.deps.pool.query('insert into radius_recheck (subscriber_id) values (1)');
  await service.deps.pool.query("notify farlink_radius, 'recheck'");
  const waiting = async () => (await service.deps.pool.query('select from radius_recheck')).rowCount;
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return waiting();
    })
    .toBe(0);
});
