import { errors } from '@farlink/contract/errors.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { prepared } from '../../db/prepare.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let packageId: number;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
  packageId = (await billing.makePackage({ name: '月租' })).id;
});
afterAll(() => api.close());

const form = (account: string, more: object = {}) => ({
  account_source: 'counter',
  account_type: 'personal',
  account,
  password: 'sea1234',
  repassword: 'sea1234',
  name: '王小明',
  phone: '13800000001',
  id_number: '11010519491231002x',
  allow_logins: 1,
  bind_type: 'device',
  device_id: billing.device_id,
  package_id: packageId,
  expire_at: api.clock.now() + 365 * day,
  ...more,
});
const openBy = (by: Caller, account: string, more: object = {}) => by.call(addCalls.add, form(account, more));
const openOne = (account: string, more: object = {}) => openBy(world.east, account, more);
const rowOf = (account: string) => api.db.selectFrom('subscriber').selectAll().where('account', '=', account).executeTakeFirstOrThrow();
const faults = async (account: string, more: object) => (await openOne(account, more)).data;

/** First words of the statements of one call, and whether they are planned once per connection. */
const statementsOf = async (call: () => Promise<unknown>) => {
  const clients = new Set<PoolClient>();
  const watch = (client: PoolClient) => {
    clients.add(client);
    vi.spyOn(client, 'query');
  };
  api.deps.pool.on('acquire', watch);
  await call();
  api.deps.pool.off('acquire', watch);
  const texts = [...clients].flatMap((client) => vi.mocked(client.query).mock.calls.map(([text]) => String(text)));
  for (const client of clients) vi.mocked(client.query).mockRestore();
  return texts.map((text) => ({
    isPrepared: text.startsWith(prepared),
    words: text.replace(prepared, '').trim().split(/\s+/).slice(0, 3).join(' '),
  }));
};

