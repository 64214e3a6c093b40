import { errors } from '@farlink/contract/errors.ts';
import { collectionCalls } from '@farlink/contract/finance/collection.ts';
import { handoverCalls as calls } from '@farlink/contract/finance/handover.ts';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { collectionExports } from './collection.ts';
import { handoverExports } from './handover.ts';

const pages = ['user_list', 'cash_handover', 'collection_day'];
let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let sailor: { readonly id: number };
let clerkId: number;
let clerk: Caller;
let cashier: Caller;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.childId, 'Child');
  sailor = await billing.makeAccount();
  const selling = await makeRole(world.child, 'Clerk', {
    ...grantsOf(['user_list']),
    ...grantsOf(['cash_handover', 'collection_day'], '10'),
  });
  clerkId = await makeStaff(world.child, 'till_clerk', selling, { name: '小王', income_limit_enable: true, income_limit: '100.00' });
  clerk = await api.login('till_clerk');
  await makeStaff(world.child, 'cashier_1', await makeRole(world.child, 'Cashier', grantsOf(pages)), { name: '老李' });
  cashier = await api.login('cashier_1');
});
afterAll(async () => {
  expect(await auditLedger(api.db)).toEqual([]);
  await api.close();
});

const topUp = (amount: string, pay_method: string) =>
  clerk.call(moneyCalls.recharge, { ids: [sailor.id], kind: 'amount', amount, pay_method });
const refund = (pay_method: string) => clerk.call(moneyCalls.refundBalance, { ids: [sailor.id], pay_method });
const cash = async () =>
  (await api.db.selectFrom('customer').select('income_used').where('id', '=', clerkId).executeTakeFirstOrThrow()).income_used;
const hand = (by: Caller, amount: string, customer_id = clerkId) => by.call(calls.create, { customer_id, amount, remark: '晚班' });

