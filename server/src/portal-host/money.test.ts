import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { grantsOf } from '../../test/api.ts';
import { must } from '../../test/payment/pay-world.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { makeRole, makeStaff } from '../../test/world.ts';
import { accessOf } from '../domain/access/access.ts';
import { auditLedger } from '../domain/ledger/check-ledger.ts';
import { startJobs } from '../kit/jobs/job-runner.ts';
import { open } from '../kit/session/secret.ts';
import { cardJobs } from '../modules/card/index.ts';

let w: PortalWorld;
beforeAll(async () => {
  w = await startPortalWorld();
});
afterEach(async () => {
  expect(await auditLedger(w.api.db)).toEqual([]);
  await w.api.db.deleteFrom('attempt').execute();
  await w.advance(61);
});
afterAll(() => w.close());

const ordersOf = (subscriberId: number) =>
  w.api.db.selectFrom('pay_order').selectAll().where('subscriber_id', '=', subscriberId).orderBy('id').execute();

test('an order of an operator stays out of the portal after the operator is deleted, and its bill names the account', async () => {
  const staffId = await makeStaff(w.east, 'seller', await makeRole(w.east, 'Seller', grantsOf(['bill_online'])));
  const account = await w.account();
  const order = must(await w.orderBy(await w.api.login('seller'), { kind: 'amount', amount: '50.29', user_id: account.id }));
  must(await w.east.call(staffCalls.remove, { id: staffId }));
  const home = await w.enter(account.account);
  expect((await w.get(home)).text).not.toContain(order.order_no);
  await w.standIn.pay(order.order_no);
  const [bill] = await w.billing.bills(account.id);
  expect(bill).toMatchObject({ customer_id: staffId, income: '50.29' });
});

describe.each([
  ['zh', 'wechat', '支付成功', '已取消支付'],
  ['en', 'alipay', 'Paid:', 'The payment was cancelled'],
] as const)('a purchase (%s, %s)', (lang, channel, paid, cancelled) => {
  test('is paid by QR code, creates one bill with the exact amount, and updates the access of the account', async () => {
    const account = await w.account();
    const pkg = await w.billing.makePackage({ ...w.billing.flow, name: `Buy ${lang}`, price: '98.37' });
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    const offer = await w.get(`${home}buy?package=${pkg.id}`);
    expect(offer.text).toContain('¥98.37');
    const form = { package: String(pkg.id), channel };
    const clicks = await Promise.all([w.post(`${home}buy`, form), w.post(`${home}buy`, form), w.post(`${home}buy`, form)]);
    expect(new Set(clicks.map(({ location }) => location)).size).toBe(1);
    const [order, ...others] = await ordersOf(account.id);
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      amount: '98.37',
      channel,
      state: 'waiting',
      expense_type: 'open',
      customer_id: null,
      operator: account.account,
    });
    const waiting = await w.get(clicks[0]?.location ?? '');
    expect(waiting.text).toContain('http-equiv="refresh"');
    expect((await w.get(home)).text).toContain(order?.order_no);
    // Only the order and its code, no other block.
    expect([...waiting.text.matchAll(/<section id="b-([a-z]+)"/g)].map(([, block]) => block)).toEqual([]);
    const qr = await w.get(`${home}pay/${order?.order_no}/qr.svg`);
    expect([qr.status, qr.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await w.standIn.pay(order?.order_no ?? '')).toEqual({ accepted: true, tries: 1 });
    const done = await w.get(clicks[0]?.location ?? '');
    expect(done.text).toContain(paid);
    expect(done.text).not.toContain('http-equiv="refresh"');
    expect(await w.billing.bills(account.id)).toMatchObject([
      {
        income: '98.37',
        discount: '0.00',
        pay_method: channel,
        channel: 'online',
        expense_type: 'open',
        account: account.account,
        package_id: pkg.id,
      },
    ]);
    expect((await w.billing.holdings(account.id)).map(({ package_id, price }) => [package_id, price])).toEqual([[pkg.id, '98.37']]);
    const access = (await accessOf(w.api.db, [account.id], w.api.clock.now())).get(account.id);
    expect(access).toMatchObject({ blocked: null, phases: [{ bytes: 10 * 1024 ** 3 }] });
  });

  test('can be cancelled by the subscriber, and then is not on the home page and has no QR code and no bill', async () => {
    const account = await w.account();
    const pkg = await w.billing.makePackage();
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    const { location = '' } = await w.post(`${home}buy`, { package: String(pkg.id), channel });
    const link = location.slice(location.indexOf('pay/'));
    expect((await w.get(home)).text).toContain(link);
    const reply = await w.post(`${location}/cancel`, {});
    expect(reply.text).toContain(cancelled);
    expect((await w.get(home)).text).not.toContain(link);
    expect((await ordersOf(account.id)).map(({ state, withdraw_operator }) => [state, withdraw_operator])).toEqual([
      ['withdrawn', account.account],
    ]);
    expect((await w.get(`${location}/qr.svg`)).status).toBe(404);
    expect(await w.billing.bills(account.id)).toEqual([]);
  });
});

