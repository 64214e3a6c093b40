import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../test/payment/pay-world.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { auditLedger } from '../domain/ledger/check-ledger.ts';

let w: PortalWorld;
beforeAll(async () => {
  w = await startPortalWorld();
});
afterEach(async () => expect(await auditLedger(w.api.db)).toEqual([]));
afterAll(() => w.close());

const ordersOf = (subscriberId: number) =>
  w.api.db.selectFrom('pay_order').selectAll().where('subscriber_id', '=', subscriberId).orderBy('id').execute();
const balances = (id: number) => w.balance(id);
/** A subscriber with this balance who is logged in. */
const makeBuyer = async (amount: string, lang = 'en/') => {
  const account = await w.account();
  expect((await w.east.call(moneyCalls.recharge, { ids: [account.id], kind: 'amount', amount })).data.success).toBe(1);
  return { ...account, home: await w.enter(account.account, crewPassword, lang) };
};
const newNo = (text: string) => /name="no" value="([^"]+)"/.exec(text)?.[1] ?? '';

describe('a purchase from the balance', () => {
  test('is one order with one bill, also after several clicks, and is returned to the balance by the console', async () => {
    const buyer = await makeBuyer('120');
    const pkg = await w.billing.makePackage({ price: '98.37', name: 'Month' });
    const offer = await w.get(`${buyer.home}buy?package=${pkg.id}`);
    expect(offer.text).toContain('>Balance (¥120.00)</button>');
    const form = { package: String(pkg.id), channel: 'balance', no: newNo(offer.text) };
    const clicks = await Promise.all(Array.from({ length: 4 }, () => w.post(`${buyer.home}buy`, form)));
    expect(new Set(clicks.map(({ location }) => location)).size).toBe(1);
    expect((await w.get(clicks[0]?.location ?? '')).text).toContain('Paid: Month ¥98.37');
    expect(await balances(buyer.id)).toBe('21.63');
    const [order, ...others] = await ordersOf(buyer.id);
    expect([order?.state, order?.channel, others]).toEqual(['paid', 'balance', []]);
    expect(await w.billing.holdings(buyer.id)).toMatchObject([{ package_id: pkg.id, price: '98.37', balance_part: '98.37' }]);
    const { list } = must(await w.east.call(billCalls.online, { page: 1, limit: 5, account: buyer.account, pay_method: 'balance' }));
    expect(list).toMatchObject([{ amount: '98.37', income: '0.00', net_income: '0.00', balance_part: '98.37', state: 'paid' }]);
    const quote = must(await w.east.call(payOrderQuote.withdrawal, { ids: [order?.id ?? 0], lang: 'en' }));
    expect(quote.notes.at(-1)).toEqual({ text: '¥98.37 returns to the balance', tone: 'total' });
    must(await w.withdraw(order?.id ?? 0));
    expect(await balances(buyer.id)).toBe('120.00');
    expect((await w.orderOf(order?.id ?? 0)).state).toBe('withdrawn');
    expect((await w.billing.account(buyer.id)).package_status).toBe('expired');
  });

  test('of a balance that is too small is refused', async () => {
    const buyer = await makeBuyer('5');
    const pkg = await w.billing.makePackage({ price: '5.01' });
    const reply = await w.post(`${buyer.home}buy`, { package: String(pkg.id), channel: 'balance' });
    expect(reply.status).toBe(errors.balance_short.status);
    expect([await ordersOf(buyer.id), await balances(buyer.id)]).toEqual([[], '5.00']);
  });
});

