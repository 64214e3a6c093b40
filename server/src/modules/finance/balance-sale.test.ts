import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { moneyCalls as calls, quoteCalls } from '@farlink/contract/user/money.ts';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';

let api: Api;
let east: Caller;
let clerk: Caller;
let billing: BillingFixture;

beforeAll(async () => {
  api = await startApi();
  const world = await makeBranches(api);
  east = world.east;
  billing = await makeBillingFixture(api, world.eastId, 'east');
  const id = await makeStaff(east, 'clerk', await makeRole(east, 'clerk', grantsOf(['user_list', 'user_package'])));
  await api.db.updateTable('customer').set({ income_limit: '1.00' }).where('id', '=', id).execute();
  clerk = await api.login('clerk');
});
afterEach(async () => expect(await auditLedger(api.db)).toEqual([]));
afterAll(() => api.close());

const inUse = () => ({ activated_at: api.clock.now() - day });
/** An account with a package in use and this balance. */
const makeBuyer = async (amount: string) => {
  const pkg = await billing.makePackage();
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, inUse());
  expect((await east.call(calls.recharge, { ids: [id], kind: 'amount', amount })).data.success).toBe(1);
  const balance = async () => (await billing.account(id)).balance;
  return { id, pkg, balance };
};
const makeExtra = (price: string) => billing.makePackage({ kind: 'extra', ...billing.flow, price });
const byBalance = { pay_method: 'balance' } as const;

test('a package is paid from the balance, and the money is counted once', async () => {
  const { id, balance } = await makeBuyer('120');
  // The clerk may collect one yuan: a payment from the balance is no cash.
  const reply = await clerk.call(calls.recharge, { ids: [id], kind: 'package', count: 1, discount: '8', ...byBalance });
  expect(reply.data).toMatchObject({ success: 1, list: [{ received: '0.00' }] });
  expect(await balance()).toBe('30.00');
  const [topUp, bill] = await billing.bills(id);
  expect(topUp).toMatchObject({ income: '120.00', net_income: '120.00', balance_part: '0.00' });
  expect(bill).toMatchObject({ pay_method: 'balance', income: '8.00', discount: '8.00', net_income: '0.00', balance_part: '90.00' });
  expect((await billing.holdings(id))[1]).toMatchObject({ price: '90.00', balance_part: '90.00' });
  const listed = await east.call(billCalls.counter, { page: 1, limit: 10, user_id: id, pay_method: 'balance' });
  expect(listed.data.list).toMatchObject([{ bill_no: bill?.bill_no, balance_part: '90.00', net_income: '0.00' }]);
  const receipt = await clerk.call(receiptCalls.read, { bill_no: bill?.bill_no ?? '' });
  expect(receipt.data).toMatchObject({ income: '98.00', price: '98.00', discount: '8.00', balance_part: '90.00', net_income: '0.00' });
});

test('a balance that is too small refuses the sale at the method, and the quote says so', async () => {
  const { id, balance } = await makeBuyer('5');
  const extra = await makeExtra('5.55');
  const sale = { ids: [id], package_id: extra.id, count: 1, ...byBalance };
  const message = 'The balance is ¥5.00, which does not cover ¥5.55';
  const refused = await clerk.call(calls.addPackage, { ...sale, lang: 'en' });
  expect(refused.data.list).toEqual([{ id, success: false, message, field: 'pay_method' }]);
  expect(await balance()).toBe('5.00');
  const quote = (more: object) => clerk.call(quoteCalls.addPackage, { ...sale, ...more, lang: 'en' });
  expect((await quote({})).data.notes).toEqual([{ text: expect.stringContaining(message), tone: 'warning' }]);
  const texts = (await quote({ discount: '1' })).data.notes.map(({ text }: { text: string }) => text);
  expect(texts).toContain('Paid from the balance ¥4.55');
  expect(texts).toContain('Balance ¥5.00, after this sale ¥0.45');
  expect(texts).toContain('Amount due ¥0.00');
});

test('of concurrent sales only those that the balance covers are made', async () => {
  const { id, balance } = await makeBuyer('25');
  const extra = await makeExtra('10');
  const sale = { ids: [id], package_id: extra.id, count: 1, ...byBalance };
  const replies = await Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 ? east : clerk).call(calls.addPackage, sale)));
  expect(replies.filter(({ data }) => data.success === 1)).toHaveLength(2);
  expect(await balance()).toBe('5.00');
  expect(await billing.holdings(id)).toHaveLength(3);
});

test('a change of package returns to the balance what was paid from it', async () => {
  const { id, pkg, balance } = await makeBuyer('200');
  const other = await billing.makePackage({ price: '50.00' });
  const renewed = await east.call(calls.recharge, { ids: [id], kind: 'package', count: 1, ...byBalance });
  expect(renewed.data.success).toBe(1);
  expect(await balance()).toBe('102.00');
  // Of the package in use a day of thirty is used; it was paid in cash. The waiting one was paid from the balance.
  const change = { ids: [id], package_id: other.id, effect: 'now', pay_method: 'cash' };
  const quote = await east.call(quoteCalls.changePackage, { ...change, lang: 'en' });
  expect(quote.data.notes.map(({ text }: { text: string }) => text)).toContain('Of this, ¥98.00 returns to the balance');
  expect((await east.call(calls.changePackage, change)).data).toMatchObject({ success: 1, list: [{ received: '-44.73' }] });
  expect(await balance()).toBe('200.00');
  const bill = (await billing.bills(id)).at(-1);
  expect(bill).toMatchObject({ pay_method: 'cash', income: '50.00', expend: '94.73', net_income: '-44.73', balance_part: '-98.00' });
  // Settled against the balance, no money moves.
  expect((await clerk.call(calls.changePackage, { ...change, package_id: pkg.id, ...byBalance })).data.success).toBe(1);
  expect(await balance()).toBe('152.00');
  expect((await billing.bills(id)).at(-1)).toMatchObject({ income: '0.00', expend: '0.00', balance_part: '48.00' });
});

test('a batch refuses the accounts whose balance is too small, and sells to the others', async () => {
  const rich = await makeBuyer('10');
  const poor = await makeBuyer('1');
  const extra = await makeExtra('10');
  const reply = await east.call(calls.addPackage, { ids: [rich.id, poor.id], package_id: extra.id, count: 1, ...byBalance });
  expect(reply.data).toMatchObject({ success: 1, fail: 1 });
  expect([await rich.balance(), await poor.balance()]).toEqual(['0.00', '1.00']);
});

test('a top-up and a new account cannot be paid from a balance', async () => {
  const { id } = await makeBuyer('10');
  const topUp = await east.call(calls.recharge, { ids: [id], kind: 'amount', amount: '10', ...byBalance });
  expect(topUp.code).toBe(errors.bad_input.code);
  expect(Object.keys(fieldsOf(topUp))).toEqual(['pay_method']);
  const opened = await east.call(addCalls.add, { account_source: 'counter', account_type: 'personal', ...byBalance });
  expect(Object.keys(fieldsOf(opened))).toContain('pay_method');
});
