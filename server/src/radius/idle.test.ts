import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRadiusWorld } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let radius: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  // The test runs the ticks.
  const world = await openRadiusWorld(service.deps, service.me.agent_id, { tickMs: 3_600_000 });
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
});

test('a tick without waiting work is one statement', async () => {
  await radius.tick();
  const connect = vi.spyOn(service.deps.pool, 'connect');
  await radius.tick();
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mockRestore();
});
