import type { Values } from '@farlink/contract/kit/values.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { openConfigCalls as calls } from '@farlink/contract/user/user-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../../test/api.ts';
import { subscriberRow } from '../../../../test/subscriber.ts';
import { makeBranches } from '../../../../test/world.ts';
import { insertSubscribers } from '../../../domain/subscriber/insert-subscribers.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let device: number;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  const made = { agent_id: world.eastId, name: 'Ship', sn: 'E-1', create_at: 1 };
  device = (await api.db.insertInto('device').values(made).returning('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => api.close());

const makePackage = async (by: Caller, more: Values = {}) =>
  (
    await by.call(packageCalls.create, {
      name: '套餐',
      package_type: 'flow',
      flow_capacity: 10,
      flow_unit: 'GB',
      up_speed: 0,
      down_speed: 0,
      price: '10',
      priority: 1,
      online_type: 0,
      bind_type: 'device',
      device_id: [device],
      ...more,
    })
  ).data.id;
const cycle = { cycle_enable: true, cycle_length: 1, cycle_unit: 'day', cycle_quota: 1, cycle_quota_unit: 'GB' };
const formOf = async (by: Caller, account_type: AccountType, vno_id: number) => {
  const [row] = (await by.call(calls.list, { account_type, vno_id })).data.list;
  return (await by.call(calls.read, { id: row?.id })).data;
};

describe('an opening configuration', () => {
  it('exists by default for each account type of a VNO, named by type in the language of the reader', async () => {
    const zh = (await world.east.call(calls.list, { vno_id: world.eastId, orderby: 'name asc', limit: 100 })).data;
    expect(zh.total).toBe(6);
    expect(zh.list.find((row) => row.account_type === 'temp_card')).toMatchObject({ name: '临时卡账号', realname: false, valid_days: 365 });
    const en = (await world.east.call(calls.list, { vno_id: world.eastId, name: 'crew', lang: 'en' })).data.list;
    expect(en).toMatchObject([{ name: 'Maritime (crew)', realname: true, allow_logins: 1, user_count: 0, agent_name: 'VNO east' }]);
    expect(Object.values((await world.east.call(calls.option, { lang: 'en' })).data).sort()).toEqual(
      ['Personal', 'Small-station', 'Job', 'Temporary card', 'Maritime (crew)', 'Maritime (ship business)'].sort(),
    );
  });

  it('is updated with a version check, and an unchanged form is refused', async () => {
    const pkg = await makePackage(world.east);
    const prefix = (await world.east.call(prefixCalls.create, { vno_id: world.eastId, prefix: 'EA' })).data.id;
    const application_id = (await world.east.call(applicationCalls.create, { name: '办公', mode: 1, configure: ['9.197'] })).data.id;
    const policy_id = (await world.east.call(policyCalls.create, { name: '停机', ratio: 80, action: 2 })).data.id;
    const form = await formOf(world.east, 'personal', world.eastId);
    expect(form).toMatchObject({ name: '个人账号', account_prefix: null, package_id: null, version: 1 });
    expect((await world.east.call(calls.update, form)).code).toBe(10011);
    const desired = {
      ...form,
      name: '船员开户',
      account_prefix: prefix,
      package_id: pkg,
      application_id,
      policy_id,
      allow_logins: 2,
      remark: '默认',
    };
    expect((await world.east.call(calls.update, desired)).code).toBe(0);
    expect((await world.east.call(calls.update, { ...desired, name: '另一个' })).code).toBe(10010);
    const [row] = (await world.east.call(calls.list, { package_id: pkg })).data.list;
    expect(row).toMatchObject({
      name: '船员开户',
      account_prefix: 'EA',
      package_name: '套餐',
      application_name: '办公',
      policy_name: '停机',
      allow_logins: 2,
      version: 2,
      update_at: api.clock.now(),
    });
    const log = await api.db
      .selectFrom('syslog')
      .selectAll()
      .orderBy('id', 'desc')
      .where('result', '=', 'success')
      .executeTakeFirstOrThrow();
    expect(log).toMatchObject({ content_zh: '修改开户配置 个人账号', before: { allow_logins: 1, name: null }, after: { allow_logins: 2 } });
    // A name equal to the type name, in either language, is stored as no name.
    const now = await formOf(world.east, 'personal', world.eastId);
    expect((await world.east.call(calls.update, { ...now, name: 'Personal' })).code).toBe(0);
    expect(await formOf(world.east, 'personal', world.eastId)).toMatchObject({ name: '个人账号' });
  });

  it('is validated by its rules', async () => {
    const form = await formOf(world.east, 'temp_card', world.eastId);
    const fields = async (more: Values): Promise<unknown> => (await world.east.call(calls.update, { ...form, ...more })).data;
    expect(await fields({ name: '' })).toEqual({ fields: { name: '请输入配置名称' } });
    expect(await fields({ name: '带"引号' })).toEqual({ fields: { name: '不能包含引号和反斜杠' } });
    expect(await fields({ allow_logins: 0, valid_days: 3651 })).toEqual({
      fields: { allow_logins: '数值范围为1-255', valid_days: '数值范围为1-3650' },
    });
    expect(await fields({ package_id: await makePackage(world.east, { name: '周期', ...cycle }) })).toEqual({
      fields: { package_id: '临时卡账号不支持周期套餐' },
    });
    expect(await fields({ remark: 'x'.repeat(513) })).toHaveProperty('fields.remark');
    expect(await fields({ version: undefined })).toHaveProperty('fields.version');
  });

  it('cannot use objects of another branch, and is not found from there', async () => {
    const form = await formOf(world.east, 'job', world.eastId);
    for (const by of [world.west, world.child]) {
      expect((await by.call(calls.read, { id: form.id })).code).toBe(10005);
      expect((await by.call(calls.update, { ...form, valid_days: 1 })).code).toBe(10005);
    }
    const west = await world.west.call(applicationCalls.create, { name: '西', mode: 1, configure: ['9.197'] });
    expect((await world.east.call(calls.update, { ...form, application_id: west.data.id })).data).toHaveProperty('fields.application_id');
    const prefix = (await world.west.call(prefixCalls.create, { vno_id: world.westId, prefix: 'WE' })).data.id;
    expect((await world.east.call(calls.update, { ...form, account_prefix: prefix })).data).toHaveProperty('fields.account_prefix');
    // The platform above both VNOs cannot mix them either.
    expect((await world.admin.call(calls.update, { ...form, application_id: west.data.id })).data).toHaveProperty('fields.application_id');
    const theirs = await makePackage(world.admin, { name: '下级套餐' });
    const childForm = await formOf(world.east, 'job', world.childId);
    expect((await world.admin.call(calls.update, { ...childForm, package_id: theirs })).code).toBe(0);
    expect((await world.west.call(calls.list, { limit: 100 })).data.total).toBe(6);
    const both = (await world.east.call(calls.list, { limit: 100 })).data;
    expect(both.total).toBe(12);
    expect(both.list.slice(0, 6).map((row) => row.agent_name)).toEqual(Array.from({ length: 6 }, () => 'VNO east'));
    expect((await world.admin.call(calls.list, { limit: 100 })).data.total).toBe(24);
  });

  it('counts the accounts opened with it', async () => {
    const rows = ['one', 'two'].map((account) => ({ ...subscriberRow({ agent_id: world.westId, account, create_at: 1 }), password: 'x' }));
    await insertSubscribers(api.db, api.deps.config.secretKey, rows);
    const [row] = (await world.west.call(calls.list, { orderby: 'user_count desc' })).data.list;
    expect(row).toMatchObject({ account_type: 'personal', user_count: 2 });
  });
});
