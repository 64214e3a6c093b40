import { errors } from '@farlink/contract/errors.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { moneyCalls as calls, quoteCalls } from '@farlink/contract/user/money.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, password, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, gigabyte, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { newCards } from '../../domain/card/card-number.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { seal } from '../../kit/session/secret.ts';

let api: Api;
let east: Caller;
let west: Caller;
let billing: BillingFixture;
let n = 0;

beforeAll(async () => {
  api = await startApi();
  const world = await makeBranches(api);
  ({ east, west } = world);
  billing = await makeBillingFixture(api, world.eastId, 'east');
});
afterEach(async () => expect(await auditLedger(api.db)).toEqual([]));
afterAll(() => api.close());

const ago = (days: number) => ({ activated_at: api.clock.now() - days * day });
/** Message of the refusal in a batch of one. */
const refusalOf = (reply: { data: { success: number; list: readonly { message: string }[] } }) => {
  expect(reply.data.success).toBe(0);
  return reply.data.list[0]?.message;
};
const zh = (name: keyof typeof errors) => errors[name].text[0];

/** A clerk with a login and an optional collection limit. */
const makeClerk = async (income_limit?: string) => {
  const username = `clerk_${++n}`;
  const role = await makeRole(east, `role ${n}`, grantsOf(['user_list', 'user_package']));
  const id = await makeStaff(east, username, role);
  if (income_limit) await api.db.updateTable('customer').set({ income_limit }).where('id', '=', id).execute();
  const clerk = await api.login(username);
  const collected = async () =>
    (await api.db.selectFrom('customer').select('income_used').where('id', '=', id).executeTakeFirstOrThrow()).income_used;
  return { clerk, collected };
};

test('renewing adds the given number of the current package, at the discounted price, on one bill', async () => {
  const pkg = await billing.makePackage();
  const { id, account } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, ago(3));
  const input = { ids: [id], kind: 'package', count: 3, discount: '20', pay_method: 'pos', remark: '老客户' };
  const reply = await east.call(calls.recharge, input);
  const [bill, ...others] = await billing.bills(id);
  const charged = { bill_no: bill?.bill_no, received: '274.00' };
  expect(reply.data).toEqual({ success: 1, fail: 0, list: [{ id, success: true, message: '', ...charged }] });
  expect(others).toEqual([]);
  expect(bill).toMatchObject({
    channel: 'counter',
    expense_type: 'recharge',
    pay_method: 'pos',
    income: '294.00',
    discount: '20.00',
    net_income: '274.00',
    count: 3,
    package_id: pkg.id,
    account,
    remark: '老客户',
    agent_id: billing.agent_id,
  });
  const [, ...bought] = await billing.holdings(id);
  expect(bought.map((h) => h.price)).toEqual(['91.34', '91.33', '91.33']);
  expect(bought.every((h) => h.package_id === pkg.id && h.state === 'to_be_used')).toBe(true);
  const log = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `subscriber:${id}`).executeTakeFirstOrThrow();
  expect(log).toMatchObject({ content_en: `Recharged ${account}`, after: { kind: 'package', count: 3, income: '294.00' } });
});

test('recharging an amount adds it to the balance of the account', async () => {
  const { id } = await billing.makeAccount();
  const reply = await east.call(calls.recharge, { ids: [id], kind: 'amount', amount: '50.5', discount: '0.5' });
  expect(reply.data.success).toBe(1);
  expect((await billing.account(id)).balance).toBe('50.50');
  expect((await billing.bills(id))[0]).toMatchObject({ income: '50.50', discount: '0.50', net_income: '50.00', pay_method: 'cash' });
});

