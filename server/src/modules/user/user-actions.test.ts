import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, gigabyte, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { open } from '../../kit/session/secret.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let reader: Caller;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
  await makeStaff(world.east, 'reader', await makeRole(world.east, '只看', grantsOf(['user_list'], '10')));
  reader = await api.login('reader');
});
afterAll(() => api.close());

const statusOf = async (id: number) => (await billing.account(id)).status;
const forbid = async (operate: string, ...ids: number[]) => (await world.east.call(calls.forbid, { ids, operate })).data;
const policyLogs = (id: number) => api.db.selectFrom('policy_log').selectAll().where('subscriber_id', '=', id).orderBy('id').execute();
const goOnline = async (id: number) => {
  await api.db
    .insertInto('online_session')
    .values({ subscriber_id: id, agent_id: world.eastId, session_id: `s${id}`, login_at: api.clock.now() })
    .execute();
  await api.db.updateTable('subscriber').set({ online_count: 1 }).where('id', '=', id).execute();
};
/** A package that stops the service when it is used up. */
const makeStopping = async () => {
  const stop = await api.db
    .insertInto('policy')
    .values({ agent_id: world.eastId, name: `停机${api.clock.now()}`, ratio: 80, action: 2, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  api.clock.advance(1);
  return billing.makePackage({ ...billing.flow, flow_capacity: 1, policy_id: stop.id });
};
const makeTemplates = async () => {
  const stamp = { agent_id: world.eastId, create_at: 1, update_at: 1 };
  const application = await api.db
    .insertInto('application')
    .values({ ...stamp, name: `应用${api.clock.now()}`, mode: 1, configure: ['9.197'] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const policy = await api.db
    .insertInto('policy')
    .values({ ...stamp, name: `信控${api.clock.now()}`, ratio: 80, action: 1, limit_up: 8, limit_down: 8 })
    .returning('id')
    .executeTakeFirstOrThrow();
  api.clock.advance(1);
  return { application_id: application.id, policy_id: policy.id };
};

describe('enabling and disabling', () => {
  it('restores a reserved shutdown, and sets any other account to normal', async () => {
    const [normal, reserved, shut] = await Promise.all(
      (['normal', 'reserved_shutdown', 'shutdown'] as const).map((status) => billing.makeAccount({ status })),
    );
    if (!normal || !reserved || !shut) throw new Error('no accounts');
    const ids = [normal.id, reserved.id, shut.id];
    expect(await forbid('disable', ...ids)).toMatchObject({ success: 3, fail: 0 });
    expect(await Promise.all(ids.map(statusOf))).toEqual(['disabled', 'disabled', 'disabled']);
    expect(await forbid('enable', ...ids)).toMatchObject({ success: 3 });
    expect(await Promise.all(ids.map(statusOf))).toEqual(['normal', 'reserved_shutdown', 'normal']);
    expect((await billing.account(reserved.id)).version).toBe(3);
  });

  it('leaves an exhausted account shut down, and an account past its expiry expired', async () => {
    const flow = await makeStopping();
    const used = await billing.makeAccount();
    await billing.grantHolding(used.id, flow, { activated_at: api.clock.now() - 5, used_flow: gigabyte });
    expect(await statusOf(used.id)).toBe('shutdown');
    await forbid('disable', used.id);
    await forbid('enable', used.id);
    expect(await statusOf(used.id)).toBe('shutdown');
    const ended = await billing.makeAccount({ status: 'disabled', expire_at: api.clock.now() - 1 });
    await forbid('enable', ended.id);
    expect(await statusOf(ended.id)).toBe('expired');
  });

  it('follows the state machine for each account, and gives a reason for each refusal', async () => {
    const frozen = await billing.makeAccount({ status: 'frozen' });
    const normal = await billing.makeAccount();
    const expired = await billing.makeAccount({ status: 'expired' });
    const result = await forbid('enable', frozen.id, normal.id, expired.id, 999_999);
    expect(result).toMatchObject({ success: 1, fail: 3 });
    expect(result.list.map((r) => [r.success, r.message])).toEqual([
      [true, ''],
      [false, '当前状态不允许此操作'],
      [false, '当前状态不允许此操作'],
      [false, '数据不存在'],
    ]);
    expect((await forbid('freeze', normal.id, frozen.id)).success).toBe(2);
    expect((await forbid('freeze', frozen.id)).fail).toBe(1);
    expect((await forbid('disable', frozen.id, expired.id)).fail).toBe(2);
    const refused = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('subject', '=', `subscriber:${expired.id}`)
      .where('result', '=', 'fail')
      .execute();
    expect(refused.map((l) => [l.content_zh, l.message_zh])).toContainEqual([`启用用户 ${expired.account}`, '当前状态不允许此操作']);
  });

  it('ends the open sessions of an account', async () => {
    const user = await billing.makeAccount();
    await goOnline(user.id);
    await forbid('disable', user.id);
    const session = await api.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', user.id).executeTakeFirstOrThrow();
    expect(session).toMatchObject({ logout_at: api.clock.now(), terminate_cause: 'kick' });
    expect((await billing.account(user.id)).online_count).toBe(0);
  });

  it('is refused to a view-only role, to another VNO, for an unknown action and for over 500 accounts', async () => {
    const user = await billing.makeAccount();
    expect((await reader.call(calls.forbid, { ids: [user.id], operate: 'disable' })).code).toBe(10006);
    expect((await world.west.call(calls.forbid, { ids: [user.id], operate: 'disable' })).data).toMatchObject({ success: 0, fail: 1 });
    expect((await world.east.call(calls.forbid, { ids: [user.id], operate: 'burn' })).code).toBe(10001);
    expect(
      (await world.east.call(calls.forbid, { ids: Array.from({ length: 501 }, (_, i) => i + 1), operate: 'enable' })).data,
    ).toHaveProperty('fields.ids');
    expect(await statusOf(user.id)).toBe('normal');
  });

  it('takes effect once with concurrent requests', async () => {
    const user = await billing.makeAccount();
    const results = await Promise.all(Array.from({ length: 6 }, () => forbid('disable', user.id)));
    expect(results.filter((r) => r.success === 1)).toHaveLength(1);
  });
});

describe('a new internet password', () => {
  it('is set for all selected accounts, encrypted, and never logged', async () => {
    const a = await billing.makeAccount();
    const b = await billing.makeAccount();
    const input = { ids: [a.id, b.id], password: 'wave 42!', repassword: 'wave 42!' };
    expect((await world.east.call(calls.passwd, input)).data).toMatchObject({ success: 2 });
    const after = await billing.account(b.id);
    expect(open(api.deps.config.secretKey, after.password)).toBe('wave 42!');
    expect(after.version).toBe(2);
    const [log] = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `subscriber:${b.id}`).execute();
    expect(log?.after).toEqual({ password: '******' });
    expect((await world.east.call(calls.passwd, { ...input, repassword: 'x' })).data).toMatchObject({
      fields: { repassword: '两次输入的密码不一致' },
    });
    expect((await world.east.call(calls.passwd, { ...input, password: '12345', repassword: '12345' })).data).toHaveProperty(
      'fields.password',
    );
    expect((await reader.call(calls.passwd, input)).code).toBe(10006);
  });
});

describe('a change of device', () => {
  const move = async (by: Caller, ids: number[], device_id: number) =>
    (await by.call(calls.device, { ids, bind_type: 'device', device_id })).data;

  it('updates the account counts of both devices and creates a pending policy log entry', async () => {
    const from = await billing.makeDevice();
    const to = await billing.makeDevice();
    const user = await billing.makeAccount({ device_id: from });
    expect(await move(world.east, [user.id], to)).toMatchObject({ success: 1 });
    const counts = await api.db.selectFrom('device').select(['id', 'account_count']).where('id', 'in', [from, to]).orderBy('id').execute();
    expect(counts.map((d) => d.account_count)).toEqual([0, 1]);
    expect(await policyLogs(user.id)).toMatchObject([
      { device_id: to, result: 'pending', policy_source: 'device_local', message_zh: null },
    ]);
    expect(await move(world.east, [user.id], to)).toMatchObject({ fail: 1, list: [{ message: '您未做任何修改' }] });
  });

  it('is refused to a device that is not visible, of another VNO or full', async () => {
    const user = await billing.makeAccount();
    const west = await makeBillingFixture(api, world.westId, 'West');
    expect(await move(world.east, [user.id], west.device_id)).toEqual({ fields: { device_id: '请选择有效的设备或设备组' } });
    expect(await move(world.admin, [user.id], west.device_id)).toMatchObject({
      fail: 1,
      list: [{ message: '只能绑定该账号所属VNO的设备或设备组' }],
    });
    const full = await billing.makeDevice();
    await api.db.updateTable('device').set({ account_count: 20_000 }).where('id', '=', full).execute();
    expect(await move(world.east, [user.id], full)).toMatchObject({ list: [{ message: '单个设备最多支持20000个上网账号' }] });
    expect((await world.east.call(calls.device, { ids: [user.id], bind_type: 'group' })).data).toHaveProperty('fields.device_group_id');
  });

  it('can bind the account to a device group', async () => {
    const user = await billing.makeAccount();
    const group = await api.db
      .insertInto('device_group')
      .values({ agent_id: world.eastId, name: '编队', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const input = { ids: [user.id], bind_type: 'group', device_group_id: group.id };
    expect((await world.east.call(calls.device, input)).data).toMatchObject({ success: 1 });
    expect(await billing.account(user.id)).toMatchObject({ device_id: null, device_group_id: group.id });
  });
});

describe('a custom policy', () => {
  it('is enabled with its templates, disabled without them, and logged as pending each time', async () => {
    const templates = await makeTemplates();
    const user = await billing.makeAccount();
    const set = async (input: object) => (await world.east.call(calls.policy, { ids: [user.id], ...input })).data;
    expect(await set({ custom_policy: 1, ...templates })).toMatchObject({ success: 1 });
    expect(await billing.account(user.id)).toMatchObject({ custom_policy: true, ...templates });
    expect(await set({ custom_policy: 1, ...templates })).toMatchObject({ fail: 1, list: [{ message: '您未做任何修改' }] });
    expect(await set({ custom_policy: 0, ...templates })).toMatchObject({ success: 1 });
    expect(await billing.account(user.id)).toMatchObject({ custom_policy: false, application_id: null, policy_id: null });
    const sent = await policyLogs(user.id);
    expect(sent.map((l) => [l.policy_source, l.custom_policy, l.application_id, l.result])).toEqual([
      ['user_defined', true, templates.application_id, 'pending'],
      ['device_local', false, null, 'pending'],
    ]);
  });

  it('refuses a template of a sibling VNO, even if the operator sees both VNOs', async () => {
    const { policy_id, application_id } = await makeTemplates();
    const west = await makeBillingFixture(api, world.westId, 'Beside');
    const mine = await billing.makeAccount();
    const theirs = await west.makeAccount();
    for (const template of [{ policy_id }, { application_id }]) {
      const set = { ids: [mine.id, theirs.id], custom_policy: 1, ...template };
      expect((await world.admin.call(calls.policy, set)).data).toMatchObject({
        list: [
          { id: mine.id, success: true },
          { id: theirs.id, success: false, message: '请选择有效的模板' },
        ],
      });
      const { data: form } = await world.admin.call(calls.read, { id: theirs.id });
      const saved = await world.admin.call(calls.update, { ...form, id_number: '11010519491231002X', custom_policy: 1, ...template });
      expect(saved.data).toEqual({ fields: { [Object.keys(template)[0] ?? '']: '请选择有效的模板' } });
    }
    expect(JSON.stringify(await world.west.call(detail.policy, { id: theirs.id }))).not.toContain('信控');
  });

  it('refuses a template of another branch', async () => {
    const templates = await makeTemplates();
    const west = await makeBillingFixture(api, world.westId, 'Westward');
    const user = await west.makeAccount();
    const { data } = await world.west.call(calls.policy, { ids: [user.id], custom_policy: 1, policy_id: templates.policy_id });
    expect(data).toEqual({ fields: { policy_id: '请选择有效的模板' } });
  });

  it('changes whether an exhausted account is shut down', async () => {
    const { policy_id } = await makeTemplates();
    const flow = await makeStopping();
    const user = await billing.makeAccount();
    await billing.grantHolding(user.id, flow, { activated_at: api.clock.now() - 5, used_flow: gigabyte });
    expect(await statusOf(user.id)).toBe('shutdown');
    await world.east.call(calls.policy, { ids: [user.id], custom_policy: 1, policy_id });
    expect(await statusOf(user.id)).toBe('normal');
  });
});

describe('kicking offline', () => {
  it('ends the sessions of online users and refuses the others', async () => {
    const on = await billing.makeAccount();
    const off = await billing.makeAccount();
    await goOnline(on.id);
    const result = (await world.east.call(calls.kick, { ids: [on.id, off.id] })).data;
    expect(result).toMatchObject({ success: 1, fail: 1 });
    expect(result.list.find((r) => r.id === off.id)?.message).toBe('该用户当前不在线');
    expect((await world.east.call(calls.list, { account: on.account })).data.list[0]?.online_state).toBe(0);
    expect((await world.east.call(calls.kick, { ids: [on.id] })).data.fail).toBe(1);
  });
});
