import { assignLogCalls, roleAssign } from '@farlink/contract/device/assign-log.ts';
import { counterBill } from '@farlink/contract/finance/bill-lists.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { operatorSearch } from './operator-name.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

it('names the operator to its VNO and those above, also after its account is deleted, and not to a VNO below', async () => {
  const { admin, east, child, childId } = world;
  const staffId = await makeStaff(east, 'clerk', await makeRole(east, '前缀', grantsOf(['vno_prefix'])));
  const clerk = await api.login('clerk');
  await clerk.call(prefixCalls.create, { vno_id: childId, prefix: 'boat' });
  await child.call(prefixCalls.create, { vno_id: childId, prefix: 'crew' });
  const creators = async (by: Caller, more: Values = {}) =>
    Object.fromEntries((await by.call(prefixCalls.list, more)).data.list.map(({ prefix, creator }) => [prefix, creator]));
  const named = { boat: 'clerk', crew: 'child' };
  expect(await creators(east)).toEqual(named);
  await east.call(staffCalls.remove, { id: staffId });
  expect(await creators(east)).toEqual(named);
  expect(await creators(admin)).toEqual(named);
  expect(await creators(child)).toEqual({ boat: '上级运营商', crew: 'child' });
  expect(await creators(child, { lang: 'en' })).toEqual({ boat: 'An operator above', crew: 'child' });
});

it('is found by what the reader sees, by the index of the stored name', async () => {
  const { admin, child, childId } = world;
  await sql`insert into role_assign_log (agent_id, sn, username, operator, result, create_at)
    select ${childId}, 'SN' || n, 'crew', case n when 1 then 'child' when 2 then 'night job' else 'admin' end, 'success', n
    from generate_series(1, 50) n`.execute(api.db);
  const found = async (by: Caller, operator: string) => {
    const { data } = await by.call(assignLogCalls.list, { operator });
    return [data.total, data.list[0]?.operator];
  };
  expect(await found(child, 'night')).toEqual([1, 'night job']);
  expect(await found(child, 'CHIL')).toEqual([1, 'child']);
  expect(await found(child, 'admin')).toEqual([0, undefined]);
  expect(await found(child, '上级')).toEqual([48, '上级运营商']);
  expect(await found(child, '级运')).toEqual([48, '上级运营商']);
  expect(await found(admin, 'admin')).toEqual([48, 'admin']);
  const conditionOf = (resource: Resource, operator: string) => {
    const search = { column: 'o.operator', resource, filter: 'operator', filters: { operator } };
    const me = { agent_level: 2, agent_path: '/1/2/3/', branch: [childId] };
    return operatorSearch({ me, lang: 'zh' }, search).compile(api.db).sql;
  };
  expect(conditionOf(roleAssign, 'night')).toMatch(/ and \(text_grams\("o"\."operator", 1, 3\) @>/);
  expect(conditionOf(roleAssign, '级运')).toBe('true');
  // A short code is found by its start.
  expect(conditionOf(counterBill, '级运')).toBe('"o"."operator" ilike $1');
  expect(conditionOf(counterBill, '上级')).toBe('true');
});