test('recharging is refused with the reason for job accounts and for periodic, expired or inactive packages', async () => {
  const month = await billing.makePackage();
  const periodic = await billing.makePackage({
    ...billing.flow,
    cycle_length: 1,
    cycle_unit: 'month',
    cycle_quota: 1,
    cycle_quota_unit: 'GB',
  });
  const refused = async (why: keyof typeof errors, account: object, prepare?: (id: number) => Promise<unknown>) => {
    const { id } = await billing.makeAccount(account);
    await prepare?.(id);
    for (const input of [
      { kind: 'package', count: 1 },
      { kind: 'amount', amount: '10' },
    ]) {
      expect(refusalOf(await east.call(calls.recharge, { ids: [id], ...input }))).toBe(zh(why));
      const english = await east.call(calls.recharge, { ids: [id], ...input, lang: 'en' });
      expect(refusalOf(english)).toBe(errors[why].text[1]);
    }
    expect(await billing.bills(id)).toEqual([]);
  };
  await refused('recharge_job', { account_type: 'job' }, (id) => billing.grantHolding(id, month, ago(1)));
  await refused('recharge_periodic', {}, (id) => billing.grantHolding(id, periodic, ago(1)));
  await refused('recharge_expired', {}, (id) => billing.grantHolding(id, month, ago(31)));
  await refused('recharge_inactive', {}, (id) => billing.grantHolding(id, month, { start_at: api.clock.now() + day }));
});

test('renewing needs a current package that stays valid for all additional periods', async () => {
  const { id } = await billing.makeAccount();
  expect(refusalOf(await east.call(calls.recharge, { ids: [id], kind: 'package', count: 1 }))).toBe(zh('recharge_no_package'));
  const ending = await billing.makePackage({ expire_at: api.clock.now() + 80 * day });
  await billing.grantHolding(id, ending, ago(10));
  const renew = (count: number) => east.call(calls.recharge, { ids: [id], kind: 'package', count });
  expect(refusalOf(await renew(3))).toBe('该时长套餐的有效期不足以再续订3份');
  expect((await renew(2)).data.success).toBe(1);
  expect(refusalOf(await renew(1))).toBe('该时长套餐的有效期不足以再续订1份');
  await api.db
    .updateTable('package')
    .set({ expire_at: api.clock.now() - 1 })
    .where('id', '=', ending.id)
    .execute();
  expect(refusalOf(await renew(1))).toBe(zh('recharge_expired'));
});

test('a card recharges one account only, and a wrong card is refused', async () => {
  const a = await billing.makeAccount();
  const b = await billing.makeAccount();
  const card = { kind: 'card', card_number: '1234', card_password: 'abcd' };
  expect((await east.call(calls.recharge, { ids: [a.id, b.id], ...card })).code).toBe(errors.recharge_one_card.code);
  expect(refusalOf(await east.call(calls.recharge, { ids: [a.id], ...card }))).toBe(zh('card_wrong'));
});

