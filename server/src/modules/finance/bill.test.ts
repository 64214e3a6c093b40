import { errors } from '@farlink/contract/errors.ts';
import { exportCalls } from '@farlink/contract/export/export.ts';
import { billCalls as calls } from '@farlink/contract/finance/bill.ts';
import { billExportLogCalls } from '@farlink/contract/log/bill-export-log.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, gigabyte, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { postSale, type Sale } from '../../domain/ledger/post-sale.ts';
import { reverseEntry } from '../../domain/ledger/reverse-entry.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { billExports } from './bill.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let far: BillingFixture;
let sailor: Awaited<ReturnType<BillingFixture['makeAccount']>>;
let hidden: Awaited<ReturnType<BillingFixture['makePackage']>>;
let shown: Awaited<ReturnType<BillingFixture['makePackage']>>;
let viewer: Caller;
let n = 0;

const sell = (where: BillingFixture, sale: Partial<Sale>, at = api.clock.now()) =>
  api.db
    .transaction()
    .execute((db) =>
      postSale(
        db,
        { agent_id: where.agent_id, customer_id: null, operator: 'Till One' },
        { cause: `t:${++n}`, channel: 'counter', expense_type: 'recharge', pay_method: 'cash', income: '1.00', ...sale },
        at,
      ),
    );

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'east');
  far = await makeBillingFixture(api, world.westId, 'west');
  sailor = await billing.makeAccount();
  const foreigner = await far.makeAccount();
  [shown, hidden] = [await billing.makePackage(), await billing.makePackage({ is_hide: true })];
  await sell(billing, { buyer: sailor, income: '98.00', discount: '8.50', package: shown });
  await sell(billing, { buyer: sailor, income: '30.00', pay_method: 'pos', package: hidden, expense_type: 'extra_package' });
  await sell(billing, { buyer: sailor, income: '10.00', expend: '25.50', expense_type: 'change_package', package: shown });
  const { id } = await sell(billing, { income: '77.77', expense_type: 'open', buyer: sailor, count: 3, package: shown });
  await api.db
    .transaction()
    .execute((db) => reverseEntry(db, { agent_id: billing.agent_id, customer_id: null, operator: 'x' }, id, '撤销', api.clock.now()));
  await sell(billing, { income: '5.00', buyer: sailor }, api.clock.now() - 400 * day);
  await sell(far, { income: '1000.00', buyer: foreigner });
  await makeStaff(world.east, 'viewer_1', await makeRole(world.east, 'viewer', grantsOf(['bill_counter', 'user_package'], '10')));
  viewer = await api.login('viewer_1');
});
afterAll(async () => {
  expect(await auditLedger(api.db)).toEqual([]);
  await api.close();
});

/** Sums of the ledger by direct SQL. */
const totals = async (where: string) => {
  const { rows } = await sql<Record<string, string>>`
    select sum(income)::text as income, sum(expend)::text as expend, sum(discount)::text as discount, sum(income - expend - discount)::text as net_income
    from ledger_entry where ${sql.raw(where)}`.execute(api.db);
  return rows[0];
};
const yearAgo = () => api.clock.now() - 364 * day;

test('the counter bill list shows only ledger entries of the own branch, with the sums of the ledger', async () => {
  const { data } = await world.east.call(calls.counter, {});
  expect(data.total).toBe(6);
  expect(data.sums).toEqual(await totals(`agent_id = ${billing.agent_id} and channel = 'counter'`));
  expect((await world.child.call(calls.counter, {})).data).toMatchObject({ total: 0, sums: { income: '0.00', net_income: '0.00' } });
  const all = await world.admin.call(calls.counter, {});
  expect(all.data.sums).toEqual(await totals(`channel = 'counter'`));
  expect(JSON.stringify((await world.west.call(calls.counter, {})).data.list)).not.toContain(sailor.account);
});

test('bill lists return the sums with the rows, or in a separate call', async () => {
  for (const call of [calls.counter, calls.online]) {
    const both = (await world.east.call(call, {})).data;
    expect(both.sums).toBeDefined();
    expect((await world.east.call(call, { sums: 'later' })).data).toEqual({ ...both, sums: undefined });
    expect((await world.east.call(call, { sums: 'only' })).data).toEqual({ total: 0, list: [], sums: both.sums });
  }
});

