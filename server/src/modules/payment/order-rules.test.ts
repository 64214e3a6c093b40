import { errors } from '@farlink/contract/errors.ts';
import { payOrderCalls as calls, payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { limits } from '@farlink/contract/limits.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantsOf } from '../../../test/api.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { startStandIn } from '../../domain/payment/stand-in/stand-in.ts';
import { configure, fileOf, formOf, must, type PayWorld, redirect, sendChannel, startPayWorld, unheard } from './test/pay-world.ts';

let w: PayWorld;
beforeAll(async () => {
  w = await startPayWorld();
});
afterEach(async () => {
  expect(await auditLedger(w.api.db)).toEqual([]);
});
afterAll(() => w.close());

const stateOf = async (id: number) => (await w.orderOf(id)).state;

describe('a withdrawal', () => {
  const notesOf = async (id: number, by = w.east) =>
    (await by.call(payOrderQuote.withdrawal, { ids: [id], lang: 'en' })).data.notes.map((note) => note.text);

  it('names account, VNO, sale and refund before, and answers the bill of the refund', async () => {
    const pkg = await w.billing.makePackage({ price: '33.33' });
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 3, user_id: account.id, channel: 'wechat' }));
    expect(await notesOf(order.id)).toEqual([
      `Account ${account.account}, VNO VNO east`,
      `Order ${order.order_no}, not billed`,
      `${pkg.name}: ¥33.33 × 3 = ¥99.99`,
      'Not paid yet: the order is closed, nothing is refunded',
    ]);
    await w.standIn.pay(order.order_no);
    const { bill_no } = must(await w.east.call(calls.read, { id: order.id }));
    expect(await notesOf(order.id)).toEqual([
      `Account ${account.account}, VNO VNO east`,
      `Order ${order.order_no}, bill ${bill_no}`,
      `${pkg.name}: ¥33.33 × 3 = ¥99.99`,
      'Refund ¥99.99 to the payer (WeChat Pay)',
    ]);
    expect((await w.west.call(payOrderQuote.withdrawal, { ids: [order.id] })).code).toBe(errors.not_found.code);
    const reply = must(await w.withdraw(order.id));
    expect(reply).toEqual({ bill_no: `${bill_no}R`, amount: '99.99' });
    const receipt = must(await w.east.call(receiptCalls.read, { bill_no: reply.bill_no }));
    expect(receipt).toMatchObject({ expense_type: 'refund', expend: '99.99', net_income: '-99.99', online_no: bill_no, card_no: null });
  });

  it('of an order that was not paid makes no bill', async () => {
    const { id, account } = await w.newOrder('alipay');
    expect(must(await w.withdraw(id))).toEqual({ bill_no: null, amount: '50.29' });
    expect(await w.billing.bills(account.id)).toEqual([]);
  });

  it('is not needed if the quote shows that the channel is off', async () => {
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, await w.billing.makePackage(), { activated_at: w.api.clock.now() });
    const input = { account: account.account, channel: 'alipay', expense_type: 'recharge', kind: 'amount', amount: '10' };
    const ask = async () => must(await w.east.call(payOrderQuote.quote, input)).notes.map((note) => note.text);
    expect(await ask()).not.toContain(errors.pay_channel_off.text[0]);
    const off = (status: 0 | 1) => w.api.db.updateTable('payment_channel').set({ status }).where('channel', '=', 'alipay').execute();
    await off(0);
    expect(await ask()).toEqual([errors.pay_channel_off.text[0]]);
    await off(1);
  });
});