test('a card adds its amount to the balance once', async () => {
  const { id } = await billing.makeAccount();
  const [secret] = newCards(1);
  if (!secret) throw new Error('no card');
  const now = api.clock.now();
  const rule = { agent_id: billing.agent_id, batch_no: 'B1', name: 'fifty', card_type: 'amount', denomination: '50.00', count: 1 } as const;
  const stamp = { create_at: now, expire_at: now + day };
  const { id: rule_id } = await api.db
    .insertInto('card_rule')
    .values({ ...rule, ...stamp, producer: '-', update_at: now, state: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db
    .insertInto('recharge_card')
    .values({
      ...stamp,
      rule_id,
      agent_id: billing.agent_id,
      number: secret.number,
      password: seal(api.deps.config.secretKey, secret.password),
    })
    .execute();
  const input = { ids: [id], kind: 'card', card_number: secret.number, card_password: secret.password };
  expect((await east.call(calls.recharge, input)).data.success).toBe(1);
  expect((await billing.account(id)).balance).toBe('50.00');
  expect(refusalOf(await east.call(calls.recharge, input))).toBe(zh('card_used'));
});

test('an extra package needs a current package that is normal or exhausted', async () => {
  const month = await billing.makePackage();
  const gigs = await billing.makePackage({ ...billing.flow, flow_capacity: 1 });
  const extra = await billing.makePackage({ ...billing.flow, kind: 'extra', price: '12.00' });
  const buy = (id: number, more = {}) => east.call(calls.addPackage, { ids: [id], package_id: extra.id, count: 2, ...more });
  const [none, waiting, over, normal, exhausted] = await Promise.all(Array.from({ length: 5 }, () => billing.makeAccount()));
  if (!none || !waiting || !over || !normal || !exhausted) throw new Error('no accounts');
  await billing.grantHolding(waiting.id, month);
  await billing.grantHolding(over.id, month, ago(40));
  await billing.grantHolding(normal.id, month, ago(1));
  await billing.grantHolding(exhausted.id, gigs, { ...ago(1), used_flow: gigabyte });
  for (const { id } of [none, waiting, over]) expect(refusalOf(await buy(id))).toBe(zh('extra_needs_package'));
  for (const { id } of [normal, exhausted]) {
    expect((await buy(id, { discount: '4.01' })).data.success).toBe(1);
    expect((await billing.bills(id))[0]).toMatchObject({ expense_type: 'extra_package', income: '24.00', discount: '4.01', count: 2 });
    const [, ...bought] = await billing.holdings(id);
    expect(bought.map((h) => h.price)).toEqual(['10.00', '9.99']);
  }
});

test('a package change accepts only packages that the operator may sell and that are offered on the device', async () => {
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, await billing.makePackage(), ago(1));
  const bad = { code: errors.bad_input.code, data: { fields: { package_id: '请选择有效的套餐' } } };
  const take = (package_id: number) => east.call(calls.changePackage, { ids: [id], package_id, effect: 'now' });
  expect(await take(999_999)).toMatchObject(bad);
  expect(await take((await billing.makePackage({ kind: 'extra' })).id)).toMatchObject(bad);
  expect(await take((await billing.makePackage({ expire_at: api.clock.now() })).id)).toMatchObject(bad);
  const other = await billing.makePackage({ device_ids: [await billing.makeDevice()] });
  expect(refusalOf(await take(other.id))).toBe(zh('package_other_device'));
  const hidden = await billing.makePackage({ is_hide: true });
  const { clerk } = await makeClerk();
  expect(await clerk.call(calls.changePackage, { ids: [id], package_id: hidden.id, effect: 'now' })).toMatchObject(bad);
});

test('the quote of a renewal does not name a hidden package without the right to view it', async () => {
  const hidden = await billing.makePackage({ name: '公务专线', is_hide: true });
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, hidden, ago(1));
  const { clerk } = await makeClerk();
  const quoted = async (by: Caller) =>
    (await by.call(quoteCalls.recharge, { ids: [id], kind: 'package', count: 1 })).data.notes.map(({ text }) => text);
  expect(await quoted(await api.login('admin'))).toContain('公务专线：¥98.00 × 1 = ¥98.00');
  expect(await quoted(clerk)).toContain('当前套餐：¥98.00 × 1 = ¥98.00');
});

test('an immediate change ends the old package and creates one bill, whose net amount can be negative', async () => {
  const dear = await billing.makePackage({ price: '300.00' });
  const cheap = await billing.makePackage({ price: '50.00' });
  const { id } = await billing.makeAccount();
  const old = await billing.grantHolding(id, dear, ago(10));
  const { clerk, collected } = await makeClerk('1.00');
  const reply = await clerk.call(calls.changePackage, { ids: [id], package_id: cheap.id, effect: 'now', discount: '10' });
  expect(reply.data.success).toBe(1);
  expect((await billing.bills(id))[0]).toMatchObject({
    expense_type: 'change_package',
    income: '50.00',
    discount: '10.00',
    expend: '200.00',
    net_income: '-160.00',
  });
  expect(await collected()).toBe('-160.00');
  const [first, second] = await billing.holdings(id);
  expect(first).toMatchObject({ id: old, state: 'expired', expire_at: api.clock.now() });
  expect(second).toMatchObject({ package_id: cheap.id, price: '40.00', start_at: api.clock.now(), state: 'to_be_used' });
  expect(await billing.account(id)).toMatchObject({ package_id: cheap.id, package_status: 'to_be_used' });
});

