import { authCalls } from '@farlink/contract/auth/auth.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, password, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff, makeVno, makeVnoRole, vnoStaffInput } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

const names = async (by: Caller, filters: object = {}) =>
  (await by.call(vnoCalls.list, { limit: 100, ...filters })).data.list.map((r) => r.username).sort();
const edit = async (by: Caller, id: number, changes: object) => {
  const { data } = await by.call(vnoCalls.read, { id });
  return by.call(vnoCalls.update, { ...data, ...changes, id });
};

describe('the list of VNOs', () => {
  it('shows each session only its branch', async () => {
    expect(await names(world.admin)).toEqual(['admin', 'child', 'east', 'west']);
    expect(await names(world.east)).toEqual(['child', 'east']);
    expect(await names(world.west)).toEqual(['west']);
  });

  it('does not show the names of parent VNOs', async () => {
    const { data } = await world.east.call(vnoCalls.list, { name: 'VNO east' });
    expect(data.list[0]).toMatchObject({ username: 'east', parent_name: null });
    expect((await world.east.call(vnoCalls.read, { id: world.eastId })).data).toMatchObject({ parent_id: null });
    expect((await world.east.call(vnoCalls.list, { name: 'child' })).data.list[0]).toMatchObject({ parent_name: 'VNO east' });
  });

  it('applies declared filters and sorts only by sortable columns', async () => {
    expect(await names(world.admin, { parent_id: world.eastId })).toEqual(['child']);
    expect(await names(world.admin, { agent_mode: 2 })).toEqual([]);
    expect(await names(world.admin, { device_count: 0, cond_device_count: 'gt' })).toEqual([]);
    expect(await names(world.admin, { name: '%' })).toEqual([]);
    const sorted = await world.admin.call(vnoCalls.list, { orderby: 'username desc' });
    expect(sorted.data.list.map((r) => r.username)).toEqual(['west', 'east', 'child', 'admin']);
    expect(await world.admin.call(vnoCalls.list, { orderby: 'phone asc' })).toMatchObject({
      code: 10001,
      data: { fields: { orderby: '排序字段无效' } },
    });
    expect((await world.admin.call(vnoCalls.list, { orderby: 'id;drop table agent asc' })).code).toBe(10001);
    expect((await world.admin.call(vnoCalls.list, { limit: 101 })).data).toEqual({ fields: { limit: '数值范围为1-100' } });
  });

  it('refuses a time range that ends before it starts', async () => {
    const reply = await world.admin.call(vnoCalls.list, { create_at_start: 20, create_at_end: 10 });
    expect(reply.data).toEqual({ fields: { create_at_end: '开始时间必须早于结束时间' } });
  });
});

