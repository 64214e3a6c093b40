import { Readable } from 'node:stream';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { exportCalls, exportState } from '@farlink/contract/export/export.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff, makeVno, makeVnoRole, staffInput, vnoStaffInput } from '../../../test/world.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

/** Operators cannot grant or take over more than they have: pages, rows, gateway menus, hidden packages. */

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

const exceeds = 20102;
const staffPages = ['customer_manage', 'role_manage', 'vno_list'];

/** An operator of VNO east with all staff management pages, limited to these VNOs. */
const narrowOne = async (username: string, more: Record<string, unknown> = {}) => {
  const scope = { scope: 'vno', vno_limit: 'specified', vno_ids: [world.eastId] };
  const roleId = await makeRole(world.east, username, grantsOf(staffPages), { ...scope, ...more });
  const id = await makeStaff(world.east, username, roleId);
  return { id, roleId, by: await api.login(username) };
};

const versionOf = async (by: Caller, id: number) => (await by.call(staffRoles.calls.read, { id })).data.version;

describe('a role that is limited to some VNOs', () => {
  const wider = [{ scope: 'unlimited' }, { scope: 'vno', vno_limit: 'all' }, { scope: 'device', device_limit: 'all' }] as const;

  it('cannot create a role without that limit', async () => {
    const { by } = await narrowOne('narrow_maker');
    const create = (input: object) =>
      by.call(staffRoles.calls.create, { kind: 'sub', name: '更宽', permissions: grantsOf(['vno_list']), ...input });
    for (const scope of wider) expect((await create(scope)).code, JSON.stringify(scope)).toBe(exceeds);
    expect((await create({ scope: 'vno', vno_limit: 'specified', vno_ids: [world.eastId] })).code).toBe(0);
  });

  it('cannot widen its own scope', async () => {
    const { by, roleId } = await narrowOne('narrow_self');
    const version = await versionOf(by, roleId);
    for (const scope of wider) expect((await by.call(staffRoles.calls.update, { id: roleId, version, ...scope })).code).toBe(exceeds);
    expect((await by.call(vnoCalls.list)).data.list.map((v) => v.id)).toEqual([world.eastId]);
  });

  it('cannot assign a role with a wider scope, or change an account that has one', async () => {
    const { by, id } = await narrowOne('narrow_giver');
    const wide = await makeRole(world.east, '全看', grantsOf(['vno_list']));
    const wideId = await makeStaff(world.east, 'wide_one', wide);
    expect((await by.call(staffCalls.create, staffInput('wide_puppet', wide))).code).toBe(exceeds);
    expect((await by.call(staffCalls.update, { id: wideId, version: 1, password: 'Stolen11', repassword: 'Stolen11' })).code).toBe(exceeds);
    expect((await by.call(staffCalls.login, { id: wideId })).code).toBe(exceeds);
    expect((await by.call(staffCalls.update, { id, version: 1, role_id: wide })).code).not.toBe(0);
  });

  it('does not see the names of VNOs outside its scope', async () => {
    const { by } = await narrowOne('narrow_reader');
    const other = await makeRole(world.east, '别处', grantsOf(['vno_list']), {
      scope: 'vno',
      vno_limit: 'specified',
      vno_ids: [world.childId],
    });
    expect(JSON.stringify((await by.call(staffRoles.calls.read, { id: other })).data.scope_names)).toBe('[]');
    const below = await narrowOne('narrow_below', { vno_ids: [world.childId] });
    const [row] = (await below.by.call(vnoCalls.list)).data.list;
    expect(row).toMatchObject({ id: world.childId, parent_name: null });
  });
});

describe('a denied call', () => {
  const key = operateKey(vnoCalls.topology);
  const denied = { ...grantsOf(allPages), [key]: '00' } as const;

  it('stays denied to the staff of the VNO', async () => {
    const role = await makeVnoRole(world.admin, '无拓扑', denied);
    await makeVno(world.admin, 'blind', role);
    const blind = await api.login('blind');
    expect((await blind.call(vnoCalls.topology)).code).toBe(10006);
    const { [key]: _, ...silent } = grantsOf(['vno_list']);
    const reply = await blind.call(staffRoles.calls.create, { kind: 'sub', name: '沉默', scope: 'unlimited', permissions: silent });
    expect(reply.code).toBe(0);
    await makeStaff(blind, 'blind_staff', reply.data.id);
    const staff = await api.login('blind_staff');
    expect((await staff.call(vnoCalls.list)).code).toBe(0);
    expect((await staff.call(vnoCalls.topology)).code).toBe(10006);
  });

  it('cannot be granted by omitting it from a new role', async () => {
    const stored = { ...grantsOf(staffPages), [key]: '00' } as const;
    await makeStaff(world.east, 'muted', await makeRole(world.east, '禁言', stored));
    const muted = await api.login('muted');
    expect((await muted.call(vnoCalls.topology)).code).toBe(10006);
    const { [key]: _, ...silent } = grantsOf(staffPages);
    const made = await muted.call(staffRoles.calls.create, { kind: 'sub', name: '不提', scope: 'unlimited', permissions: silent });
    expect(made.code).toBe(0);
    expect((await muted.call(staffCalls.create, staffInput('unmuted', made.data.id))).code).toBe(0);
    expect((await (await api.login('unmuted')).call(vnoCalls.topology)).code).toBe(10006);
    const free = await makeRole(world.east, '未禁', silent);
    expect((await muted.call(staffCalls.create, staffInput('unmuted2', free))).code).toBe(exceeds);
  });
});

