import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { settingCalls as calls } from '@farlink/contract/user/setting.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, readReply, startApi } from '../../../../test/api.ts';
import { makeBranches, makeRole, staffInput } from '../../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  for (const [agent_id, sn] of [
    [world.eastId, 'E-1'],
    [world.childId, 'C-1'],
    [world.westId, 'W-1'],
  ] as const)
    await api.db.insertInto('device').values({ agent_id, name: sn, sn, create_at: 1 }).execute();
});
afterAll(() => api.close());

const rowOf = async (by: Caller, name: string, lang = 'zh') => {
  const { list } = (await by.call(calls.list, { limit: 100, lang })).data;
  const row = list.find((r) => r.name === name);
  if (!row) throw new Error(`no setting ${name}`);
  return row;
};
const change = (by: Caller, input: Values) => by.call(calls.update, input);
const changeOne = async (by: Caller, name: string, value: string, more: Values = {}) => {
  const { id, version } = await rowOf(by, name);
  return by.call(calls.updateOne, { id, version, value, ...more });
};

let phone = 13_700_000_000;
const register = async (sn: string, more: Values = {}) => {
  phone++;
  return api.anonymous.call(authCalls.register, {
    account: `reg${phone}`,
    password: 'sail123',
    repassword: 'sail123',
    name: '水手',
    phone: String(phone),
    id_number: '11010519491231002X',
    sn,
    ...more,
  });
};
const verified = async (sn: string, more: Values = {}) => {
  const { data } = await api.anonymous.call(authCalls.sms, { type: 'register', phone: String(phone + 1), sn });
  return register(sn, { smscode: String(data), ...more });
};
const registered = () => api.db.selectFrom('subscriber').selectAll().where('account', '=', `reg${phone}`).executeTakeFirst();

describe('the settings of a VNO', () => {
  it('are listed one by one, with their values as text', async () => {
    const { data } = await world.east.call(calls.list, { limit: 100 });
    expect(data.total).toBe(14);
    expect([...new Set(data.list.map((row) => row.setting_group))]).toEqual(['register', 'realname', 'password', 'login', 'remind']);
    expect(await rowOf(world.east, '密码长度范围')).toMatchObject({
      setting_group: 'password',
      value: '6-18',
      scope: '全平台',
      operator: null,
      update_at: null,
    });
    expect(await rowOf(world.east, 'Idle timeout (minutes)', 'en')).toMatchObject({ value: 'Unlimited' });
    expect(await rowOf(world.east, '复杂度')).toMatchObject({ value: '字母+数字' });
    const { id } = await rowOf(world.east, '短信验证');
    expect((await world.east.call(calls.list, { setting_id: id })).data.list).toMatchObject([{ name: '短信验证', value: '开启' }]);
    expect((await world.east.call(calls.list, { setting_group: 'remind' })).data.list).toMatchObject([{ value: '7' }]);
    expect((await world.east.call(calls.option, { lang: 'en' })).data[id]).toBe('SMS verification');
    expect((await world.east.call(calls.values)).data).toMatchObject({
      lock_count: 5,
      lock_time: 10,
      allow_logins: 1,
      self_register: true,
    });
  });

  it('can be changed together, record operator and time, and apply to child VNOs without own values', async () => {
    expect((await change(world.east, { remind_days: 14, upload_photo: false })).code).toBe(0);
    expect(await rowOf(world.east, '到期前提醒（天）')).toMatchObject({
      value: '14',
      operator: 'east',
      update_at: api.clock.now(),
      version: 1,
      scope: '本VNO及未单独设置的下级VNO',
    });
    expect(await rowOf(world.child, '到期前提醒（天）')).toMatchObject({
      value: '14',
      operator: null,
      scope: '沿用上级VNO“VNO east”的设置',
    });
    expect(await rowOf(world.west, '到期前提醒（天）')).toMatchObject({ value: '7' });
    expect((await change(world.child, { remind_days: 3 })).code).toBe(0);
    expect((await change(world.east, { remind_days: 30 })).code).toBe(0);
    expect(await rowOf(world.child, '到期前提醒（天）')).toMatchObject({ value: '3' });
    expect((await change(world.east, { remind_days: 30 })).code).toBe(10011);
    expect((await change(world.east, {})).code).toBe(10011);
    expect((await change(world.east, { remind_days: 91 })).data).toEqual({ fields: { remind_days: '数值范围为0-90' } });
    const log = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('username', '=', 'east')
      .where('result', '=', 'success')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(log).toMatchObject({
      content_zh: '修改用户设置：到期前提醒（天）',
      before: { remind_days: 14 },
      after: { remind_days: 30 },
    });
  });

  it('are checked with the stored ones, also if only one is sent', async () => {
    const why = '在其他设置的当前值下，该设置不生效';
    expect((await change(world.child, { self_register: false })).code).toBe(0);
    expect((await change(world.child, { register_place: 'vno' })).data).toEqual({ fields: { register_place: why } });
    expect((await changeOne(world.child, '注册账号可用范围', 'vno')).data).toEqual({ fields: { value: why } });
    expect((await change(world.child, { register_place: 'vno', self_register: true })).code).toBe(0);
    expect((await world.child.call(calls.values)).data).toMatchObject({ register_place: 'vno', self_register: true });
    await api.db.deleteFrom('setting').where('agent_id', '=', world.childId).execute();
  });

  it('can be changed one by one as text, with a version check', async () => {
    expect((await changeOne(world.east, '须上传证件照', '开启')).code).toBe(0);
    expect((await world.east.call(calls.values)).data.upload_photo).toBe(true);
    expect((await changeOne(world.east, '须上传证件照', '开启')).code).toBe(10011);
    expect((await changeOne(world.east, '须上传证件照', 'off')).code).toBe(0);
    expect((await changeOne(world.east, '须上传证件照', '也许')).data).toEqual({ fields: { value: '请输入 开启 或 关闭' } });
    expect((await changeOne(world.east, '空闲下线（分钟）', '30')).code).toBe(0);
    expect((await changeOne(world.east, '空闲下线（分钟）', '不限制')).code).toBe(0);
    expect((await changeOne(world.east, '默认允许登录数', '300')).data).toEqual({ fields: { value: '数值范围为1-255' } });
    expect((await changeOne(world.east, '默认允许登录数', 'x')).data).toEqual({ fields: { value: '格式不正确' } });
    expect((await changeOne(world.east, '默认允许登录数', '2', { version: 9 })).code).toBe(10010);
    expect((await changeOne(world.east, '默认允许登录数', '')).data).toEqual({ fields: { value: '请输入设置值' } });
    expect((await changeOne(world.east, '注册默认配置', '海事船员账号')).code).toBe(0);
    expect(await rowOf(world.east, 'Default opening configuration', 'en')).toMatchObject({ value: 'Maritime (crew)', version: 1 });
    expect((await changeOne(world.east, '注册默认配置', '未设置')).code).toBe(0);
    expect((await world.east.call(calls.values)).data.default_config_id).toBeNull();
    const { id } = await rowOf(world.east, '须实名认证');
    for (const by of [world.west, world.admin])
      expect((await by.call(calls.updateOne, { id, version: 0, value: '关闭' })).code).toBe(10005);
    expect((await world.east.call(calls.updateOne, { id: id + 90, version: 0, value: '关闭' })).code).toBe(10005);
  });
});

