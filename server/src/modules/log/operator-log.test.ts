import { authCalls } from '@farlink/contract/auth/auth.ts';
import { configCalls } from '@farlink/contract/config/config.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { errors } from '@farlink/contract/errors.ts';
import { callName } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { exportedText } from '../../../test/exported-text.ts';
import { makeBranches, makeRole, makeStaff, makeVno } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

describe('the operator log', () => {
  it('records changes with the values before and after, in the language of the reader', async () => {
    const id = await makeRole(world.east, '日志角色', grantsOf(['system_log']));
    await world.east.call(staffRoles.calls.update, { id, version: 1, remark: '备注一' });
    const zh = (await world.east.call(logCalls.own, { action: 'update' })).data.list[0];
    expect(zh).toMatchObject({ username: 'east', module: 'permission', result: 'success', content: '修改角色 日志角色' });
    const en = (await world.east.call(logCalls.own, { action: 'update', lang: 'en' })).data.list[0];
    expect(en?.content).toBe('Changed role 日志角色');
    const detail = (await world.east.call(logCalls.read, { id: zh?.id })).data;
    expect(detail.differences).toEqual([{ field: 'remark', label: '备注', before: null, after: '备注一' }]);
    const line = await api.db
      .selectFrom('syslog')
      .select('call')
      .where('id', '=', zh?.id ?? 0)
      .executeTakeFirst();
    expect(line).toEqual({ call: callName(staffRoles.calls.update) });
  });

  it('records refused requests with the reason', async () => {
    await world.east.call(vnoCalls.remove, { id: world.childId, confirm_name: 'VNO child', lang: 'zh' });
    await world.east.call(vnoCalls.login, { id: world.westId });
    const rows = (await world.east.call(logCalls.own, { result: 'fail' })).data.list;
    expect(rows[0]).toMatchObject({ module: 'vno', action: 'command', content: '进入VNO平台', message: '数据不存在' });
  });

  it('names the object of a refused request, in its log too, but no object of another branch', async () => {
    const { id: device_id } = await api.db
      .insertInto('device')
      .values({ agent_id: world.eastId, name: 'LOG1', sn: 'LOG1', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = (await world.east.call(groupCalls.create, { name: '北区', device_ids: [device_id] })).data;
    const lastOf = async ({ session }: Caller) =>
      api.db
        .selectFrom('syslog')
        .selectAll()
        .where('customer_id', '=', session?.uid ?? 0)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
    const group = {
      content_zh: '删除设备组：北区',
      content_en: 'Delete a device group: 北区',
      message_zh: '设备组仍有设备，无法删除',
      subject: null,
    };
    expect((await world.east.call(groupCalls.remove, { id })).code).toBe(errors.group_in_use.code);
    expect(await lastOf(world.east)).toMatchObject({ result: 'fail', ...group });
    const withdrawal = { device_id, id: 999 };
    expect((await world.east.call(configCalls.withdraw, withdrawal)).code).toBe(errors.not_found.code);
    const { list } = (await world.east.call(deviceDetailCalls.log, { id: device_id })).data;
    expect(list).toMatchObject([{ result: 'fail', content: '撤回网关配置下发：LOG1', message: '数据不存在' }]);

    expect((await world.west.call(groupCalls.remove, { id })).code).toBe(errors.not_found.code);
    expect(await lastOf(world.west)).toMatchObject({ result: 'fail', content_zh: '删除设备组', subject: null });
    expect((await world.west.call(configCalls.withdraw, withdrawal)).code).toBe(errors.not_found.code);
    expect(await lastOf(world.west)).toMatchObject({ result: 'fail', content_zh: '撤回网关配置下发', subject: null });
  });

  it('shows a parent the actions of its children, and no other branch', async () => {
    const below = (await world.admin.call(logCalls.children, { limit: 100 })).data.list;
    expect(new Set(below.map((r) => r.agent_name))).toEqual(new Set(['VNO east', 'VNO west', 'VNO child']));
    const east = (await world.east.call(logCalls.children, { limit: 100 })).data.list;
    expect(new Set(east.map((r) => r.agent_name))).toEqual(new Set(['VNO child']));
    const foreign = below.find((r) => r.agent_name === 'VNO west');
    expect((await world.east.call(logCalls.read, { id: foreign?.id })).code).toBe(10005);
    expect((await world.east.call(logCalls.children, { vno_id: world.westId })).data.total).toBe(0);
  });

  it('shows who acted as an account, in list, filter, export and detail, and hides an operator above', async () => {
    const id = await makeVno(world.east, 'entered', world.eastRole);
    const entered = await api.login('entered');
    const roleId = await makeRole(world.east, '进入', grantsOf(['vno_list', 'role_manage']));
    await makeStaff(world.east, 'deputy', roleId);
    const actingAs = async (by: Caller) => {
      const { remoteData } = (await by.call(vnoCalls.login, { id })).data;
      return api.as((await api.anonymous.call(authCalls.remote, { remoteData })).data);
    };
    const makeRoleAs = async (by: Caller, name: string) => makeRole(await actingAs(by), name, grantsOf(['role_manage']));
    await makeRoleAs(await api.login('deputy'), '代操作角色');
    await makeRoleAs(world.admin, '平台角色');
    await makeRole(entered, '自建角色', grantsOf(['role_manage']));
    const actors = async (by: Caller, call: typeof logCalls.own | typeof logCalls.children, more: Values = {}) =>
      (await by.call(call, { username: 'entered', action: 'create', ...more })).data.list
        .map(({ username, acted_by }) => `${username} ${acted_by}`)
        .sort();
    const { own, children } = logCalls;
    expect(await actors(world.admin, children)).toEqual(['entered admin', 'entered deputy', 'entered null']);
    expect(await actors(world.east, children)).toEqual(['entered deputy', 'entered null', 'entered 上级运营商']);
    expect(await actors(entered, own)).toEqual(['entered null', 'entered 上级运营商', 'entered 上级运营商']);
    expect(await actors(world.admin, children, { acted_by: 'deputy' })).toEqual(['entered deputy']);
    expect(await actors(world.east, children, { acted_by: 'admin' })).toEqual([]);
    expect(await actors(entered, own, { acted_by: 'deputy' })).toEqual([]);
    expect(await actors(entered, own, { acted_by: '上级运营商' })).toHaveLength(2);
    const [line] = (await world.east.call(children, { acted_by: 'deputy', action: 'create' })).data.list;
    const detail = { username: 'entered', acted_by: 'deputy', result: 'success', ip: '127.0.0.1' };
    expect((await world.east.call(logCalls.read, { id: line?.id })).data).toMatchObject(detail);
    const csv = await exportedText(api, entered, logCalls.export, { action: 'create' });
    expect(csv).toContain('entered,测试人,上级运营商,');
    expect(csv).not.toMatch(/admin|deputy/);
    expect(await exportedText(api, entered, logCalls.export, { acted_by: 'deputy' })).toBe('');
    expect((await entered.call(logCalls.export, { acted_by: 'deputy' })).code).toBe(errors.export_empty.code);
  });

  it('accepts a time range of at most three months', async () => {
    const day = 86_400;
    const now = api.clock.now();
    const reply = await world.east.call(logCalls.own, { create_at_start: now - 100 * day, create_at_end: now });
    expect(reply.data).toMatchObject({ fields: { create_at_end: '查询时间跨度不能超过3个月' } });
    expect((await world.east.call(logCalls.own, { create_at_start: now - 80 * day, create_at_end: now })).code).toBe(0);
  });

  it('counts rows up to a cap, or exactly on request', async () => {
    await sql`insert into syslog (agent_id, username, name, module, action, content_zh, content_en, result, ip, user_agent, create_at)
      select ${world.westId}, 'bulk', 'Bulk', 'auth', 'login', '批量', 'Bulk', 'success', '10.0.0.1', '', 1000000 + g from generate_series(1, 10500) g`.execute(
      api.db,
    );
    const capped = (await world.west.call(logCalls.own, { username: 'bulk' })).data;
    expect(capped).toMatchObject({ total: 1000, capped: true });
    expect((await world.west.call(logCalls.own)).data).toMatchObject({ total: 10_000, capped: true });
    const exact = (await world.west.call(logCalls.own, { username: 'bulk', count: 'exact' })).data;
    expect(exact.total).toBe(10_500);
    expect(exact.capped).toBeUndefined();
    const last = (await world.west.call(logCalls.own, { username: 'bulk', page: 1050, limit: 10 })).data;
    expect(last.list.map((r) => r.create_at)).toEqual([
      1000010, 1000009, 1000008, 1000007, 1000006, 1000005, 1000004, 1000003, 1000002, 1000001,
    ]);
  });

  it('returns the same total on a full page, the last page and a page after the end', async () => {
    await sql`insert into syslog (agent_id, username, name, module, action, content_zh, content_en, result, ip, user_agent, create_at)
      select ${world.westId}, 'seven', 'Seven', 'auth', 'login', '七', 'Seven', 'success', '10.0.0.1', '', 2000000 + g from generate_series(1, 7) g`.execute(
      api.db,
    );
    for (const [page, rows] of [
      [1, 3],
      [3, 1],
      [4, 0],
    ]) {
      const { data } = await world.west.call(logCalls.own, { username: 'seven', page, limit: 3 });
      expect([data.total, data.list.length, data.capped]).toEqual([7, rows, undefined]);
    }
    expect((await world.west.call(logCalls.own, { username: 'nobody at all' })).data).toMatchObject({ total: 0, list: [] });
    // The list is longer than the cap: the last page reports the same capped total as other pages.
    const last = (await world.west.call(logCalls.own, { username: 'bulk', page: 1167, limit: 9 })).data;
    expect([last.total, last.list.length, last.capped]).toEqual([1000, 6, true]);
  });
});