describe('what an order sells', () => {
  it('is the current package again, unused until it is begun', async () => {
    const pkg = await w.billing.makePackage({ price: '33.33' });
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 3, user_id: account.id }));
    expect(order).toMatchObject({ amount: '99.99', package_name: pkg.name });
    await w.standIn.pay(order.order_no);
    expect(await w.billing.holdings(account.id)).toHaveLength(4);
    expect(await w.billing.bills(account.id)).toMatchObject([{ expense_type: 'recharge', income: '99.99', package_id: pkg.id, count: 3 }]);
    must(await w.withdraw(order.id));
    const left = (await w.billing.holdings(account.id)).filter((h) => h.expire_at === null);
    expect(left).toHaveLength(1);
    expect(left[0]?.activated_at).not.toBeNull();
  });

  it('is an extra package, which cannot be refunded once it is used', async () => {
    const pkg = await w.billing.makePackage();
    const extra = await w.billing.makePackage({ ...w.billing.flow, kind: 'extra', price: '10.00' });
    const account = await w.billing.makeAccount();
    const input = { expense_type: 'extra_package', package_id: extra.id, count: 2, account: account.account };
    expect((await w.orderBy(w.east, input)).code).toBe(errors.extra_needs_package.code);
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, input));
    await w.standIn.pay(order.order_no);
    expect(await w.billing.bills(account.id)).toMatchObject([{ expense_type: 'extra_package', income: '20.00' }]);
    const stored = (await w.billing.holdings(account.id)).filter((h) => h.package_id === extra.id);
    expect(stored).toHaveLength(2);
    await w.api.db
      .updateTable('holding')
      .set({ activated_at: w.api.clock.now(), used_flow: 1 })
      .where('id', '=', stored[0]?.id ?? 0)
      .execute();
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_used.code);
    expect(await w.orderOf(order.id)).toMatchObject({ state: 'paid', withdraw_at: null });
  });

  it('gives the packages back when the refund is refused', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 2, user_id: account.id }));
    await w.standIn.pay(order.order_no);
    w.standIn.refund(order.order_no);
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_refused.code);
    expect((await w.billing.holdings(account.id)).filter((h) => h.expire_at === null)).toHaveLength(3);
  });

  it('gives back the packages of the refused refund and not those of another that went through in the same second', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const renewal = { kind: 'package', count: 1, user_id: account.id };
    const cheap = must(await w.orderBy(w.east, renewal));
    await w.api.db.updateTable('package').set({ price: '120.00' }).where('id', '=', pkg.id).execute();
    const dear = must(await w.orderBy(w.east, renewal));
    for (const { order_no } of [cheap, dear]) await w.standIn.pay(order_no);
    w.standIn.refund(cheap.order_no);
    must(await w.withdraw(dear.id));
    expect((await w.withdraw(cheap.id)).code).toBe(errors.pay_refused.code);
    const left = (await w.billing.holdings(account.id)).filter((h) => h.expire_at === null && h.activated_at === null);
    expect(left.map((h) => h.price)).toEqual(['98.00']);
  });

  it('cannot be refunded once the account that used it is deleted', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 1, user_id: account.id }));
    await w.standIn.pay(order.order_no);
    await w.api.db.updateTable('holding').set({ activated_at: w.api.clock.now() }).where('subscriber_id', '=', account.id).execute();
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_used.code);
    must(await w.east.call(userCalls.forbid, { ids: [account.id], operate: 'disable' }));
    expect(must(await w.east.call(userCalls.remove, { ids: [account.id] })).success).toBe(1);
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_used.code);
    expect(await w.orderOf(order.id)).toMatchObject({ state: 'paid', withdraw_at: null });
  });

  it('is kept as balance when the package ended before the payment came', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 1, user_id: account.id }));
    await w.api.db.updateTable('package').set({ expire_at: w.api.clock.now() }).where('id', '=', pkg.id).execute();
    await w.standIn.pay(order.order_no);
    expect(await w.balance(account.id)).toBe('98.00');
    expect(await w.billing.holdings(account.id)).toHaveLength(1);
    must(await w.withdraw(order.id));
    expect(await w.balance(account.id)).toBe('0.00');
  });

  it('is entered as revenue when the account is no more', async () => {
    const { id, order_no, account } = await w.newOrder();
    await w.api.db.deleteFrom('subscriber').where('id', '=', account.id).execute();
    expect(await w.standIn.pay(order_no)).toMatchObject({ accepted: true });
    const [bill] = await w.api.db.selectFrom('ledger_entry').selectAll().where('order_id', '=', id).execute();
    expect(bill).toMatchObject({ income: '50.29', expense_type: 'recharge', subscriber_id: null });
  });

  it('is refused to a job account before any money moves', async () => {
    const account = await w.billing.makeAccount({ account_type: 'job' });
    expect((await w.orderBy(w.east, { kind: 'amount', amount: '1', user_id: account.id })).code).toBe(errors.recharge_job.code);
    expect(await w.api.db.selectFrom('pay_order').select('id').where('subscriber_id', '=', account.id).execute()).toEqual([]);
  });

  it.each([
    [{ kind: 'amount', amount: '0' }, 'amount'],
    [{ kind: 'amount', amount: '1.001' }, 'amount'],
    [{ kind: 'amount', amount: '100000000' }, 'amount'],
    [{ kind: 'package', count: 0 }, 'count'],
    [{ expense_type: 'extra_package', count: 1 }, 'package_id'],
    [{ kind: 'amount', amount: '1', channel: 'cash' }, 'channel'],
    [{ kind: 'amount', amount: '1', user_id: undefined }, 'account'],
  ])('is judged like every form: %j at %s', async (input, field) => {
    const account = await w.billing.makeAccount();
    const reply = await w.orderBy(w.east, { user_id: account.id, ...input });
    expect(reply).toMatchObject({ code: errors.bad_input.code, data: { fields: { [field]: expect.any(String) } } });
  });
});

