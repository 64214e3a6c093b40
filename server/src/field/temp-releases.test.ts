import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { refreshTempReleases } from '../domain/device/refresh-temp-releases.ts';
import { storeMessages } from './store/store.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const mac = '02:00:00:00:00:01';

const makeRule = async (name: string, deviceId: number, more: { pass_time?: number; pass_count?: number } = {}) => {
  const limits = { pass_time: 300, pass_count: 3, lock_time: 600, refresh_time: 3600, limit_up: 0, limit_down: 0, ...more };
  const { id } = await testServer.db
    .insertInto('release_rule')
    .values({ agent_id: testServer.platformId, name, target: 'device', ...limits, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await testServer.db.insertInto('release_rule_device').values({ rule_id: id, device_id: deviceId }).execute();
  await refreshTempReleases(testServer.deps);
  return id;
};

/** A gateway that is connected and has received its rule. */
const ship = async (sn: string, more: Parameters<FieldTestServer['gateway']>[1] = {}) => {
  const device = await testServer.addDevice(sn);
  const gateway = testServer.gateway(sn, { key: device.key, calm: true, at: { lat: 20, lon: 115 }, links: ['6d'], ...more });
  gateway.step(testServer.clock.now());
  await gateway.connect();
  await expect.poll(async () => (await testServer.device(device.id)).caps).toContain('release');
  await refreshTempReleases(testServer.deps);
  return { ...device, gateway };
};
const recordsOf = async (id: number) =>
  (
    await testServer.db.selectFrom('release_event').selectAll().where('device_id', '=', id).orderBy('create_at').orderBy('id').execute()
  ).map(({ result, reason }) => [result, reason]);
const settled = (id: number) =>
  testServer.db
    .selectFrom('desired_section')
    .select('settled')
    .where('device_id', '=', id)
    .where('section', '=', 'release')
    .executeTakeFirst();
const ruleAt = (gateway: Gateway) => gateway.tempReleases.rule?.id;
const release = (gateway: Gateway) => gateway.requestTempRelease(mac, 'pay');

describe('the rule of temporary release', () => {
  test('is sent to a connected gateway, and again when it changes', async () => {
    const { id, gateway } = await ship('RULE-1');
    const rule = await makeRule('r1', id);
    await expect.poll(() => ruleAt(gateway)).toBe(rule);
    await expect.poll(() => settled(id)).toEqual({ settled: true });
    await testServer.db.updateTable('release_rule').set({ pass_time: 60 }).where('id', '=', rule).execute();
    await refreshTempReleases(testServer.deps);
    await expect.poll(() => gateway.tempReleases.rule?.t).toBe(60);
    await testServer.db.deleteFrom('release_rule').where('id', '=', rule).execute();
    await refreshTempReleases(testServer.deps);
    await expect.poll(() => ruleAt(gateway)).toBeUndefined();
    await expect.poll(() => settled(id)).toEqual({ settled: true });
  });

  test('is enforced by an offline gateway; the change and the events are exchanged when it reconnects', async () => {
    const { id, gateway } = await ship('CUT-1');
    const rule = await makeRule('r2', id, { pass_count: 1 });
    await expect.poll(() => ruleAt(gateway)).toBe(rule);
    await gateway.connection.close(false);
    await testServer.db.updateTable('release_rule').set({ pass_count: 2 }).where('id', '=', rule).execute();
    await refreshTempReleases(testServer.deps);
    const start = testServer.clock.now();
    expect(release(gateway)).toEqual({ ok: true, until: start + 300 });
    gateway.tempReleases.transfer(mac, { u: 100, d: 900 });
    testServer.clock.advance(400);
    expect(release(gateway)).toEqual({ ok: false, until: start + 3600, reason: 'count' });
    expect(await recordsOf(id)).toEqual([]);
    await gateway.connect();
    await expect
      .poll(() => recordsOf(id))
      .toEqual([
        ['start', null],
        ['end', 'time'],
        ['refused', 'count'],
      ]);
    const [, ended] = await testServer.db
      .selectFrom('release_event')
      .selectAll()
      .where('device_id', '=', id)
      .orderBy('create_at')
      .execute();
    expect(ended).toMatchObject({
      mac,
      rule_id: rule,
      rule_name: 'r2',
      up_bytes: 100,
      down_bytes: 900,
      create_at: start + 300,
      until: start + 300,
      agent_id: testServer.platformId,
    });
    await expect.poll(() => gateway.tempReleases.rule?.n).toBe(2);
    expect(release(gateway).ok).toBe(true);
  });

  test('stores each event once, also if it is repeated', async () => {
    const { id, sn, key, gateway } = await ship('ONCE-1');
    const rule = await makeRule('r3', id);
    await expect.poll(() => ruleAt(gateway)).toBe(rule);
    gateway.stop();
    const t = testServer.clock.now();
    const event = (n: number, more: object) => JSON.stringify({ id: `once1-${n}`, k: 'release', t, mac, rule, ...more });
    const send = async (bodies: readonly string[]) => {
      const client = testServer.client(sn, key);
      await client.connect();
      for (const body of bodies) await client.publish(upTopic(sn, 'e'), body);
      client.destroy();
    };
    const bodies = [event(1, { st: 'start', until: t + 300 }), event(2, { st: 'end', why: 'time', u: 5, d: 6 })];
    await send([...bodies, ...bodies]);
    await send(bodies.toReversed());
    await expect
      .poll(() => recordsOf(id))
      .toEqual([
        ['start', null],
        ['end', 'time'],
      ]);
  });

  test('counts the traffic of a release as that of the gateway, and charges no account', async () => {
    const { id, gateway } = await ship('FLOW-1');
    const rule = await makeRule('r4', id);
    await expect.poll(() => ruleAt(gateway)).toBe(rule);
    release(gateway);
    gateway.tempReleases.transfer(mac, { u: 111, d: 2222 });
    gateway.world.reportTraffic();
    const own = () =>
      testServer.db
        .selectFrom('own_flow')
        .select(['up_bytes', 'down_bytes'])
        .where('device_id', '=', id)
        .where('service', '=', 'release')
        .execute();
    await expect.poll(own).toEqual([{ up_bytes: 111, down_bytes: 2222 }]);
    expect(await testServer.db.selectFrom('usage').select('id').execute()).toEqual([]);
  });
});

test('reports of gateways are stored while their rules change, without a deadlock', async () => {
  const { deps, db, clock } = testServer;
  const [first, second] = [await testServer.addDevice('RELEASE-LOCK-1'), await testServer.addDevice('RELEASE-LOCK-2')];
  const ids = [first.id, second.id];
  const waiting = async () =>
    (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)).rows.length;
  const hello = { boot: 'b1', fw: '01.00.00', h: '0' };
  const status = { b: 'b1', n: 1, t: clock.now(), cur: '6d' };
  let refreshed: Promise<unknown> = Promise.resolve();
  let stored: Promise<unknown> = Promise.resolve();
  await sql`insert into release_change (device_id) select unnest(${ids}::bigint[])`.execute(db);
  await db.transaction().execute(async (tx) => {
    await sql`select from device where id = ${first.id} for no key update`.execute(tx);
    refreshed = refreshTempReleases(deps);
    await expect.poll(waiting).toBe(1);
    stored = storeMessages(deps.pool, clock.now(), 'node', [
      { sn: first.sn, conn: 'c1', content: { kind: 'status', body: status } },
      { sn: second.sn, conn: 'c2', content: { kind: 'hello', body: hello } },
    ]);
    await expect.poll(waiting).toBe(2);
  });
  await Promise.all([refreshed, stored]);
  expect(await testServer.device(first.id)).toMatchObject({ current_link: '6d' });
  expect(await testServer.device(second.id)).toMatchObject({ online_state: 1 });
});

test('a rule for all gateways is stored for each of 3000 gateways with the same hash', async () => {
  await testServer.db
    .insertInto('device')
    .values(
      Array.from({ length: 3000 }, (_, n) => ({
        agent_id: testServer.platformId,
        name: `M${n}`,
        sn: `MANY-${n}`,
        caps: ['release'],
        create_at: 1,
      })),
    )
    .execute();
  const limits = { pass_time: 1, pass_count: 2, lock_time: 3, refresh_time: 4, limit_up: 5, limit_down: 6 };
  await testServer.db
    .insertInto('release_rule')
    .values({ agent_id: testServer.platformId, name: 'all', target: 'all', ...limits, create_at: 1, update_at: 1 })
    .execute();
  while (await refreshTempReleases(testServer.deps));
  const { rows, hashes } = await testServer.db
    .selectFrom('desired_section')
    .innerJoin('device', 'device.id', 'desired_section.device_id')
    .where('device.sn', 'like', 'MANY-%')
    .where('section', '=', 'release')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.count<number>('hash').distinct().as('hashes')])
    .executeTakeFirstOrThrow();
  expect([Number(rows), Number(hashes)]).toEqual([3000, 1]);
});
