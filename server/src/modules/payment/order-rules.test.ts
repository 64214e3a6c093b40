import { errors } from '@farlink/contract/errors.ts';
import { payOrderCalls as calls, payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { limits } from '@farlink/contract/limits.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantsOf } from '../../../test/api.ts';
import {
  configure,
  fileOf,
  formOf,
  must,
  type PayWorld,
  redirect,
  sendChannel,
  startPayWorld,
  withLostCallbacks,
} from '../../../test/payment/pay-world.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';

let w: PayWorld;
beforeAll(async () => {
  w = await startPayWorld();
});
afterEach(async () => {
  expect(await auditLedger(w.api.db)).toEqual([]);
});
afterAll(() => w.close());

const stateOf = async (id: number) => (await w.orderOf(id)).state;

describe('quotes and withdrawals', () => {
  const notesOf = async (id: number, by = w.east) =>
    (await by.call(payOrderQuote.withdrawal, { ids: [id], lang: 'en' })).data.notes.map((note) => note.text);

  it('show account, VNO, sale and refund, and return the refund bill', async () => {
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
    const { data: holdings } = await w.east.call(userPackageCalls.list, { package_id: pkg.id, package_status: 'refunded' });
    expect(holdings.list.map(({ package_status }) => package_status)).toEqual(['refunded', 'refunded', 'refunded']);
    const { data: state } = await w.east.call(userDetailCalls.serviceStatus, { id: account.id });
    expect(state.holdings.filter(({ status }) => status === 'refunded')).toHaveLength(3);
    const receipt = must(await w.east.call(receiptCalls.read, { bill_no: reply.bill_no }));
    expect(receipt).toMatchObject({ expense_type: 'refund', expend: '99.99', net_income: '-99.99', online_no: bill_no, card_no: null });
  });

  it('create no bill for an order that was not paid', async () => {
    const { id, account } = await w.newOrder('alipay');
    expect(must(await w.withdraw(id))).toEqual({ bill_no: null, amount: '50.29' });
    expect(await w.billing.bills(account.id)).toEqual([]);
  });

  it('show that the payment channel is disabled', async () => {
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

describe('a payment order', () => {
  it('renews the current package, and its withdrawal removes the unused packages', async () => {
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

  it('adds an extra package, which cannot be refunded after use', async () => {
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

  it('keeps its packages if the provider refuses the refund', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 2, user_id: account.id }));
    await w.standIn.pay(order.order_no);
    w.standIn.refund(order.order_no);
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_refused.code);
    expect((await w.billing.holdings(account.id)).filter((h) => h.expire_at === null)).toHaveLength(3);
  });

  it('keeps its own packages after a refused refund, even if another order is refunded in the same second', async () => {
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

  it('cannot be refunded after use, even if the account is deleted', async () => {
    const pkg = await w.billing.makePackage();
    const account = await w.billing.makeAccount();
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
    const order = must(await w.orderBy(w.east, { kind: 'package', count: 1, user_id: account.id }));
    await w.standIn.pay(order.order_no);
    await w.api.db.updateTable('holding').set({ activated_at: w.api.clock.now() }).where('subscriber_id', '=', account.id).execute();
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_used.code);
    must(await w.east.call(userCalls.forbid, { ids: [account.id], operate: 'disable' }));
    expect(must(await w.east.call(userCalls.remove, { ids: [account.id], forfeit: '196.00' })).success).toBe(1);
    expect((await w.withdraw(order.id)).code).toBe(errors.pay_used.code);
    expect(await w.orderOf(order.id)).toMatchObject({ state: 'paid', withdraw_at: null });
  });

  it('adds its amount to the balance if the package expired before the payment', async () => {
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

  it('is billed even if the account was deleted before the payment', async () => {
    const { id, order_no, account } = await w.newOrder();
    await w.api.db.deleteFrom('subscriber').where('id', '=', account.id).execute();
    expect(await w.standIn.pay(order_no)).toMatchObject({ accepted: true });
    const [bill] = await w.api.db.selectFrom('ledger_entry').selectAll().where('order_id', '=', id).execute();
    expect(bill).toMatchObject({ income: '50.29', expense_type: 'recharge', subscriber_id: null });
  });

  it('is refused for a job account and not stored', async () => {
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
  ])('with %j is refused at field %s', async (input, field) => {
    const account = await w.billing.makeAccount();
    const reply = await w.orderBy(w.east, { user_id: account.id, ...input });
    expect(reply).toMatchObject({ code: errors.bad_input.code, data: { fields: { [field]: expect.any(String) } } });
  });
});

describe('payment orders', () => {
  it('use the nearest enabled channel, and belong to the VNO of the account', async () => {
    const own = await configure(w.api, w.standIn, w.east);
    const order = await w.newOrder();
    expect(await w.orderOf(order.id)).toMatchObject({ channel_id: own.wechat, agent_id: w.eastId });
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('id', '=', own.wechat).execute();
    expect(await w.orderOf((await w.newOrder()).id)).toMatchObject({ channel_id: w.channelIds.wechat, agent_id: w.eastId });
    // The earlier order is still paid through its original channel.
    expect(await w.standIn.pay(order.order_no)).toMatchObject({ accepted: true });
  });

  it('are refused if no VNO up to the platform has an enabled channel', async () => {
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('id', '=', w.channelIds.alipay).execute();
    const account = await w.billing.makeAccount();
    const ask = { channel: 'alipay', kind: 'amount', amount: '1', user_id: account.id };
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('agent_id', '=', w.eastId).execute();
    expect((await w.orderBy(w.east, ask)).code).toBe(errors.pay_channel_off.code);
    await w.api.db.updateTable('payment_channel').set({ status: 1 }).where('id', '=', w.channelIds.alipay).execute();
    expect((await w.orderBy(w.east, ask)).code).toBe(0);
  });

  it('prevent a change of merchant ID and app ID while they wait for payment', async () => {
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

  it('are limited to the branch: another VNO finds neither account nor order', async () => {
    const { id, account } = await w.newOrder();
    expect((await w.west.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await w.withdraw(id, w.west)).code).toBe(errors.not_found.code);
    const ask = { kind: 'amount', amount: '1' };
    expect((await w.orderBy(w.west, { ...ask, user_id: account.id })).code).toBe(errors.not_found.code);
    expect((await w.orderBy(w.west, { ...ask, account: account.account })).data).toEqual({ fields: { account: '账号不存在' } });
    expect(must(await w.admin.call(calls.read, { id })).state).toBe('waiting');
  });

  it('can be viewed, but not created or withdrawn, by a view-only role', async () => {
    const { id } = await w.newOrder();
    await makeStaff(w.east, 'order_reader', await makeRole(w.east, 'orders', grantsOf(['bill_online'], '10')));
    const reader = await w.api.login('order_reader');
    expect(must(await reader.call(calls.read, { id })).state).toBe('waiting');
    expect((await w.withdraw(id, reader)).code).toBe(errors.denied.code);
    expect((await w.orderBy(reader, { kind: 'amount', amount: '1', account: 'x' })).code).toBe(errors.denied.code);
  });

  it('are in the operator log with creation, withdrawal and refused withdrawal', async () => {
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

describe('a failing payment provider', () => {
  const broken = 'http://127.0.0.1:9';

  it('leaves the order waiting until the provider can be queried, and moves no money', async () => {
    const gateway = w.standIn.credentials.wechat.gateway ?? '';
    await redirect(w.api, w.channelIds.wechat, broken);
    const account = await w.billing.makeAccount();
    const postings = () => w.api.db.selectFrom('ledger_posting').selectAll().orderBy('entry_id').orderBy('account_id').execute();
    const before = await postings();
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
    expect(await w.billing.bills(account.id)).toEqual([]);
    expect(await postings()).toEqual(before);
  });

  it('receives the refund request again, and the refund is booked once', async () => {
    const gateway = w.standIn.credentials.wechat.gateway ?? '';
    const { id, order_no, account } = await w.newOrder();
    await w.standIn.pay(order_no);
    await redirect(w.api, w.channelIds.wechat, broken);
    expect((await w.withdraw(id)).code).toBe(errors.pay_unclear.code);
    expect(await w.orderOf(id)).toMatchObject({ state: 'paid', withdraw_at: w.api.clock.now() });
    expect((await w.withdraw(id)).code).toBe(errors.pay_withdrawing.code);
    // The money is returned once: the balance has it until the provider confirms the refund.
    const { list } = (await w.east.call(moneyCalls.refundBalance, { ids: [account.id], pay_method: 'cash' })).data;
    expect(list.map(({ message }) => message)).toEqual([errors.balance_withdrawing.text[0]]);
    // The provider is unreachable now: the result of the first attempt stays unknown.
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

  it('with a renewed certificate is reported, and a pending refund completes after the certificate is updated', async () => {
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

  it('has its refusal reason returned, and no order is stored', async () => {
    const stranger = await startStandIn({ clock: w.api.clock });
    await redirect(w.api, w.channelIds.wechat, stranger.credentials.wechat.gateway ?? '');
    const account = await w.billing.makeAccount();
    const reply = await w.orderBy(w.east, { kind: 'amount', amount: '5', user_id: account.id });
    await redirect(w.api, w.channelIds.wechat, w.standIn.credentials.wechat.gateway ?? '');
    await stranger.stop();
    expect(reply).toMatchObject({ code: errors.pay_refused.code, msg: '支付平台拒绝了请求：签名错误' });
    expect(await w.api.db.selectFrom('pay_order').select('id').where('subscriber_id', '=', account.id).execute()).toEqual([]);
  });

  it('does not delay orders of another provider', async () => {
    const { id, order_no } = await w.newOrder('alipay');
    await withLostCallbacks(() => w.standIn.pay(order_no));
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
