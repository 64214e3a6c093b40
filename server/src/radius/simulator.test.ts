import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { freePort } from '../../test/mosquitto.ts';
import { openRadiusWorld } from '../../test/radius.ts';
import { syncOnce } from '../domain/access/sync-run.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { refreshPackages } from '../domain/metering/store/refresh-packages.ts';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import type { Radius } from './radius.ts';

const MB = 1024 ** 2;
let server: FieldTestServer;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;
let ports: { authPort: number; acctPort: number; radsecPort: number };
let n = 0;

beforeAll(async () => {
  server = await openFieldTestServer();
  // The section of a gateway has the port of the configuration, and the test uses a free one.
  const settings = { ...server.deps.config.radius };
  ports = settings;
  const deps = { ...server.deps, config: { ...server.deps.config, radius: settings } };
  world = await openRadiusWorld(deps, server.platformId, { radsec: { host: '127.0.0.1', port: 0 } });
  radius = await world.open();
  ports.radsecPort = radius.radsecPort ?? 0;
});
afterAll(async () => {
  await radius.close();
  await server.close();
});

const now = () => server.clock.now();
const charge = async () => {
  while (await chargeOnce(server.deps));
};

/** A gateway in this billing mode that is connected and has its access to RADIUS. */
const ship = async (bill: 2 | 3) => {
  const device = await server.addDevice(`AAA-${++n}`);
  const gateway = server.gateway(device.sn, { key: device.key, bill, calm: true, links: ['6d'], at: { lat: 20, lon: 115 } });
  gateway.current = '6d';
  await gateway.connect();
  await expect.poll(async () => (await server.device(device.id)).billing_mode).toBe(bill);
  await radius.sweep();
  await expect.poll(() => gateway.sections.get('radius')?.doc.id).toBe(device.sn);
  return { ...device, gateway };
};

const pass = (gateway: Gateway, seconds: number) => {
  server.clock.advance(seconds);
  gateway.step(now());
};
const flowPackage = (flow_capacity: number, more: object = {}) =>
  world.makePackage({ package_type: 'flow', time_capacity: null, time_unit: null, flow_capacity, flow_unit: 'MB', ...more });