describe('gateway menus and hidden packages', () => {
  it('can be granted only by an operator that has the right', async () => {
    const rights = { gateway_permissions: { network_wan: '11' }, view_hide_pkg: true };
    // A VNO has both rights as the platform granted them.
    const vnoRole = await world.admin.call(vnoRoles.calls.create, {
      name: '全有',
      scope: 'unlimited',
      permissions: grantsOf(allPages),
      ...rights,
    });
    await makeVno(world.admin, 'rich', vnoRole.data.id);
    const rich = await api.login('rich');
    const plain = await makeRole(rich, '无', grantsOf(staffPages));
    const plainId = await makeStaff(rich, 'poor_one', plain);
    const full = await makeRole(rich, '有菜单', grantsOf(staffPages), { gateway_permissions: rights.gateway_permissions });
    const seeing = await makeRole(rich, '看隐藏', grantsOf(staffPages), { view_hide_pkg: true });
    const fullId = await makeStaff(rich, 'full_one', full);
    const seeingId = await makeStaff(rich, 'seeing_one', plain, { view_hide_pkg: true });
    const poor = await api.login('poor_one');
    for (const [i, role] of [full, seeing].entries())
      expect((await poor.call(staffCalls.create, staffInput(`puppet_${i}`, role))).code).toBe(exceeds);
    expect((await poor.call(staffCalls.create, staffInput('puppet_2', plain, { view_hide_pkg: true }))).code).toBe(exceeds);
    for (const id of [fullId, seeingId]) expect((await poor.call(staffCalls.login, { id })).code).toBe(exceeds);
    expect((await poor.call(staffCalls.update, { id: plainId, version: 1, view_hide_pkg: true })).code).not.toBe(0);
  });
});

describe('an operator that manages accounts', () => {
  it('cannot change their own role or collection limit', async () => {
    const pages = grantsOf(['customer_manage', 'system_log']);
    const role = await makeRole(world.east, '自管', pages);
    const other = await makeRole(world.east, '自管二', pages);
    const id = await makeStaff(world.east, 'self_made', role, { income_limit_enable: true, income_limit: '10.00' });
    const by = await api.login('self_made');
    for (const change of [{ role_id: other }, { income_limit_enable: false }, { income_limit_enable: true, income_limit: '99999.00' }])
      expect((await by.call(staffCalls.update, { id, version: 1, ...change })).code, JSON.stringify(change)).toBe(20103);
    expect((await by.call(staffCalls.update, { id, version: 1, remark: '本人' })).code).toBe(0);
  });
});

describe('a role with more rights', () => {
  it('cannot be reduced, renamed or deleted by an operator with fewer rights', async () => {
    const strong = await makeRole(world.east, '上级', grantsOf([...staffPages, 'system_log']));
    await makeStaff(world.east, 'subordinate', await makeRole(world.east, '下级', grantsOf(staffPages)));
    const by = await api.login('subordinate');
    const change = (input: object) => by.call(staffRoles.calls.update, { id: strong, version: 1, ...input });
    expect((await change({ permissions: grantsOf(['vno_list']) })).code).toBe(exceeds);
    expect((await change({ name: '改名' })).code).toBe(exceeds);
    expect((await by.call(staffRoles.calls.remove, { id: strong })).code).toBe(exceeds);
  });

  it('can still be used after its VNO lost some of its rights, but these have no effect', async () => {
    const vnoRole = await makeVnoRole(world.admin, '将减');
    await makeVno(world.admin, 'shrunk', vnoRole);
    const before = await api.login('shrunk');
    const role = await makeRole(before, '旧权', grantsOf(['vno_list', 'system_log']));
    const id = await makeStaff(before, 'old_hand', role);
    const less = grantsOf(allPages.filter((page) => page !== 'system_log'));
    expect((await world.admin.call(vnoRoles.calls.update, { id: vnoRole, version: 1, permissions: less })).code).toBe(0);
    const shrunk = await api.login('shrunk');
    expect((await shrunk.call(staffCalls.update, { id, version: 1, status: 0 })).code).toBe(0);
    const input = { kind: 'sub', name: '新权', scope: 'unlimited', permissions: grantsOf(['system_log']) };
    expect((await shrunk.call(staffRoles.calls.create, input)).code).toBe(exceeds);
    // Earlier grants stay in the role without effect; new grants above the own rights are refused.
    const permissions = grantsOf(['vno_list', 'system_log', 'sub_account_log']);
    expect((await shrunk.call(staffRoles.calls.update, { id: role, version: 1, permissions })).code).toBe(0);
    expect((await shrunk.call(staffCalls.create, staffInput('old_hand2', role))).code).toBe(0);
    expect((await (await api.login('old_hand2')).call(logCalls.own)).code).toBe(10006);
  });
});

