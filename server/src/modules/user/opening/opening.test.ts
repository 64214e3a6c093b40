import { shape } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { type OpeningResult, openingCalls } from '@farlink/contract/user/opening.ts';
import { tempCardCalls } from '@farlink/contract/user/user-temp.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { checkLedger } from '../../../domain/ledger/check-ledger.ts';
import { type JobRunner, startJobs } from '../../../kit/jobs/job-runner.ts';
import { open } from '../../../kit/session/secret.ts';
import { openingJobs } from './opening-job.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let jobs: JobRunner;
let device: number;
let group: number;
let prefix: number;
let pkg: number;
let cyclic: number;

const makeDevice = async (agent_id: number, sn: string) =>
  (
    await api.db
      .insertInto('device')
      .values({ agent_id, name: `Ship ${sn}`, sn, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

const makePackage = async (by: Caller, more: object) => {
  const reply = await by.call(packageCalls.create, {
    name: '包月',
    package_type: 'flow',
    flow_capacity: 10,
    flow_unit: 'GB',
    up_speed: 0,
    down_speed: 0,
    price: '33.33',
    priority: 10,
    online_type: 0,
    bind_type: 'device',
    device_id: [device],
    ...more,
  });
  return reply.data.id;
};

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  jobs = startJobs(api.deps, openingJobs, { pollMs: 0, beatMs: 60_000 });
  device = await makeDevice(world.eastId, 'E-1');
  const made = { agent_id: world.eastId, name: '船队', create_at: 1 };
  group = (await api.db.insertInto('device_group').values(made).returning('id').executeTakeFirstOrThrow()).id;
  prefix = (await world.east.call(prefixCalls.create, { vno_id: world.eastId, prefix: 'EA' })).data.id;
  pkg = await makePackage(world.east, {});
  // Batch accounts have no names, so real names are not required here.
  const personal = api.db.updateTable('open_config').where('account_type', '=', 'personal');
  await personal.set({ realname: false }).execute();
  cyclic = await makePackage(world.east, {
    name: '周期',
    cycle_enable: true,
    cycle_length: 1,
    cycle_unit: 'month',
    cycle_quota: 1,
    cycle_quota_unit: 'GB',
  });
});
afterAll(async () => {
  await jobs.stop();
  await api.close();
});

const rule = (more: Values = {}): Values => ({
  account_source: 'batch',
  account_type: 'personal',
  account_prefix: prefix,
  start_no: '0098',
  count: 5,
  password: 'Sea123',
  allow_logins: 2,
  bind_type: 'device',
  device_id: device,
  package_id: pkg,
  expire_at: api.clock.now() + 86_400 * 365,
  ...more,
});
/** The same call with the result type of a batch. */
const batchCall = { ...addCalls.add, shape: shape<OpeningResult>() };
const openBatch = (more: Values = {}, by = world.east) => by.call(batchCall, rule(more));
const accounts = (like: string) => api.db.selectFrom('subscriber').selectAll().where('account', 'like', like).orderBy('account').execute();
const bills = (cause: string) => api.db.selectFrom('ledger_entry').selectAll().where('cause', '=', cause).execute();
const holdingsOf = (ids: readonly number[]) =>
  api.db.selectFrom('holding').selectAll().where('subscriber_id', 'in', ids).orderBy('id').execute();
const lastLog = (by: Caller) =>
  api.db
    .selectFrom('syslog')
    .selectAll()
    .where('customer_id', '=', by.session?.uid ?? 0)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

describe('opening accounts by rule', () => {
  it('creates numbered accounts with leading zeros, one bill for all, and prices that add up to the cent', async () => {
    const { code, data } = await openBatch({ discount: '0.08', pay_method: 'wechat', remark: '首批' });
    expect(code).toBe(0);
    expect(data).toMatchObject({ total: 5, success: 5, fail: 0, errors: [], job_id: null });
    const opened = await accounts('EA0%');
    expect(opened.map((s) => s.account)).toEqual(['EA0098', 'EA0099', 'EA0100', 'EA0101', 'EA0102']);
    expect(opened[0]).toMatchObject({
      agent_id: world.eastId,
      device_id: device,
      prefix_id: prefix,
      account_source: 'batch',
      allow_logins: 2,
      remark: '首批',
      package_id: pkg,
      package_status: 'to_be_used',
      status: 'normal',
    });
    expect(open(api.deps.config.secretKey, opened[0]?.password ?? '')).toBe('Sea123');
    const [bill, ...more] = await bills(`batch:${data.id}`);
    expect(more).toEqual([]);
    expect(bill).toMatchObject({
      income: '166.65',
      discount: '0.08',
      net_income: '166.57',
      count: 5,
      pay_method: 'wechat',
      account: 'EA0098 ~ EA0102',
      account_type: 'personal',
      account_source: 'batch',
      expense_type: 'open',
      package_name: '包月',
      bind_name: 'Ship E-1',
      agent_id: world.eastId,
    });
    const stored = await holdingsOf(opened.map((s) => s.id));
    expect(stored.map((h) => h.price)).toEqual(['33.32', '33.32', '33.31', '33.31', '33.31']);
    expect(await checkLedger(api.db)).toMatchObject({ balanced: true });
    expect(await lastLog(world.east)).toMatchObject({ content_zh: '批量开户（Ship E-1）：成功 5，失败 0', result: 'success' });
    expect(JSON.stringify(await lastLog(world.east))).not.toContain('Sea123');
  });

  it('reports existing accounts, and opens and bills the others', async () => {
    const { data } = await openBatch({ start_no: '0101', count: 4 });
    expect(data).toMatchObject({ total: 4, success: 2, fail: 2 });
    expect(data.errors).toEqual([
      { row: 1, account: 'EA0101', message: '上网账号已存在' },
      { row: 2, account: 'EA0102', message: '上网账号已存在' },
    ]);
    const [bill] = await bills(`batch:${data.id}`);
    expect(bill).toMatchObject({ income: '66.66', count: 2, account: 'EA0103 ~ EA0104' });
    const again = await openBatch({ start_no: '0101', count: 4, lang: 'en' });
    expect(again.data).toMatchObject({ success: 0, fail: 4 });
    expect(again.data.errors[0]?.message).toBe('Online account already exists');
    expect(await bills(`batch:${again.data.id}`)).toEqual([]);
    expect(await lastLog(world.east)).toMatchObject({ result: 'fail', message_en: 'Online account already exists' });
  });

  it('gives job accounts their package without a sale, and can bind accounts to a device group', async () => {
    const ofGroup = await makePackage(world.east, { name: '组套餐', bind_type: 'group', device_id: undefined, device_group_id: [group] });
    const bound = { bind_type: 'group', device_group_id: group, package_id: ofGroup };
    const { data } = await openBatch({ account_type: 'job', start_no: '7001', count: 2, ...bound });
    expect(data).toMatchObject({ success: 2 });
    expect(await bills(`batch:${data.id}`)).toEqual([]);
    const opened = await accounts('EA700%');
    expect(opened.map((s) => [s.device_id, s.device_group_id])).toEqual([
      [null, group],
      [null, group],
    ]);
    expect((await holdingsOf(opened.map((s) => s.id))).map((h) => h.price)).toEqual(['0.00', '0.00']);
  });

  it('is free of charge on request', async () => {
    const { data } = await openBatch({ start_no: '8001', count: 3, pay_method: 'free' });
    const [bill] = await bills(`batch:${data.id}`);
    expect(bill).toMatchObject({ income: '99.99', discount: '99.99', net_income: '0.00' });
    const stored = await holdingsOf((await accounts('EA800%')).map((s) => s.id));
    expect(stored.map((h) => h.price)).toEqual(['0.00', '0.00', '0.00']);
  });

  it('is validated by its rules', async () => {
    const fields = async (more: Values): Promise<unknown> => (await openBatch(more)).data;
    expect(await fields({ start_no: '1' })).toEqual({ fields: { start_no: '前缀加编号须为4-20位' } });
    expect(await fields({ start_no: '12a' })).toEqual({ fields: { start_no: '1-128位数字' } });
    expect(await fields({ start_no: '1234567890123' })).toEqual({ fields: { start_no: '长度不能超过12个字符' } });
    expect(await fields({ count: 20_001 })).toEqual({ fields: { count: '数值范围为1-20000' } });
    expect(await fields({ count: 0 })).toEqual({ fields: { count: '数值范围为1-20000' } });
    expect(await fields({ account_prefix: undefined })).toEqual({ fields: { account_prefix: '请选择账号前缀' } });
    expect(await fields({ password: '12345' })).toEqual({ fields: { password: '6-18位' } });
    expect(await fields({ allow_logins: 256 })).toEqual({ fields: { allow_logins: '数值范围为1-255' } });
    expect(await fields({ device_id: undefined })).toEqual({ fields: { device_id: '请选择绑定设备' } });
    expect(await fields({ expire_at: api.clock.now() })).toEqual({ fields: { expire_at: '到期时间须晚于当前时间' } });
    expect(await openBatch({ discount: '166.66' })).toMatchObject({
      code: 20502,
      data: { fields: { discount: '优惠金额不能超过应收金额' } },
    });
    expect(await openBatch({ account_type: 'temp_card', package_id: cyclic })).toMatchObject({
      code: 20524,
      data: { fields: { package_id: '临时卡账号不支持周期套餐' } },
    });
    expect(await accounts('EA1%')).toEqual([]);
  });

  it('refuses the whole batch if it exceeds the account limit of the device', async () => {
    const narrow = await makeDevice(world.eastId, 'E-2');
    const sold = await makePackage(world.east, { name: '窄', device_id: [narrow] });
    await api.db
      .updateTable('device')
      .set({ account_count: limits.accountsPerDevice - 3 })
      .where('id', '=', narrow)
      .execute();
    const order = { device_id: narrow, package_id: sold, start_no: '9001' };
    expect(await openBatch({ ...order, count: 4 })).toMatchObject({ code: 20601, data: { fields: { device_id: expect.any(String) } } });
    expect(await accounts('EA900%')).toEqual([]);
    expect((await openBatch({ ...order, count: 3 })).data).toMatchObject({ success: 3 });
    // 600 accounts would run in a job, but the refusal comes at once.
    expect(await openBatch({ ...order, count: 600 })).toMatchObject({ code: 20601 });
  });

  it('is refused above the collection limit of the operator, and opens nothing', async () => {
    const role = await makeRole(world.east, '开户员', grantsOf(['user_account']));
    const id = await makeStaff(world.east, 'clerk', role);
    await api.db.updateTable('customer').set({ income_limit: '100' }).where('id', '=', id).execute();
    const clerk = await api.login('clerk');
    expect((await openBatch({ start_no: '5001', count: 4 }, clerk)).code).toBe(20501);
    expect(await accounts('EA500%')).toEqual([]);
    expect((await openBatch({ start_no: '5001', count: 3 }, clerk)).data).toMatchObject({ success: 3 });
  });

  it('is refused for account types that need real names, and uses the prefix of the VNO by default', async () => {
    const open_config = api.db.updateTable('open_config').where('agent_id', '=', world.eastId);
    const crew = { account_type: 'maritime_crew', start_no: '9501', count: 2 };
    expect((await openBatch(crew)).data).toEqual({ fields: { account_type: '该类型账号须实名，请使用文件导入' } });
    await open_config.where('account_type', '=', 'maritime_crew').set({ realname: false }).execute();
    await api.db.updateTable('agent').where('id', '=', world.eastId).set({ prefix_id: prefix }).execute();
    expect((await openBatch({ ...crew, account_prefix: undefined })).data).toMatchObject({ success: 2 });
    expect((await accounts('EA950%')).map((s) => s.account)).toEqual(['EA9501', 'EA9502']);
    await api.db.updateTable('agent').where('id', '=', world.eastId).set({ prefix_id: null }).execute();
  });

  it('refuses a device, package or prefix of another branch', async () => {
    const west = await makeDevice(world.westId, 'W-1');
    expect((await openBatch({ device_id: west })).data).toHaveProperty('fields.device_id');
    expect((await openBatch({}, world.west)).data).toHaveProperty('fields.device_id');
    const foreign = (await world.west.call(prefixCalls.create, { vno_id: world.westId, prefix: 'WE' })).data.id;
    expect((await openBatch({ account_prefix: foreign })).data).toHaveProperty('fields.account_prefix');
    // The platform sees both VNOs, but a prefix of one VNO is not valid for accounts of the other.
    expect((await openBatch({ account_prefix: foreign }, world.admin)).data).toHaveProperty('fields.account_prefix');
    expect((await openBatch({ package_id: await makePackage(world.west, { name: '西', device_id: [west] }) })).data).toHaveProperty(
      'fields.package_id',
    );
  });
});

describe('opening accounts in the background', () => {
  it('opens more than 500 accounts once, even after a failed attempt, and reports the result', { tags: 'all' }, async () => {
    await openBatch({ start_no: '200010', count: 2 });
    const { data } = await openBatch({ start_no: '200001', count: 1200 });
    expect(data).toMatchObject({ total: 1200, success: 0, fail: 0, job_id: data.id });
    expect((await world.east.call(openingCalls.read, { id: data.id })).data).toMatchObject({ state: 'waiting', progress: 0, total: 1200 });
    const waiting = await api.db.selectFrom('job').select('payload').where('id', '=', data.id).executeTakeFirstOrThrow();
    expect(JSON.stringify(waiting)).not.toContain('Sea123');
    // The worker fails during the job: nothing is stored, and the next worker does all of it.
    const dying = startJobs({ ...api.deps, config: { ...api.deps.config, secretKey: Buffer.alloc(32) } }, openingJobs, { pollMs: 0 });
    await dying.tick();
    await dying.stop();
    expect(await accounts('EA20____')).toHaveLength(2);
    api.clock.advance(600);
    await jobs.tick();
    const done = (await world.east.call(openingCalls.read, { id: data.id })).data;
    expect(done).toMatchObject({ state: 'done', progress: 100, total: 1200, success: 1198, fail: 2, job_id: null, report: true });
    expect(done.errors).toEqual([
      { row: 10, account: 'EA200010', message: '上网账号已存在' },
      { row: 11, account: 'EA200011', message: '上网账号已存在' },
    ]);
    expect(await accounts('EA20____')).toHaveLength(1200);
    const [bill, ...more] = await bills(`batch:${data.id}`);
    expect(more).toEqual([]);
    expect(bill).toMatchObject({ count: 1198, income: '39929.34' });
    expect(await checkLedger(api.db)).toMatchObject({ balanced: true });
    const stored = await api.db.selectFrom('job').select('payload').where('id', '=', data.id).executeTakeFirstOrThrow();
    expect(stored.payload).toEqual({ total: 1200 });
    const entry = await api.db.selectFrom('syslog').selectAll().where('content_zh', 'like', '%成功 1198%').executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ username: 'east', module: 'user', action: 'create' });
    const listed = (await world.east.call(openingCalls.list, { way: 'open_batch' })).data.list.find((row) => row.id === data.id);
    expect(listed).toMatchObject({ state: 'done', total: 1200, success: 1198, fail: 2 });
  });

  it('can be cancelled by its requester, and is not visible to others', async () => {
    const { data } = await openBatch({ start_no: '300001', count: 501 });
    for (const by of [world.west, world.admin, world.child]) {
      expect((await by.call(openingCalls.read, { id: data.id })).code).toBe(10005);
      expect((await by.call(openingCalls.cancel, { id: data.id })).code).toBe(10005);
      expect((await by.call(openingCalls.list)).data.list.map((row) => row.id)).not.toContain(data.id);
    }
    expect((await world.east.call(openingCalls.cancel, { id: data.id })).code).toBe(0);
    expect((await world.east.call(openingCalls.cancel, { id: data.id })).code).toBe(20105);
    await jobs.tick();
    expect(await accounts('EA30____')).toEqual([]);
    expect((await world.east.call(openingCalls.read, { id: data.id })).data).toMatchObject({ state: 'cancelled' });
  });

  it('fails permanently, with its reason, when the device is full', async () => {
    const small = await makeDevice(world.eastId, 'E-3');
    const sold = await makePackage(world.east, { name: '小', device_id: [small] });
    const { data } = await openBatch({ start_no: '400001', count: 501, device_id: small, package_id: sold });
    await api.db
      .updateTable('device')
      .set({ account_count: limits.accountsPerDevice - 500 })
      .where('id', '=', small)
      .execute();
    await jobs.tick();
    expect((await world.east.call(openingCalls.read, { id: data.id })).data).toMatchObject({
      state: 'failed',
      message: '单个设备最多支持20000个上网账号',
      success: 0,
    });
    expect(await accounts('EA40____')).toEqual([]);
    const stored = await api.db.selectFrom('job').select('payload').where('id', '=', data.id).executeTakeFirstOrThrow();
    expect(stored.payload).toEqual({ total: 501 });
  });
});

