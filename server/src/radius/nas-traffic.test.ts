import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import { homeCalls } from '@farlink/contract/home/home.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { attribute, octetsOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../test/fleet-api.ts';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { makeBranches } from '../../test/world.ts';
import { syncOnce } from '../domain/access/sync-run.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { rollTraffic } from '../domain/traffic/roll-traffic.ts';
import type { Radius } from './radius.ts';

const MB = 1024 ** 2;

let fleet: FleetApi;
let branches: Awaited<ReturnType<typeof makeBranches>>;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  fleet = await startFleetApi();
  branches = await makeBranches(fleet);
  world = await openRadiusWorld(fleet.deps, branches.eastId);
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await fleet.close();
});

/** A session of an account on a NAS that uses bytes , with a repeated report. */
const useNas = async (account: string, more: Parameters<typeof world.makeNas>[0], bytes: { up: number; down: number }) => {
  const row = await world.makeNas(more);
  await radius.reload();
  const nas = await openUdpNas(radius, row.secret);
  const accept = await nas.request(nas.encode(pap(account, world.password, row.secret, [row.self])));
  const own = [
    row.self,
    attribute('User-Name', account),
    attribute('Acct-Session-Id', `s-${row.id}`),
    attribute('Class', octetsOf(accept ?? { attributes: [] }, 'Class') ?? Buffer.alloc(0)),
  ];
  const report = (status: 'start' | 'interim' | 'stop', seconds: number, share: number) =>
    nas.request(
      nas.encode(
        accounting(status, [
          ...own,
          attribute('Acct-Session-Time', seconds),
          attribute('Acct-Input-Octets', bytes.up * share),
          attribute('Acct-Output-Octets', bytes.down * share),
        ]),
      ),
    );
  await report('start', 0, 0);
  fleet.clock.advance(100);
  await report('interim', 100, 0.5);
  await report('interim', 100, 0.5);
  fleet.clock.advance(100);
  await report('stop', 200, 1);
  nas.close();
  return row;
};

const useGateway = async (id: number, account: string, bytes: { up: number; down: number }) => {
  const gateway = await fleet.gatewayOf(id, { bill: 1, calm: true, links: ['6d'] });
  await gateway.connect();
  await expect
    .poll(() => syncOnce(fleet.deps).then(() => gateway.users.login({ acc: account, password: world.password }, false)))
    .toHaveProperty('session');
  gateway.users.transfer(account, { u: bytes.up, d: bytes.down });
  fleet.clock.advance(60);
  gateway.step(fleet.clock.now());
  gateway.world.reportTraffic();
  await gateway.flushed();
};

const pagesOf = async (by: Caller, account: string) => {
  const list = async (kind: 'flow_usr' | 'dpi_usr') => {
    const { data } = await by.call(trafficCalls[kind].list, { page: 1, limit: 50, lang: 'en', stat_by: 'day', account });
    return data.list.map((row) => ({ name: row.device_name, sn: row.sn, total: row.total_bytes }));
  };
  const trend = await by.call(trafficCalls.flow_usr.trend, { lang: 'en', account, stat_by: 'hour' });
  const rank = await by.call(trafficCalls.dpi_usr.rank, { lang: 'en', account, stat_by: 'hour' });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    flow: await list('flow_usr'),
    dpi: await list('dpi_usr'),
    trend: sum(trend.data.up_bytes) + sum(trend.data.down_bytes),
    applications: rank.data.applications.map(({ name, total_bytes }) => [name, total_bytes]),
    devices: rank.data.devices.map(({ name, total_bytes }) => [name, total_bytes]),
  };
};

it('traffic of a NAS of another maker is in every figure, to the byte, beside that of a gateway', async () => {
  const { east, child, west } = branches;
  const flow = { package_type: 'flow', time_capacity: null, time_unit: null, flow_capacity: 1, flow_unit: 'GB' } as const;
  const { id, account } = await world.makeAccount({ allow_logins: 3, device_id: world.device_id }, await world.makePackage(flow));
  await useGateway(world.device_id, account, { up: MB, down: 2 * MB });
  const hotel = await useNas(account, { name: 'Hotel' }, { up: 1000, down: 3 * MB });
  await useNas(account, { name: 'Bridge', site_device_id: world.device_id }, { up: 500, down: MB });
  while (await chargeOnce(fleet.deps));
  await rollTraffic(fleet.deps, { all: true });

  const total = 7 * MB + 1500;
  const pages = await pagesOf(east, account);
  const hotelRow = { name: 'Hotel', sn: hotel.identifier, total: 3 * MB + 1000 };
  expect(pages.flow).toContainEqual(hotelRow);
  expect(pages.dpi).toContainEqual(hotelRow);
  expect(pages.flow.filter(({ name }) => name === 'Site').reduce((sum, row) => sum + (row.total ?? 0), 0)).toBe(4 * MB + 500);
  expect(pages.trend).toBe(total);
  expect(pages.devices).toContainEqual(['Hotel', 3 * MB + 1000]);
  expect(pages.applications).toContainEqual(['Unidentified traffic', expect.any(Number)]);
  const holding = await fleet.db.selectFrom('holding').select('used_flow').where('subscriber_id', '=', id).executeTakeFirstOrThrow();
  expect(holding.used_flow).toBe(total);
  const summary = await east.call(homeCalls.summary);
  expect(JSON.stringify(summary.data)).toContain(String(total));

  const { data: siteSum } = await east.call(trafficCalls.flow_usr.list, {
    page: 1,
    limit: 50,
    lang: 'en',
    device_id: world.device_id,
    sums: 'only',
  });
  expect(Number(siteSum.sums?.total_bytes)).toBe(4 * MB + 500);

  for (const other of [child, west]) expect((await pagesOf(other, account)).flow).toEqual([]);
});

