import { authorizationCalls } from '@farlink/contract/advanced/authorization.ts';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { gatewayAccountCalls } from '@farlink/contract/config/gateway-config.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, password, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff, staffInput } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

const find = async (by: Caller, username: string, kind = 'sub') => {
  const row = (await by.call(staffCalls.list, { kind, username })).data.list[0];
  if (!row) throw new Error(`no ${username}`);
  return row;
};

describe('sub-accounts', () => {
  it('are updated field by field with a version check, and refuse empty required fields', async () => {
    const role = await makeRole(world.east, '员工', grantsOf(['system_log']));
    await makeStaff(world.east, 'clerk', role);
    const row = await find(world.east, 'clerk');
    const put = (input: object) => world.east.call(staffCalls.update, { id: row.id, version: row.version, ...input });
    expect((await put({ name: row.name })).code).toBe(10011);
    expect((await put({ name: '' })).data).toEqual({ fields: { name: '请输入员工姓名' } });
    expect((await put({ password: 'Newpass1' })).data).toEqual({ fields: { repassword: '请输入确认密码' } });
    expect((await put({ remark: '值班' })).code).toBe(0);
    expect((await put({ remark: '再次' })).code).toBe(10010);
    expect(await find(world.east, 'clerk')).toMatchObject({ remark: '值班', version: 2, name: row.name });
  });

  it('lose their sessions when their status, password or role changes', async () => {
    const role = await makeRole(world.east, '短命', grantsOf(['system_log']));
    await makeStaff(world.east, 'brief', role);
    const ends = async (input: object, secret = password) => {
      const session = await api.login('brief', secret);
      const row = await find(world.east, 'brief');
      expect((await world.east.call(staffCalls.update, { id: row.id, version: row.version, ...input })).code).toBe(0);
      return (await session.call(authCalls.profile)).code;
    };
    expect(await ends({ remark: '无妨' })).toBe(0);
    expect(await ends({ password: 'Second22', repassword: 'Second22' })).toBe(10021);
    expect(await ends({ role_id: await makeRole(world.east, '换岗', grantsOf(['system_log'])) }, 'Second22')).toBe(10021);
    expect(await ends({ status: 0 }, 'Second22')).toBe(10021);
    expect((await api.tryLogin('brief', 'Second22')).code).toBe(10031);
  });

  it('cannot be managed by colleagues with fewer rights', async () => {
    const strong = await makeRole(world.east, '强', grantsOf(['system_log', 'customer_manage', 'role_manage', 'vno_list']));
    const weak = await makeRole(world.east, '弱', grantsOf(['customer_manage']));
    const strongId = await makeStaff(world.east, 'strong_one', strong);
    await makeStaff(world.east, 'weak_one', weak);
    const by = await api.login('weak_one');
    const row = await find(by, 'strong_one');
    expect(
      (await by.call(staffCalls.update, { id: strongId, version: row.version, password: 'Stolen11', repassword: 'Stolen11' })).code,
    ).toBe(20102);
    expect((await by.call(staffCalls.login, { id: strongId })).code).toBe(20102);
    expect((await by.call(staffCalls.remove, { id: strongId })).code).toBe(20102);
    expect((await by.call(staffCalls.create, staffInput('puppet', strong))).code).toBe(20102);
  });

  it('cannot delete or disable themselves', async () => {
    const role = await makeRole(world.east, '自己', grantsOf(['customer_manage']));
    const id = await makeStaff(world.east, 'myself', role);
    const me = await api.login('myself');
    expect((await me.call(staffCalls.remove, { id })).code).toBe(20103);
    expect((await me.call(staffCalls.update, { id, version: 1, status: 0 })).code).toBe(20103);
  });

  it('change their own password and phone only in their profile', async () => {
    const role = await makeRole(world.east, '改己', grantsOf(['customer_manage']));
    const id = await makeStaff(world.east, 'own_phone', role);
    const colleague = await makeStaff(world.east, 'own_puppet', role);
    const me = await api.login('own_phone');
    const { remoteData } = (await me.call(staffCalls.login, { id: colleague })).data;
    const acting = api.as((await api.anonymous.call(authCalls.remote, { remoteData })).data);
    for (const by of [me, acting])
      for (const change of [{ phone: '+8613977770001' }, { password: 'Stolen11', repassword: 'Stolen11' }])
        expect((await by.call(staffCalls.update, { id, version: 1, ...change })).code, Object.keys(change)[0]).toBe(20103);
    expect((await me.call(staffCalls.update, { id: colleague, version: 1, phone: '+8613977770001' })).code).toBe(0);
    expect((await me.call(staffCalls.update, { id, version: 1, email: 'own@example.com' })).code).toBe(0);
  });

  it('are not visible to other VNOs', async () => {
    const row = await find(world.east, 'clerk');
    expect((await world.west.call(staffCalls.update, { id: row.id, version: row.version, name: '他人' })).code).toBe(10005);
    expect((await world.admin.call(staffCalls.remove, { id: row.id })).code).toBe(10005);
    expect((await world.west.call(staffCalls.list, { kind: 'sub' })).data.total).toBe(0);
  });
});

