import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { openHealth } from './health.ts';

let service: ServiceDeps;
let health: Awaited<ReturnType<typeof openHealth>>;
const gauge = { name: 'gateways_online', help: 'Connected gateways', label: 'by', read: () => ({ mqtt: 7 }) };

beforeAll(async () => {
  service = await serviceDeps();
  health = await openHealth(service.deps, { host: '127.0.0.1', port: 0 }, [gauge]);
});
afterAll(async () => {
  await health.close();
  await service.close();
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${health.port}${path}`, { headers });
  return { status: response.status, text: await response.text() };
};

it('answers health and metrics of a process without the role api', async () => {
  const { status, text } = await get('/healthz');
  expect([status, JSON.parse(text)]).toEqual([200, { ready: true, roles: [...service.deps.config.roles] }]);
  expect((await get('/metrics')).text).toContain('gateways_online{by="mqtt"} 7');
  expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
  expect((await get('/agt/v1/login')).status).toBe(404);
});

it('is not ready while the database does not answer', async () => {
  const broken = await serviceDeps();
  const health = await openHealth(broken.deps, { host: '127.0.0.1', port: 0 }, []);
  await broken.deps.pool.end();
  const response = await fetch(`http://127.0.0.1:${health.port}/healthz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ ready: false });
  await health.close();
});
