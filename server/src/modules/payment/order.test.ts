import { errors } from '@farlink/contract/errors.ts';
import { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import { limits } from '@farlink/contract/limits.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forged } from '../../../test/payment/forge.ts';
import { channels, configure, isAccepted, must, type PayWorld, startPayWorld, withLostCallbacks } from '../../../test/payment/pay-world.ts';
import { buildApp } from '../../app.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';

let w: PayWorld;
const logged: unknown[] = [];
beforeAll(async () => {
  w = await startPayWorld();
  for (const level of ['warn', 'error'] as const) w.api.deps.log[level] = (...output: unknown[]) => logged.push(output);
});
afterEach(async () => {
  expect(await auditLedger(w.api.db)).toEqual([]);
});
afterAll(() => w.close());

const stateOf = async (id: number) => (await w.orderOf(id)).state;
/** The order is open and nothing is billed. */
const expectUnpaid = async ({ id, account }: { id: number; account: { id: number } }) => {
  expect(await stateOf(id)).toBe('waiting');
  expect(await w.billing.bills(account.id)).toEqual([]);
};

describe.each(channels)('an order of %s', (channel) => {
  it('creates one bill and adds to the balance when it is paid', async () => {
    const { id, order_no, pay_url, account } = await w.newOrder(channel);
    expect(order_no).toMatch(/^P\d{8}[0-9A-Z]{10}$/);
    const before = must(await w.east.call(calls.read, { id }));
    expect(before).toMatchObject({ state: 'waiting', pay_url, amount: '50.29', user_name: account.name });
    expect(await w.standIn.pay(order_no)).toEqual({ accepted: true, tries: 1 });
    const after = must(await w.east.call(calls.read, { id }));
    expect(after).toMatchObject({ state: 'paid', pay_url: null, pay_at: w.api.clock.now() });
    expect(await w.balance(account.id)).toBe('50.29');
    const bill = { cause: `order:${order_no}`, channel: 'online', pay_method: channel, income: '50.29', agent_id: w.eastId, order_id: id };
    expect(await w.billing.bills(account.id)).toMatchObject([{ ...bill, expense_type: 'recharge', operator: expect.any(String) }]);
  });

  it('is booked once, even with 50 concurrent callbacks and a query', async () => {
    const { id, order_no, account } = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(order_no));
    const callback = Array.from({ length: 50 }, () => isAccepted(w.standIn.callbackOf(order_no)));
    const [, ...replies] = await Promise.all([w.run('pay_check'), ...callback]);
    expect(replies).toEqual(replies.map(() => true));
    expect(await stateOf(id)).toBe('paid');
    expect(await w.billing.bills(account.id)).toHaveLength(1);
    expect(await w.balance(account.id)).toBe('50.29');
    expect(await w.api.db.selectFrom('pay_event').selectAll().where('order_id', '=', id).execute()).toHaveLength(1);
  });

  it('is not booked by a callback that is altered, empty or unsigned', async () => {
    const order = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(order.order_no));
    const callback = w.standIn.callbackOf(order.order_no);
    const changed = callback.body.replace('50.29', '90.29').replace(/"ciphertext":"./, '"ciphertext":"-');
    expect(changed).not.toBe(callback.body);
    expect(await isAccepted({ ...callback, body: changed })).toBe(false);
    expect(await isAccepted({ ...callback, body: '' })).toBe(false);
    expect(await isAccepted({ ...callback, headers: { 'content-type': 'application/json' }, body: '{"id":1}' })).toBe(false);
    await expectUnpaid(order);
  });

  it('is not booked for another amount, currency, merchant or app', async () => {
    const order = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(order.order_no));
    const claims =
      channel === 'alipay'
        ? [{ total_amount: '50.28' }, { trans_currency: 'USD' }, { seller_id: '2088000000000002' }, { app_id: '2021000000000002' }]
        : [
            { amount: { total: 5028, currency: 'CNY' } },
            { amount: { total: 5029, currency: 'USD' } },
            { mchid: '1900000002' },
            { appid: 'wx2' },
          ];
    for (const claim of claims)
      expect(await isAccepted(forged(w.standIn, channel, order.order_no, (content) => ({ ...content, ...claim })))).toBe(false);
    await expectUnpaid(order);
    expect(await isAccepted(forged(w.standIn, channel, order.order_no, (content) => content))).toBe(true);
    expect(await stateOf(order.id)).toBe('paid');
  });

  it('is not booked with the trade number of another order', async () => {
    const first = await w.newOrder(channel);
    const second = await w.newOrder(channel);
    await w.standIn.pay(first.order_no);
    await withLostCallbacks(() => w.standIn.pay(second.order_no));
    const { trade_no } = await w.orderOf(first.id);
    const claim = channel === 'alipay' ? { trade_no } : { transaction_id: trade_no };
    expect(await isAccepted(forged(w.standIn, channel, second.order_no, (content) => ({ ...content, ...claim })))).toBe(false);
    await expectUnpaid(second);
  });

  it('is not booked through the channel of another VNO, or an unknown channel', async () => {
    const order = await w.newOrder(channel);
    const other = await configure(w.api, w.standIn, w.west);
    await withLostCallbacks(() => w.standIn.pay(order.order_no));
    const callback = w.standIn.callbackOf(order.order_no);
    const at = (id: number | string) => ({ ...callback, url: `${w.api.base}/agt/v1/pay/notify/${channel}/${id}` });
    for (const id of [other[channel], 999_999, 'x', -1]) expect(await isAccepted(at(id))).toBe(false);
    const [wrong] = channels.filter((c) => c !== channel);
    expect(await isAccepted({ ...callback, url: at(w.channelIds[channel]).url.replace(channel, wrong ?? '') })).toBe(false);
    await expectUnpaid(order);
    expect(await isAccepted(at(w.channelIds[channel]))).toBe(true);
  });

  it('is booked by a process that has just started', async () => {
    const order = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(order.order_no));
    const app = await buildApp({ ...w.api.deps });
    const base = await app.listen({ port: 0, host: '127.0.0.1' });
    const callback = w.standIn.callbackOf(order.order_no);
    expect(await isAccepted({ ...callback, url: callback.url.replace(w.api.base, base) })).toBe(true);
    await app.close();
    expect(await stateOf(order.id)).toBe('paid');
  });

  it('expires without a payment, and is still booked by a late callback', async () => {
    const never = await w.newOrder(channel);
    const late = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(late.order_no));
    await w.api.db.updateTable('pay_order').set({ state: 'expired' }).where('id', '=', late.id).execute();
    await w.advance(limits.payOrderS);
    await w.run('pay_sweep');
    expect(await stateOf(never.id)).toBe('expired');
    expect(await stateOf(late.id)).toBe('expired');
    expect(await isAccepted(w.standIn.callbackOf(late.order_no))).toBe(true);
    expect(await stateOf(late.id)).toBe('paid');
    expect(await w.balance(late.account.id)).toBe('50.29');
    expect(await w.billing.bills(never.account.id)).toEqual([]);
  });

  it('whose callback was lost is found as paid by a query, before and after it expires', async () => {
    const first = await w.newOrder(channel);
    const second = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(first.order_no));
    await w.run('pay_check');
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['paid', 'waiting']);
    await withLostCallbacks(() => w.standIn.pay(second.order_no));
    await w.advance(limits.payOrderS);
    await w.run('pay_sweep');
    expect(await stateOf(second.id)).toBe('paid');
  });

  it('can be withdrawn while it waits, and cannot be paid afterwards', async () => {
    const { id, pay_url } = await w.newOrder(channel);
    await fetch(pay_url ?? '');
    must(await w.withdraw(id));
    expect(await w.orderOf(id)).toMatchObject({ state: 'withdrawn', withdraw_customer_id: w.east.session?.uid });
    const page = await fetch(pay_url ?? '', { method: 'POST', body: new URLSearchParams({ do: 'pay' }) });
    expect(await page.text()).toContain('订单已关闭');
    expect((await w.withdraw(id)).code).toBe(errors.wrong_state.code);
  });

  it('is booked as paid if the withdrawal finds that it was paid', async () => {
    const { id, order_no } = await w.newOrder(channel);
    await withLostCallbacks(() => w.standIn.pay(order_no));
    expect((await w.withdraw(id)).code).toBe(errors.pay_already.code);
    expect(await stateOf(id)).toBe('paid');
  });

  it('is refunded once after payment, with a refund bill, and ignores a repeated callback', async () => {
    const { id, order_no, account } = await w.newOrder(channel);
    await w.standIn.pay(order_no);
    const callback = w.standIn.callbackOf(order_no);
    const replies = await Promise.all([w.withdraw(id), w.withdraw(id), w.withdraw(id)]);
    expect(replies.filter((a) => a.code === 0)).toHaveLength(1);
    expect(await stateOf(id)).toBe('withdrawn');
    expect(await w.balance(account.id)).toBe('0.00');
    expect(await w.billing.bills(account.id)).toMatchObject([{ state: 'revoked' }, { expense_type: 'refund', expend: '50.29' }]);
    expect(() => w.standIn.refund(order_no)).toThrow('refunded');
    expect(await isAccepted(callback)).toBe(true);
    expect(await stateOf(id)).toBe('withdrawn');
    expect(await w.billing.bills(account.id)).toHaveLength(2);
  });

  it('stays paid when the provider refuses the refund', async () => {
    const { id, order_no, account } = await w.newOrder(channel);
    await w.standIn.pay(order_no);
    w.standIn.refund(order_no);
    expect((await w.withdraw(id)).code).toBe(errors.pay_refused.code);
    expect(await w.orderOf(id)).toMatchObject({ state: 'paid', withdraw_at: null });
    expect(await w.balance(account.id)).toBe('50.29');
  });
});

it('payment processing writes no secrets to the log', () => {
  expect(logged.length).toBeGreaterThan(10);
  const output = JSON.stringify(logged, (_, value) => (value instanceof Error ? `${value.message} ${value.stack}` : value));
  const { our_key, api_key } = w.standIn.keys;
  for (const secret of [api_key, our_key.slice(60, 120), 'BEGIN', 'ciphertext']) expect(output).not.toContain(secret);
});
