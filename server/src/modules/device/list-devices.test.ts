import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { deviceGroup, groupCalls } from '@farlink/contract/device/group.ts';
import { linkStatusColorCalls } from '@farlink/contract/device/link-status-color.ts';
import { errors } from '@farlink/contract/errors.ts';
import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { deviceExports } from './list-devices.ts';

let api: Api;
let fleet: ReturnType<typeof makeFleet>;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let childId: number;

beforeAll(async () => {
  api = await startApi();
  ({ admin, east, west, eastId, westId, childId } = await makeBranches(api));
  fleet = makeFleet(api, 'LIST');
});
afterAll(() => api.close());

const idsOf = async (by: Caller, filters: object) =>
  (await by.call(deviceCalls.list, { ...filters, limit: 100 })).data.list.map((row) => row.id);

describe('the list of devices', () => {
  it('shows when a gateway was last seen and how many users it has, none while it is offline', async () => {
    const now = api.clock.now();
    const here = await fleet.online(eastId, { online_at: now - 600 });
    const away = await fleet.add(eastId, { online_at: now - 900, offline_at: now - 300 });
    const status = { boot: 'b', n: 1, at: 1, links: '{}', online_users: 7 };
    await api.db
      .insertInto('device_status')
      .values([
        { ...status, device_id: here.id, seen_at: now - 5 },
        { ...status, device_id: away.id, seen_at: now - 400 },
      ])
      .execute();
    const find = async (sn: string) => (await east.call(deviceCalls.list, { sn })).data.list[0];
    expect(await find(here.sn)).toMatchObject({ online_users: 7, seen_at: now - 5 });
    expect(await find(away.sn)).toMatchObject({ online_users: 0, seen_at: now - 300 });
  });

  it('sums the traffic of today in UTC+8, and shows none of an earlier day', async () => {
    const busy = await fleet.add(eastId);
    const quiet = await fleet.add(eastId);
    const idle = await fleet.add(eastId);
    const today = dayNumber(api.clock.now());
    await api.db
      .insertInto('device_flow_day')
      .values([
        { device_id: busy.id, day: today, bytes: 3072 },
        { device_id: quiet.id, day: today - 1, bytes: 99 },
      ])
      .execute();
    const find = async (sn: string) => (await east.call(deviceCalls.list, { sn })).data.list[0]?.flow_today;
    expect(await Promise.all([busy, quiet, idle].map(({ sn }) => find(sn)))).toEqual([3072, 0, 0]);
    expect((await east.call(deviceCalls.list, { orderby: 'flow_today desc' })).status).toBe(400);
  });

  it('shows links, ports and containers of a device, in the colours that the platform configured', async () => {
    const device = await fleet.online(eastId, { current_link: 'lte2', network: 'lte', boot_at: api.clock.now() - 7200 });
    await api.db
      .insertInto('device_status')
      .values({
        device_id: device.id,
        boot: 'b',
        n: 1,
        at: 1,
        seen_at: 1,
        lan: [1, 0, 2],
        links: JSON.stringify({ lte2: { i: 'lte2', s: 1 }, '6d': { i: '6d', s: 2 } }),
      })
      .execute();
    const container = { device_id: device.id, at: 1 };
    await api.db
      .insertInto('device_container')
      .values([
        { ...container, name: 'nginx', status: 1 },
        { ...container, name: 'cache', status: 2 },
      ])
      .execute();
    const find = async () => (await east.call(deviceCalls.list, { sn: device.sn })).data.list[0];
    expect(await find()).toMatchObject({
      id: device.id,
      current_link: 'LTE 2',
      run_time: 7200,
      user_count: 0,
      latest_version: null,
      docker_info: 'cache ✗, nginx ✓',
      wan_links: [
        { name: '6D', state: 'abnormal', color: '#CF1322' },
        { name: 'LTE 2', state: 'on', color: '#237804' },
      ],
      lan_status: [
        { name: 'LAN1', state: 'on' },
        { name: 'LAN2', state: 'off' },
        { name: 'LAN3', state: 'abnormal' },
      ],
    });
    const colors = await admin.call(linkStatusColorCalls.list, { network: 'lte', link_state: 'on' });
    const [color] = colors.data.list;
    expect((await admin.call(linkStatusColorCalls.update, { id: color?.id, version: color?.version, color: '#00aa00' })).code).toBe(0);
    expect((await find())?.wan_links?.[1]).toMatchObject({ color: '#00AA00' });
    // An offline gateway has no links and no current network, independent of its last report.
    await api.db.updateTable('device').set({ online_state: 0 }).where('id', '=', device.id).execute();
    expect(await find()).toMatchObject({
      network: null,
      run_time: null,
      lan_status: null,
      wan_links: [{ state: 'off' }, { state: 'off' }],
    });
  });

  it('can be filtered by every filter field', async () => {
    const group = await east.call(groupCalls.create, { name: '过滤组' });
    const at = 1_600_000_000;
    const marks = {
      name: '独特船名',
      merchant_code: 'UNIQUE9',
      model: 'SG-9999',
      version: '09.08.07',
      device_type: 'portable',
      status: 3,
      auth_status: 'test',
      network: 'low_orbit',
      billing_mode: 3,
      docker_status: 2,
      opt_status: 'update_available',
      link_lock: 'global',
      change_mode: 'roaming',
      transfer_status: 'failed',
      device_group_id: group.data.id,
      access_at: at,
      offline_at: at + 50,
      account_count: 77,
    } as const;
    const device = await fleet.online(childId, marks);
    const own = { sn: device.sn, online_state: 1, vno_id: childId, user_count: 77, cond_user_count: 'eq' };
    const { access_at, offline_at, account_count, ...plain } = marks;
    for (const [name, value] of Object.entries({ ...plain, ...own })) {
      if (name === 'cond_user_count') continue;
      expect(await idsOf(east, { [name]: value }), name).toContain(device.id);
    }
    expect(await idsOf(east, { ...plain, ...own, access_at_start: at, access_at_end: at + 1, offline_at_start: at + 50 })).toEqual([
      device.id,
    ]);
    expect(await idsOf(east, { user_count: 77, cond_user_count: 'gt' })).toEqual([]);
    expect(await idsOf(east, { online_state: 0, name: marks.name })).toEqual([]);
  });

  it('can be sorted by each sortable column, including the run time', async () => {
    const now = api.clock.now();
    await fleet.online(westId, { boot_at: now - 10 });
    await fleet.online(westId, { boot_at: now - 500 });
    await fleet.add(westId, { boot_at: now - 90_000 });
    const columns = ['name', 'sn', 'auth_status', 'auth_expire_at', 'run_time', 'user_count', 'online_at', 'offline_at', 'access_at'];
    for (const column of columns)
      for (const way of ['asc', 'desc']) expect((await west.call(deviceCalls.list, { orderby: `${column} ${way}` })).code, column).toBe(0);
    const runs = async (way: string) =>
      (await west.call(deviceCalls.list, { orderby: `run_time ${way}` })).data.list.map((row) => row.run_time);
    expect(await runs('asc')).toEqual([10, 500, null]);
    expect(await runs('desc')).toEqual([null, 500, 10]);
    expect((await west.call(deviceCalls.list, { orderby: 'remark asc' })).code).toBe(errors.bad_input.code);
  });

  it('shows a VNO only the devices of its branch', async () => {
    const below = await fleet.add(childId);
    const foreign = await fleet.add(westId);
    const seen = await idsOf(east, {});
    expect(seen).toContain(below.id);
    expect(seen).not.toContain(foreign.id);
    expect(await idsOf(east, { sn: foreign.sn })).toEqual([]);
    expect(await idsOf(admin, { sn: foreign.sn })).toEqual([foreign.id]);
    expect(Object.keys((await west.call(deviceCalls.option)).data)).not.toContain(String(below.id));
  });

  it('is exported with its filters by a task that another VNO does not see; an export without devices is refused', async () => {
    expect((await east.call(deviceCalls.export, { name: '没有这样的船' })).code).toBe(errors.export_empty.code);
    const one = await fleet.add(eastId);
    const other = await fleet.add(eastId);
    const { code, data } = await east.call(deviceCalls.export, { format: 'csv', sn: one.sn });
    expect(code).toBe(0);
    expect((await east.call(deviceCalls.exports)).data.list).toMatchObject([{ id: data.id, state: 0 }]);
    expect((await west.call(deviceCalls.exports)).data.list).toEqual([]);
    const jobs = startJobs(api.deps, exportJobs(deviceExports), { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    const download = (by: Caller) =>
      fetch(`${api.base}/agt/v1/export/download/${data.id}`, { headers: { authorization: by.session?.token ?? '' } });
    const text = await (await download(east)).text();
    expect(text).toContain(one.sn);
    expect(text).not.toContain(other.sn);
    expect((await download(west)).status).toBe(404);
  });
});

describe('device groups', () => {
  const read = async (by: Caller, id: number) => (await by.call(groupCalls.read, { id })).data;

  it('can add and remove devices, and count their devices', async () => {
    const one = await fleet.add(childId);
    const two = await fleet.add(childId);
    const made = await east.call(groupCalls.create, { name: '渔船组', device_ids: [one.id] });
    // A group belongs to the VNO of its devices, not to the VNO of the operator.
    expect(await read(east, made.data.id)).toMatchObject({ agent_name: 'VNO child', device_count: 1, device_ids: [one.id], version: 1 });
    const change = (input: object) => east.call(groupCalls.update, { id: made.data.id, name: '渔船组', ...input });
    expect((await change({ version: 1, device_ids: [two.id] })).code).toBe(0);
    expect(await read(east, made.data.id)).toMatchObject({ device_ids: [two.id], version: 2 });
    expect(await fleet.read(one.id)).toMatchObject({ device_group_id: null, revision: one.revision + 2 });
    expect((await change({ version: 2 })).code).toBe(errors.unchanged.code);
    expect((await change({ version: 1, name: 'x' })).code).toBe(errors.stale.code);
    expect((await idsOf(east, { device_group_id: made.data.id })).length).toBe(1);
    const found = await east.call(groupCalls.list, { device_id: two.id });
    expect(found.data.list.map((row) => row.id)).toEqual([made.data.id]);
  });

  it('contain devices of one VNO only, and have a unique name', async () => {
    const ours = await fleet.add(eastId);
    const below = await fleet.add(childId);
    const foreign = await fleet.add(westId);
    const create = (input: object) => east.call(groupCalls.create, { name: '混合组', ...input });
    expect(await create({ device_ids: [ours.id, below.id] })).toMatchObject({ data: { fields: { device_ids: '组内设备须属于同一VNO' } } });
    expect(await create({ device_ids: [foreign.id] })).toMatchObject({ data: { fields: { device_ids: '请选择有效的设备' } } });
    expect((await create({ device_ids: [ours.id] })).code).toBe(0);
    expect(await create({ device_ids: [ours.id] })).toMatchObject({
      code: errors.duplicate.code,
      data: { fields: { name: expect.any(String) } },
    });
    expect(await create({ name: 'x'.repeat(16) })).toMatchObject({ data: { fields: { name: expect.any(String) } } });
  });

  it('keep devices that the editing operator cannot see', async () => {
    const seen = await fleet.add(eastId);
    const unseen = await fleet.add(eastId);
    const made = await east.call(groupCalls.create, { name: '部分可见', device_ids: [seen.id, unseen.id] });
    const limits = { scope: 'device', device_limit: 'specified', device_ids: [seen.id] };
    await makeStaff(east, 'half_seen', await makeRole(east, 'half', grantsOf(['device_group']), limits));
    const narrow = await api.login('half_seen');
    expect(await read(narrow, made.data.id)).toMatchObject({ device_count: 1, device_ids: [seen.id] });
    expect((await narrow.call(groupCalls.update, { id: made.data.id, version: 1, name: '部分可见', device_ids: [] })).code).toBe(0);
    expect(await read(east, made.data.id)).toMatchObject({ device_ids: [unseen.id] });
  });

  it('can be deleted only without devices, accounts, packages and configuration templates', async () => {
    const device = await fleet.add(eastId);
    const { id } = (await east.call(groupCalls.create, { name: '待删除', device_ids: [device.id] })).data;
    const remove = () => east.call(groupCalls.remove, { id });
    expect((await remove()).msg).toBe('设备组仍有设备，无法删除');
    await east.call(groupCalls.update, { id, version: 1, name: '待删除', device_ids: [] });
    const billing = await makeBillingFixture(api, eastId, 'grp');
    const account = await billing.makeAccount({ device_id: null, device_group_id: id });
    expect((await remove()).msg).toBe('设备组仍有上网账号，无法删除');
    await api.db.deleteFrom('subscriber').where('id', '=', account.id).execute();
    const pkg = await billing.makePackage({ device_ids: null, device_group_ids: [id] });
    expect(await read(east, id)).toMatchObject({ device_count: 0, user_count: 0, package_count: 1 });
    expect((await remove()).msg).toBe('设备组仍有套餐，无法删除');
    await api.db.deleteFrom('package').where('id', '=', pkg.id).execute();
    const sections = { network_dns: { set: { min_ttl: 61 } } };
    const made = await admin.call(templateCalls.create, { name: '渔船DNS', level: 'group', device_group_id: id, sections });
    const row = (await east.call(groupCalls.list, { name: '待删除' })).data.list[0];
    expect(row).toMatchObject({ package_count: 0, template_count: 1 });
    expect(row && deviceGroup.actions.delete.when(row)).toBe(false);
    expect((await remove()).msg).toBe('设备组仍有配置模板“渔船DNS”，无法删除');
    expect((await admin.call(templateCalls.remove, { id: made.data.id })).code).toBe(0);
    expect((await west.call(groupCalls.remove, { id })).code).toBe(errors.not_found.code);
    expect((await remove()).code).toBe(0);
  });
});

describe('the link colours', () => {
  it('are 15, and only the platform can view and change them', async () => {
    const all = await admin.call(linkStatusColorCalls.list, { limit: 100 });
    expect(all.data.total).toBe(15);
    const [first] = all.data.list;
    const change = (by: Caller, input: object) =>
      by.call(linkStatusColorCalls.update, { id: first?.id, version: first?.version, color: '#123456', ...input });
    expect((await change(east, {})).code).toBe(errors.denied.code);
    expect((await east.call(linkStatusColorCalls.list)).code).toBe(errors.denied.code);
    expect(await change(admin, { color: 'red' })).toMatchObject({ data: { fields: { color: '颜色格式为 #RRGGBB' } } });
    expect((await change(admin, { color: first?.color })).code).toBe(errors.unchanged.code);
    expect((await change(admin, { description: '醒目' })).code).toBe(0);
    expect((await change(admin, { color: '#654321' })).code).toBe(errors.stale.code);
    const [now] = (await admin.call(linkStatusColorCalls.list, { network: first?.network, link_state: first?.link_state })).data.list;
    expect(now).toMatchObject({ color: '#123456', description: '醒目', operator: '系统管理员', update_at: api.clock.now() });
  });
});