describe('temporary cards', () => {
  const make = (more: Values = {}, by = world.east) =>
    by.call(tempCardCalls.create, {
      count: 30,
      account_prefix: prefix,
      package_id: pkg,
      allow_logins: 1,
      bind_type: 'device',
      device_id: device,
      expire_at: api.clock.now() + 30 * 86_400,
      ...more,
    });
  const listOf = async (by: Caller, id: number, format = 'csv') => {
    const { token = '', uid = 0 } = by.session ?? {};
    return fetch(`${api.base}/agt/v1/user/opening/report/${id}?format=${format}&uid=${uid}`, { headers: { authorization: token } });
  };

  it('have unguessable names and passwords, returned once as a list', async () => {
    const { data } = await make();
    expect(data).toMatchObject({ total: 30, success: 30, fail: 0, job_id: null });
    expect((await listOf(world.west, data.id)).status).toBe(404);
    const text = await (await listOf(world.east, data.id)).text();
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toBe('临时账号,密码,套餐名称,到期时间（UTC+8）');
    expect(lines).toHaveLength(30);
    const cards = lines.map((line) => line.split(','));
    const rows = await api.db.selectFrom('subscriber').selectAll().where('account_type', '=', 'temp_card').execute();
    for (const [account = '', password] of cards) {
      expect(account).toMatch(/^EA[a-hjkmnp-z2-9]{12}$/);
      const row = rows.find((r) => r.account === account);
      expect(open(api.deps.config.secretKey, row?.password ?? '')).toBe(password);
      expect(password).toMatch(/^[a-hjkmnp-z2-9]{10}$/);
    }
    expect(new Set(cards.map(([, password]) => password)).size).toBe(30);
    expect((await listOf(world.east, data.id)).status).toBe(409);
    expect(await lastLog(world.east)).toMatchObject({ content_zh: `下载临时卡密码清单 ${data.id}` });
    expect(await bills(`temp:${data.id}`)).toEqual([]);
    expect((await holdingsOf(rows.map((r) => r.id))).map((h) => h.price)).toEqual(rows.map(() => '0.00'));
    const { price } = await api.db
      .selectFrom('package')
      .select('price')
      .where('id', '=', rows[0]?.package_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(rows.map(({ is_unsold, card_price }) => [is_unsold, card_price])).toEqual(rows.map(() => [true, price]));
  });

  it('are listed with their producer and masked passwords, only in their branch', async () => {
    const { data } = await world.east.call(tempCardCalls.list, { producer: 'eas', package_id: pkg, device_id: device });
    expect(data.total).toBe(30);
    expect(data.list[0]).toMatchObject({
      producer: 'east',
      password: '******',
      package_name: '包月',
      bind_name: 'Ship E-1',
      status: 'normal',
    });
    expect((await world.west.call(tempCardCalls.list)).data.total).toBe(0);
    expect((await world.admin.call(tempCardCalls.list, { status: 'disabled' })).data.total).toBe(0);
    expect((await world.admin.call(tempCardCalls.list)).data.total).toBe(30);
  });

  it('refuse a periodic package, an expiry in the past and more cards than the device limit allows', async () => {
    expect(await make({ package_id: cyclic })).toMatchObject({
      code: 20524,
      data: { fields: { package_id: '临时卡账号不支持周期套餐' } },
    });
    expect((await make({ expire_at: api.clock.now() - 1 })).data).toEqual({ fields: { expire_at: '到期时间须晚于当前时间' } });
    expect((await make({ count: 20_000 })).code).toBe(20601);
    expect((await make({}, world.west)).data).toHaveProperty('fields.device_id');
  });

  it('are created in the background if there are thousands', { tags: 'all' }, async () => {
    const { data } = await make({ count: 2000, account_prefix: undefined });
    expect(data.job_id).toBe(data.id);
    await jobs.tick();
    expect((await world.east.call(openingCalls.read, { id: data.id })).data).toMatchObject({ state: 'done', success: 2000, report: true });
    expect((await (await listOf(world.east, data.id)).text()).trim().split('\r\n')).toHaveLength(2001);
    expect((await world.east.call(tempCardCalls.list, { count: 'exact' })).data.total).toBe(2030);
    const xlsx = await listOf(world.east, data.id, 'xlsx');
    expect(xlsx.status).toBe(409);
  });

  it('get no refund for a package that was not paid', async () => {
    const [card] = await api.db.selectFrom('subscriber').selectAll().where('account_type', '=', 'temp_card').limit(1).execute();
    const cheap = await makePackage(world.east, { name: '一元', price: '1' });
    const change = { ids: [card?.id], package_id: cheap, effect: 'now', pay_method: 'cash' };
    expect((await world.east.call(moneyCalls.changePackage, change)).data.success).toBe(1);
    const bill = await api.db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('subscriber_id', '=', card?.id ?? 0)
      .executeTakeFirst();
    expect(bill).toMatchObject({ income: '1.00', expend: '0.00', net_income: '1.00' });
  });
});