describe('platform-wide settings', () => {
  it('cannot be changed by a VNO, which gets the refusal at the field', async () => {
    expect(await change(world.east, { password_rule_range: '8-18' })).toMatchObject({
      status: 403,
      code: 20652,
      msg: '该设置由总平台统一管理，VNO不可修改',
      data: { fields: { password_rule_range: '该设置由总平台统一管理，VNO不可修改' } },
    });
    expect(await changeOne(world.east, '密码错误锁定次数', '3')).toMatchObject({
      code: 20652,
      data: { fields: { value: expect.any(String) } },
    });
    // The VNO can change the other fields of the form.
    expect((await change(world.east, { lock_count: 5, lock_time: 10, idle_timeout: 60, allow_logins: 1 })).code).toBe(0);
  });

  it('include a consistent password rule, which applies from the next call', async () => {
    const fields = async (input: Values): Promise<unknown> => (await change(world.admin, input)).data;
    const range = '格式如 6-18，下限须小于上限，上限不超过32';
    for (const wrong of ['18-6', '6-6', '0-9', '6-33', '6', 'a-b'])
      expect(await fields({ password_rule_range: wrong })).toEqual({ fields: { password_rule_range: range } });
    expect(await fields({ password_rule_special: '!a' })).toEqual({ fields: { password_rule_special: '不能包含字母和数字' } });
    expect(await fields({ password_rule_special: '！中' })).toHaveProperty('fields.password_rule_special');
    expect(await fields({ password_rule_special: '', password_rule_complex: '111' })).toEqual({
      fields: { password_rule_special: '请输入允许的特殊字符' },
    });
    expect((await change(world.admin, { password_rule_special: '' })).code).toBe(0);
    expect(await fields({ password_rule_complex: '101' })).toEqual({ fields: { password_rule_special: '请输入允许的特殊字符' } });
    expect((await change(world.admin, { password_rule_special: '!@', password_rule_complex: '101' })).code).toBe(0);
    expect(await fields({ password_rule_special: '' })).toEqual({ fields: { password_rule_special: '请输入允许的特殊字符' } });
    const rule = { password_rule_range: '8-16', password_rule_special: '!@#', password_rule_complex: '111' };
    expect((await change(world.admin, rule)).code).toBe(0);
    expect((await api.anonymous.call(authCalls.passwordRule)).data).toEqual(rule);
    const role = await makeRole(world.admin, '规则', grantsOf(['system_log']));
    const staff = (secret: string, name: string) =>
      world.admin.call(staffCalls.create, staffInput(name, role, { password: secret, repassword: secret }));
    expect((await staff('abc12345', 'ruled1')).data).toEqual({
      fields: {
        password: '须包含大写字母、须包含特殊字符（!@#）（长度为8-16个字符，须同时包含大写字母、小写字母、数字和特殊字符（!@#））',
      },
    });
    expect((await staff('Abc1234!', 'ruled1')).code).toBe(0);
    expect((await api.tryLogin('ruled1', 'Abc1234!')).code).toBe(0);
    // A login with an older password must reset it.
    expect((await api.tryLogin('admin', 'Farlink2026')).code).toBe(10112);
    expect(
      (await change(world.admin, { password_rule_range: '6-18', password_rule_special: '!@#', password_rule_complex: '110' })).code,
    ).toBe(0);
    expect((await api.tryLogin('admin', 'Farlink2026')).code).toBe(0);
  });

  it('include the login lock after wrong passwords', async () => {
    expect((await change(world.admin, { lock_count: 2, lock_time: 3 })).code).toBe(0);
    for (const err_count of [0, 1])
      expect(await api.tryLogin('nobody9', 'wrong1A')).toMatchObject({ code: 10008, data: { lock_count: 2, err_count, lock_time: 3 } });
    expect(await api.tryLogin('nobody9', 'wrong1A')).toMatchObject({ code: 10036, data: { lock_count: 2, lock_time: 3 } });
    api.clock.advance(181);
    expect(await api.tryLogin('nobody9', 'wrong1A')).toMatchObject({ code: 10008, data: { err_count: 0 } });
  });
});

