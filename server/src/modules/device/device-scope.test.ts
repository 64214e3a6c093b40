import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';

/** With a device scope, objects of several devices are visible and changeable only for the devices in scope. */

let api: Api;
let east: Caller;
let by: Caller;
let eastId: number;
let fleet: ReturnType<typeof makeFleet>;
let mine: Awaited<ReturnType<typeof fleet.add>>;
let other: Awaited<ReturnType<typeof fleet.add>>;

beforeAll(async () => {
  api = await startApi();
  ({ east, eastId } = await makeBranches(api));
  fleet = makeFleet(api, 'SCOPE');
  mine = await fleet.add(eastId, { name: 'Own ship' });
  other = await fleet.add(eastId, { name: 'Other ship' });
  const scope = { scope: 'device', device_limit: 'specified', device_ids: [mine.id] };
  await makeStaff(east, 'captain', await makeRole(east, '船长', grantsOf(allPages), scope));
  by = await api.login('captain');
});
afterAll(() => api.close());

const makeGroup = async (name: string, ...devices: { readonly id: number }[]) =>
  (await east.call(groupCalls.create, { name, device_ids: devices.map(({ id }) => id) })).data.id;

const says = (value: unknown) => JSON.stringify(value);

describe('device groups', () => {
  it('are visible, selectable and changeable only if they contain a device in scope', async () => {
    const near = await makeGroup('近海', mine);
    const far = await makeGroup('远洋', other);
    const empty = await makeGroup('空组');
    expect((await by.call(groupCalls.list)).data.list.map((g) => g.id)).toEqual([near]);
    expect((await by.call(deviceCalls.groupOption)).data).toEqual({ [near]: '近海' });
    for (const id of [far, empty]) {
      expect((await by.call(groupCalls.read, { id })).code).toBe(10005);
      expect((await by.call(groupCalls.remove, { id })).code).toBe(10005);
      expect((await by.call(groupCalls.update, { id, version: 1, name: '改名' })).code).toBe(10005);
      const moved = await by.call(deviceCalls.setGroup, { ids: [mine.id], device_group_id: id });
      expect(moved.code === 0 ? moved.data.success : 0).toBe(0);
    }
    expect(Object.keys(fieldsOf(await by.call(groupCalls.create, { name: '看不见' })))).toEqual(['device_ids']);
  });

  it('accept packages only if all their devices are in scope', async () => {
    const mixed = await makeGroup('混合', mine, other);
    const input = {
      name: '组套餐',
      package_type: 'time',
      time_capacity: 30,
      time_unit: 'day',
      up_speed: 0,
      down_speed: 0,
      price: '98',
      priority: 1,
      online_type: 0,
      bind_type: 'group',
    };
    const create = (id: number) => by.call(packageCalls.create, { ...input, device_group_id: [id] });
    expect(Object.keys(fieldsOf(await create(mixed)))).toEqual(['device_group_id']);
    const own = await makeGroup('自有', mine);
    expect((await create(own)).code).toBe(0);
    const far = await makeGroup('远处', other);
    await east.call(packageCalls.create, { ...input, name: '远处套餐', device_group_id: [far] });
    expect((await by.call(packageCalls.list)).data.list.map((p) => p.name)).toEqual(['组套餐']);
  });
});

describe('names of other devices', () => {
  it('do not appear in a package, and a shared package cannot be changed', async () => {
    const billing = await makeBillingFixture(api, eastId, 'scope');
    const { id } = await billing.makePackage({ name: '共用', device_ids: [mine.id, other.id] });
    const row = (await by.call(packageCalls.list, { name: '共用' })).data.list[0];
    expect(row?.device_name).toEqual(['Own ship']);
    const read = (await by.call(packageCalls.read, { id })).data;
    expect(read.device_id).toEqual([mine.id]);
    expect(says(read)).not.toContain('Other ship');
    expect((await by.call(packageCalls.update, { ...read, price: '1' })).code).toBe(20403);
    expect((await by.call(packageCalls.remove, { id })).code).toBe(20403);
  });

  it('do not appear in the operator log', async () => {
    const rename = async ({ id }: { readonly id: number }, name: string) => {
      const { revision } = await fleet.read(id);
      return east.call(deviceCalls.change, { id, version: revision, name, device_type: 'ship' });
    };
    await rename(other, 'Other ship 2');
    expect(says((await east.call(logCalls.own)).data)).toContain('Other ship');
    const { list } = (await by.call(logCalls.own)).data;
    expect(says(list)).not.toContain('Other ship');
    expect(new Set(list.map((line) => line.username))).toEqual(new Set(['captain']));
    const foreign = (await east.call(logCalls.own)).data.list.find((line) => line.content?.includes('Other ship'));
    expect((await by.call(logCalls.read, { id: foreign?.id })).code).toBe(10005);
  });

  it('do not appear in a campaign, and a shared campaign cannot be stopped', async () => {
    const campaign = async (...devices: (typeof mine)[]) => {
      const terms = { kind: 'upgrade', version: '9.9', state: 'running', send_mode: 'immediate', send_at: 1, deadline: 2 } as const;
      const { id } = await api.db
        .insertInto('upgrade_campaign')
        .values({ ...terms, agent_id: eastId, device_count: devices.length, operator: 'x', create_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const { id: device_id, name: device_name, sn } of devices)
        await api.db
          .insertInto('upgrade_device')
          .values({ campaign_id: id, device_id, agent_id: eastId, device_name, sn, wave: 1, op: 'sys.upgrade', version_key: 1 })
          .execute();
      return id;
    };
    const foreign = await campaign(await fleet.add(eastId));
    const shared = await campaign(mine, other);
    expect((await by.call(campaignCalls.list)).data.list.map((row) => row.id)).toEqual([shared]);
    expect((await by.call(campaignCalls.devices, { id: foreign })).code).toBe(10005);
    expect((await by.call(campaignCalls.devices, { id: shared })).data.list.map((row) => row.device_name)).toEqual(['Own ship']);
    expect((await by.call(campaignCalls.stop, { id: foreign })).code).toBe(10005);
    expect((await by.call(campaignCalls.stop, { id: shared })).code).toBe(10006);
    expect((await by.call(configCampaignCalls.list)).data.list).toEqual([]);
  });
});