describe.each(['wechat', 'alipay'] as const)('a purchase with the rest by %s', (channel) => {
  const openMixed = async () => {
    const buyer = await makeBuyer('20');
    const pkg = await w.billing.makePackage({ price: '50.00' });
    const offer = await w.get(`${buyer.home}buy?package=${pkg.id}`);
    expect(offer.text).toContain('>¥20.00 of the balance +');
    const form = { package: String(pkg.id), channel, balance: '1' };
    const clicks = await Promise.all([w.post(`${buyer.home}buy`, form), w.post(`${buyer.home}buy`, form)]);
    const [order, ...others] = await ordersOf(buyer.id);
    expect(others).toEqual([]);
    if (!order) throw new Error('no order');
    return { buyer, pkg, form, order, location: clicks[0]?.location ?? '' };
  };
  const spend = async (buyer: { readonly home: string }, price: string) => {
    const pkg = await w.billing.makePackage({ price });
    return (await w.post(`${buyer.home}buy`, { package: String(pkg.id), channel: 'balance' })).status;
  };

  test('reserves the part until the order is paid, and a refund returns each part to its source', async () => {
    const { buyer, order, location } = await openMixed();
    const paying = await w.get(location);
    expect(paying.text).toContain('<dd>¥20.00</dd>');
    expect(paying.text).toContain('<dd class="price">¥30.00</dd>');
    expect(await spend(buyer, '0.01')).toBe(errors.balance_short.status);
    const refund = await w.east.call(moneyCalls.refundBalance, { ids: [buyer.id], pay_method: 'cash' });
    expect(refund.data.list[0]?.message).toBe(errors.balance_reserved.text[0]);
    expect(await w.standIn.pay(order.order_no)).toEqual({ accepted: true, tries: 1 });
    expect(await balances(buyer.id)).toBe('0.00');
    const bill = (await w.billing.bills(buyer.id)).at(-1);
    expect(bill).toMatchObject({ pay_method: channel, income: '30.00', net_income: '30.00', balance_part: '20.00' });
    const quote = must(await w.east.call(payOrderQuote.withdrawal, { ids: [order.id], lang: 'en' }));
    expect(quote.notes.slice(-2).map(({ text }: { text: string }) => text)).toEqual([
      expect.stringContaining('Refund ¥30.00'),
      '¥20.00 returns to the balance',
    ]);
    must(await w.withdraw(order.id));
    expect([await balances(buyer.id), (await w.orderOf(order.id)).state]).toEqual(['20.00', 'withdrawn']);
  });

  test('frees the part when it is cancelled or expires', async () => {
    const { buyer, order, location, form } = await openMixed();
    await w.post(`${location}/cancel`, {});
    const again = await w.post(`${buyer.home}buy`, form);
    expect(again.location).not.toContain(order.order_no);
    expect(await spend(buyer, '20')).toBe(errors.balance_short.status);
    await w.advance(3600);
    await w.run('pay_sweep');
    const home = await w.enter(buyer.account, crewPassword, 'en/');
    expect(await spend({ home }, '20')).toBe(303);
  });

  test('that is paid late, when the balance is spent, credits the payment', async () => {
    const { buyer, order } = await openMixed();
    await w.api.db.updateTable('pay_order').set({ state: 'expired' }).where('id', '=', order.id).execute();
    expect(await spend(buyer, '15')).toBe(303);
    await w.standIn.pay(order.order_no);
    expect(await balances(buyer.id)).toBe('35.00');
    expect((await w.get(`${buyer.home}pay/${order.order_no}`)).text).toContain('The ¥30.00 you paid are in your balance');
    must(await w.withdraw(order.id));
    expect(await balances(buyer.id)).toBe('5.00');
  });

  test('that the provider has closed is replaced by a new order at once', async () => {
    const { buyer, order, form } = await openMixed();
    await w.get(order.pay_url ?? '');
    w.standIn.expire(order.order_no);
    const { location = '' } = await w.post(`${buyer.home}buy`, form);
    expect(location).not.toContain(order.order_no);
    expect((await w.get(location)).text).toContain('http-equiv="refresh"');
    expect((await ordersOf(buyer.id)).map(({ state }) => state)).toEqual(['expired', 'waiting']);
  });
});