describe('roles', () => {
  it('need at least one permission, and cannot exceed the rights of their creator', async () => {
    const create = (by: Caller, input: object) =>
      by.call(staffRoles.calls.create, {
        kind: 'sub',
        name: '新角色',
        scope: 'unlimited',
        permissions: grantsOf(['system_log']),
        ...input,
      });
    expect((await create(world.east, { permissions: {} })).data).toEqual({ fields: { permissions: '请完善角色权限' } });
    expect((await create(world.east, { permissions: { system_log: '00' } })).data).toEqual({ fields: { permissions: '请完善角色权限' } });
    const maker = await makeRole(world.east, '制定者', grantsOf(['role_manage', 'system_log'], '11'));
    await makeStaff(world.east, 'maker', maker);
    const by = await api.login('maker');
    expect((await create(by, { permissions: grantsOf(['vno_list']) })).code).toBe(20102);
    expect((await create(by, {})).code).toBe(0);
    expect((await create(by, {})).data).toMatchObject({ fields: { name: '角色名称已存在' } });
  });

  it('keep the sessions of their holders after a rename, and end them when rights change', async () => {
    const id = await makeRole(world.east, '改名前', grantsOf(['system_log', 'customer_manage']));
    await makeStaff(world.east, 'holder', id);
    const holder = await api.login('holder');
    expect((await world.east.call(staffRoles.calls.update, { id, version: 1, name: '改名后' })).code).toBe(0);
    expect((await holder.call(authCalls.profile)).code).toBe(0);
    expect((await world.east.call(staffRoles.calls.update, { id, version: 2, permissions: grantsOf(['system_log']) })).code).toBe(0);
    expect((await holder.call(authCalls.profile)).code).toBe(10021);
    const again = await api.login('holder');
    expect((await again.call(staffCalls.list, { kind: 'sub' })).code).toBe(10006);
    expect((await world.east.call(staffRoles.calls.remove, { id })).code).toBe(20101);
  });

  it('that are view-only allow reading, but not writing', async () => {
    const id = await makeRole(world.east, '只看', grantsOf(['customer_manage'], '10'));
    await makeStaff(world.east, 'looker', id);
    const looker = await api.login('looker');
    expect((await looker.call(staffCalls.list, { kind: 'sub' })).code).toBe(0);
    expect((await looker.call(staffCalls.create, staffInput('nope_1', id))).code).toBe(10006);
    expect((await looker.call(staffCalls.list, { kind: 'job' })).code).toBe(10006);
  });

  it('of a VNO limit all VNOs below it immediately', async () => {
    const role = (await world.east.call(vnoRoles.calls.list)).data.list.find((r) => r.id === world.eastRole);
    const child = await api.login('child');
    expect((await child.call(vnoCalls.list)).code).toBe(0);
    expect(
      (await world.east.call(vnoRoles.calls.update, { id: world.eastRole, version: role?.version, permissions: grantsOf(['system_log']) }))
        .code,
    ).toBe(0);
    expect((await child.call(authCalls.profile)).code).toBe(10021);
    const again = await api.login('child');
    expect(again.session?.permissions).toEqual(['system_log']);
  });

  it('return page names in the language of the reader, and a tree of the rights that can be granted', async () => {
    const id = await makeRole(world.east, '读我', grantsOf(['system_log']));
    expect((await world.east.call(staffRoles.calls.read, { id, lang: 'en' })).data).toMatchObject({
      permission_names: ['Operator log'],
      scope: 'unlimited',
      use_count: 0,
    });
    const tree = (await world.east.call(staffRoles.calls.permissions, { role_id: id })).data.list;
    const logs = tree.find((g) => g.key === 'logManage')?.children[0];
    expect(logs).toMatchObject({ key: 'system_log', value: '11' });
    expect(logs?.children.map((c) => c.method_path)).toContain('get_syslog');
    const gateway = (await world.east.call(gatewayAccountCalls.grants)).data.list;
    expect(world.east.session?.is_admin).toBe(false);
    expect(gateway).toEqual([]);
    expect((await world.admin.call(gatewayAccountCalls.grants)).data.list.flatMap((g) => g.children)).toHaveLength(150);
  });
});