describe('creating a VNO', () => {
  it('reports every error at its field', async () => {
    const reply = await world.admin.call(vnoCalls.create, {
      username: '12',
      name: ' ',
      phone: 'x',
      password: 'short',
      repassword: 'other',
      agent_mode: 9,
    });
    expect(Object.keys(reply.data as unknown as { fields: object })).toEqual(['fields']);
    expect(Object.keys((reply.data as unknown as { fields: object }).fields).sort()).toEqual(
      ['agent_mode', 'contacts', 'name', 'parent_id', 'password', 'phone', 'repassword', 'role_id', 'username'].sort(),
    );
  });

  it('refuses a taken username and merchant code', async () => {
    const input = {
      username: 'EAST',
      password,
      repassword: password,
      name: 'Other',
      parent_id: world.admin.session?.agent_id,
      role_id: world.role,
      contacts: '张三',
      phone: '1',
      agent_mode: 1,
    };
    expect(await world.admin.call(vnoCalls.create, input)).toMatchObject({
      status: 409,
      code: 10013,
      data: { fields: { username: '登录账号已存在' } },
    });
    const { code } = (await world.admin.call(vnoCalls.read, { id: world.eastId })).data;
    expect(await world.admin.call(vnoCalls.create, { ...input, username: 'fresh_one', code })).toMatchObject({
      code: 10013,
      data: { fields: { code: '商户码已存在' } },
    });
  });

  it('is refused below eight levels, and below a VNO that may not have children', async () => {
    let by = world.child;
    for (let level = 3; level <= limits.agentDepth; level++) {
      const name = `deep${level}`;
      const role = (
        await by.call(vnoRoles.calls.create, { name: 'Down', scope: 'unlimited', permissions: grantsOf(['vno_list', 'vno_role']) })
      ).data.id;
      await makeVno(by, name, role);
      by = await api.login(name);
    }
    const role = (await by.call(vnoRoles.calls.create, { name: 'Down', scope: 'unlimited', permissions: grantsOf(['vno_list']) })).data.id;
    const input = {
      username: 'deep9',
      password,
      repassword: password,
      name: 'Deep 9',
      parent_id: by.session?.agent_id,
      role_id: role,
      contacts: '张三',
      phone: '1',
      agent_mode: 1,
    };
    expect(await by.call(vnoCalls.create, input)).toMatchObject({ status: 422, code: 20001 });
    const closedId = await makeVno(world.admin, 'closed', world.role, { agent_child_enable: false });
    expect((await world.admin.call(vnoCalls.create, { ...input, parent_id: closedId, role_id: world.role })).code).toBe(20002);
  });

  it('refuses a parent, role or prefix of another branch', async () => {
    const input = {
      username: 'stray',
      password,
      repassword: password,
      name: 'Stray',
      parent_id: world.eastId,
      role_id: world.eastRole,
      contacts: '张三',
      phone: '1',
      agent_mode: 1,
    };
    expect((await world.west.call(vnoCalls.create, { ...input, parent_id: world.eastId })).data).toEqual({
      fields: { parent_id: '请选择有效的上级VNO' },
    });
    expect((await world.west.call(vnoCalls.create, { ...input, parent_id: world.westId })).data).toEqual({
      fields: { role_id: '请选择有效的角色' },
    });
    const { id: account_prefix } = (await world.admin.call(prefixCalls.create, { vno_id: world.westId, prefix: 'wst' })).data;
    for (const by of [world.east, world.admin])
      expect((await by.call(vnoCalls.create, { ...input, account_prefix })).data).toEqual({
        fields: { account_prefix: '请选择有效的账号前缀' },
      });
  });
});

describe('changing a VNO', () => {
  it('refuses a stale form, an unchanged form and the own VNO', async () => {
    expect((await edit(world.admin, world.westId, {})).code).toBe(10011);
    expect((await edit(world.admin, world.westId, { introduction: '新简介' })).code).toBe(0);
    expect(await edit(world.admin, world.westId, { introduction: '更新', version: 1 })).toMatchObject({ status: 409, code: 10010 });
    expect((await edit(world.east, world.eastId, { introduction: 'x' })).code).not.toBe(0);
  });

  it('moves it with all VNOs below it, but never below itself', async () => {
    const rootId = await makeVno(world.admin, 'mover', world.role);
    const mover = await api.login('mover');
    const role = (await mover.call(vnoRoles.calls.create, { name: 'Down', scope: 'unlimited', permissions: grantsOf(['vno_list']) })).data
      .id;
    const leafId = await makeVno(mover, 'leaf', role);
    expect((await edit(world.admin, rootId, { parent_id: leafId })).code).toBe(20003);
    expect((await edit(world.admin, rootId, { parent_id: world.westId })).code).toBe(0);
    expect(await names(world.west)).toEqual(['leaf', 'mover', 'west']);
    expect((await world.admin.call(vnoCalls.read, { id: leafId })).data).toMatchObject({ agent_level: 3 });
  });

  it('ends the sessions of its branch when its mode changes', async () => {
    await makeVno(world.admin, 'modal', world.role);
    const modal = await api.login('modal');
    const id = modal.session?.agent_id ?? 0;
    const role = await makeVnoRole(modal, 'Down', grantsOf(['vno_list']));
    await makeVno(modal, 'modal_child', role);
    const below = await api.login('modal_child');
    const beside = await api.login('west');
    expect((await edit(world.admin, id, { agent_mode: 2 })).code).toBe(0);
    for (const by of [modal, below]) expect((await by.call(authCalls.profile)).code).toBe(10021);
    expect((await beside.call(authCalls.profile)).code).toBe(0);
    const again = await api.login('modal');
    expect(again.session?.permissions).not.toContain('vno_list');
    expect((await again.call(vnoCalls.list)).code).toBe(10006);
  });
});