test('an order belongs to its subscriber, and orders of the counter are not shown', async () => {
  const mine = await w.account();
  const other = await w.account();
  const pkg = await w.billing.makePackage();
  const home = await w.enter(mine.account);
  const { location = '' } = await w.post(`${home}buy`, { package: String(pkg.id), channel: 'wechat' });
  const no = location.split('/').at(-1);
  const stranger = await w.enter(other.account);
  for (const path of [`pay/${no}`, `pay/${no}/qr.svg`]) expect((await w.get(stranger + path)).status).toBe(404);
  expect((await w.post(`${stranger}pay/${no}/cancel`, {})).status).toBe(404);
  expect((await ordersOf(mine.id))[0]?.state).toBe('waiting');
  const counter = await w.newOrder('wechat', { user_id: other.id });
  expect((await w.get(`${stranger}pay/${counter.order_no}`)).status).toBe(404);
});

test('a hidden, expired or foreign package, an extra without a package, and a channel that is off are refused', async () => {
  const account = await w.account();
  const home = await w.enter(account.account);
  const hidden = await w.billing.makePackage({ is_hide: true });
  const over = await w.billing.makePackage({ expire_at: w.api.clock.now() - 1 });
  const elsewhere = await w.billing.makePackage({ device_ids: [await w.billing.makeDevice()] });
  const extra = await w.billing.makePackage({ kind: 'extra' });
  for (const { id } of [hidden, over, elsewhere, extra, { id: 999_999 }]) {
    expect((await w.get(`${home}buy?package=${id}`)).status).toBe(404);
    expect((await w.post(`${home}buy`, { package: String(id), channel: 'wechat' })).status).toBe(404);
  }
  const fine = await w.billing.makePackage();
  expect((await w.post(`${home}buy`, { package: String(fine.id), channel: 'cash' })).status).toBe(422);
  expect(await ordersOf(account.id)).toEqual([]);
});

test('an account that is bound to nothing is shown no packages, and neither buys nor redeems', async () => {
  const account = await w.account({ device_id: null });
  const pkg = await w.billing.makePackage();
  const home = await w.enter(account.account, crewPassword, 'en/');
  const { text } = await w.get(home);
  expect(text).toContain('not assigned to any gateway');
  expect(text).not.toContain('buy?package=');
  expect((await w.get(`${home}buy?package=${pkg.id}`)).status).toBe(409);
  const bought = await w.post(`${home}buy`, { package: String(pkg.id), channel: 'wechat' });
  expect([bought.status, bought.text.includes(errors.account_unbound.text[1])]).toEqual([409, true]);
  expect(await ordersOf(account.id)).toEqual([]);
});

test('an order of a package that ends before the payment is credited to the balance, and the portal says so', async () => {
  const account = await w.account();
  const pkg = await w.billing.makePackage({ price: '7.77' });
  const home = await w.enter(account.account, crewPassword, 'en/');
  const { location = '' } = await w.post(`${home}buy`, { package: String(pkg.id), channel: 'wechat' });
  await w.api.db.updateTable('package').set({ expire_at: w.api.clock.now() }).where('id', '=', pkg.id).execute();
  await w.standIn.pay(location.split('/').at(-1) ?? '');
  const { text } = await w.get(location);
  expect(text).toContain('The package is no longer sold. The ¥7.77 you paid are in your balance.');
  expect(text).toContain('<dt>Balance</dt><dd>¥7.77</dd>');
  expect(await w.balance(account.id)).toBe('7.77');
});

