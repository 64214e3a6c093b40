import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { linkStatusColorCalls } from '@farlink/contract/device/link-status-color.ts';
import { pages } from '@farlink/contract/pages.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, password, startApi } from '../../../test/api.ts';
import { makeRole, makeStaff, makeVno, staffInput, vnoStaffInput } from '../../../test/world.ts';

/** Roles that a VNO grants to staff, VNOs and VNO accounts, as the editor sends them. */

const exceeds = 20102;

let api: Api;
let admin: Caller;
let east: Caller;
let everyPage: number;
let eastId: number;
beforeAll(async () => {
  api = await startApi();
  admin = await api.login('admin');
  // As the role editor of the platform sends "write all": with platform-only pages, and read calls as show only.
  const tree = (await admin.call(vnoRoles.calls.permissions)).data.list;
  const made = await admin.call(vnoRoles.calls.create, { name: '全部', scope: 'unlimited', permissions: writeAll(tree) });
  everyPage = made.data.id;
  eastId = await makeVno(admin, 'east', everyPage);
  await makeVno(admin, 'west', everyPage);
  east = await api.login('east');
});
afterAll(() => api.close());

const itemsOf = (nodes: readonly PermissionNode[]): PermissionNode[] => nodes.flatMap((n) => [n, ...itemsOf(n.children)]);
const writeAll = (tree: readonly PermissionNode[]) =>
  Object.fromEntries(tree.flatMap((group) => itemsOf(group.children)).map(({ key, most }) => [key, most]));

describe('a VNO', () => {
  const sets = [
    { calls: vnoRoles.calls, kind: undefined },
    { calls: staffRoles.calls, kind: 'sub' },
    { calls: staffRoles.calls, kind: 'job' },
  ];

  it('can save a role with every offered permission on all three role pages', async () => {
    for (const { calls, kind } of sets) {
      const tree = (await east.call(calls.permissions)).data.list;
      const permissions = writeAll(tree);
      expect(permissions).toMatchObject({ user_list: '11', get_user: '10', put_user: '11' });
      const made = await east.call(calls.create, { kind, name: '全部可操作', scope: 'unlimited', write_all: true, permissions });
      expect(made.code, `${calls.create.path} ${kind}`).toBe(0);
      const read = (await east.call(calls.read, { id: made.data.id })).data;
      expect(read).toMatchObject({ write_all: true, permissions });
    }
  });

  it('stores write permission for a read call as view permission', async () => {
    const role = await makeRole(east, '读可操作', { user_list: '11', get_user: '11', put_user: '11' });
    const { permissions } = (await east.call(staffRoles.calls.read, { id: role })).data;
    expect(permissions).toMatchObject({ get_user: '10', put_user: '11' });
    await makeStaff(east, 'reader', role);
    expect((await (await api.login('reader')).call(userCalls.list)).code).toBe(0);
  });

  it('can assign a role that contains platform-only pages, which have no effect', async () => {
    const tree = (await east.call(vnoRoles.calls.permissions)).data.list;
    expect(itemsOf(tree).map(({ key }) => key)).not.toContain('link_status_color');
    const roleId = (await east.call(vnoRoles.calls.create, { name: '下级', scope: 'unlimited', permissions: writeAll(tree) })).data.id;
    // A role with every page, as in demo data and earlier versions.
    const all = JSON.stringify(grantsOf(pages.map((p) => p.permission)));
    await api.db.updateTable('role').set({ permissions: all }).where('id', '=', roleId).execute();
    const childId = await makeVno(east, 'child', roleId);
    const account = await east.call(vnoAccountCalls.create, vnoStaffInput('child_two', roleId, childId));
    expect(account.code).toBe(0);
    const manager = await makeRole(east, '主管', grantsOf(['customer_manage', 'role_manage']));
    await api.db.updateTable('role').set({ permissions: all }).where('id', '=', manager).execute();
    expect((await east.call(staffCalls.create, staffInput('manager', manager))).code).toBe(0);
    for (const name of ['child', 'child_two', 'manager']) {
      const by = await api.login(name);
      expect((await by.call(userCalls.list)).code, name).toBe(0);
      for (const call of [linkStatusColorCalls.list, dangerSiteCalls.list, systemStatusCalls.read])
        expect((await by.call(call)).code, `${name} ${call.path}`).toBe(10006);
    }
  });

  it('does not let staff grant permissions that they do not have', async () => {
    const limited = await makeRole(east, '只看用户', { ...grantsOf(['user_list'], '10'), ...grantsOf(['role_manage', 'customer_manage']) });
    await makeStaff(east, 'limited', limited);
    const by = await api.login('limited');
    const create = (permissions: object) =>
      by.call(staffRoles.calls.create, { kind: 'sub', name: '越权', scope: 'unlimited', permissions });
    expect((await create({ user_list: '11', put_user: '11' })).code).toBe(exceeds);
    expect((await create({ device_list: '10' })).code).toBe(exceeds);
    expect((await create({ user_list: '10', get_user: '10', put_user: '10' })).code).toBe(0);
    const tree = (await by.call(staffRoles.calls.permissions)).data.list;
    const users = itemsOf(tree).find(({ key }) => key === 'user_list');
    expect(users).toMatchObject({ most: '10' });
    expect(users?.children.find(({ key }) => key === 'put_user')).toMatchObject({ most: '10' });
  });
});