describe('whose channel and whose order', () => {
  it('is the nearest that is enabled; the books are those of the account', async () => {
    const own = await configure(w.api, w.standIn, w.east);
    const order = await w.newOrder();
    expect(await w.orderOf(order.id)).toMatchObject({ channel_id: own.wechat, agent_id: w.eastId });
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('id', '=', own.wechat).execute();
    expect(await w.orderOf((await w.newOrder()).id)).toMatchObject({ channel_id: w.channelIds.wechat, agent_id: w.eastId });
    // The earlier order is still paid through its original channel.
    expect(await w.standIn.pay(order.order_no)).toMatchObject({ accepted: true });
  });

  it('is none if no VNO above has one enabled', async () => {
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('id', '=', w.channelIds.alipay).execute();
    const account = await w.billing.makeAccount();
    const ask = { channel: 'alipay', kind: 'amount', amount: '1', user_id: account.id };
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('agent_id', '=', w.eastId).execute();
    expect((await w.orderBy(w.east, ask)).code).toBe(errors.pay_channel_off.code);
    await w.api.db.updateTable('payment_channel').set({ status: 1 }).where('id', '=', w.channelIds.alipay).execute();
    expect((await w.orderBy(w.east, ask)).code).toBe(0);
  });

  it('is that of its merchant until it is paid or closed: no other one receives the notification', async () => {
    const { id, order_no } = await w.newOrder('wechat');
    const channelId = (await w.orderOf(id)).channel_id ?? 0;
    const save = async (more: object) => {
      const row = w.api.db.selectFrom('payment_channel').select('version').where('id', '=', channelId);
      const { version } = await row.executeTakeFirstOrThrow();
      return sendChannel(w.api, w.admin, channelId, { ...formOf(w.standIn, 'wechat'), version, ...more });
    };
    expect((await save({ merchant_id: '1234567890' })).data).toHaveProperty('fields.merchant_id');
    expect((await save({ app_id: 'wx0123456789abcdef' })).data).toHaveProperty('fields.app_id');
    expect((await save({ app_secret: 'another' })).code).toBe(0);
    expect(await w.standIn.pay(order_no)).toMatchObject({ accepted: true });
  });

  it('belongs to its branch: another VNO finds neither account nor order', async () => {
    const { id, account } = await w.newOrder();
    expect((await w.west.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await w.withdraw(id, w.west)).code).toBe(errors.not_found.code);
    const ask = { kind: 'amount', amount: '1' };
    expect((await w.orderBy(w.west, { ...ask, user_id: account.id })).code).toBe(errors.not_found.code);
    expect((await w.orderBy(w.west, { ...ask, account: account.account })).data).toEqual({ fields: { account: '账号不存在' } });
    expect(must(await w.admin.call(calls.read, { id })).state).toBe('waiting');
  });

  it('is shown and not made or withdrawn with show only', async () => {
    const { id } = await w.newOrder();
    await makeStaff(w.east, 'order_reader', await makeRole(w.east, 'orders', grantsOf(['bill_online'], '10')));
    const reader = await w.api.login('order_reader');
    expect(must(await reader.call(calls.read, { id })).state).toBe('waiting');
    expect((await w.withdraw(id, reader)).code).toBe(errors.denied.code);
    expect((await w.orderBy(reader, { kind: 'amount', amount: '1', account: 'x' })).code).toBe(errors.denied.code);
  });

  it('is in the operator log: what was made, withdrawn and refused', async () => {
    const { order_no, id, account } = await w.newOrder();
    await w.withdraw(id);
    await w.withdraw(id);
    const rows = await w.api.db.selectFrom('syslog').selectAll().where('module', '=', 'finance').orderBy('id', 'desc').limit(3).execute();
    expect(rows.map((r) => [r.result, r.content_en])).toEqual([
      ['fail', 'Withdraw a payment order'],
      ['success', `Withdrew payment order ${order_no}`],
      ['success', `Created payment order ${order_no} for ${account.account}`],
    ]);
    expect(rows[2]?.subject).toBe(`subscriber:${account.id}`);
  });
});