test('a change for the next cycle starts when the old package ends, and is refused if it has no end', async () => {
  const month = await billing.makePackage();
  const gigs = await billing.makePackage(billing.flow);
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, month, ago(10));
  const next = (package_id: number) => east.call(calls.changePackage, { ids: [id], package_id, effect: 'next' });
  expect((await next(gigs.id)).data.success).toBe(1);
  const [, waiting] = await billing.holdings(id);
  expect(waiting).toMatchObject({ package_id: gigs.id, start_at: api.clock.now() + 20 * day, state: 'not_active' });
  expect(await billing.account(id)).toMatchObject({ package_id: month.id, package_status: 'normal' });
  expect((await billing.bills(id))[0]).toMatchObject({ income: '98.00', expend: '0.00' });

  const soon = await billing.makePackage({ expire_at: api.clock.now() + 19 * day });
  expect(refusalOf(await next(soon.id))).toBe(zh('change_too_late'));
  const endless = await billing.makeAccount();
  await billing.grantHolding(endless.id, gigs, ago(1));
  const refused = await east.call(calls.changePackage, { ids: [endless.id], package_id: month.id, effect: 'next' });
  expect(refusalOf(refused)).toBe(zh('change_no_end'));
});

test('a change for the next cycle replaces a monthly package without an end at its reset', async () => {
  const cycle = { cycle_length: 1, cycle_unit: 'month', cycle_quota: 1, cycle_quota_unit: 'GB' } as const;
  const monthly = await billing.makePackage({ ...billing.flow, ...cycle });
  const other = await billing.makePackage();
  const { id } = await billing.makeAccount();
  const old = await billing.grantHolding(id, monthly, ago(1));
  const { reset_at } = (await east.call(userDetailCalls.serviceStatus, { id })).data;
  if (reset_at === null) throw new Error('no reset');
  const reply = await east.call(calls.changePackage, { ids: [id], package_id: other.id, effect: 'next' });
  expect(reply.data.success).toBe(1);
  const [first, second] = await billing.holdings(id);
  expect(first).toMatchObject({ id: old, expire_at: reset_at, state: 'normal' });
  expect(second).toMatchObject({ package_id: other.id, start_at: reset_at, state: 'not_active' });
});

test('a free package change charges and refunds nothing, and the free package is not refunded later', async () => {
  const month = await billing.makePackage();
  const other = await billing.makePackage();
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, month, ago(1));
  await east.call(calls.changePackage, { ids: [id], package_id: other.id, effect: 'now', pay_method: 'free' });
  expect((await billing.bills(id))[0]).toMatchObject({ income: '98.00', discount: '98.00', expend: '0.00', net_income: '0.00' });
  await east.call(calls.changePackage, { ids: [id], package_id: month.id, effect: 'now' });
  expect((await billing.bills(id))[1]).toMatchObject({ expend: '0.00', net_income: '98.00' });
});

test('a package change is refused for the whole selection if it has job, disabled or mixed-source accounts', async () => {
  const pkg = await billing.makePackage();
  const plain = await billing.makeAccount();
  for (const [account, why] of [
    [{ account_type: 'job' }, 'change_job'],
    [{ account_source: 'batch' }, 'change_mixed_sources'],
    [{ status: 'disabled' }, 'change_disabled'],
  ] as const) {
    const { id } = await billing.makeAccount(account);
    const reply = await east.call(calls.changePackage, { ids: [plain.id, id], package_id: pkg.id, effect: 'now' });
    expect(reply).toMatchObject({ code: errors[why].code, msg: zh(why) });
  }
  expect(await billing.holdings(plain.id)).toEqual([]);
});