describe('an account opened at the counter', () => {
  it('is stored with its package, bill and log entry, and with encrypted secrets', async () => {
    const { code, data } = await openOne('sailor_1', { bind_ip: '10.0.0.9', bind_mac: 'AA:BB:CC:DD:EE:FF', vlan_id: 12, remark: '首位' });
    expect(code).toBe(0);
    expect(data).toMatchObject({ account: 'sailor_1', bill_no: expect.stringMatching(/^B\d{8}-\d+-\d{6}$/) });
    const row = await rowOf('sailor_1');
    expect(row).toMatchObject({
      agent_id: world.eastId,
      status: 'normal',
      account_source: 'counter',
      package_id: packageId,
      package_status: 'to_be_used',
      bind_mac: 'aa:bb:cc:dd:ee:ff',
      vlan_id: 12,
    });
    expect(`${row.password} ${row.id_number}`).not.toMatch(/sea1234|110105/);
    expect(await billing.bills(row.id)).toMatchObject([
      { expense_type: 'open', income: '98.00', net_income: '98.00', account: 'sailor_1' },
    ]);
    expect(await billing.holdings(row.id)).toMatchObject([{ package_id: packageId, price: '98.00' }]);
    const log = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `subscriber:${row.id}`).executeTakeFirstOrThrow();
    expect(log.content_zh).toBe('开户 sailor_1');
    expect(JSON.stringify(log.after)).not.toMatch(/sea1234|13800000001|1949/);
    expect(await auditLedger(api.db)).toEqual([]);
  });

  it('is limited by the maximum amount of a bill', async () => {
    const dear = await billing.makePackage({ price: '100000000.00' });
    expect((await openOne('rich_1', { package_id: dear.id })).code).toBe(errors.bill_too_large.code);
    expect((await openOne('rich_1', { package_id: dear.id, pay_method: 'free' })).code).toBe(errors.bill_too_large.code);
  });

  it('has a unique name, case-insensitive, also under concurrency', async () => {
    const tries = await Promise.all(['twin_a', 'TWIN_A', 'Twin_a', 'twin_A'].map((account) => openOne(account)));
    expect(tries.filter((t) => t.code === 0)).toHaveLength(1);
    for (const t of tries.filter((one) => one.code !== 0))
      expect(t).toMatchObject({ code: 10013, data: { fields: { account: '上网账号已存在' } } });
    expect((await openBy(world.admin, 'twin_a')).code).toBe(10013);
  });

  it('starts with the chosen prefix if its VNO may use it, within the maximum length', async () => {
    const own = (await world.admin.call(prefixCalls.create, { vno_id: world.eastId, prefix: 'hai' })).data.id;
    const foreign = (await world.admin.call(prefixCalls.create, { vno_id: world.westId, prefix: 'xi' })).data.id;
    expect((await openOne('0001', { account_prefix: own })).data).toMatchObject({ account: 'hai0001' });
    expect(await rowOf('hai0001')).toMatchObject({ prefix_id: own });
    expect(await faults('0002', { account_prefix: foreign })).toEqual({ fields: { account_prefix: '请选择有效的账号前缀' } });
    // The prefix is in the scope of the platform, but not of that VNO.
    expect((await openBy(world.admin, '0002', { account_prefix: foreign })).data).toHaveProperty('fields.account_prefix');
    expect((await openOne('7', { account_prefix: own })).data).toMatchObject({ account: 'hai7' });
    expect(await faults('a'.repeat(18), { account_prefix: own })).toEqual({ fields: { account: '前缀“hai”占3位，账号最多再输入17位' } });
    expect(await faults('abc', {})).toEqual({ fields: { account: '账号至少4位' } });
  });

  it('is named before it is opened as it will be, by the VNO of its device', async () => {
    const child = await makeBillingFixture(api, world.childId, 'Child');
    const { id: prefix_id } = (await world.admin.call(prefixCalls.create, { vno_id: world.childId, prefix: 'kid' })).data;
    await api.db.updateTable('agent').set({ prefix_id }).where('id', '=', world.childId).execute();
    const terms = async (by: Caller, more: object) => (await by.call(addCalls.terms, { account_type: 'personal', ...more })).data;
    expect(await terms(world.east, {}), 'the VNO is not known without a device').toEqual({ prefix: null, realname: null, is_taken: false });
    expect(await terms(world.child, {})).toMatchObject({ prefix: 'kid', realname: true });
    const there = { bind_type: 'device', device_id: child.device_id } as const;
    expect(await terms(world.east, { ...there, account: '0001' })).toEqual({ prefix: 'kid', realname: true, is_taken: false });
    expect((await openBy(world.east, '0001', { ...there, package_id: (await child.makePackage()).id })).data).toMatchObject({
      account: 'kid0001',
    });
    expect(await terms(world.east, { ...there, account: '0001' })).toMatchObject({ is_taken: true });
    expect(await terms(world.east, { ...there, account: 'KID0001' })).toMatchObject({ is_taken: true });
    expect((await world.west.call(addCalls.terms, { account_type: 'personal', ...there })).data).toHaveProperty('fields.device_id');
    await api.db.updateTable('agent').set({ prefix_id: null }).where('id', '=', world.childId).execute();
  });

  it('gets the prefix of its VNO if none is chosen, and never twice', async () => {
    const above = (await world.admin.call(prefixCalls.create, { vno_id: world.admin.session?.agent_id, prefix: 'up' })).data.id;
    const agent = api.db.updateTable('agent').where('id', '=', world.eastId);
    await agent.set({ prefix_id: above }).execute();
    expect((await openOne('0007')).data).toMatchObject({ account: 'up0007' });
    expect(await rowOf('up0007')).toMatchObject({ prefix_id: above });
    expect((await openOne('UP0008')).data).toMatchObject({ account: 'UP0008' });
    expect(await faults('a'.repeat(19), {})).toEqual({ fields: { account: '前缀“up”占2位，账号最多再输入18位' } });
    await agent.set({ prefix_id: null }).execute();
  });

  it('needs an ID card number with a valid date and check digit, or a valid passport or seafarer number', async () => {
    const wrong = { fields: { id_number: '身份证号码格式不正确' } };
    for (const id_number of ['110105194912310021', '11010519490231002X', '11010520991231002X', 'E12345678'])
      expect(await faults('paper_1', { id_number }), id_number).toEqual(wrong);
    const crew = { account_type: 'maritime_crew', id_type: 'passport', id_number: 'E12345678' };
    expect((await openOne('paper_1', crew)).code).toBe(0);
    const row = await rowOf('paper_1');
    expect(row).toMatchObject({ id_type: 'passport' });
    expect((await world.east.call(userCalls.read, { id: row.id })).data).toMatchObject({ id_type: 'passport', id_number: 'E****78' });
    const book = { ...crew, id_type: 'seafarer' };
    expect(await faults('paper_2', { ...book, id_number: 'A-1' })).toEqual({ fields: { id_number: '证件号码为5-20位字母或数字' } });
    expect((await openOne('paper_2', { ...book, id_number: 'A1234567' })).code).toBe(0);
    expect(await rowOf('paper_2')).toMatchObject({ id_type: 'seafarer' });
  });

  it('accepts a discount of 0, and refuses three decimals and a password of spaces', async () => {
    expect((await openOne('nodisc', { discount: '0' })).code).toBe(0);
    expect(await faults('nodisc2', { discount: '1.234' })).toEqual({ fields: { discount: '不小于0，最多两位小数' } });
    const blanks = '      ';
    expect(await faults('blanks', { password: blanks, repassword: blanks })).toEqual({ fields: { password: '不能全为空格' } });
  });

  it('needs a device or group that the session can see, and belongs to the VNO of that device', async () => {
    const group = await api.db
      .insertInto('device_group')
      .values({ agent_id: world.eastId, name: '东海', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ofGroup = await billing.makePackage({ device_ids: null, device_group_ids: [group.id] });
    expect((await openOne('grouped', { bind_type: 'group', device_group_id: group.id, package_id: ofGroup.id })).code).toBe(0);
    expect(await rowOf('grouped')).toMatchObject({ device_id: null, device_group_id: group.id });
    expect(await faults('nowhere', { device_id: undefined })).toMatchObject({ fields: { device_id: '请选择绑定设备' } });
    expect(await faults('nowhere', { bind_type: 'group' })).toMatchObject({ fields: { device_group_id: '请选择绑定设备组' } });
    expect((await openBy(world.west, 'stolen')).data).toEqual({ fields: { device_id: '请选择有效的设备或设备组' } });
    expect((await openBy(world.admin, 'for_east')).code).toBe(0);
    expect(await rowOf('for_east')).toMatchObject({ agent_id: world.eastId });
  });

  it('refuses a bound IP, MAC or VLAN if several logins are allowed', async () => {
    const text = '允许登录数大于1时不能绑定IP/MAC/VLAN';
    const bound = { bind_ip: '10.0.0.1', bind_mac: 'AA:BB:CC:DD:EE:01', vlan_id: 5 };
    expect(await faults('many_1', { allow_logins: 3, ...bound })).toEqual({ fields: { bind_ip: text, bind_mac: text, vlan_id: text } });
    expect((await openOne('many_1', { allow_logins: 3 })).code).toBe(0);
    expect(await rowOf('many_1')).toMatchObject({ allow_logins: 3, bind_ip: null, bind_mac: null, vlan_id: null });
    expect(await faults('many_2', { bind_ip: '10.0.0.256' })).toHaveProperty('fields.bind_ip');
  });

  it('needs an ID number unless its type or the opening configuration waives it', async () => {
    const nameless = { id_number: undefined };
    expect(await faults('nameless', nameless)).toEqual({ fields: { id_number: '请输入证件号码' } });
    expect((await openOne('job_one', { ...nameless, account_type: 'job' })).code).toBe(0);
    expect((await openOne('temp_one', { ...nameless, account_type: 'temp_card' })).code).toBe(0);
    const config = api.db.updateTable('open_config').where('agent_id', '=', world.eastId).where('account_type', '=', 'small_station');
    expect(await faults('station', { ...nameless, account_type: 'small_station' })).toHaveProperty('fields.id_number');
    await config.set({ realname: false }).execute();
    expect((await openOne('station', { ...nameless, account_type: 'small_station' })).code).toBe(0);
  });

  it('cannot be opened in agent mode 2, even with the right to the user list', async () => {
    await api.db.updateTable('agent').set({ agent_mode: 2 }).where('id', '=', world.childId).execute();
    const child = await api.login('child');
    expect((await openBy(child, 'mode_two')).code).toBe(errors.denied.code);
    expect((await child.call(userCalls.list)).code).toBe(0);
  });

  it('gets its package without a bill as a job account, and no periodic package as a temporary card', async () => {
    expect((await openOne('job_two', { account_type: 'job', id_number: undefined, amount: '5' })).data).toMatchObject({ bill_no: null });
    const job = await rowOf('job_two');
    expect(await billing.holdings(job.id)).toMatchObject([{ package_id: packageId, price: '0.00' }]);
    expect(await billing.bills(job.id)).toEqual([]);
    const periodic = await billing.makePackage({
      ...billing.flow,
      cycle_length: 1,
      cycle_unit: 'month',
      cycle_quota: 1,
      cycle_quota_unit: 'GB',
    });
    expect(await faults('temp_two', { account_type: 'temp_card', package_id: periodic.id })).toEqual({
      fields: { package_id: '临时卡账号不支持周期套餐' },
    });
    expect((await openOne('periodic', { package_id: periodic.id })).code).toBe(0);
  });

  it('accepts only a package that is offered on the device, not expired and visible to the operator', async () => {
    const elsewhere = await billing.makePackage({ device_ids: [await billing.makeDevice()] });
    expect((await openOne('other_pkg', { package_id: elsewhere.id })).code).toBe(20525);
    const over = await billing.makePackage({ expire_at: api.clock.now() - 1 });
    expect(await faults('over_pkg', { package_id: over.id })).toHaveProperty('fields.package_id');
    const hidden = await billing.makePackage({ is_hide: true });
    await makeStaff(world.east, 'counter_1', await makeRole(world.east, '柜台', grantsOf(['user_list'])));
    const counter = await api.login('counter_1');
    expect((await openBy(counter, 'hidden_1', { package_id: hidden.id })).data).toHaveProperty('fields.package_id');
    expect((await openBy(counter, 'seen_1')).code).toBe(0);
    const west = await makeBillingFixture(api, world.westId, 'West');
    expect(await faults('west_pkg', { package_id: (await west.makePackage()).id })).toHaveProperty('fields.package_id');
  });

  it('is charged the price less the discount or the received amount, and refuses other amounts', async () => {
    const netOf = async (account: string, more: object) => {
      const { code, msg } = await openOne(account, more);
      if (code !== 0) return msg;
      const row = await rowOf(account);
      const [[bill], [holding]] = [await billing.bills(row.id), await billing.holdings(row.id)];
      return [bill?.discount, bill?.net_income, holding?.price];
    };
    expect(await netOf('paid_1', { discount: '8' })).toEqual(['8.00', '90.00', '90.00']);
    expect(await netOf('paid_2', { amount: '50.5' })).toEqual(['47.50', '50.50', '50.50']);
    expect(await netOf('paid_3', { amount: '90', discount: '8' })).toEqual(['8.00', '90.00', '90.00']);
    expect(await netOf('paid_4', { pay_method: 'free' })).toEqual(['98.00', '0.00', '0.00']);
    expect(await faults('paid_5', { amount: '99' })).toEqual({ fields: { amount: '实收金额不能超过套餐价格98.00元' } });
    expect(await faults('paid_5', { amount: '90', discount: '9' })).toEqual({
      fields: { amount: '实收金额加优惠金额应等于套餐价格98.00元' },
    });
    expect(await faults('paid_5', { discount: '98.01' })).toEqual({ fields: { discount: '优惠金额不能超过应收金额' } });
    expect(await faults('paid_5', { pay_method: 'free', amount: '1' })).toHaveProperty('fields.amount');
    expect(await auditLedger(api.db)).toEqual([]);
  });

  it('is refused above the collection limit of the operator', async () => {
    const role = await makeRole(world.east, '限额', grantsOf(['user_list']));
    const id = await makeStaff(world.east, 'limited', role);
    await api.db.updateTable('customer').set({ income_limit: '150.00' }).where('id', '=', id).execute();
    const limited = await api.login('limited');
    expect((await openBy(limited, 'limit_1')).code).toBe(0);
    expect((await openBy(limited, 'limit_2')).code).toBe(20501);
    expect(await api.db.selectFrom('subscriber').select('id').where('account', '=', 'limit_2').execute()).toEqual([]);
  });

  it('is refused on a device that is full', async () => {
    const device = await billing.makeDevice();
    const sold = await billing.makePackage({ device_ids: [device] });
    await api.db.updateTable('device').set({ account_count: 19_999 }).where('id', '=', device).execute();
    const tries = await Promise.all(['full_1', 'full_2', 'full_3'].map((a) => openOne(a, { device_id: device, package_id: sold.id })));
    expect(tries.map((t) => t.code).sort()).toEqual([0, 20601, 20601]);
  });

  it('is validated by the rules of its form', async () => {
    const bad = await faults('a b', {
      name: '王',
      phone: 'x',
      password: '12345',
      repassword: '1',
      id_number: '123',
      email: 'x',
      allow_logins: 256,
      cert_start_at: 200,
      cert_end_at: 100,
    });
    expect(Object.keys((bad as unknown as { fields: object }).fields).sort()).toEqual(
      ['account', 'allow_logins', 'cert_end_at', 'email', 'id_number', 'name', 'password', 'phone', 'repassword'].sort(),
    );
    expect(await faults('late_1', { expire_at: api.clock.now() })).toEqual({ fields: { expire_at: '到期时间须晚于当前时间' } });
    expect(await faults('config_1', { config_id: 999_999 })).toEqual({ fields: { config_id: '请选择有效的开户配置' } });
    expect(await faults('policy_1', { custom_policy: true, application_id: 999_999 })).toEqual({
      fields: { application_id: '请选择有效的模板' },
    });
  });

  it('needs few statements, nearly all of them prepared', async () => {
    const statements = await statementsOf(() => openOne('prepared_1'));
    expect(statements.filter(({ isPrepared }) => !isPrepared).map(({ words }) => words)).toEqual(['begin', 'select * from', 'commit']);
    expect(statements.length).toBeLessThanOrEqual(17);
  });

  it('is found as an option by its account name, only in its branch', async () => {
    expect(Object.values((await world.east.call(userCalls.option, { account: 'SAILOR' })).data)).toEqual(['sailor_1 (王小明)']);
    expect((await world.west.call(userCalls.option, { account: 'sailor' })).data).toEqual({});
    expect((await world.east.call(userCalls.option, { account: 'sail_r' })).data).toEqual({});
  });
});