describe('a VNO role', () => {
  it('can be assigned only to VNOs below its owner', async () => {
    const west = await api.login('west');
    const permissions = grantsOf(['user_list']);
    const ofEast = (await east.call(vnoRoles.calls.create, { name: '东区', scope: 'unlimited', permissions })).data.id;
    const ofWest = (await west.call(vnoRoles.calls.create, { name: '西区', scope: 'unlimited', permissions })).data.id;
    const id = await makeVno(east, 'below', ofEast);
    const row = async () => (await admin.call(vnoCalls.read, { id })).data;
    const assign = async (role_id: number) => admin.call(vnoCalls.update, { ...(await row()), role_id });
    expect(fieldsOf(await assign(ofWest))).toEqual({ role_id: '请选择有效的角色' });
    const own = (await (await api.login('below')).call(vnoRoles.calls.create, { name: '自有', scope: 'unlimited', permissions })).code;
    expect(own).toBe(10006);
    expect((await assign(everyPage)).code).toBe(0);
    expect((await assign(ofEast)).code).toBe(0);
    const account = (role_id: number) => admin.call(vnoAccountCalls.create, vnoStaffInput('below_two', role_id, id));
    expect(fieldsOf(await account(ofWest))).toEqual({ role_id: '请选择有效的角色' });
    expect((await account(ofEast)).code).toBe(0);
    const options = (await admin.call(vnoRoles.calls.option, { vno_id: id })).data;
    expect(options[ofEast]).toBe('东区 · VNO east');
    expect(options[everyPage]).toBe('全部');
    expect(options).not.toHaveProperty(String(ofWest));
    expect((await admin.call(vnoRoles.calls.option, { parent_id: eastId })).data).not.toHaveProperty(String(ofWest));
  });

  it('prevents a move of its VNO to another branch', async () => {
    const { list } = (await admin.call(vnoCalls.list, { username: 'below' })).data;
    const west = (await admin.call(vnoCalls.list, { username: 'west' })).data.list[0]?.id;
    const row = (await admin.call(vnoCalls.read, { id: list[0]?.id })).data;
    const moved = await admin.call(vnoCalls.update, { ...row, parent_id: west });
    expect(fieldsOf(moved).parent_id).toContain('VNO below');
    expect((await admin.call(vnoCalls.read, { id: row.id })).data.parent_id).toBe(eastId);
  });
});

describe('an account prefix', () => {
  it('must belong to the VNO, not to another branch', async () => {
    const westId = (await admin.call(vnoCalls.list, { username: 'west' })).data.list[0]?.id;
    const foreign = (await admin.call(prefixCalls.create, { vno_id: westId, prefix: 'ws' })).data.id;
    const own = (await admin.call(prefixCalls.create, { vno_id: eastId, prefix: 'ea' })).data.id;
    const row = async () => (await admin.call(vnoCalls.read, { id: eastId })).data;
    const set = async (account_prefix: number) => admin.call(vnoCalls.update, { ...(await row()), account_prefix });
    expect(fieldsOf(await set(foreign))).toEqual({ account_prefix: '请选择有效的账号前缀' });
    expect((await set(own)).code).toBe(0);
    expect((await row()).account_prefix).toBe(own);
    expect(Object.keys((await admin.call(prefixCalls.option, { id: eastId })).data)).toEqual([String(own)]);
    east = await api.login('east');
  });
});