test('a temporary card account cannot change to a periodic package', async () => {
  const periodic = await billing.makePackage({
    ...billing.flow,
    cycle_length: 1,
    cycle_unit: 'month',
    cycle_quota: 1,
    cycle_quota_unit: 'GB',
  });
  const { id } = await billing.makeAccount({ account_type: 'temp_card' });
  const reply = await east.call(calls.changePackage, { ids: [id], package_id: periodic.id, effect: 'now' });
  expect(refusalOf(reply)).toBe(zh('temp_card_periodic'));
});

test('the refund of a package change is exact to the cent for many combinations of price and usage', { tags: 'all' }, async () => {
  const target = await billing.makePackage({ price: '1.00' });
  const both = await billing.makePackage({ package_type: 'time_flow', flow_capacity: 10, flow_unit: 'GB' });
  const random = (i: number, m: number) => (i * 7919 + 104_729) % m;
  for (let i = 1; i <= 25; i++) {
    const paid = BigInt(random(i, 1_000_000));
    const seconds = random(i * 31, 30 * day);
    const used_flow = random(i * 17, 10 * gigabyte);
    const { id } = await billing.makeAccount();
    await billing.grantHolding(id, both, { activated_at: api.clock.now() - seconds, used_flow, price: yuan(paid) });
    await east.call(calls.changePackage, { ids: [id], package_id: target.id, effect: 'now' });
    const byTime = (paid * BigInt(30 * day - seconds)) / BigInt(30 * day);
    const byFlow = (paid * BigInt(10 * gigabyte - used_flow)) / BigInt(10 * gigabyte);
    const [less = 0n] = [byTime, byFlow].toSorted((a, b) => Number(a - b));
    expect((await billing.bills(id))[0]?.expend, `${paid} ${seconds} ${used_flow}`).toBe(yuan(less));
  }
});

test('a refused account does not stop the rest of a batch, and an account of another branch is not found', async () => {
  const pkg = await billing.makePackage();
  const good = await billing.makeAccount();
  const job = await billing.makeAccount({ account_type: 'job' });
  await billing.grantHolding(good.id, pkg, ago(1));
  const input = { ids: [good.id, job.id], kind: 'package', count: 1 };
  expect((await east.call(calls.recharge, input)).data).toMatchObject({
    success: 1,
    fail: 1,
    list: [
      { id: good.id, success: true },
      { id: job.id, success: false, message: zh('recharge_job') },
    ],
  });
  const stranger = await west.call(calls.recharge, { ...input, ids: [good.id] });
  expect(refusalOf(stranger)).toBe(zh('not_found'));
  expect(await billing.bills(good.id)).toHaveLength(1);
});

test('a view-only role, a discount above the price and a bill above the maximum amount are refused', async () => {
  const pkg = await billing.makePackage({ price: '9000000.00' });
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, ago(1));
  const renew = (count: number, more = {}) => east.call(calls.recharge, { ids: [id], kind: 'package', count, ...more });
  expect(refusalOf(await renew(1, { discount: '9000000.01' }))).toBe(zh('discount_too_high'));
  expect(refusalOf(await renew(36))).toBe('单笔金额不能超过99999999.99元');
  const extra = await billing.makePackage({ ...billing.flow, kind: 'extra', price: '12.00' });
  const whole = await east.call(calls.addPackage, { ids: [id], package_id: extra.id, count: 1, discount: '12.01' });
  expect(whole.code).toBe(errors.discount_too_high.code);
  const amount = await east.call(calls.recharge, { ids: [id], kind: 'amount', amount: '100000000' });
  expect(amount.data).toEqual({ fields: { amount: '单笔金额不能超过99999999.99元' } });
  const role = await east.call(staffRoles.calls.create, {
    kind: 'sub',
    name: 'viewer',
    scope: 'unlimited',
    permissions: grantsOf(['user_list', 'user_package'], '10'),
  });
  await east.call(staffCalls.create, {
    kind: 'sub',
    username: 'viewer_1',
    name: '看客',
    password,
    repassword: password,
    phone: '+8613900999999',
    role_id: role.data.id,
  });
  const viewer = await api.login('viewer_1');
  expect((await viewer.call(calls.recharge, { ids: [id], kind: 'package', count: 1 })).code).toBe(errors.denied.code);
});

