import { deviceCalls } from '@farlink/contract/device/device.ts';
import { devicePortalCalls } from '@farlink/contract/device/portal.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls } from '@farlink/contract/package/package-template.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, grantsOf, startApi } from './api.ts';
import { type BillingFixture, makeBillingFixture } from './billing-fixture.ts';
import { makeBranches, makeRole, makeStaff, makeVno, makeVnoRole, staffInput } from './world.ts';

/** A form offers exactly the options that the server accepts for the given rows. East has a VNO below it, so it sees rows of two VNOs. */

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: BillingFixture;
let child: BillingFixture;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  east = await makeBillingFixture(api, world.eastId, 'east');
  child = await makeBillingFixture(api, world.childId, 'child');
});
afterAll(() => api.close());

const idsIn = ({ data }: { readonly data: object }) => Object.keys(data).map(Number);
const makeGroup = async (agent_id: number, name: string) =>
  (await api.db.insertInto('device_group').values({ agent_id, name, create_at: 1 }).returning('id').executeTakeFirstOrThrow()).id;

describe('devices and groups', () => {
  it('offered for an account belong to its VNO; accounts of several VNOs have none in common', async () => {
    const own = await makeGroup(world.eastId, '东一');
    const below = await makeGroup(world.childId, '下一');
    const here = await east.makeAccount();
    const there = await child.makeAccount();
    const groups = (ids: number[]) => world.east.call(deviceCalls.groupOption, { subject: 'account', ids });
    const devices = (ids: number[]) => world.east.call(deviceCalls.option, { subject: 'account', ids });
    expect(idsIn(await groups([here.id]))).toEqual([own]);
    expect(idsIn(await groups([there.id]))).toEqual([below]);
    expect(idsIn(await groups([here.id, there.id]))).toEqual([]);
    expect(idsIn(await devices([here.id]))).toContain(east.device_id);
    expect(idsIn(await devices([here.id]))).not.toContain(child.device_id);
    expect(idsIn(await world.east.call(deviceCalls.option, { subject: 'account', id: there.id }))).toEqual([child.device_id]);
    expect(idsIn(await world.east.call(deviceCalls.groupOption, { subject: 'device', ids: [child.device_id] }))).toEqual([below]);
  });

  it('offered for a group belong to one VNO: that of the group or of the chosen devices', async () => {
    const group = await makeGroup(world.childId, '下二');
    const devices = async (more: object) => idsIn(await world.east.call(deviceCalls.option, { subject: 'group', ...more }));
    expect(await devices({ id: group })).toEqual([child.device_id]);
    expect(await devices({ device_ids: [child.device_id] })).toEqual([child.device_id]);
    expect(await devices({})).toEqual(expect.arrayContaining([east.device_id, child.device_id]));
  });

  it('offered for an account include no groups for staff with a device list', async () => {
    const group = await makeGroup(world.eastId, '东二');
    await api.db.updateTable('device').set({ device_group_id: group }).where('id', '=', east.device_id).execute();
    const scope = { scope: 'device', device_limit: 'specified', device_ids: [east.device_id] };
    await makeStaff(world.east, 'one_ship', await makeRole(world.east, '一船', grantsOf(['user_list', 'user_create']), scope));
    const clerk = await api.login('one_ship');
    expect(idsIn(await clerk.call(deviceCalls.groupOption))).toEqual([group]);
    expect(idsIn(await clerk.call(deviceCalls.groupOption, { subject: 'account' }))).toEqual([]);
  });

  it('offered for Docker queries are online and have Docker', async () => {
    const optionIds = async () => idsIn(await world.east.call(deviceCalls.option, { subject: 'docker' }));
    expect(await optionIds()).toEqual([]);
    await api.db.updateTable('device').set({ online_state: 1, docker_status: 2 }).where('id', '=', child.device_id).execute();
    expect(await optionIds()).toEqual([child.device_id]);
  });

  it('are offered portals of their VNO and its parents that match their billing mode', async () => {
    const make = async (agent_id: number, billing_type: 'free' | 'charged') =>
      (
        await api.db
          .insertInto('portal')
          .values({ agent_id, name: `门户 ${billing_type}`, billing_type, create_at: 1 })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const free = await make(world.eastId, 'free');
    const charged = await make(world.eastId, 'charged');
    const below = await make(world.childId, 'free');
    const fit = async (id: number, billing_mode: 1 | 2) => {
      await api.db.updateTable('device').set({ billing_mode }).where('id', '=', id).execute();
      return idsIn(await world.east.call(devicePortalCalls.option, { subject: 'device', ids: [id] }));
    };
    expect(await fit(east.device_id, 2)).toEqual([free]);
    expect(await fit(east.device_id, 1)).toEqual([charged]);
    expect(await fit(child.device_id, 2)).toEqual([free, below]);
  });
});

describe('VNOs', () => {
  it('offered as transfer targets are all except that of the device, including those below it', async () => {
    const targets = idsIn(await world.admin.call(vnoCalls.option, { subject: 'device', ids: [east.device_id] }));
    expect(targets).not.toContain(world.eastId);
    expect(targets).toEqual(expect.arrayContaining([world.childId, world.westId]));
    const several = await world.admin.call(vnoCalls.option, { subject: 'device', ids: [east.device_id, child.device_id] });
    expect(idsIn(several)).toContain(world.eastId);
  });

  it('offered for a new account are below the VNO of the session', async () => {
    expect(idsIn(await world.east.call(vnoCalls.option, { subject: 'staff' }))).toEqual([world.childId]);
  });

  it('with the same name are distinguished by their parent VNO', async () => {
    const twins = [
      await makeVno(world.east, 'twin_a', world.eastRole, { name: '一号' }),
      await makeVno(world.child, 'twin_b', await makeVnoRole(world.child, 'Below'), { name: '一号' }),
    ];
    const { data } = await world.east.call(vnoCalls.option);
    expect(twins.map((id) => data[id])).toEqual(['一号 · VNO east', '一号 · VNO child']);
  });

  it('that may not have children are marked as not selectable as parents', async () => {
    const id = await makeVno(world.east, 'childless', world.eastRole, { agent_child_enable: false });
    const [root] = (await world.east.call(vnoCalls.topology)).data.list;
    expect(root).toMatchObject({ id: world.eastId, takes_children: true });
    expect(root?.children.find((node) => node.id === id)).toMatchObject({ takes_children: false });
  });
});

describe('roles', () => {
  it('with more rights than the session are listed, but not offered for assignment', async () => {
    const wide = await makeRole(world.east, '全部', grantsOf(allPages));
    const narrow = await makeRole(world.east, '只看', grantsOf(['customer_manage']));
    await makeStaff(world.east, 'manager', await makeRole(world.east, '主管', grantsOf(['customer_manage', 'role_manage'])));
    const manager = await api.login('manager');
    expect(idsIn(await manager.call(staffRoles.calls.option, { kind: 'sub' }))).toEqual(expect.arrayContaining([wide, narrow]));
    const offered = idsIn(await manager.call(staffRoles.calls.option, { kind: 'sub', assignable: true }));
    expect(offered).toContain(narrow);
    expect(offered).not.toContain(wide);
    for (const [i, role] of offered.entries()) expect((await manager.call(staffCalls.create, staffInput(`given_${i}`, role))).code).toBe(0);
    expect(idsIn(await world.east.call(vnoRoles.calls.option, { assignable: true, parent_id: world.eastId }))).toContain(world.eastRole);
  });
});

describe('templates, prefixes and packages', () => {
  const template = async (agent_id: number, name: string) =>
    (
      await api.db
        .insertInto('application')
        .values({ agent_id, name, mode: 0, configure: ['1-1'], create_at: 1, update_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const prefix = async (agent_id: number, letters: string) =>
    (
      await api.db
        .insertInto('prefix')
        .values({ agent_id, prefix: letters, creator: 'test', create_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;

  it('offered for an account belong to its VNO or its parents, also before it is opened', async () => {
    const ofEast = await template(world.eastId, '东模板');
    const ofChild = await template(world.childId, '下模板');
    const eastPrefix = await prefix(world.eastId, 'ea');
    const childPrefix = await prefix(world.childId, 'ch');
    const here = { subject: 'account', bind_type: 'device', device_id: east.device_id } as const;
    const there = { ...here, device_id: child.device_id };
    expect(idsIn(await world.east.call(applicationCalls.option, here))).toEqual([ofEast]);
    expect(idsIn(await world.east.call(applicationCalls.option, there))).toEqual([ofEast, ofChild]);
    expect(idsIn(await world.east.call(prefixCalls.option, here))).toEqual([eastPrefix]);
    expect(idsIn(await world.east.call(prefixCalls.option, there))).toEqual([eastPrefix, childPrefix]);
    const { id } = await east.makeAccount();
    expect(idsIn(await world.east.call(applicationCalls.option, { subject: 'account', ids: [id] }))).toEqual([ofEast]);
  });

  it('offered for an opening configuration are those that its VNO may use', async () => {
    const own = await east.makePackage();
    const below = await child.makePackage({ device_ids: [child.device_id] });
    const config = await api.db
      .selectFrom('open_config')
      .select('id')
      .where('agent_id', '=', world.eastId)
      .where('account_type', '=', 'personal')
      .executeTakeFirstOrThrow();
    const offered = idsIn(await world.east.call(offerCalls.option, { subject: 'config', id: config.id }));
    expect(offered).toContain(own.id);
    expect(offered).not.toContain(below.id);
  });

  it('with the same name show their owner, and packages for sale also the price', async () => {
    const mine = await east.makePackage({ name: '畅游' });
    const theirs = await child.makePackage({ name: '畅游' });
    const plain = (await world.east.call(packageCalls.option)).data;
    expect([plain[mine.id]?.name, plain[theirs.id]?.name]).toEqual(['畅游 · VNO east', '畅游 · VNO child']);
    const { data } = await world.east.call(offerCalls.option);
    expect(data[theirs.id]).toMatchObject({
      name: '畅游 · VNO child · ¥98.00 · 30 天',
      title: '畅游',
      amount: '¥98.00',
      detail: 'VNO child · 30 天',
    });
  });
});