test('each filter applies to the rows and the sums, and a range over 12 months is refused', async () => {
  for (const [filter, where] of [
    [{ expense_type: 'change_package' }, `expense_type = 'change_package'`],
    [{ pay_method: 'pos' }, `pay_method = 'pos'`],
    [{ state: 'revoked' }, `state = 'revoked'`],
    [{ income: '30', cond_income: 'gt' }, `income > 30`],
    [{ package_id: shown.id }, `package_id = ${shown.id}`],
    [{ user_name: sailor.name }, `user_name = '${sailor.name}'`],
    [{ operator: 'till' }, `operator = 'Till One'`],
    [{ device_id: billing.device_id }, `device_id = ${billing.device_id}`],
    [{ user_id: sailor.id }, `subscriber_id = ${sailor.id}`],
    [{ create_at_start: yearAgo(), create_at_end: api.clock.now() }, `create_at >= ${yearAgo()}`],
  ] as const) {
    const { data } = await world.east.call(calls.counter, filter);
    expect(data.sums, JSON.stringify(filter)).toEqual(await totals(`agent_id = ${billing.agent_id} and channel = 'counter' and ${where}`));
    expect(data.total).toBeGreaterThan(0);
  }
  const long = await world.east.call(calls.counter, { create_at_start: yearAgo() - 10 * day, create_at_end: api.clock.now() });
  expect(long).toMatchObject({ code: errors.bad_input.code, data: { fields: { create_at_end: expect.stringContaining('12') } } });
});

test('a hidden package is not named, and filtering by it finds nothing, without the right to view it', async () => {
  const names = async (by: Caller) => (await by.call(calls.counter, { limit: 100 })).data.list.map((row) => row.package_name);
  expect(await names(world.admin)).toContain(hidden.name);
  expect(await names(viewer)).not.toContain(hidden.name);
  expect(await names(viewer)).toContain(shown.name);
  expect((await viewer.call(calls.counter, { package_id: hidden.id })).data.total).toBe(0);
});

test('the bill of an account opening shows the number of accounts opened', async () => {
  const { data } = await world.east.call(userBillCalls.list, {});
  expect(data).toMatchObject({ total: 1, sums: { income: '77.77', discount: '0.00', net_income: '77.77' } });
  expect(data.list[0]).toMatchObject({ account: sailor.account, count: 3, account_source: 'counter', package_name: shown.name });
});