test('concurrent recharges add up exactly and together cannot exceed the collection limit of the clerk', async () => {
  const { id } = await billing.makeAccount();
  const { clerk, collected } = await makeClerk('1000.00');
  const pay = () => clerk.call(calls.recharge, { ids: [id], kind: 'amount', amount: '90' });
  const replies = await Promise.all(Array.from({ length: 30 }, pay));
  const done = replies.filter((a) => a.data.success === 1).length;
  expect(done).toBe(11);
  for (const a of replies) if (a.data.fail) expect(a.data.list[0]?.message).toBe(zh('collection_limit'));
  expect((await billing.account(id)).balance).toBe('990.00');
  expect(await collected()).toBe('990.00');
});

test('concurrent batches over the same accounts in opposite order all succeed', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => billing.makeAccount()));
  const ids = accounts.map((a) => a.id);
  const pay = (order: number[]) => east.call(calls.recharge, { ids: order, kind: 'amount', amount: '1' });
  const replies = await Promise.all([pay(ids), pay(ids.toReversed()), pay(ids), pay(ids.toReversed())]);
  expect(replies.map((a) => [a.data.success, a.data.list.find((r) => !r.success)?.message])).toEqual(replies.map(() => [20, undefined]));
  const balances = await api.db.selectFrom('subscriber').select('balance').where('id', 'in', ids).execute();
  expect(balances.reduce((sum, b) => sum + cents(b.balance), 0n)).toBe(8000n);
});

test('a quote shows unit price, quantity, discount and total before the charge', async () => {
  const pkg = await billing.makePackage();
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, ago(3));
  const quote = await east.call(quoteCalls.recharge, { ids: id, kind: 'package', count: 2, discount: '6', lang: 'en' });
  const texts = quote.data.notes.map(({ text }) => text);
  expect(texts).toEqual([`${pkg.name}: ¥98.00 × 2 = ¥196.00`, 'Discount -¥6.00', 'Amount due ¥190.00']);
  expect(quote.data.values).toEqual({ received: '190.00' });
  expect(await billing.bills(id)).toEqual([]);
  const foreign = await west.call(quoteCalls.recharge, { ids: id, kind: 'package', count: 2 });
  expect(JSON.stringify(foreign.data)).not.toContain(pkg.name);
});

test('the quote of a package change shows the refund, and the charge equals the quote', async () => {
  const pkg = await billing.makePackage();
  const next = await billing.makePackage({ price: '200.00' });
  const { id } = await billing.makeAccount();
  await billing.grantHolding(id, pkg);
  const input = { package_id: next.id, effect: 'now', discount: '20' };
  const quote = await east.call(quoteCalls.changePackage, { ids: id, ...input, lang: 'en' });
  expect(quote.data.notes.map(({ text }) => text)).toContain('Unused part refunded -¥98.00');
  expect(quote.data.values).toEqual({ received: '82.00' });
  const reply = await east.call(calls.changePackage, { ids: [id], ...input, received: '82' });
  expect(reply.data.list[0]).toMatchObject({ success: true, received: '82.00' });
});

test('a received amount that differs from the amount due is refused at its field and charges nothing', async () => {
  const { id } = await billing.makeAccount();
  const reply = await east.call(calls.recharge, { ids: [id], kind: 'amount', amount: '50', received: '40' });
  expect(fieldsOf(reply)).toEqual({ received: '应收¥50.00，请核对' });
  expect(await billing.bills(id)).toEqual([]);
});