describe('a provider that does not answer', () => {
  const broken = 'http://127.0.0.1:9';

  it('keeps the order waiting until the result is known, without moving money', async () => {
    const gateway = w.standIn.credentials.wechat.gateway ?? '';
    await redirect(w.api, w.channelIds.wechat, broken);
    const account = await w.billing.makeAccount();
    expect((await w.orderBy(w.east, { kind: 'amount', amount: '5', user_id: account.id })).code).toBe(errors.pay_unclear.code);
    const [order] = await w.api.db.selectFrom('pay_order').selectAll().where('subscriber_id', '=', account.id).execute();
    expect(order).toMatchObject({ state: 'waiting', pay_url: null });
    await w.advance(limits.payOrderS);
    await w.run('pay_sweep');
    expect(await stateOf(order?.id ?? 0)).toBe('waiting');
    await redirect(w.api, w.channelIds.wechat, gateway);
    await w.advance(60);
    await w.run('pay_sweep');
    expect(await stateOf(order?.id ?? 0)).toBe('expired');
  });

  it('gets its refund asked for again, and never twice', async () => {
    const gateway = w.standIn.credentials.wechat.gateway ?? '';
    const { id, order_no, account } = await w.newOrder();
    await w.standIn.pay(order_no);
    await redirect(w.api, w.channelIds.wechat, broken);
    expect((await w.withdraw(id)).code).toBe(errors.pay_unclear.code);
    expect(await w.orderOf(id)).toMatchObject({ state: 'paid', withdraw_at: w.api.clock.now() });
    expect((await w.withdraw(id)).code).toBe(errors.pay_withdrawing.code);
    // The provider cannot be reached now: the result of the first attempt stays unknown.
    const { secrets } = await w.api.db
      .selectFrom('payment_channel')
      .select('secrets')
      .where('id', '=', w.channelIds.wechat)
      .executeTakeFirstOrThrow();
    const keep = (value: string | null) =>
      w.api.db.updateTable('payment_channel').set({ secrets: value }).where('id', '=', w.channelIds.wechat).execute();
    await keep(null);
    await redirect(w.api, w.channelIds.wechat, gateway);
    await w.advance(120);
    await w.run('pay_sweep');
    expect(await w.orderOf(id)).toMatchObject({ state: 'paid', withdraw_at: w.api.clock.now() - 120 });
    await keep(secrets);
    await redirect(w.api, w.channelIds.wechat, gateway);
    await w.advance(120);
    await w.run('pay_sweep');
    expect(await stateOf(id)).toBe('withdrawn');
    expect(await w.balance(account.id)).toBe('0.00');
    expect(await w.billing.bills(account.id)).toMatchObject([{ state: 'revoked' }, { expend: '50.29' }]);
  });

  it('with a renewed certificate reports it, and no refund counts as refused', async () => {
    const { id, order_no, account } = await w.newOrder('alipay');
    await w.standIn.pay(order_no);
    const other = await startStandIn({ clock: w.api.clock });
    const renew = async (alipay_cert: string) => {
      const { version } = await w.api.db
        .selectFrom('payment_channel')
        .select('version')
        .where('id', '=', w.channelIds.alipay)
        .executeTakeFirstOrThrow();
      const file = fileOf(alipay_cert, 'alipay.crt');
      must(await sendChannel(w.api, w.admin, w.channelIds.alipay, { ...formOf(w.standIn, 'alipay'), alipay_cert: file, version }));
    };
    await renew(other.credentials.alipay.alipay_cert);
    await other.stop();
    const buyer = { channel: 'alipay', kind: 'amount', amount: '5', user_id: account.id };
    expect((await w.orderBy(w.east, buyer)).code).toBe(errors.pay_cert_renewed.code);
    expect((await w.withdraw(id)).code).toBe(errors.pay_cert_renewed.code);
    expect(await w.orderOf(id)).toMatchObject({ state: 'paid', withdraw_at: w.api.clock.now() });
    await renew(w.standIn.credentials.alipay.alipay_cert);
    await w.advance(120);
    await w.run('pay_sweep');
    expect(await stateOf(id)).toBe('withdrawn');
    expect(await w.balance(account.id)).toBe('0.00');
  });

  it('is refused with the reason of the provider, and nothing remains', async () => {
    const stranger = await startStandIn({ clock: w.api.clock });
    await redirect(w.api, w.channelIds.wechat, stranger.credentials.wechat.gateway ?? '');
    const account = await w.billing.makeAccount();
    const reply = await w.orderBy(w.east, { kind: 'amount', amount: '5', user_id: account.id });
    await redirect(w.api, w.channelIds.wechat, w.standIn.credentials.wechat.gateway ?? '');
    await stranger.stop();
    expect(reply).toMatchObject({ code: errors.pay_refused.code, msg: '支付平台拒绝了请求：签名错误' });
    expect(await w.api.db.selectFrom('pay_order').select('id').where('subscriber_id', '=', account.id).execute()).toEqual([]);
  });

  it('delays only its own orders, for any number of them', async () => {
    const { id, order_no } = await w.newOrder('alipay');
    await unheard(() => w.standIn.pay(order_no));
    const { id: _, ...like } = await w.orderOf(id);
    const old = { ...like, channel: 'wechat' as const, channel_id: w.channelIds.wechat, expire_at: like.expire_at - 60 };
    const rows = Array.from({ length: 120 }, (_, i) => ({ ...old, order_no: `DEAD${i}` }));
    await w.api.db.insertInto('pay_order').values(rows).execute();
    await redirect(w.api, w.channelIds.wechat, broken);
    await w.advance(limits.payOrderS);
    await w.run('pay_sweep');
    await redirect(w.api, w.channelIds.wechat, w.standIn.credentials.wechat.gateway ?? '');
    expect(await stateOf(id)).toBe('paid');
    await w.api.db.deleteFrom('pay_order').where('order_no', 'like', 'DEAD%').execute();
  });
});