describe('an exported file', () => {
  it('cannot be downloaded after the right to its list is removed', async () => {
    const role = await makeRole(world.east, '导出', grantsOf(['system_log', 'vno_list']));
    await makeStaff(world.east, 'exporter', role);
    const by = await api.login('exporter');
    const { data } = await by.call(logCalls.export, { format: 'csv' });
    const key = 'export/excess.csv';
    await openFileStore(api.deps.config).put(key, Readable.from(['x']), 1);
    await api.db
      .updateTable('export_task')
      .set({ state: exportState.id('succeeded'), file_key: key, file_size: 1 })
      .where('id', '=', data.id)
      .execute();
    expect((await by.call(exportCalls.download, { id: data.id })).code).toBe(0);
    const version = await versionOf(world.east, role);
    await world.east.call(staffRoles.calls.update, { id: role, version, permissions: grantsOf(['vno_list']) });
    expect((await (await api.login('exporter')).call(exportCalls.download, { id: data.id })).code).toBe(10006);
  });
});

describe('a sub job number', () => {
  it('cannot create job numbers, even if its role grants the page', async () => {
    const role = await makeRole(world.admin, '工号', grantsOf(['job_number']), { kind: 'job' });
    await makeStaff(world.admin, 'desk_one', role, { kind: 'job', job_kind: 'sub' });
    const subNumber = await api.login('desk_one');
    const input = staffInput('desk_two', role, { kind: 'job', job_kind: 'sub' });
    expect((await subNumber.call(staffCalls.create, input)).code).toBe(10006);
  });
});

describe('a session on behalf of another account', () => {
  const actingAs = async (by: Caller) => {
    const { data } = await by.call(vnoCalls.login, { id: world.childId });
    const session = await api.anonymous.call(authCalls.remote, { remoteData: data.remoteData });
    return { session: api.as(session.data), unused: (await by.call(vnoCalls.login, { id: world.childId })).data.remoteData };
  };
  const actor = async (username: string) => {
    const roleId = await makeRole(world.east, username, grantsOf(['vno_list']));
    const id = await makeStaff(world.east, username, roleId);
    return { roleId, id, ...(await actingAs(await api.login(username))) };
  };
  const isOver = async ({ session, unused }: Awaited<ReturnType<typeof actingAs>>) => {
    expect((await session.call(authCalls.profile)).code).toBe(10021);
    expect((await api.anonymous.call(authCalls.remote, { remoteData: unused })).code).not.toBe(0);
  };

  it('ends when the acting operator is disabled', async () => {
    const acting = await actor('fired');
    expect((await acting.session.call(authCalls.profile)).data.acted_by).toBe('fired');
    expect((await world.east.call(staffCalls.update, { id: acting.id, version: 1, status: 0 })).code).toBe(0);
    await isOver(acting);
  });

  it('ends when the acting operator is deleted', async () => {
    const acting = await actor('erased');
    expect((await world.east.call(staffCalls.remove, { id: acting.id })).code).toBe(0);
    await isOver(acting);
  });

  it('ends when the role of the acting operator changes', async () => {
    const acting = await actor('demoted');
    const version = await versionOf(world.east, acting.roleId);
    expect(
      (await world.east.call(staffRoles.calls.update, { id: acting.roleId, version, permissions: grantsOf(['system_log']) })).code,
    ).toBe(0);
    await isOver(acting);
  });

  it('ends when the VNO of the acting operator is changed', async () => {
    const acting = await actor('moved');
    const east = (await world.admin.call(vnoCalls.read, { id: world.eastId })).data;
    expect((await world.admin.call(vnoCalls.update, { ...east, name: 'VNO east 2' })).code).toBe(0);
    await isOver(acting);
    world = { ...world, east: await api.login('east') };
  });

  it('ends when its account is deleted', async () => {
    const role = await makeVnoRole(world.east, '二号');
    const input = vnoStaffInput('second_vno', role, world.childId);
    const { data } = await world.east.call(vnoAccountCalls.create, input);
    const second = await api.login('second_vno');
    expect((await world.east.call(vnoAccountCalls.remove, { id: data.id })).code).toBe(0);
    expect((await second.call(authCalls.profile)).code).toBe(10021);
  });
});
