import type { Values } from '@farlink/contract/kit/values.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('names the operator to its VNO and those above, also after its account is deleted, and not to a VNO below', async () => {
  const { admin, east, child, childId } = await makeBranches(api);
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