/** A card of the VNO, created as by an operator. */
const makeCard = async (kind: object) => {
  const input = { name: 'cards', cards: [{ count: 1, ...kind }], bind_type: 'none', expire_at: w.api.clock.now() + 86_400 };
  const { id } = must(await w.east.call(cardRuleCalls.make, input));
  const jobs = startJobs(w.api.deps, cardJobs, { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  const card = await w.api.db.selectFrom('recharge_card').selectAll().where('rule_id', '=', id).executeTakeFirstOrThrow();
  return { ...card, password: open(w.api.deps.config.secretKey, card.password) };
};
const amountCard = () => makeCard({ card_type: 'amount', denomination: '50' });

describe('a card', () => {
  test('is refused with the same message if number or password is wrong, and guessing is locked', async () => {
    const card = await amountCard();
    const account = await w.account();
    const home = await w.enter(account.account);
    const form = { card_no: card.number, card_password: 'wrong' };
    expect((await w.post(`${home}card`, form)).text).toContain('卡号或卡密错误');
    expect((await w.post('zh/card', { card_no: '1', card_password: 'x' })).text).toContain('卡号或卡密错误');
    let page = await w.post(`${home}card`, form);
    for (let i = 0; i < w.api.deps.config.loginLock.count; i++) page = await w.post(`${home}card`, { ...form, ...(await w.captcha(page)) });
    expect(page.status).toBe(429);
  });

  test('is redeemed once with the exact amount, also if it is sent several times at once', async () => {
    const account = await w.account();
    const card = await amountCard();
    const home = await w.enter(account.account);
    const form = { card_no: card.number, card_password: card.password };
    const replies = await Promise.all(Array.from({ length: 4 }, () => w.post(`${home}card`, form)));
    expect(replies.filter(({ text }) => text.includes('兑换成功：余额增加 ¥50.00'))).toHaveLength(1);
    expect(await w.balance(account.id)).toBe('50.00');
    expect(await w.billing.bills(account.id)).toMatchObject([{ income: '50.00', channel: 'card', operator: account.account }]);
  });

  test('with a package grants the package', async () => {
    const account = await w.account();
    const pkg = await w.billing.makePackage({ name: 'Card month' });
    const card = await makeCard({ card_type: 'package', package_id: pkg.id, period: 1 });
    const home = await w.enter(account.account, crewPassword, 'en/');
    expect((await w.post(`${home}card`, { card_no: card.number, card_password: card.password })).text).toContain('Redeemed: Card month');
    expect(await w.billing.holdings(account.id)).toHaveLength(1);
  });

  test('for recharging is refused without a login, and stays unused', async () => {
    const card = await amountCard();
    const reply = await w.post('en/card', { card_no: card.number, card_password: card.password });
    expect(reply.text).toContain('This is a recharge card');
    const stored = await w.api.db.selectFrom('recharge_card').select('status').where('id', '=', card.id).executeTakeFirstOrThrow();
    expect(stored.status).toBe('unused');
  });

  test('of a temporary account logs it in', async () => {
    const account = await w.account({ account_type: 'temp_card', account: 'tmp900001' });
    const reply = await w.post('en/card', { card_no: 'tmp900001', card_password: crewPassword });
    expect(reply.status).toBe(303);
    expect((await w.get(reply.location ?? '')).text).toContain(account.account);
    const personal = await w.account();
    expect((await w.post('en/card', { card_no: personal.account, card_password: crewPassword })).status).toBe(422);
  });
});

describe('an account that cannot use what it pays for', () => {
  let n = 0;
  const cardStatusOf = async (id: number) =>
    (await w.api.db.selectFrom('recharge_card').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

  test.each([
    ['disabled', {}],
    ['frozen', {}],
    ['reserved_shutdown', {}],
    ['expired', {}],
    ['normal', { expire_at: 1 }],
  ] as const)('gets no offer, and cannot buy or redeem a card: %s %j', async (status, more) => {
    // Offers are in order of weight; the page shows the first ones.
    const pkg = await w.billing.makePackage({ weight: 1000 + n++ });
    const card = await amountCard();
    const account = await w.account();
    const home = await w.enter(account.account, crewPassword, 'en/');
    expect((await w.get(home)).text).toContain(`buy?package=${pkg.id}`);
    await w.api.db
      .updateTable('subscriber')
      .set({ status, ...more })
      .where('id', '=', account.id)
      .execute();
    const page = await w.get(home);
    expect(page.text).toContain('contact your provider');
    expect(page.text).not.toContain('buy?package=');
    expect((await w.get(`${home}buy?package=${pkg.id}`)).status).toBe(409);
    const bought = await w.post(`${home}buy`, { package: String(pkg.id), channel: 'wechat' });
    expect([bought.status, bought.text]).toEqual([409, expect.stringContaining('nothing can be bought')]);
    const redeemed = await w.post(`${home}card`, { card_no: card.number, card_password: card.password });
    expect([redeemed.status, redeemed.text]).toEqual([409, expect.stringContaining('nothing can be bought')]);
    expect([await ordersOf(account.id), await cardStatusOf(card.id)]).toEqual([[], 'unused']);
  });

  test('with a periodic package cannot renew it or redeem a card, and can buy another package or an extra package', async () => {
    const account = await w.account();
    const periodic = await w.billing.makePackage({
      ...w.billing.flow,
      name: 'Monthly',
      cycle_length: 1,
      cycle_unit: 'month',
      cycle_quota: 1,
      cycle_quota_unit: 'GB',
    });
    const other = await w.billing.makePackage();
    const extra = await w.billing.makePackage({ kind: 'extra' });
    await w.billing.grantHolding(account.id, periodic, { activated_at: w.api.clock.now() });
    const home = await w.enter(account.account);
    const page = await w.get(home);
    expect(page.text).not.toContain(`buy?package=${periodic.id}"`);
    for (const { id } of [other, extra]) expect((await w.get(`${home}buy?package=${id}`)).status).toBe(200);
    expect((await w.post(`${home}buy`, { package: String(periodic.id), channel: 'wechat' })).status).toBe(404);
    const card = await amountCard();
    const redeemed = await w.post(`${home}card`, { card_no: card.number, card_password: card.password });
    expect([redeemed.status, redeemed.text]).toEqual([422, expect.stringContaining('周期套餐不能充值')]);
    expect(await cardStatusOf(card.id)).toBe('unused');
  });

  test('for a job cannot redeem a card', async () => {
    const account = await w.account({ account_type: 'job' });
    const home = await w.enter(account.account);
    const card = await amountCard();
    expect((await w.post(`${home}card`, { card_no: card.number, card_password: card.password })).text).toContain('工作账号不能充值');
    expect([await cardStatusOf(card.id), await w.balance(account.id)]).toEqual(['unused', '0.00']);
  });

  test('for a job sees its package, but no offers, prices and cards, and buying is refused with the reason', async () => {
    const account = await w.account({ account_type: 'job' });
    const pkg = await w.billing.makePackage({ name: 'Duty pack', price: '77.70' });
    await w.billing.grantHolding(account.id, pkg, { price: '0.00' });
    const blocksOf = ({ text }: { readonly text: string }) => [...text.matchAll(/ class="block ([a-z]+) /g)].map(([, kind]) => kind);
    expect(blocksOf(await w.get(await w.enter((await w.account()).account)))).toEqual(
      expect.arrayContaining(['quota', 'card', 'packages']),
    );
    const home = await w.enter(account.account);
    const page = await w.get(home);
    expect(page.text).toContain('Duty pack');
    expect(blocksOf(page)).toContain('quota');
    expect(blocksOf(page)).not.toEqual(expect.arrayContaining(['card']));
    expect(blocksOf(page)).not.toEqual(expect.arrayContaining(['packages']));
    for (const path of ['', 'packages']) expect((await w.get(`${home}${path}`)).text).not.toMatch(/¥\d|77\.70|buy\?package=/);
    const refused = await w.post(`${home}buy`, { package: String(pkg.id), channel: 'wechat' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('工作账号的套餐由服务商设置')]);
    expect(await ordersOf(account.id)).toEqual([]);
  });
});