describe('the main account of a VNO', () => {
  it('cannot be disabled', async () => {
    const row = (await admin.call(vnoAccountCalls.list, { username: 'east' })).data.list[0];
    const reply = await admin.call(vnoAccountCalls.update, { id: row?.id, version: row?.version, status: 0 });
    expect(reply.code).toBe(20104);
    expect(row).toMatchObject({ is_owner: true });
  });
});

describe('the scope of a role', () => {
  it('is refused at its field if no device or VNO is selected', async () => {
    const base = { kind: 'sub', name: '空范围', permissions: grantsOf(['user_list']) };
    const device = await east.call(staffRoles.calls.create, { ...base, scope: 'device', device_limit: 'specified', device_ids: [] });
    expect(device.status).toBe(400);
    expect(Object.keys(fieldsOf(device))).toEqual(['device_ids']);
    const vno = await east.call(staffRoles.calls.create, { ...base, scope: 'vno', vno_limit: 'specified', vno_ids: [] });
    expect(Object.keys(fieldsOf(vno))).toEqual(['vno_ids']);
  });

  it('is not widened by a change that sets only the scope type', async () => {
    const scope = { scope: 'vno', vno_limit: 'specified', vno_ids: [eastId] };
    const id = await makeRole(east, '窄范围', grantsOf(['user_list']), scope);
    const put = (input: object) => east.call(staffRoles.calls.update, { id, version: 1, ...input });
    expect(Object.keys(fieldsOf(await put({ scope: 'device' })))).toEqual(['device_ids']);
    expect((await put({ scope: 'vno' })).code).toBe(10011);
    expect((await east.call(staffRoles.calls.read, { id })).data).toMatchObject(scope);
    expect((await put({ scope: 'device', device_limit: 'all' })).code).toBe(0);
  });
});

describe('a clerk with a collection limit', () => {
  it('cannot give colleagues a higher limit, or take over an account without a limit', async () => {
    const role = await makeRole(east, '柜台', grantsOf(['customer_manage', 'user_list']));
    const limit = (income_limit: string) => ({ income_limit_enable: true, income_limit });
    await makeStaff(east, 'counter', role, limit('100.00'));
    const boss = await makeStaff(east, 'boss', role);
    const by = await api.login('counter');
    const create = (username: string, more: object) => by.call(staffCalls.create, staffInput(username, role, { ...more }));
    expect(Object.keys(fieldsOf(await create('free_one', {})))).toEqual(['income_limit_enable']);
    expect(fieldsOf(await create('free_two', limit('100.01')))).toEqual({ income_limit: '不能超过您自己的收款上限 100.00 元' });
    const made = await create('colleague', limit('100.00'));
    expect(made.code).toBe(0);
    const put = (id: number, more: object) => by.call(staffCalls.update, { id, version: 1, ...more });
    expect(Object.keys(fieldsOf(await put(made.data.id, { income_limit_enable: false })))).toEqual(['income_limit_enable']);
    expect(Object.keys(fieldsOf(await put(made.data.id, limit('500.00'))))).toEqual(['income_limit']);
    expect((await put(made.data.id, limit('50.00'))).code).toBe(0);
    expect((await put(boss, { password: `${password}x`, repassword: `${password}x` })).code).toBe(exceeds);
    expect((await by.call(staffCalls.login, { id: boss })).code).toBe(exceeds);
  });

  it('keeps its amount if only the switch is sent, and needs an amount to be switched on', async () => {
    const role = await makeRole(east, '限额', grantsOf(['user_list']));
    const id = await makeStaff(east, 'limited_till', role, { income_limit_enable: true, income_limit: '80.00' });
    let version = 1;
    const put = (more: object) => east.call(staffCalls.update, { id, version: version++, ...more });
    const stored = async () =>
      (await api.db.selectFrom('customer').select('income_limit').where('id', '=', id).executeTakeFirstOrThrow()).income_limit;
    expect((await put({ income_limit_enable: true, remark: '柜台' })).code).toBe(0);
    expect(await stored()).toBe('80.00');
    expect((await put({ income_limit: '60.00' })).code).toBe(0);
    expect(await stored()).toBe('60.00');
    expect((await put({ income_limit_enable: false })).code).toBe(0);
    expect(await stored()).toBeNull();
    expect(fieldsOf(await put({ income_limit_enable: true }))).toEqual({ income_limit: '请输入收款上限（元）' });
  });
});