describe('cash of a clerk', () => {
  it('counts against the collection limit until it is handed over; other methods do not count', async () => {
    const noted = async (amount: string, pay_method = 'cash') =>
      (await clerk.call(quoteCalls.recharge, { ids: [sailor.id], kind: 'amount', amount, pay_method })).data.notes.slice(2);
    expect(await noted('90.00')).toEqual([{ text: '收款上限 ¥100.00，本次后还可收现金 ¥10.00' }]);
    expect(await noted('90.00', 'pos')).toEqual([]);
    expect((await topUp('90.00', 'cash')).data.success).toBe(1);
    expect(await noted('10.01')).toEqual([{ text: '收款上限 ¥100.00，只能再收现金 ¥10.00，请先交款', tone: 'warning' }]);
    expect((await topUp('500.00', 'pos')).data.success).toBe(1);
    expect(await cash()).toBe('90.00');
    expect((await topUp('10.01', 'cash')).data.list[0]?.message).toBe(errors.collection_limit.text[0]);

    expect((await cashier.call(calls.clerks)).data).toEqual({
      [clerkId]: { name: '小王 (till_clerk) · ¥90.00 · VNO child' },
    });
    const { data: quote } = await cashier.call(calls.quote, { customer_id: clerkId, amount: '80.00' });
    expect(quote.values).toEqual({ amount: '90.00' });
    expect(quote.notes.map(({ text }) => text)).toEqual([
      '持有现金 ¥90.00',
      '交款后剩余 ¥10.00',
      '收款上限 ¥100.00，交款后还可收现金 ¥90.00',
    ]);
    expect((await hand(cashier, '90.01')).data).toEqual({ fields: { amount: '交款人只持有现金¥90.00' } });
    const { data } = await hand(cashier, '80.00');
    expect(data.receipt_no).toMatch(new RegExp(`^H\\d{8}-${world.childId}-000001$`));
    expect(await cash()).toBe('10.00');
    expect((await topUp('90.00', 'cash')).data.success).toBe(1);
    expect((await topUp('0.01', 'cash')).data.success).toBe(0);
  });

  it('is received only by others with the right, of the same VNO or above', async () => {
    for (const by of [clerk, world.west]) expect((await hand(by, '1.00')).code).not.toBe(0);
    const ownId = cashier.session?.uid ?? 0;
    await api.db.updateTable('customer').set({ income_used: '5.00' }).where('id', '=', ownId).execute();
    expect((await hand(cashier, '1.00', ownId)).data).toHaveProperty('fields.customer_id');
    await api.db.updateTable('customer').set({ income_used: '0.00' }).where('id', '=', ownId).execute();
    expect((await hand(world.east, '50.00')).data.receipt_no).toMatch(/-000002$/);
  });

  it('is listed with receipts for both sides; the name of a receiver above is hidden', async () => {
    const shown = async (by: Caller) => (await by.call(calls.list, {})).data;
    const own = await shown(clerk);
    expect(own).toMatchObject({ total: 2, sums: { amount: '130.00' } });
    expect(own.list.map((row) => [row.amount, row.cash_before, row.cash_after, row.clerk, row.receiver])).toEqual([
      ['50.00', '100.00', '50.00', '小王', '上级运营商'],
      ['80.00', '90.00', '10.00', '小王', '老李'],
    ]);
    const [, first] = own.list;
    expect((await clerk.call(calls.read, { id: first?.id })).data).toMatchObject({
      receipt_no: first?.receipt_no,
      agent_name: 'VNO child',
      amount: '80.00',
      remark: '晚班',
    });
    expect((await shown(world.east)).list[0]).toMatchObject({ receiver: '测试人' });
    expect(await shown(world.west)).toMatchObject({ total: 0, sums: { amount: '0.00' } });
    expect((await world.west.call(calls.read, { id: first?.id })).code).toBe(errors.not_found.code);
  });

  it('that was entered wrongly is reversed once, not by the clerk, and counts again', async () => {
    const { data } = await hand(cashier, '5.00');
    const before = await cash();
    const reverse = (by: Caller, id: number) => by.call(calls.reverse, { id, remark: '金额有误' });
    for (const by of [clerk, world.west]) expect((await reverse(by, data.id)).code).not.toBe(0);
    const made = (await reverse(cashier, data.id)).data;
    expect(Number(await cash())).toBe(Number(before) + 5);
    expect((await cashier.call(calls.read, { id: made.id })).data).toMatchObject({
      amount: '-5.00',
      cash_before: before,
      remark: '金额有误',
    });
    for (const id of [data.id, made.id]) expect((await reverse(cashier, id)).code).toBe(errors.wrong_state.code);
    expect((await clerk.call(calls.list, {})).data).toMatchObject({ total: 4, sums: { amount: '130.00' } });
    expect((await world.child.call(staffCalls.remove, { id: clerkId })).code).toBe(errors.holds_cash.code);
  });

  it('is in the daily report by method, with refunds, and in its export', async () => {
    expect((await world.west.call(collectionCalls.list, {})).data.total).toBe(0);
    api.clock.advance(day);
    [clerk, cashier] = [await api.login('till_clerk'), await api.login('cashier_1')];
    expect((await refund('transfer')).data.success).toBe(1);
    const { data } = await clerk.call(collectionCalls.list, {});
    expect(data.sums).toEqual({ income: '680.00', expend: '680.00', net_income: '0.00' });
    expect(data.list.map((row) => [row.operator, row.pay_method, row.bills, row.income, row.expend]).sort()).toEqual([
      ['小王', 'cash', 2, '180.00', '0.00'],
      ['小王', 'pos', 1, '500.00', '0.00'],
      ['小王', 'transfer', 1, '0.00', '680.00'],
    ]);
    const today = dayStart(api.clock.now());
    expect((await clerk.call(collectionCalls.list, { day_start: today, day_end: today + day - 1 })).data.total).toBe(1);

    await cashier.call(collectionCalls.export, { format: 'csv' });
    await cashier.call(calls.export, { format: 'csv' });
    const jobs = startJobs(api.deps, exportJobs({ ...collectionExports, ...handoverExports }), { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    const tasks = await api.db.selectFrom('export_task').select(['title_en', 'state', 'row_count']).orderBy('id').execute();
    expect(tasks).toEqual([
      { title_en: 'daily report of collections', state: 1, row_count: 3 },
      { title_en: 'hand-overs of cash', state: 1, row_count: 4 },
    ]);
  });
});
