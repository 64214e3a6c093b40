import { announcementCalls } from '@farlink/contract/advanced/announcement.ts';
import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { attention } from '@farlink/contract/device/attention.ts';
import { deviceAuth } from '@farlink/contract/device/choices.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { errors } from '@farlink/contract/errors.ts';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { homeCalls } from '@farlink/contract/home/home.ts';
import type { HomeSummary } from '@farlink/contract/home/summary.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { dayNumber, dayStart } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { dpiTaskCalls } from '@farlink/contract/traffic/dpi-task.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { daysAgo, hoursAgo, storeHours, type TestHour } from '../../../test/traffic-rows.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { submitFeedback } from '../../domain/feedback/submit-feedback.ts';
import { postSale } from '../../domain/ledger/post-sale.ts';

const day = 86_400;
const week = 7 * day;
const gigabyte = 1024 ** 3;
let api: Api;
let now: number;
let world: Awaited<ReturnType<typeof makeBranches>>;
let callers: Record<'platform' | 'VNO' | 'child VNO' | 'staff with a device list', Caller>;
let devices: Record<'near' | 'far' | 'away' | 'below' | 'west', { readonly id: number; readonly agent_id: number }>;

const summaryOf = async (by: Caller): Promise<HomeSummary> => {
  const reply = await by.call(homeCalls.summary);
  if (reply.code !== 0) throw new Error(reply.msg);
  return reply.data;
};

const totalOf = async (by: Caller, list: Endpoint, filters: Record<string, unknown> = {}) => {
  const { data }: { readonly data: unknown } = await by.call(list, { page: 1, limit: 10, ...filters });
  return typeof data === 'object' && data !== null && 'total' in data ? Number(data.total) : Number.NaN;
};

/** Devices in different states. */
const makeDevices = async () => {
  const fleet = makeFleet(api, 'HOME');
  const { eastId, childId, westId } = world;
  const made = {
    near: await fleet.online(eastId, { auth_status: 'formal', auth_expire_at: now + 400 * day }),
    far: await fleet.online(eastId, { network: 'l_band', auth_status: 'formal', auth_expire_at: now + 10 * day }),
    away: await fleet.add(eastId, { auth_status: 'test', auth_expire_at: now + 20 * day }),
    below: await fleet.add(childId, { auth_status: 'expired', auth_expire_at: now - day }),
    west: await fleet.online(westId, { auth_status: 'suspended', auth_expire_at: now + 5 * day }),
  };
  const status = { boot: 'b', n: 1, at: 1, seen_at: now, links: '{}' };
  await api.db
    .insertInto('device_status')
    .values(Object.values(made).map(({ id }, i) => ({ ...status, device_id: id, lat: 10 + i, lon: 100 + i })))
    .execute();
  return made;
};