describe('job numbers and authorizations', () => {
  const expire = () => api.clock.now() + 86_400;

  it('a code is issued by the platform, redeemed once by its VNO, and limits the number of sub job numbers', async () => {
    const role = await makeRole(world.west, '柜员', grantsOf(['system_log']), { kind: 'job' });
    const sub = (username: string) => world.west.call(staffCalls.create, staffInput(username, role, { kind: 'job', job_kind: 'sub' }));
    expect(await sub('desk_0')).toMatchObject({ status: 409, code: 20204 });
    const { auth_code } = (await world.admin.call(vnoCalls.authorize, { id: world.westId, total: 2, expire_at: expire() })).data;
    expect((await world.east.call(authorizationCalls.activate, { auth_code })).data).toEqual({ fields: { auth_code: '授权码不存在' } });
    const tries = await Promise.all(Array.from({ length: 8 }, () => world.west.call(authorizationCalls.activate, { auth_code })));
    expect(tries.map((t) => t.code).sort()).toEqual([0, ...Array(7).fill(20202)]);
    const made = await Promise.all(['desk_1', 'desk_2', 'desk_3', 'desk_4'].map(sub));
    expect(made.filter((m) => m.code === 0)).toHaveLength(2);
    expect(made.filter((m) => m.code === 20204)).toHaveLength(2);
    const listed = (await world.west.call(authorizationCalls.list)).data.list[0];
    expect(listed).toMatchObject({ auth_code, total: 2, used: 2, usage: 100, state: 'used' });
    const created = made.find((m) => m.code === 0);
    expect((await world.west.call(staffCalls.remove, { id: created?.data.id })).code).toBe(0);
    expect((await sub('desk_5')).code).toBe(0);
  });

  it('an expired authorization blocks the login of its job numbers', async () => {
    const login = (await api.db.selectFrom('customer').select('username').where('kind', '=', 'job').executeTakeFirstOrThrow()).username;
    expect((await api.tryLogin(login, password)).code).toBe(0);
    api.clock.advance(2 * 86_400);
    expect((await api.tryLogin(login, password)).code).toBe(10032);
    const west = await api.login('west');
    expect((await west.call(authorizationCalls.list)).data.list[0]).toMatchObject({ state: 'expired' });
    const admin = await api.login('admin');
    const late = (await admin.call(vnoCalls.authorize, { id: world.westId, total: 1, expire_at: api.clock.now() - 1 })).data;
    expect(late).toMatchObject({ fields: { expire_at: '到期时间必须晚于当前时间' } });
  });

  it('the authorization list is denied to the platform, and issuing is denied to VNOs', async () => {
    const admin = await api.login('admin');
    expect((await admin.call(authorizationCalls.list)).code).toBe(10006);
    const east = await api.login('east');
    expect((await east.call(vnoCalls.authorize, { id: world.childId, total: 1, expire_at: expire() })).code).toBe(10006);
  });

  it('a master job number sees and creates only its own sub job numbers', async () => {
    const admin = await api.login('admin');
    const role = await makeRole(admin, '主工号', grantsOf(['job_number']), { kind: 'job' });
    await makeStaff(admin, 'chief_a', role, { kind: 'job', job_kind: 'master' });
    await makeStaff(admin, 'chief_b', role, { kind: 'job', job_kind: 'master' });
    const a = await api.login('chief_a');
    const b = await api.login('chief_b');
    expect((await a.call(staffCalls.create, staffInput('of_a', role, { kind: 'job', job_kind: 'sub' }))).code).toBe(0);
    expect((await a.call(staffCalls.create, staffInput('peer', role, { kind: 'job', job_kind: 'master' }))).code).toBe(10006);
    expect((await a.call(staffCalls.list, { kind: 'job' })).data.list.map((r) => [r.username, r.parent_name])).toEqual([['of_a', '员工']]);
    expect((await b.call(staffCalls.list, { kind: 'job' })).data.total).toBe(0);
    const { id } = await find(a, 'of_a', 'job');
    expect((await b.call(staffCalls.remove, { id })).code).toBe(10005);
  });
});