describe('deleting a VNO', () => {
  it('needs its exact name, and is refused with counts while it has devices or child VNOs', async () => {
    const id = await makeVno(world.admin, 'doomed', world.role);
    await api.db
      .insertInto('device')
      .values([
        { agent_id: id, name: 'A', sn: 'D-1', create_at: 1 },
        { agent_id: id, name: 'B', sn: 'D-2', create_at: 1 },
      ])
      .execute();
    expect((await world.admin.call(vnoCalls.remove, { id, confirm_name: 'VNO Doomed' })).data).toEqual({
      fields: { confirm_name: 'VNO名称不一致' },
    });
    expect(await world.admin.call(vnoCalls.remove, { id, confirm_name: 'VNO doomed' })).toMatchObject({
      status: 409,
      code: 20004,
      msg: '该VNO下仍有2台设备，无法删除',
    });
    expect((await world.admin.call(vnoCalls.remove, { id: world.eastId, confirm_name: 'VNO east', lang: 'en' })).msg).toContain(
      '1 child VNOs',
    );
    await api.db.deleteFrom('device').where('agent_id', '=', id).execute();
    const setCash = (income_used: string) => api.db.updateTable('customer').set({ income_used }).where('agent_id', '=', id).execute();
    await setCash('5.00');
    expect((await world.admin.call(vnoCalls.remove, { id, confirm_name: 'VNO doomed' })).msg).toBe(
      '该VNO下仍有1名员工未交的现金，无法删除',
    );
    await setCash('0.00');
    await world.admin.call(vnoCalls.devicePwd, { vno_id: id, password: 'gate123', repassword: 'gate123' });
    const doomed = await api.login('doomed');
    expect((await world.admin.call(vnoCalls.remove, { id, confirm_name: 'VNO doomed' })).code).toBe(0);
    const logged = await api.db
      .selectFrom('syslog')
      .select('before')
      .where('action', '=', 'delete')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(Object.keys(logged[0]?.before ?? {})).not.toContain('device_login');
    expect((await doomed.call(authCalls.profile)).code).toBe(10021);
    expect((await api.tryLogin('doomed', password)).code).toBe(10008);
  });

  it('keeps the log of the deleted VNO in its former branch', async () => {
    const { data } = await world.admin.call(logCalls.children, { username: 'doomed' });
    expect(data.list[0]).toMatchObject({ agent_name: 'VNO doomed', action: 'login' });
    expect((await world.east.call(logCalls.children, { username: 'doomed' })).data.total).toBe(0);
  });
});

describe('acting as a VNO', () => {
  it('opens the platform of a child VNO, and logs both identities', async () => {
    const { remoteData } = (await world.admin.call(vnoCalls.login, { id: world.eastId })).data;
    const session = (await api.anonymous.call(authCalls.remote, { remoteData })).data;
    expect(session).toMatchObject({ agent_id: world.eastId, agent_level: 1, is_admin: false });
    const acting = api.as(session);
    const log = await acting.call(logCalls.own, { action: 'login' });
    expect(log.data.list[0]?.content).toBe('由 admin 代为登录');
    expect((await world.admin.call(vnoCalls.login, { id: world.admin.session?.agent_id })).code).toBe(20005);
    expect((await world.east.call(vnoCalls.login, { id: world.westId })).code).toBe(10005);
  });
});

describe('the topology', () => {
  it('shows the own branch, with the own VNO disabled', async () => {
    const { list } = (await world.east.call(vnoCalls.topology)).data;
    expect(list[0]).toMatchObject({ id: world.eastId, disabled: true, parent_id: null });
    expect(list[0]?.children[0]).toMatchObject({ id: world.childId, disabled: false, parent_id: world.eastId });
    const found = (await world.admin.call(vnoCalls.topology, { name: 'VNO child' })).data.list;
    expect(found[0]?.children.map((c) => c.id)).toEqual([world.eastId]);
    expect((await world.west.call(vnoCalls.topology, { vno_id: world.eastId })).code).toBe(10005);
  });
});