describe('self-registration', () => {
  it('requires the SMS code, ID number and photo as set, and reports all missing ones together', async () => {
    expect((await change(world.west, { upload_photo: true })).code).toBe(0);
    expect((await register('W-1', { id_number: undefined })).data).toEqual({
      fields: { id_number: '请输入证件号码', smscode: '请输入短信验证码', photo: '请选择证件照' },
    });
    expect((await change(world.west, { sms_verify: false, realname: false, upload_photo: false })).code).toBe(0);
    expect((await register('W-1', { id_number: undefined })).code).toBe(0);
    expect(await registered()).toMatchObject({ agent_id: world.westId, id_number: null, account_source: 'personal' });
    // The other VNO still requires the SMS code.
    expect((await register('E-1')).data).toEqual({ fields: { smscode: '请输入短信验证码' } });
    expect((await verified('E-1')).code).toBe(0);
  });

  it('accepts only a photo that is an image', async () => {
    expect((await change(world.west, { upload_photo: true })).code).toBe(0);
    const send = async (content: Buffer, name: string) => {
      phone++;
      const form = new FormData();
      const fields = { account: `reg${phone}`, password: 'sail123', repassword: 'sail123', name: '水手', phone: String(phone), sn: 'W-1' };
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      form.append('photo', new Blob([new Uint8Array(content)]), name);
      return readReply(await fetch(`${api.base}/agt/v1/register`, { method: 'POST', body: form }));
    };
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452000000be0000003c0806000000', 'hex'), Buffer.alloc(100)]);
    expect((await send(Buffer.from('no picture'), 'me.png')).code).toBe(10003);
    expect((await send(png, 'me.png')).code).toBe(0);
    expect(await registered()).toMatchObject({ photo_name: 'me.png', photo_key: expect.stringMatching(/^photo\/.+\.png$/) });
  });

  it('opens an account by the default configuration, or a personal account with the default number of logins', async () => {
    expect((await change(world.west, { upload_photo: false, allow_logins: 4 })).code).toBe(0);
    expect((await register('W-1')).code).toBe(0);
    expect(await registered()).toMatchObject({ account_type: 'personal', allow_logins: 4, expire_at: api.clock.now() + 365 * 86_400 });
    const configs = (await world.west.call(openConfigCalls.list, { account_type: 'maritime_crew' })).data.list;
    const form = (await world.west.call(openConfigCalls.read, { id: configs[0]?.id })).data;
    await world.west.call(openConfigCalls.update, { ...form, allow_logins: 2, valid_days: 30 });
    expect((await change(world.west, { self_register: true, default_config_id: form.id })).code).toBe(0);
    expect((await register('W-1')).code).toBe(0);
    expect(await registered()).toMatchObject({ account_type: 'maritime_crew', allow_logins: 2, expire_at: api.clock.now() + 30 * 86_400 });
    expect((await change(world.east, { default_config_id: form.id })).data).toEqual({
      fields: { default_config_id: '请选择有效的开户配置' },
    });
  });

  it('can be disabled for a VNO and its child VNOs, unless a child enables it', async () => {
    expect((await change(world.east, { self_register: false })).code).toBe(0);
    for (const sn of ['E-1', 'C-1']) {
      expect((await register(sn, { smscode: '123456' })).code).toBe(10044);
      expect((await api.anonymous.call(authCalls.sms, { type: 'register', phone: String(phone), sn })).code).toBe(10044);
      expect(await api.db.selectFrom('sms_code').select('id').where('phone', '=', String(phone)).execute()).toEqual([]);
    }
    expect((await register('W-1')).code).toBe(0);
    expect((await change(world.child, { self_register: true })).code).toBe(0);
    expect((await verified('C-1')).code).toBe(0);
  });
});