const order = async (state: 'paid' | 'waiting' | 'withdrawn', amount: string) => {
  const now = api.clock.now();
  const { id } = await api.db
    .insertInto('pay_order')
    .values({
      agent_id: billing.agent_id,
      order_no: `P${++n}`,
      channel: 'alipay',
      state,
      expense_type: 'recharge',
      subscriber_id: sailor.id,
      user_name: sailor.name,
      amount,
      trade_no: state === 'waiting' ? null : `T${n}`,
      operator: '-',
      expire_at: now + 900,
      create_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (state === 'waiting') return;
  const sale = { channel: 'online', pay_method: 'alipay', income: amount, order_id: id, into: 'balance', buyer: sailor } as const;
  const bill = await sell(billing, sale);
  if (state === 'withdrawn')
    await api.db
      .transaction()
      .execute((db) => reverseEntry(db, { agent_id: billing.agent_id, customer_id: null, operator: '-' }, bill.id, null, now));
};

test('online bills list every order and sum only the paid ones', async () => {
  await order('paid', '60.00');
  await order('paid', '0.50');
  await order('waiting', '500.00');
  await order('withdrawn', '70.00');
  const { data } = await world.east.call(calls.online, {});
  expect(data.total).toBe(4);
  expect(data.sums).toEqual({ income: '60.50', expend: '0.00', discount: '0.00', net_income: '60.50' });
  expect(data.list.find((row) => row.state === 'withdrawn')).toMatchObject({
    amount: '70.00',
    income: '0.00',
    expend: '0.00',
    net_income: '0.00',
  });
  expect(data.list.find((row) => row.state === 'waiting')).toMatchObject({
    bill_no: null,
    amount: '500.00',
    income: '0.00',
    net_income: '0.00',
  });
  expect(data.list.map((row) => row.account)).toEqual(Array(4).fill(sailor.account));
  expect((await world.east.call(calls.online, { account: sailor.account.slice(1), state: 'paid' })).data).toMatchObject({ total: 2 });
  expect((await world.east.call(calls.online, { account: 'nothing' })).data).toMatchObject({ total: 0 });
  expect((await world.east.call(calls.online, { state: 'waiting' })).data).toMatchObject({ total: 1, sums: { income: '0.00' } });
  expect((await world.west.call(calls.online, {})).data.total).toBe(0);
});

test('a card bill shows its card', async () => {
  const now = api.clock.now();
  const stamp = { agent_id: billing.agent_id, create_at: now, expire_at: now + day };
  const rule = {
    batch_no: 'CB1',
    name: 'twenty',
    card_type: 'amount',
    denomination: '20.00',
    count: 1,
    producer: '-',
    update_at: now,
  } as const;
  const { id: rule_id } = await api.db
    .insertInto('card_rule')
    .values({ ...stamp, ...rule })
    .returning('id')
    .executeTakeFirstOrThrow();
  const card = await api.db
    .insertInto('recharge_card')
    .values({ ...stamp, rule_id, number: '1000000000000008', password: '-' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sell(billing, { channel: 'card', pay_method: null, income: '20.00', card_id: card.id, into: 'balance', buyer: sailor });
  const { data } = await world.east.call(calls.card, { card_type: 'amount', rule_id });
  expect(data).toMatchObject({ total: 1, sums: { income: '20.00', net_income: '20.00' } });
  expect(data.list[0]).toMatchObject({
    card_number: '1000000000000008',
    denomination: '20.00',
    card_type: 'amount',
    expense_type: 'recharge',
  });
});

test('the chart adds up to the sums of the list, by day, by VNO and by package', async () => {
  const filters = { create_at_start: api.clock.now() - 20 * day, create_at_end: api.clock.now() };
  const [{ data: chart }, { data: list }] = await Promise.all([
    world.admin.call(calls.chartCounter, filters),
    world.admin.call(calls.counter, filters),
  ]);
  const sum = (rows: readonly { income: string }[]) => rows.reduce((s, p) => s + BigInt(p.income.replace('.', '')), 0n);
  const income = BigInt(String(list.sums?.income).replace('.', ''));
  for (const rows of [chart.days, chart.vnos, chart.packages]) expect(sum(rows)).toBe(income);
  expect(chart.vnos.map((v) => v.label)).toEqual(['VNO west', 'VNO east']);
  expect(chart).toMatchObject({ start_at: filters.create_at_start, end_at: filters.create_at_end });
  const usual = await world.admin.call(calls.chartCounter, {});
  expect(sum(usual.data.days), 'the last thirty days by default').toBe(income);
  expect((await world.east.call(calls.chartOnline, {})).data.days).toMatchObject([{ income: '60.50' }]);
  expect(JSON.stringify((await viewer.call(calls.chartCounter, {})).data)).not.toContain(hidden.name);
  expect((await viewer.call(calls.chartCard, {})).code).toBe(errors.denied.code);
  const long = await world.east.call(calls.chartCounter, { create_at_start: 1, create_at_end: api.clock.now() });
  expect(long.code).toBe(errors.bad_input.code);
});

test('the ledger check reports the amount of a difference, but not to operators of another branch', async () => {
  expect((await world.east.call(calls.check, {})).data).toMatchObject({ balanced: true, off: '0.00' });
  const broken = sql`update ledger_account set amount = amount + 0.01 where agent_id = ${far.agent_id} and kind = 'revenue'`;
  await broken.execute(api.db);
  expect((await world.admin.call(calls.check, {})).data).toMatchObject({ balanced: false, off: '0.01' });
  expect((await world.east.call(calls.check, {})).data.balanced, 'another branch is not visible').toBe(true);
  await sql`update ledger_account set amount = amount - 0.01 where agent_id = ${far.agent_id} and kind = 'revenue'`.execute(api.db);
});

test('bills are exported in the background; the platform sees the exports but cannot download the files', async () => {
  const started = await Promise.all([
    world.east.call(calls.exportCounter, { format: 'csv', expense_type: 'recharge', income: '50', cond_income: 'gt' }),
    world.east.call(calls.exportOnline, { format: 'xlsx' }),
    world.east.call(userBillCalls.export, { format: 'csv' }),
  ]);
  expect((await world.east.call(calls.exportCard, { format: 'csv', card_number: 'none' })).code).toBe(errors.export_empty.code);
  const jobs = startJobs(api.deps, exportJobs(billExports), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  const { data } = await world.east.call(billExportLogCalls.list, { limit: 100 });
  const of = (kind: string) => data.list.find((row) => row.kind === kind);
  expect(data.list.map((row) => row.kind).sort()).toEqual(['counter', 'electronic', 'user']);
  expect(of('counter')).toMatchObject({
    status: 1,
    total: 1,
    progress: 100,
    condition: '费用类型: 充值; 收入 > 50.00',
    operator: expect.any(String),
  });
  expect(of('electronic')).toMatchObject({ status: 1, total: 4 });
  const [counter] = started;
  expect(of('counter')?.file_url).toBe(`export/download/${counter?.data.id}`);
  const file = await fetch(`${api.base}/agt/v1/${of('counter')?.file_url}`, {
    headers: { authorization: world.east.session?.token ?? '' },
  });
  const text = await file.text();
  expect(text).toContain('98.00');
  expect(text.trim().split('\n')).toHaveLength(2);

  const above = await world.admin.call(billExportLogCalls.list, { kind: 'counter' });
  expect(above.data.list[0], 'visible to the platform, downloadable only by the requester').toMatchObject({ status: 1, file_url: null });
  expect((await world.admin.call(exportCalls.download, { id: counter?.data.id })).code).toBe(errors.not_found.code);
  expect((await world.west.call(billExportLogCalls.list, {})).data.total).toBe(0);
});

test('periods that are bought together are one row for the user until they begin, and share the amount to the cent', async () => {
  const pkg = await billing.makePackage({ price: '10.00' });
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, pkg);
  const renewal = { ids: [id], kind: 'package', count: 30, pay_method: 'cash', discount: '0.01' };
  expect((await world.east.call(moneyCalls.recharge, renewal)).data.success).toBe(1);
  const periods = async () => (await world.east.call(userPackageCalls.list, { user_id: id })).data.list.map((row) => row.period).sort();
  const total = async () => (await world.east.call(userPackageCalls.list, { package_id: pkg.id })).data.total;
  expect(await periods()).toEqual([null, '第1期，共30期']);
  expect(await total()).toBe(31);
  const [, first, second] = await billing.holdings(id);
  await api.db
    .updateTable('holding')
    .set({ activated_at: api.clock.now() })
    .where('id', 'in', [first?.id ?? 0, second?.id ?? 0])
    .execute();
  expect(await periods()).toEqual([null, '第1期，共30期', '第2期，共30期']);
  const prices = (await billing.holdings(id)).map(({ price }) => Number(price));
  expect(prices.reduce((sum, price) => sum + price, 0)).toBeCloseTo(10 + 299.99);
});

test('the list of user packages shows how much of each package is used', async () => {
  const pkg = await billing.makePackage({ package_type: 'time_flow', flow_capacity: 10, flow_unit: 'GB' });
  const { id, account } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, { activated_at: api.clock.now() - 15 * day, used_flow: 2 * gigabyte });
  await billing.grantHolding(id, hidden);
  const { data } = await world.east.call(userPackageCalls.list, { user_id: id });
  expect(data.list.find((row) => row.package_name === pkg.name)).toMatchObject({
    account,
    user_id: id,
    package_kind: '上网套餐',
    package_type: 'time_flow',
    package_status: 'normal',
    capacity: '30 天 + 10 GB',
    used_flow: 2 * gigabyte,
    used_time: 15 * day,
    usage: 50,
    expire_at: api.clock.now() + 15 * day,
  });
  const filtered = await world.east.call(userPackageCalls.list, {
    package_status: 'normal',
    package_type: 'time_flow',
    package_id: pkg.id,
  });
  expect(filtered.data.total).toBe(1);
  const unseen = await viewer.call(userPackageCalls.list, { user_id: id });
  expect(unseen.data.list.map((row) => row.package_name)).toContain(null);
  expect((await world.west.call(userPackageCalls.list, { user_id: id })).data.total).toBe(0);
  for (const orderby of ['account asc', 'start_at asc', 'create_at desc'])
    expect((await world.east.call(userPackageCalls.list, { orderby })).code, orderby).toBe(0);
  expect((await world.east.call(userPackageCalls.list, { orderby: 'used_flow desc' })).code).toBe(10001);
});

test('the right to view does not include the export', async () => {
  expect((await viewer.call(calls.exportCounter, { format: 'csv' })).code).toBe(errors.denied.code);
  expect((await viewer.call(calls.online, {})).code).toBe(errors.denied.code);
});