describe('VNO accounts', () => {
  it('belong to VNOs below; the main account cannot be deleted and follows the role of its VNO', async () => {
    const list = (await world.east.call(vnoAccountCalls.list, { limit: 100 })).data.list;
    expect(list.map((r) => r.username)).not.toContain('east');
    const main = list.find((r) => r.username === 'child');
    expect(main).toMatchObject({ role_name: 'Child' });
    expect((await world.east.call(vnoAccountCalls.remove, { id: main?.id })).code).toBe(20104);
    const other = (await world.east.call(vnoRoles.calls.create, { name: 'Else', scope: 'unlimited', permissions: grantsOf(['vno_list']) }))
      .data.id;
    expect((await world.east.call(vnoAccountCalls.update, { id: main?.id, version: main?.version, role_id: other })).data).toMatchObject({
      fields: { role_id: expect.stringContaining('主账号') },
    });
    expect((await world.west.call(vnoAccountCalls.update, { id: main?.id, version: main?.version, name: '他人' })).code).toBe(10005);
  });

  it('can be created for a child VNO and are counted in the tree', async () => {
    const input = {
      vno_id: world.childId,
      username: 'child_two',
      name: '副手',
      password,
      repassword: password,
      phone: '1',
      role_id: world.eastRole,
      income_limit_enable: true,
      income_limit: '100',
    };
    expect((await world.east.call(vnoAccountCalls.create, { ...input, vno_id: world.westId })).data).toMatchObject({
      fields: { vno_id: expect.any(String) },
    });
    expect((await world.east.call(vnoAccountCalls.create, { ...input, income_limit: '0' })).data).toEqual({
      fields: { income_limit: '大于0，最多两位小数' },
    });
    expect((await world.east.call(vnoAccountCalls.create, input)).code).toBe(0);
    const tree = (await world.east.call(vnoAccountCalls.topology)).data.list;
    expect(tree[0]?.children[0]).toMatchObject({ id: world.childId, customer_count: 2 });
    expect((await world.east.call(vnoAccountCalls.list, { username: 'child_two' })).data.list[0]).toMatchObject({
      income_limit: '100.00',
      agent_name: 'VNO child',
    });
  });
});

describe('account prefixes', () => {
  it('are unique on the platform and cannot be deleted while in use', async () => {
    const made = await world.east.call(prefixCalls.create, { vno_id: world.childId, prefix: 'kid_' });
    expect(made.code).toBe(0);
    expect(await world.west.call(prefixCalls.create, { vno_id: world.westId, prefix: 'KID_' })).toMatchObject({
      code: 10013,
      data: { fields: { prefix: '账号前缀已存在' } },
    });
    expect((await world.west.call(prefixCalls.create, { vno_id: world.westId, prefix: 'too_long_x' })).data).toEqual({
      fields: { prefix: '长度为1-8个字符' },
    });
    await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: world.childId, prefix_id: made.data.id, account: 'kid_1' }))
      .execute();
    expect((await world.east.call(prefixCalls.remove, { id: made.data.id })).code).toBe(20006);
    expect((await world.west.call(prefixCalls.remove, { id: made.data.id })).code).toBe(10005);
    await api.db.deleteFrom('subscriber').where('account', '=', 'kid_1').execute();
    expect((await world.east.call(prefixCalls.remove, { id: made.data.id })).code).toBe(0);
  });
});

describe('a management scope', () => {
  it('limits a role to the selected VNOs', async () => {
    const role = await makeRole(world.admin, '限定', grantsOf(['vno_list', 'vno_account']), {
      scope: 'vno',
      vno_limit: 'specified',
      vno_ids: [world.westId],
    });
    await makeStaff(world.admin, 'narrow', role);
    const narrow = await api.login('narrow');
    expect(await names(narrow)).toEqual(['west']);
    expect((await narrow.call(vnoCalls.read, { id: world.eastId })).code).toBe(10005);
    expect((await narrow.call(vnoCalls.option)).data).toEqual({ [world.westId]: 'VNO west' });
  });

  it('refuses VNOs that its creator cannot see, and an empty device list', async () => {
    const bad = await world.west.call(staffRoles.calls.create, {
      kind: 'sub',
      name: '越界',
      scope: 'vno',
      vno_limit: 'specified',
      vno_ids: [world.eastId],
      permissions: grantsOf(['system_log']),
    });
    expect(bad.data).toMatchObject({ fields: { vno_ids: '请选择有效的VNO' } });
    const empty = await world.west.call(staffRoles.calls.create, {
      kind: 'sub',
      name: '空',
      scope: 'device',
      device_limit: 'specified',
      permissions: grantsOf(['system_log']),
    });
    expect(empty.data).toMatchObject({ fields: { device_ids: '请选择指定设备' } });
  });
});