const newPolicy = async (action: 1 | 2) => {
  const row = { agent_id: server.platformId, name: `Policy ${++n}`, ratio: 80, action, limit_up: 16, limit_down: 32 };
  const made = await server.db
    .insertInto('policy')
    .values({ ...row, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
};
const usedOf = async (subscriber: number) =>
  (await server.db.selectFrom('holding').select('used_flow').where('subscriber_id', '=', subscriber).orderBy('id').execute()).map(
    (h) => h.used_flow,
  );
const flowsOf = (device: number, account: string) =>
  server.db
    .selectFrom('user_flow')
    .select(['via', 'up_bytes', 'down_bytes'])
    .where('device_id', '=', device)
    .where('account', '=', account)
    .execute();
const login = (gateway: Gateway, acc: string, password = world.password) => gateway.users.login({ acc, password }, false);

describe('a gateway in billing mode AAA', () => {
  it('logs an account in by RADIUS, accounts it to the byte, and ends it at its quota', async () => {
    const { id: device, gateway } = await ship(2);
    const { id, account } = await world.makeAccount({ device_id: device }, await flowPackage(3, { policy_id: await newPolicy(2) }));
    expect(await login(gateway, account, 'wrong')).toEqual({ why: 'wrong_password' });
    expect(await login(gateway, account)).toMatchObject({ session: { via: 'aaa', grant: { bytes: 3 * MB, interim: 300 } } });
    await expect.poll(() => world.sessions(id)).toMatchObject([{ source: 'aaa', device_id: device, logout_at: null }]);

    gateway.users.transfer(account, { u: 1000, d: MB });
    for (let i = 0; i < 5; i++) pass(gateway, 60);
    await expect.poll(() => world.sessions(id)).toMatchObject([{ up_bytes: 1000, down_bytes: MB }]);
    await charge();
    expect(await usedOf(id)).toEqual([MB + 1000]);

    gateway.users.transfer(account, { u: 0, d: 5 * MB });
    expect(gateway.users.sessions).toEqual([]);
    await expect.poll(async () => (await world.sessions(id))[0]?.terminate_cause).toBe('quota');
    const [session] = await world.sessions(id);
    expect((session?.up_bytes ?? 0) + (session?.down_bytes ?? 0)).toBe(3 * MB);
    pass(gateway, 60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    await charge();
    expect(await usedOf(id)).toEqual([3 * MB]);
    expect((await world.account(id)).status).toBe('shutdown');

    const flows = await flowsOf(device, account);
    expect(new Set(flows.map((f) => f.via))).toEqual(new Set(['aaa']));
    expect(flows.reduce((sum, f) => sum + f.up_bytes + f.down_bytes, 0)).toBe(3 * MB);
    expect(await login(gateway, account)).toEqual({ why: 'shutdown' });
    await gateway.flushed();
    const rejections = await server.db
      .selectFrom('login_rejection')
      .select('reason')
      .where('subscriber_id', '=', id)
      .orderBy('id')
      .execute();
    expect(rejections).toEqual([{ reason: 'wrong_password' }, { reason: 'shutdown' }]);
  });

  it('ends a session that the console kicks, and changes its speed', async () => {
    const { id: device, gateway } = await ship(2);
    const fast = await flowPackage(1024, { policy_id: await newPolicy(1), up_speed: 100, down_speed: 200 });
    const { id, account } = await world.makeAccount({ device_id: device }, fast);
    expect(await login(gateway, account)).toMatchObject({ session: { grant: { up: 100 * 1024, down: 200 * 1024 } } });
    await expect.poll(async () => (await world.sessions(id)).length).toBe(1);
    await server.db
      .updateTable('holding')
      .set({ activated_at: now(), used_flow: 1024 * MB })
      .where('subscriber_id', '=', id)
      .execute();
    await refreshPackages(server.db, [id], now());
    await expect.poll(() => gateway.users.sessions[0]?.grant).toMatchObject({ up: 16 * 1024, down: 32 * 1024, bytes: 2 ** 50 });
    gateway.users.transfer(account, { u: 7, d: 70 });
    const [session] = await world.sessions(id);
    expect(await kickSessions(server.db, { session: session?.id ?? 0 }, { now: now() })).toBe(1);
    await expect.poll(() => gateway.users.sessions).toEqual([]);
    await expect.poll(() => world.sessions(id)).toMatchObject([{ terminate_cause: 'kick', up_bytes: 7, down_bytes: 70 }]);
  });

  it('sends the accounting of its offline time after it reconnects', async () => {
    const { id: device, gateway } = await ship(2);
    const { id, account } = await world.makeAccount({ device_id: device }, await flowPackage(10));
    await login(gateway, account);
    await expect.poll(async () => (await world.sessions(id)).length).toBe(1);
    const began = now();
    gateway.world.force('none');
    pass(gateway, 60);
    gateway.world.force('6d');
    gateway.users.transfer(account, { u: 0, d: 2 * MB });
    gateway.world.force('none');
    for (let i = 0; i < 10; i++) pass(gateway, 60);
    gateway.users.signAllOut('user');
    const ended = now();
    pass(gateway, 600);
    gateway.world.force('6d');
    await gateway.connect();
    await expect
      .poll(() => world.sessions(id))
      .toMatchObject([{ login_at: began, logout_at: ended, terminate_cause: 'user', down_bytes: 2 * MB }]);
    await charge();
    expect(await usedOf(id)).toEqual([2 * MB]);
  });
});

describe('a console without RadSec', () => {
  it('serves its gateways over UDP', async () => {
    const before = { ...ports };
    Object.assign(ports, { radsecPort: 0, authPort: radius.authPort, acctPort: radius.acctPort });
    const { id: device, gateway } = await ship(2);
    Object.assign(ports, before);
    expect(gateway.sections.doc('radius')).toMatchObject({ auth: radius.authPort, acct: radius.acctPort });
    const { id, account } = await world.makeAccount({ device_id: device }, await flowPackage(10));
    expect(await login(gateway, account)).toMatchObject({ session: { via: 'aaa' } });
    gateway.users.transfer(account, { u: 1, d: MB });
    gateway.users.signAllOut('user');
    await expect.poll(() => world.sessions(id)).toMatchObject([{ terminate_cause: 'user', up_bytes: 1, down_bytes: MB }]);
    await charge();
    expect(await usedOf(id)).toEqual([MB + 1]);
  });

  it('changes the speed of a session at a gateway over UDP', async () => {
    const before = { ...ports };
    Object.assign(ports, { radsecPort: 0, authPort: radius.authPort, acctPort: radius.acctPort });
    const { id: device, gateway } = await ship(2);
    server.clock.advance(1);
    const coa_port = await freePort();
    await server.db.updateTable('nas').set({ coa_port, update_at: now() }).where('device_id', '=', device).execute();
    await radius.sweep();
    Object.assign(ports, before);
    await expect.poll(() => gateway.sections.doc('radius')).toMatchObject({ coa: coa_port });
    await radius.reload();
    const fast = await flowPackage(1024, { policy_id: await newPolicy(1), up_speed: 100, down_speed: 200 });
    const { id, account } = await world.makeAccount({ device_id: device }, fast);
    expect(await login(gateway, account)).toMatchObject({ session: { grant: { up: 100 * 1024, down: 200 * 1024 } } });
    pass(gateway, 1);
    await expect.poll(async () => (await world.sessions(id)).length).toBe(1);
    await server.db
      .updateTable('holding')
      .set({ activated_at: now(), used_flow: 1024 * MB })
      .where('subscriber_id', '=', id)
      .execute();
    await refreshPackages(server.db, [id], now());
    await expect.poll(() => gateway.users.sessions[0]?.grant).toMatchObject({ up: 16 * 1024, down: 32 * 1024 });
    const task = () => server.db.selectFrom('coa_task').select(['state', 'via']).orderBy('id', 'desc').executeTakeFirst();
    await expect.poll(task).toEqual({ state: 'acked', via: 'udp' });
  });
});

describe('a gateway in billing mode mixed', () => {
  it('logs stored accounts in by itself and others by RADIUS, and each is charged once', async () => {
    const { id: device, gateway } = await ship(3);
    const stored = await world.makeAccount({ device_id: device }, await flowPackage(10));
    const other = await world.makeAccount({ device_id: null }, await flowPackage(10));
    while (await syncOnce(server.deps));
    await expect.poll(() => gateway.accounts.has(stored.account)).toBe(true);
    expect(gateway.accounts.has(other.account)).toBe(false);
    expect(await login(gateway, stored.account)).toMatchObject({ session: { via: 'local' } });
    expect(await login(gateway, other.account)).toMatchObject({ session: { via: 'aaa' } });
    gateway.users.transfer(stored.account, { u: 0, d: MB });
    gateway.users.transfer(other.account, { u: 0, d: 2 * MB });
    for (let i = 0; i < 6; i++) pass(gateway, 60);
    gateway.users.signAllOut('user');
    gateway.world.reportTraffic();
    await gateway.flushed();
    await expect.poll(async () => (await world.sessions(other.id))[0]?.terminate_cause).toBe('user');
    await charge();
    expect([await usedOf(stored.id), await usedOf(other.id)]).toEqual([[MB], [2 * MB]]);
    expect(await world.sessions(stored.id)).toMatchObject([{ source: 'gateway', down_bytes: MB }]);
    expect(await world.sessions(other.id)).toMatchObject([{ source: 'aaa', down_bytes: 2 * MB }]);
    const via = async (account: string) => new Set((await flowsOf(device, account)).map((f) => f.via));
    expect([await via(stored.account), await via(other.account)]).toEqual([new Set(['local']), new Set(['aaa'])]);
    const own = await server.db.selectFrom('own_flow').selectAll().where('device_id', '=', device).execute();
    expect(own.some((row) => row.service === 'radius')).toBe(true);
  });
});
