import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { openCorrectedClock } from '../clock.ts';
import { addressOf, isAlive, openNode } from './process-node.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps({ PROCESS_NAME: 'api-1', ROLES: 'api,worker' });
});
afterAll(() => service.close());

const rows = () => service.deps.db.selectFrom('process_node').selectAll().select(isAlive.as('alive')).execute();

describe('the registry of processes', () => {
  test('has a row while the process runs', async () => {
    const gauges = [{ name: 'gateways', help: '', label: 'state', read: () => ({ open: 3 }) }];
    const node = await openNode(service.deps, { id: randomUUID() });
    expect(await rows()).toMatchObject([{ address: null }]);
    await node.publish({ address: '10.0.0.1:8080', remoteWebPort: 8091, gauges });
    const [row] = await rows();
    expect(row).toMatchObject({ name: 'api-1', roles: ['api', 'worker'], address: '10.0.0.1:8080', remote_web_port: 8091, alive: true });
    expect(row?.figures).toMatchObject({ gateways: { open: 3 } });
    expect(row?.version).toMatch(/^\d+\.\d+/);
    await node.close();
    expect(await rows()).toEqual([]);
  });

  /** A process that ended without a shutdown. */
  const addDead = (name: string, age: string) =>
    sql`insert into process_node (id, name, roles, version, seen_at)
      values (gen_random_uuid(), ${name}, '{api}', '1', now() - ${age}::interval)`.execute(service.deps.db);
  const states = async () => Object.fromEntries((await rows()).map(({ name, alive }) => [name, alive]));

  test('shows a process without heartbeats as dead', async () => {
    await addDead('silent', '31 seconds');
    const node = await openNode(service.deps, { id: randomUUID() });
    expect(await states()).toEqual({ 'api-1': true, silent: false });
    await node.close();
  });

  test('registers again when its row was removed', async () => {
    const node = await openNode(service.deps, { id: randomUUID() });
    await service.deps.db.deleteFrom('process_node').where('id', '=', node.id).execute();
    await node.beat();
    expect(await states()).toMatchObject({ 'api-1': true });
    await node.close();
  });

  test('forgets a dead process after a day', async () => {
    await addDead('old', '25 hours');
    const node = await openNode(service.deps, { id: randomUUID() });
    expect(await states()).not.toHaveProperty('old');
    await node.close();
  });
});

test('the clock of a process follows the database', async () => {
  const ahead: number[] = [];
  const node = await openNode(service.deps, { id: randomUUID(), measured: (ms) => ahead.push(ms) });
  expect(Math.abs(ahead[0] ?? Number.NaN)).toBeLessThan(5000);
  await node.close();
  const clock = openCorrectedClock(() => 100_000);
  clock.correct(300);
  expect(clock.now()).toBe(100);
  clock.correct(60_000);
  expect(clock.now()).toBe(40);
  clock.correct(60_200);
  expect(clock.now()).toBe(40);
});

test('the address for other processes is the configured one, the listen address, or one of the machine', () => {
  expect(addressOf({ processAddress: 'api-1.lan', host: '0.0.0.0', port: 80 })).toBe('api-1.lan:80');
  expect(addressOf({ processAddress: 'fd00::1', host: '0.0.0.0', port: 80 })).toBe('[fd00::1]:80');
  expect(addressOf({ processAddress: undefined, host: '10.0.0.7', port: 8080 })).toBe('10.0.0.7:8080');
  expect(addressOf({ processAddress: undefined, host: '::', port: 8080 })).toMatch(/^\d+\.\d+\.\d+\.\d+:8080$/);
});