/** A drifted section, a failed file, and a device that uses much more than on the days before. */
const makeAttention = async () => {
  const { near, far, below, west } = devices;
  const section = { section: 'wifi', rev: 2, hash: 'a', at: now };
  for (const { id } of [near, below]) {
    await api.db
      .insertInto('desired_section')
      .values({ device_id: id, section: 'wifi', rev: 2, hash: 'a', doc: '{}', update_at: now })
      .execute();
    await api.db
      .insertInto('reported_section')
      .values({ ...section, device_id: id, hash: 'b', ok: true, local: true })
      .execute();
  }
  for (const [device, at] of [
    [far, now - 100],
    [near, now - 2 * day],
    [west, now - 100],
  ] as const) {
    const names = { file_name: 'f', batch: 'b', operation: 'none', path: '/', send_mode: 'immediate', operator: 'x' } as const;
    const task = await api.db
      .insertInto('file_task')
      .values({
        ...names,
        task_no: `T${device.id}`,
        agent_id: device.agent_id,
        size: 1,
        send_at: 1,
        state: 'running',
        device_count: 1,
        create_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const target = { task_id: task.id, device_id: device.id, agent_id: device.agent_id, sn: 's', device_name: 'd' };
    await api.db
      .insertInto('file_task_device')
      .values({ ...target, status: 200, ended: true, update_at: at })
      .execute();
  }
  await api.db
    .insertInto('device_flow_day')
    .values([near, far].map(({ id }) => ({ device_id: id, day: dayNumber(now), bytes: 9 * gigabyte })))
    .execute();
};

const makeTraffic = () => {
  const flow = (device: { readonly id: number; readonly agent_id: number }, time: number, down: number): TestHour[] =>
    (['flow_usr', 'dpi_usr'] as const).map((kind, i) => ({
      kind,
      time,
      agent_id: device.agent_id,
      device_id: device.id,
      up: down / 4,
      down: down + i,
      account: 'a',
      protocol_id: device.id % 2 === 0 ? '91.124' : '197',
    }));
  const { near, far, below, west } = devices;
  const before = [1, 2, 3, 4, 5, 6].map((n) => daysAgo(now, n));
  return storeHours(api.db, [
    // Twice and eight times the usual traffic.
    ...before.flatMap((time) => [...flow(near, time, 2 * gigabyte), ...flow(far, time, gigabyte), ...flow(below, time, 4096)]),
    ...flow(near, daysAgo(now, 0), 4 * gigabyte),
    ...flow(far, daysAgo(now, 0), 8 * gigabyte),
    ...flow(west, hoursAgo(now, 30), 8 * gigabyte),
  ]);
};

const makeMoney = async () => {
  let n = 0;
  const { eastId, childId, westId } = world;
  for (const [agent_id, income, at] of [
    [eastId, '98.50', now],
    [childId, '10.00', now],
    [westId, '500.00', now],
    [eastId, '40.00', now - week],
    [eastId, '7.00', now - 3 * day],
  ] as const) {
    const seller = { agent_id, customer_id: null, operator: 'Till' };
    const account = subscriberRow({ agent_id, account: `buyer${++n}`, device_id: devices.near.id, online_count: n % 2 });
    const buyer = await api.db.insertInto('subscriber').values(account).returningAll().executeTakeFirstOrThrow();
    const sale = { cause: `h${n}`, channel: 'counter', expense_type: 'recharge', pay_method: 'cash', income, buyer } as const;
    await api.db.transaction().execute((db) => postSale(db, seller, sale, at));
    const order = {
      agent_id,
      order_no: `O${n}`,
      channel: 'wechat',
      expense_type: 'recharge',
      operator: 'x',
      expire_at: now + day,
    } as const;
    const paid = { state: 'paid', trade_no: `T${n}`, pay_at: at } as const;
    await api.db
      .insertInto('pay_order')
      .values([
        { ...order, ...paid, amount: income, create_at: at, device_id: devices.near.id },
        { ...order, order_no: `W${n}`, amount: '3.00', create_at: at },
      ])
      .execute();
  }
};

beforeAll(async () => {
  api = await startApi();
  // Tomorrow noon, so that today has complete hours.
  api.clock.advance(dayStart(api.clock.now()) + 1.5 * day - api.clock.now());
  now = api.clock.now();
  world = await makeBranches(api);
  devices = await makeDevices();
  await makeAttention();
  await makeTraffic();
  await makeMoney();
  const { eastId, childId, westId, east, admin, child } = world;
  for (const [agent_id, device] of [
    [eastId, devices.near],
    [eastId, devices.far],
    [childId, devices.below],
    [westId, devices.west],
  ] as const) {
    const from = { agent_id, device_id: device.id, subscriber_id: null, account: `u${device.id}`, phone: '13800000001' };
    await submitFeedback(api.deps, { ...from, type: 'network', level: 'urgent', content: `c${device.id}`, attachments: [] });
  }
  const { data } = await admin.call(announcementCalls.create, {
    title: 'Port call',
    content: 'text',
    target: 'vno',
    status: 1,
    expire_at: now + day,
  });
  await admin.call(announcementCalls.send, { id: data.id });
  const scope = { scope: 'device', device_limit: 'specified', device_ids: [devices.near.id, devices.far.id] };
  await makeStaff(east, 'captain', await makeRole(east, '船长', grantsOf(allPages), scope));
  const captain = await api.login('captain');
  callers = { platform: admin, VNO: east, 'child VNO': child, 'staff with a device list': captain };
});
afterAll(() => api.close());

describe.each(['platform', 'VNO', 'child VNO', 'staff with a device list'] as const)('dashboard figures of %s', (name) => {
  it('equal the totals of the device list', async () => {
    const by = callers[name];
    const { devices: found, fleet } = await summaryOf(by);
    const counts = {
      total: await totalOf(by, deviceCalls.list),
      online: await totalOf(by, deviceCalls.list, { online_state: 1 }),
      l_band: await totalOf(by, deviceCalls.list, { online_state: 1, network: 'l_band' }),
      waiting: await totalOf(by, deviceCalls.list, { status: 5 }),
    };
    expect(found).toMatchObject(counts);
    for (const { id } of deviceAuth) expect(found?.auth[id], id).toBe(await totalOf(by, deviceCalls.list, { auth_status: id }));
    for (const { id } of attention) expect(found?.attention[id], id).toBe(await totalOf(by, deviceCalls.list, { attention: id }));
    expect(fleet).toHaveLength(counts.total);
  });

  it('equal the totals of users, feedback and tasks', async () => {
    const by = callers[name];
    const { users, feedback, running } = await summaryOf(by);
    expect(users).toEqual({
      total: await totalOf(by, userCalls.list),
      online: await totalOf(by, userCalls.list, { online_state: 1 }),
      unusable: await totalOf(by, userCalls.list, { binding: 'unusable' }),
    });
    expect(feedback?.total).toBe(await totalOf(by, feedbackCalls.list, { status: 0 }));
    const { data } = await by.call(feedbackCalls.list, { page: 1, limit: 10, status: 0 });
    expect(feedback?.list.map(({ id }) => id)).toEqual(data.list.map(({ id }) => id));
    expect(running).toMatchObject({
      firmware: await totalOf(by, campaignCalls.list, { state: 'running' }),
      config: await totalOf(by, configCampaignCalls.list, { state: 'running' }),
      file: await totalOf(by, fileTaskCalls.list, { state: 'running' }),
      dpi: await totalOf(by, dpiTaskCalls.list, { status: 1 }),
    });
  });

  it('equal the sums of bills and orders, today and at the same time last week', async () => {
    const by = callers[name];
    const { income, orders } = await summaryOf(by);
    for (const period of ['today', 'before'] as const) {
      const bills = income?.[period];
      const paid = orders?.[period];
      const filters = { page: 1, limit: 10, create_at_start: bills?.start_at, create_at_end: bills?.end_at };
      expect(bills?.net_income).toBe((await by.call(billCalls.counter, filters)).data.sums?.net_income);
      const { data } = await by.call(billCalls.online, filters);
      expect(paid).toMatchObject({ total: data.total, income: data.sums?.income });
    }
  });

  it('equal the sums of the traffic pages', async () => {
    const by = callers[name];
    const { traffic, applications } = await summaryOf(by);
    const sum = (values: readonly number[] = []) => values.reduce((a, b) => a + b, 0);
    const flow = (await by.call(trafficCalls.flow_usr.list, { page: 1, limit: 10, stat_by: 'day' })).data.sums;
    expect([sum(traffic?.up_bytes), sum(traffic?.down_bytes)].map(String)).toEqual([flow?.up_bytes, flow?.down_bytes]);
    const week = 7 * 86_400;
    const { today, before } = traffic?.hours ?? {};
    expect(today && [today.start_at - week, today.end_at - week]).toEqual(before && [before.start_at, before.end_at]);
    for (const range of [today, before]) {
      const filters = { page: 1, limit: 10, stat_by: 'hour', time_start: range?.start_at, time_end: range?.end_at };
      expect(String(range?.total_bytes)).toBe((await by.call(trafficCalls.flow_usr.list, filters)).data.sums?.total_bytes);
    }
    const dpi = (await by.call(trafficCalls.dpi_usr.list, { page: 1, limit: 10, stat_by: 'day' })).data.sums;
    expect(String(applications?.total_bytes)).toBe(dpi?.total_bytes);
    for (const { id, total_bytes } of applications?.list ?? []) {
      const { data } = await by.call(trafficCalls.dpi_usr.list, { page: 1, limit: 10, stat_by: 'day', protocol_id: id });
      expect(data.sums?.total_bytes, id).toBe(String(total_bytes));
    }
  });
});

describe('devices that need attention', () => {
  it('are counted for the VNO and its branch', async () => {
    expect((await summaryOf(world.east)).devices?.attention).toEqual({ drifted: 2, failing: 1, expiring: 2, unusual: 1 });
    expect((await summaryOf(world.child)).devices?.attention).toEqual({ drifted: 1, failing: 0, expiring: 0, unusual: 0 });
  });

  it('are listed by the filter of the device list, also in an export', async () => {
    const listed = async (value: string) =>
      (await world.east.call(deviceCalls.list, { page: 1, limit: 10, attention: value })).data.list.map(({ id }) => id);
    expect(await listed('unusual')).toEqual([devices.far.id]);
    expect(await listed('failing')).toEqual([devices.far.id]);
    expect((await world.east.call(deviceCalls.list, { attention: 'nonsense' })).status).toBe(400);
    expect((await world.child.call(deviceCalls.export, { format: 'csv', attention: 'unusual' })).code).toBe(errors.export_empty.code);
    expect((await world.east.call(deviceCalls.export, { format: 'csv', attention: 'unusual' })).code).toBe(0);
  });
});

describe('the dashboard', () => {
  it('omits widgets that the role may not see', async () => {
    const { east } = world;
    await makeStaff(east, 'home_only', await makeRole(east, 'home', grantsOf(['home_dashboard'])));
    expect(Object.keys(await summaryOf(await api.login('home_only'))).sort()).toEqual(['at', 'notices']);
    const role = await makeRole(east, 'care', grantsOf(['home_dashboard', 'feedback_list', 'file_task']));
    await makeStaff(east, 'home_care', role);
    const care = await summaryOf(await api.login('home_care'));
    expect(Object.keys(care).sort()).toEqual(['at', 'feedback', 'notices', 'running']);
    expect(Object.keys(care.running ?? {})).toEqual(['file']);
  });

  it('omits a widget if the role has the page but not its list', async () => {
    const grants = { ...grantsOf(['home_dashboard', 'device_list', 'user_list']), get_device: '00' as const };
    await makeStaff(world.east, 'home_blind', await makeRole(world.east, 'blind', grants));
    const found = await summaryOf(await api.login('home_blind'));
    expect(found).not.toHaveProperty('devices');
    expect(found).toHaveProperty('users');
  });

  it('is denied without the right to its own page', async () => {
    await makeStaff(world.east, 'no_home', await makeRole(world.east, 'none', grantsOf(['device_list'])));
    expect((await (await api.login('no_home')).call(homeCalls.summary)).code).toBe(errors.denied.code);
  });
});

describe('notices of the dashboard', () => {
  it('are those sent to the operator, and can be read without the right to the notices page', async () => {
    const reader = await api.login('home_only');
    const { notices } = await summaryOf(reader);
    expect(notices).toMatchObject({ total: 1, list: [{ title: 'Port call', source: 'admin', is_read: false }] });
    const { data } = await reader.call(announcementCalls.read, { id: notices?.list[0]?.id });
    expect(data).toMatchObject({ title: 'Port call', content: 'text', read_count: null, vno_names: [] });
    expect((await summaryOf(world.admin)).notices?.total).toBe(0);
  });

  it('are not found if they were sent to other VNOs', async () => {
    const { admin, westId } = world;
    const input = { title: 'Private', content: 'text', target: 'vno', vno_ids: [westId], status: 1, expire_at: now + day };
    const { data } = await admin.call(announcementCalls.create, input);
    await admin.call(announcementCalls.send, { id: data.id });
    expect((await (await api.login('home_only')).call(announcementCalls.read, { id: data.id })).code).toBe(errors.not_found.code);
  });
});

it('the dashboard returns null for a widget that fails, and still returns the others', async () => {
  await sql`alter table feedback rename to feedback_away`.execute(api.db);
  try {
    const found = await summaryOf(world.east);
    expect(found.feedback).toBeNull();
    expect(found.devices?.total).toBe(4);
    expect(found.income?.today.net_income).toBe('108.50');
    expect(found.traffic).not.toBeNull();
  } finally {
    await sql`alter table feedback_away rename to feedback`.execute(api.db);
  }
});

it('the dashboard map groups the devices of a large fleet by degree', async () => {
  const made = await sql<{ id: number }>`insert into device (agent_id, name, sn, create_at)
    select ${world.westId}, 'Many ' || n, 'MANY-' || n, 1 from generate_series(1, 2001) n returning id`.execute(api.db);
  await sql`insert into device_status (device_id, boot, n, at, seen_at, lat, lon)
    select unnest(${made.rows.map(({ id }) => id)}::bigint[]), 'b', 1, 1, 1, 50.5, 3.5`.execute(api.db);
  const { fleet } = await summaryOf(world.west);
  expect(fleet?.find(({ state }) => state === 'offline')).toMatchObject({ lat: 50.5, lon: 3.5, count: 2001 });
  expect(fleet?.reduce((sum, { count }) => sum + count, 0)).toBe(2002);
});

it('uses larger cells for a fleet all over the world, and every device is in one', async () => {
  const statusOf = (lat: string, lon: string) =>
    sql`update device_status set lat = ${sql.raw(lat)}, lon = ${sql.raw(lon)} where device_id in (select id from device where sn like 'MANY-%')`;
  await statusOf('hashint8(device_id) % 90', 'hashint8(device_id * 7) % 180').execute(api.db);
  api.clock.advance(61);
  const { fleet } = await summaryOf(world.west);
  expect(fleet?.length).toBeGreaterThan(200);
  expect(fleet?.length).toBeLessThanOrEqual(limits.fleetPoints);
  expect(fleet?.reduce((sum, { count }) => sum + count, 0)).toBe(2002);
  await statusOf('50.5', '3.5').execute(api.db);
  api.clock.advance(61);
  expect((await summaryOf(world.west)).fleet).toHaveLength(2);
});

it('caches the map of a large fleet per scope for ten seconds, then refreshes it in the background', async () => {
  const countOf = async (by: Caller) => (await summaryOf(by)).fleet?.reduce((sum, { count }) => sum + count, 0);
  const west = await countOf(world.west);
  const platform = await countOf(world.admin);
  await sql`delete from device_status where device_id in (select id from device where sn in ('MANY-1', 'MANY-2'))`.execute(api.db);
  expect([await countOf(world.west), await countOf(world.admin)]).toEqual([west, platform]);
  expect([west, platform]).toEqual([2002, 2006]);
  api.clock.advance(11);
  expect(await countOf(world.west)).toBe(2002);
  await expect.poll(() => countOf(world.west)).toBe(2000);
  await sql`delete from device_status where device_id in (select id from device where sn = 'MANY-3')`.execute(api.db);
  api.clock.advance(61);
  expect([await countOf(world.west), await countOf(world.admin)]).toEqual([1999, 2003]);
});