describe('an operator with limited rights', () => {
  const pages = grantsOf(['vno_list', 'vno_account', 'user_list', 'customer_manage']);
  const staff = async (username: string, permissions: typeof pages, scope: Record<string, unknown> = {}) => {
    await makeStaff(world.east, username, await makeRole(world.east, username, permissions, scope));
    return api.login(username);
  };
  const enter = async (by: Caller, id: number) => {
    const { data } = await by.call(vnoCalls.login, { id });
    return api.as((await api.anonymous.call(authCalls.remote, { remoteData: data.remoteData })).data);
  };
  const accountOf = async (username: string) =>
    (await world.east.call(vnoAccountCalls.list, { username, limit: 100 })).data.list.find((row) => row.username === username);
  const secret = { password: 'Stolen11', repassword: 'Stolen11' };

  it('keeps only its own rights in the VNO that it enters', async () => {
    const by = await staff('vno_only', grantsOf(['vno_list']));
    expect((await (await enter(world.east, world.childId)).call(userCalls.list)).code).toBe(0);
    const inside = await enter(by, world.childId);
    expect((await inside.call(authCalls.profile)).data.permissions).toEqual(['vno_list']);
    expect((await inside.call(userCalls.list)).code).toBe(10006);
    expect((await inside.call(vnoCalls.list)).code).toBe(0);
  });

  it('cannot reset the password of the main account of a VNO with more rights', async () => {
    const by = await staff('vno_manager', grantsOf(['vno_list', 'vno_account']));
    expect((await edit(by, world.childId, secret)).code).toBe(20102);
    const main = await accountOf('child');
    expect((await by.call(vnoAccountCalls.update, { id: main?.id, version: main?.version, ...secret })).code).toBe(20102);
    expect((await edit(by, world.childId, { introduction: '改' })).code).toBe(0);
  });

  it('cannot enter or manage a VNO with a role that is limited to devices', async () => {
    const device_ids = [(await makeFleet(api, 'SC').add(world.childId)).id];
    const by = await staff('one_device', pages, { scope: 'device', device_limit: 'specified', device_ids });
    const main = await accountOf('child');
    const account = vnoStaffInput('puppet', world.eastRole, world.childId);
    const replies = [
      await by.call(vnoCalls.login, { id: world.childId }),
      await edit(by, world.childId, { introduction: '不行' }),
      await by.call(vnoCalls.remove, { id: world.childId, confirm_name: 'VNO child' }),
      await by.call(vnoCalls.create, { ...account, name: 'Under', contacts: '张三', agent_mode: 1, parent_id: world.eastId }),
      await by.call(vnoAccountCalls.create, account),
      await by.call(vnoAccountCalls.update, { id: main?.id, version: main?.version, remark: '不行' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
  });

  it('manages a VNO only if the whole branch is in its scope, and stays within it after entering', async () => {
    const middleId = await makeVno(world.east, 'middle', world.eastRole);
    const lowestId = await makeVno(await api.login('middle'), 'lowest', await makeVnoRole(await api.login('middle'), 'Lowest', pages));
    const limit = (vno_ids: number[]) => ({ scope: 'vno', vno_limit: 'specified', vno_ids });
    const part = await staff('half_branch', grantsOf(allPages), limit([world.eastId, middleId]));
    const inside = await enter(part, middleId);
    expect((await inside.call(vnoCalls.list)).data.list.map(({ id }) => id)).toEqual([middleId]);
    const account = (username: string) => vnoStaffInput(username, world.eastRole, middleId);
    expect((await part.call(vnoAccountCalls.create, account('sees_more'))).code).toBe(10006);
    expect((await edit(part, middleId, secret)).code).toBe(10006);
    expect((await part.call(vnoCalls.login, { id: world.childId })).code).toBe(10005);
    const whole = await staff('whole_branch', grantsOf(allPages), limit([world.eastId, middleId, lowestId]));
    expect((await whole.call(vnoAccountCalls.create, account('sees_same'))).code).toBe(0);
    expect((await edit(whole, middleId, secret)).code).toBe(0);
  });
});

describe('the device password of a VNO', () => {
  it('is stored encrypted and never returned', async () => {
    const reply = await world.admin.call(vnoCalls.devicePwd, { vno_id: world.eastId, password: 'gate123', repassword: 'gate123' });
    expect(reply).toMatchObject({ code: 0, data: null });
    const row = await api.db.selectFrom('agent').select('device_password').where('id', '=', world.eastId).executeTakeFirstOrThrow();
    expect(row.device_password).not.toContain('gate123');
    const { data } = await world.admin.call(logCalls.own, { content: '设备登录密码' });
    const detail = await world.admin.call(logCalls.read, { id: data.list[0]?.id });
    expect(detail.data.differences).toEqual([{ field: 'password', label: '设备密码', before: '******', after: '******' }]);
    expect((await world.west.call(vnoCalls.devicePwd, { vno_id: world.eastId, password: 'gate123', repassword: 'gate123' })).code).toBe(
      10005,
    );
  });
});