it('a report that arrives days later counts on its days, and a NAS that is deleted keeps its figures', async () => {
  const { account } = await world.makeAccount({}, await world.makePackage({}));
  const row = await world.makeNas({ name: 'Late' });
  await radius.reload();
  const nas = await openUdpNas(radius, row.secret);
  const then = fleet.clock.now() - 20 * 86_400;
  const own = [row.self, attribute('User-Name', account), attribute('Acct-Session-Id', 'late')];
  const counters = [attribute('Acct-Session-Time', 3600), attribute('Acct-Output-Octets', 5000)];
  await nas.request(nas.encode(accounting('stop', [...own, ...counters, attribute('Event-Timestamp', then)])));
  await rollTraffic(fleet.deps, { all: true });
  await fleet.db.deleteFrom('nas').where('id', '=', row.id).execute();
  await rollTraffic(fleet.deps, { all: true });
  const { data } = await branches.east.call(trafficCalls.flow_usr.list, {
    page: 1,
    limit: 50,
    lang: 'en',
    stat_by: 'day',
    account,
    time_start: then - 2 * 86_400,
    time_end: fleet.clock.now(),
  });
  expect(data.list.map(({ time, total_bytes }) => [(time ?? 0) < then && (time ?? 0) > then - 2 * 86_400, total_bytes])).toEqual([
    [true, 5000],
  ]);
  nas.close();
});

it('users of a NAS at a site are on the page of its device, and can be kicked there', async () => {
  const { account, id } = await world.makeAccount({}, await world.makePackage({}));
  const row = await world.makeNas({ name: 'Deck', site_device_id: world.device_id });
  await radius.reload();
  const nas = await openUdpNas(radius, row.secret);
  await nas.request(nas.encode(accounting('start', [row.self, attribute('User-Name', account), attribute('Acct-Session-Id', 'deck')])));
  const online = async (by: Caller) =>
    (await by.call(onlineUserCalls.list, { device_id: world.device_id, page: 1, limit: 50, lang: 'en' })).data?.list;
  const [session] = await world.sessions(id);
  expect(await online(branches.east)).toContainEqual(expect.objectContaining({ account, state: 'online' }));
  expect((await branches.east.call(onlineUserCalls.kick, { ids: [session?.id ?? 0] })).code).toBe(0);
  expect(await online(branches.east)).toContainEqual(expect.objectContaining({ account, state: 'kicking' }));
  nas.close();
});

it('logins and logouts at a NAS are in the audit data with evidence', async () => {
  const { account } = await world.makeAccount({ name: 'Guest Lee' }, await world.makePackage({}));
  const row = await useNas(account, { name: 'Lobby' }, { up: 10, down: 20 });
  const found = await fleet.db
    .selectFrom('audit_auth')
    .innerJoin('audit_batch', 'audit_batch.id', 'audit_auth.batch')
    .select([
      'audit_auth.device_id',
      'audit_auth.agent_id',
      'auth_action',
      'session_id',
      'login_at',
      'logout_at',
      'sealed',
      'root',
      'count',
    ])
    .where('audit_auth.account', '=', account)
    .orderBy('audit_auth.id')
    .execute();
  const common = { device_id: -row.id, agent_id: branches.eastId, session_id: `s-${row.id}`, count: 1 };
  expect(found).toMatchObject([
    { ...common, auth_action: 'login', logout_at: null },
    { ...common, auth_action: 'logout', logout_at: (found[0]?.login_at ?? 0) + 200 },
  ]);
  expect(found.every(({ sealed, root }) => sealed !== null && root.length === 32)).toBe(true);
  const input = { page: 1, limit: 50, lang: 'en', account };
  await branches.east.call(auditAccessLogCalls.giveReason, { page: 'authAccount', reason: 'Test of the list' });
  const { data } = await branches.east.call(auditAuthCalls.list, input);
  expect(data.list.map(({ device_name, auth_action }) => [device_name, auth_action])).toEqual([
    ['Lobby', 'logout'],
    ['Lobby', 'login'],
  ]);
});