test('a receipt can be read by the selling VNO, but not by another branch', async () => {
  const pkg = await billing.makePackage();
  const { id, account } = await billing.makeAccount();
  await billing.grantHolding(id, pkg, ago(3));
  const reply = await east.call(calls.recharge, { ids: [id], kind: 'package', count: 2, discount: '6' });
  const bill_no = reply.data.list[0]?.bill_no;
  const receipt = await east.call(receiptCalls.read, { bill_no });
  const sum = { price: '98.00', count: 2, income: '196.00', discount: '6.00', net_income: '190.00' };
  expect(receipt.data).toMatchObject({ bill_no, account, package_name: pkg.name, agent_logo: null, ...sum });
  await api.db.updateTable('agent').set({ logo: 'logo/platform.png' }).where('agent_level', '=', 0).execute();
  expect((await east.call(receiptCalls.read, { bill_no })).data.agent_logo).toBe('/agt/v1/brand/logo/platform.png');
  expect((await west.call(receiptCalls.read, { bill_no })).status).toBe(404);
});

test('package options contain only packages that can be sold to the chosen accounts, with the price', async () => {
  const { id } = await billing.makeAccount();
  const here = await billing.makePackage();
  const elsewhere = await billing.makePackage({ device_ids: [await billing.makeDevice()] });
  const gone = await billing.makePackage({ expire_at: api.clock.now() });
  const offers = (await east.call(offerCalls.option, { ids: id })).data;
  expect(offers[here.id]).toEqual({
    name: `${here.name} · ¥98.00 · 30 天`,
    title: here.name,
    amount: '¥98.00',
    detail: '30 天',
    price: '98.00',
    weight: 0,
  });
  for (const other of [elsewhere, gone]) expect(offers).not.toHaveProperty(String(other.id));
  const refused = await east.call(calls.changePackage, { ids: [id], package_id: elsewhere.id, effect: 'now' });
  expect(refused.data.list[0]).toMatchObject({ success: false, field: 'package_id', message: zh('package_other_device') });
  expect((await west.call(offerCalls.option, { ids: id })).data).not.toHaveProperty(String(here.id));
});

test('the balance of an account is refunded once, on a bill that lowers the collected amount, and the account can be deleted', async () => {
  const { clerk, collected } = await makeClerk();
  const { id } = await billing.makeAccount({ status: 'disabled' });
  expect((await clerk.call(calls.recharge, { ids: [id], kind: 'amount', amount: '101.50' })).data.success).toBe(1);
  expect((await clerk.call(quoteCalls.refundBalance, { ids: [id] })).data).toEqual({
    notes: [{ text: '应退 ¥101.50', tone: 'total' }],
    values: { refunded: '101.50' },
  });
  const refund = (more: object = {}) => clerk.call(calls.refundBalance, { ids: [id], pay_method: 'cash', ...more });
  expect(fieldsOf(await refund({ refunded: '100.00' }))).toEqual({ refunded: '应退¥101.50，请核对' });
  const replies = await Promise.all(Array.from({ length: 5 }, () => refund({ refunded: '101.50' })));
  expect(replies.map(({ data }) => data.success).sort()).toEqual([0, 0, 0, 0, 1]);
  expect(refusalOf(replies.find(({ data }) => data.success === 0) ?? (await refund()))).toBe(zh('balance_empty'));
  expect(await billing.bills(id)).toMatchObject([
    { expense_type: 'recharge', income: '101.50' },
    { expense_type: 'refund', channel: 'counter', pay_method: 'cash', income: '0.00', expend: '101.50', net_income: '-101.50' },
  ]);
  expect(await billing.account(id)).toMatchObject({ balance: '0.00' });
  expect(await collected()).toBe('0.00');
  expect((await west.call(calls.refundBalance, { ids: [id], pay_method: 'cash' })).data.success).toBe(0);
  expect((await east.call(userCalls.remove, { ids: [id] })).data.success).toBe(1);
});
