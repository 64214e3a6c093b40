import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { subscriberRow } from '../../test/subscriber.ts';
import { seal } from '../kit/session/secret.ts';
import { prepareFleet, startSimulation } from './field.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
  const { db, platformId, clock } = testServer;
  const role = {
    agent_id: platformId,
    kind: 'agent' as const,
    name: 'VNO',
    scope: 'unlimited' as const,
    creator: 'admin',
    create_at: 1,
    update_at: 1,
  };
  const grants = { permissions: '{}', gateway_permissions: '{}' };
  const { id: role_id } = await db
    .insertInto('role')
    .values({ ...role, ...grants })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [third_id, ships] of [
    ['T-bluesea', ['FL24002000', 'FL24002001']],
    ['T-highland', ['FL24010000', 'OTHER']],
  ] as const) {
    const code = third_id.slice(2);
    const at = { create_at: clock.now(), update_at: clock.now() };
    const row = {
      parent_id: platformId,
      role_id,
      path: '',
      agent_level: 1,
      name: code,
      code,
      third_id,
      agent_mode: 1 as const,
      agent_child_enable: false,
      ...at,
    };
    const { id } = await db.insertInto('agent').values(row).returning('id').executeTakeFirstOrThrow();
    await db
      .updateTable('agent')
      .set({ path: `/${platformId}/${id}/` })
      .where('id', '=', id)
      .execute();
    for (const sn of ships) await db.insertInto('device').values({ agent_id: id, name: sn, sn, create_at: 1 }).execute();
  }
  const ship = await db.selectFrom('device').select(['id', 'agent_id']).where('sn', '=', 'FL24002000').executeTakeFirstOrThrow();
  const password = seal(testServer.deps.config.secretKey, 'at-sea-1');
  const people = [{ account: 'crew1' }, { account: 'crew2', status: 'disabled' as const }];
  await db
    .insertInto('subscriber')
    .values(people.map((p) => subscriberRow({ agent_id: ship.agent_id, device_id: ship.id, password, ...p })))
    .execute();
});
afterAll(() => testServer?.close());

const readFile = (file: string): { sn: string; key: string; accounts: string[]; lane?: string; at?: number[] }[] =>
  JSON.parse(readFileSync(file, 'utf8'));

test('the simulator gets the first ship of each fleet, then the second, with valid keys', async () => {
  const file = await prepareFleet(testServer.deps, 2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [blue, high] = readFile(file);
  expect(blue).toMatchObject({
    sn: 'FL24002000',
    accounts: ['crew1'],
    passwords: { crew1: 'at-sea-1' },
    lane: 'south_china_sea',
    past: 7 * 86_400,
  });
  expect(high).toMatchObject({ sn: 'FL24010000', accounts: [], at: [30.72, 90.58] });
  const all = readFile(await prepareFleet(testServer.deps, 12));
  expect(all.map((e) => e.sn)).toEqual(['FL24002000', 'FL24010000', 'FL24002001']);
  expect(all[0]?.key).toBe(blue?.key);
  expect(await testServer.gateway('FL24002000', { key: blue?.key }).connect()).toBe(true);
  const fences = await testServer.db.selectFrom('desired_section').select(['rev', 'section']).where('section', '=', 'fence').execute();
  const reports = await testServer.db.selectFrom('dpi_task').select(['mode', 'method', 'status']).orderBy('id').execute();
  expect(reports).toEqual([
    { mode: 'single', method: 'appointment', status: 0 },
    { mode: 'continuous', method: 'immediate', status: 0 },
  ]);
  expect(fences).toEqual(Array.from({ length: 3 }, () => ({ rev: 1, section: 'fence' })));
});

test('a simulator runs beside the console and stops on request', async () => {
  const config = { ...testServer.deps.config, simulate: 3 };
  const output: string[] = [];
  const simulation = await startSimulation({ ...testServer.deps, config }, testServer.endpoint().port, (line) => output.push(line));
  const online = async () => {
    const rows = await testServer.db.selectFrom('device').select('sn').where('online_state', '=', 1).orderBy('sn').execute();
    return rows.map((r) => r.sn);
  };
  await expect.poll(online, { timeout: 15_000 }).toEqual(['FL24002000', 'FL24002001', 'FL24010000']);
  // Positions before the first connection, up to now and without a jump.
  const track = () =>
    testServer.db
      .selectFrom('device_track')
      .innerJoin('device', 'device.id', 'device_track.device_id')
      .select(['lat', 'lon', 'at'])
      .where('sn', '=', 'FL24002000')
      .orderBy('at')
      .execute();
  await expect.poll(async () => (await track()).length, { timeout: 15_000 }).toBeGreaterThan(600);
  const way = await track();
  const steps = way.slice(1).map(({ lat, lon }, i) => Math.hypot(lat - (way[i]?.lat ?? 0), lon - (way[i]?.lon ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.2);
  expect(Math.max(...steps)).toBeGreaterThan(0.01);
  await simulation?.stop();
  await expect.poll(online, { timeout: 5000 }).toEqual([]);
  expect(output).toEqual([]);
});
