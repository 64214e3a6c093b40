import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { shape } from '@farlink/contract/kit/endpoint.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { Random } from '@farlink/contract/kit/random.ts';
import { limits } from '@farlink/contract/limits.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { numberedAccount } from '@farlink/contract/user/numbered.ts';
import type { OpeningResult } from '@farlink/contract/user/opening.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, grantsOf, type Reply } from '../../../test/api.ts';
import { type BillingFixture, day, gigabyte, makeBillingFixture } from '../../../test/billing-fixture.ts';
import {
  type Account,
  current,
  type Goods,
  grant,
  type ModelHolding,
  packageStatus,
  planOf,
  sharesOf,
  statusOf,
  takenBack,
  writtenEnd,
} from '../../../test/payment/books-model.ts';
import { channels, isAccepted, must, type PayWorld, startPayWorld } from '../../../test/payment/pay-world.ts';
import { runs } from '../../../test/soak.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { newCards } from '../../domain/card/card-number.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { postEntry } from '../../domain/ledger/post-entry.ts';
import { sweepAccounts } from '../../domain/metering/run/sweep-accounts.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { seal } from '../../kit/session/secret.ts';

const random = new Random(20_261_115);

interface Vno {
  readonly name: string;
  readonly billing: BillingFixture;
  readonly by: Caller;
  /** Callers with and without access to its accounts. */
  readonly insiders: readonly Caller[];
  readonly strangers: readonly Caller[];
  readonly prefix: { readonly id: number; readonly text: string };
  readonly online: readonly Goods[];
  readonly extra: Goods;
  /** Cents on the counter bills. */
  readonly sums: { income: number; discount: number; expend: number };
}
interface Card {
  readonly number: string;
  readonly password: string;
  readonly worth: number;
  readonly goods?: Goods;
  used: boolean;
}
interface Order {
  readonly id: number;
  readonly account: Account;
  readonly amount: number;
  readonly goods?: Goods;
  readonly count: number;
  open: boolean;
}

let w: PayWorld;
let vnos: Vno[];
let clerk: Caller;
let clerkId: number;
let clerkTook = 0;
let serial = 0;
const clerkLimit = 40_000;
let accounts: Account[] = [];
const cards: Card[] = [];
const orders: Order[] = [];
const now = () => w.api.clock.now();
const money = (amount: number) => yuan(BigInt(amount));
const inCents = (text: string) => Number(cents(text));
const vnoOf = (a: Account): Vno => {
  const found = vnos.find((v) => v.name === a.vno);
  if (!found) throw new Error(`no VNO ${a.vno}`);
  return found;
};

const goodsOf = async (
  billing: BillingFixture,
  kind: Goods['kind'],
  price: string,
  days: number | undefined,
  gigabytes: number | undefined,
): Promise<Goods> => {
  const time = { time_capacity: days ?? null, time_unit: days === undefined ? null : ('day' as const) };
  const flow = { flow_capacity: gigabytes ?? null, flow_unit: gigabytes === undefined ? null : ('GB' as const) };
  const package_type = days === undefined ? 'flow' : gigabytes === undefined ? 'time' : 'time_flow';
  const { id } = await billing.makePackage({ kind, price, package_type, ...time, ...flow });
  return {
    id,
    kind,
    price: inCents(price),
    ...(days !== undefined && { seconds: days * day }),
    ...(gigabytes !== undefined && { bytes: gigabytes * gigabyte }),
  };
};

const openVno = async (
  name: string,
  billing: BillingFixture,
  by: Caller,
  insiders: readonly Caller[],
  strangers: readonly Caller[],
): Promise<Vno> => {
  const text = name.slice(0, 2);
  const made = must(await w.admin.call(prefixCalls.create, { vno_id: billing.agent_id, prefix: text }));
  const online = [
    await goodsOf(billing, 'online', '98.00', 30, undefined),
    await goodsOf(billing, 'online', '33.33', undefined, 3),
    await goodsOf(billing, 'online', '0.07', 7, 1),
  ];
  const extra = await goodsOf(billing, 'extra', '10.01', undefined, 1);
  return {
    name,
    billing,
    by,
    insiders,
    strangers,
    prefix: { id: made.id, text },
    online,
    extra,
    sums: { income: 0, discount: 0, expend: 0 },
  };
};

const addAccount = async (vno: Vno, row: { id: number; account: string }): Promise<Account> => {
  const account = { id: row.id, account: row.account, vno: vno.name, balance: 0, holdings: [] };
  accounts.push(account);
  return account;
};

/** Cards made earlier, with their stock entries in the ledger. */
const makeCards = async (vno: Vno, count: number, worth: number, goods?: Goods) => {
  const { agent_id } = vno.billing;
  const stamp = { agent_id, create_at: now(), expire_at: now() + 1000 * day };
  const of = goods
    ? ({ card_type: 'package', package_id: goods.id, period: worth / goods.price } as const)
    : ({ card_type: 'amount' } as const);
  const batch = { ...stamp, ...of, batch_no: `C${++serial}`, name: 'cards', denomination: money(worth), count };
  const rule = { ...batch, producer: '-', update_at: now(), state: 'ready' as const };
  const { id: rule_id } = await w.api.db.insertInto('card_rule').values(rule).returning('id').executeTakeFirstOrThrow();
  const secrets = newCards(count);
  const rows = secrets.map((s) => ({ ...stamp, rule_id, number: s.number, password: seal(w.api.deps.config.secretKey, s.password) }));
  await w.api.db.insertInto('recharge_card').values(rows).execute();
  const stock = BigInt(worth * count);
  await w.api.db.transaction().execute((db) =>
    postEntry(db, { agent_id, cause: `stock:${rule_id}`, channel: 'stock', expense_type: 'card_stock', operator: '-', create_at: now() }, [
      { kind: 'card_stock', amount: stock },
      { kind: 'card_debt', amount: -stock },
    ]),
  );
  cards.push(...secrets.map((s) => ({ ...s, worth, ...(goods && { goods }), used: false })));
};

beforeAll(async () => {
  w = await startPayWorld();
  const { admin, east, west, child } = w;
  // Batch accounts have no names, so real names are not required here.
  await w.api.db.updateTable('open_config').set({ realname: false }).execute();
  vnos = [
    await openVno('east', w.billing, east, [east, admin], [west, child]),
    await openVno('west', await makeBillingFixture(w.api, w.westId, 'west'), west, [west, admin], [east, child]),
    await openVno('child', await makeBillingFixture(w.api, w.childId, 'child'), child, [child, east, admin], [west]),
  ];
  for (const vno of vnos) for (let i = 0; i < 8; i++) await addAccount(vno, await vno.billing.makeAccount());
  const [first] = vnos;
  const [month] = first?.online ?? [];
  if (!first || !month) throw new Error('no VNO');
  await makeCards(first, 30, 5000);
  await makeCards(first, 10, 2 * month.price, month);
  clerkId = await makeStaff(east, 'books_clerk', await makeRole(east, 'clerk', grantsOf(['user_list', 'user_package'])));
  await w.api.db
    .updateTable('customer')
    .set({ income_limit: money(clerkLimit) })
    .where('id', '=', clerkId)
    .execute();
  clerk = await w.api.login('books_clerk');
});
afterAll(() => w.close());

/** Fails on an internal error; returns true if the one row succeeded. */
const went = (reply: Reply<{ readonly success?: number }>): boolean => {
  expect(reply.code, reply.msg).not.toBe(errors.internal.code);
  return reply.code === 0 && reply.data.success === 1;
};

const enter = (a: Account, income: number, discount: number, expend = 0) => {
  const { sums } = vnoOf(a);
  sums.income += income;
  sums.discount += discount;
  sums.expend += expend;
};

interface Payment {
  readonly discount: number;
  readonly pay_method: string;
}
/** A discount up to the amount; a free sale discounts all of it. */
const paymentFor = (amount: number): Payment & { readonly form: object } => {
  const pay_method = random.pick(['cash', 'pos', 'transfer', 'free']);
  const discount = pay_method === 'free' ? amount : random.below(3) === 0 ? random.below(amount) : 0;
  return { pay_method, discount, form: { pay_method, ...(discount > 0 && pay_method !== 'free' && { discount: money(discount) }) } };
};

/** All random values are drawn before the action starts, so concurrent actions do not change them. */
type Action = () => Promise<void>;

const mayRecharge = (a: Account) => [null, 'normal', 'to_be_used', 'exhausted'].includes(packageStatus(a, now()));

const topUp = (a: Account): Action => {
  const amount = 1 + random.below(30_000);
  const { form, discount, pay_method } = paymentFor(amount);
  const by = random.pick([...vnoOf(a).insiders, ...(a.vno === 'east' ? [clerk, clerk] : [])]);
  return async () => {
    const may = mayRecharge(a);
    const done = went(await by.call(moneyCalls.recharge, { ids: [a.id], kind: 'amount', amount: money(amount), ...form }));
    if (by !== clerk) expect(done, 'top-up').toBe(may);
    if (!done) return;
    if (by === clerk && pay_method === 'cash') clerkTook += amount - discount;
    a.balance += amount;
    enter(a, amount, discount);
  };
};

const renew = (a: Account): Action => {
  const count = 1 + random.below(3);
  const by = random.pick(vnoOf(a).insiders);
  const stored = current(a, now());
  const income = (stored?.goods.price ?? 1) * count;
  const { form, discount } = paymentFor(income);
  return async () => {
    const may = mayRecharge(a) && stored !== undefined;
    expect(went(await by.call(moneyCalls.recharge, { ids: [a.id], kind: 'package', count, ...form })), 'renewal').toBe(may);
    if (!may || !stored) return;
    grant(a, stored.goods, sharesOf(income - discount, count), now());
    enter(a, income, discount);
  };
};

const addExtra = (a: Account): Action => {
  const { extra, insiders } = vnoOf(a);
  const count = 1 + random.below(4);
  const by = random.pick(insiders);
  const { form, discount } = paymentFor(extra.price * count);
  return async () => {
    const may = ['normal', 'exhausted'].includes(packageStatus(a, now()) ?? '');
    expect(went(await by.call(moneyCalls.addPackage, { ids: [a.id], package_id: extra.id, count, ...form })), 'extra').toBe(may);
    if (!may) return;
    grant(a, extra, sharesOf(extra.price * count - discount, count), now());
    enter(a, extra.price * count, discount);
  };
};

const change = (a: Account): Action => {
  const { online, insiders } = vnoOf(a);
  const goods = random.pick(online);
  const effect = random.pick(['now', 'now', 'next'] as const);
  const by = random.pick(insiders);
  const { form, discount, pay_method } = paymentFor(goods.price);
  return async () => {
    const plan = planOf(a, effect, now());
    const done = went(await by.call(moneyCalls.changePackage, { ids: [a.id], package_id: goods.id, effect, ...form }));
    expect(done, 'change').toBe(plan !== undefined);
    if (!plan) return;
    for (const h of plan.ends) h.expire_at = now();
    grant(a, goods, [goods.price - discount], plan.start_at);
    enter(a, goods.price, discount, pay_method === 'free' ? 0 : plan.back);
  };
};

/** A card is valid for its issuer and VNOs below; a package card only where the package is offered. */
const isGoodFor = (card: Card, a: Account) => mayRecharge(a) && (a.vno === 'east' || (a.vno === 'child' && !card.goods));

const redeem = (card: Card, rivals: readonly Account[]): Action => {
  const tries = rivals.map((a) => ({ a, by: random.pick(vnoOf(a).insiders) }));
  return async () => {
    const form = { kind: 'card', card_number: card.number, card_password: card.password };
    const good = card.used ? [] : rivals.filter((a) => isGoodFor(card, a));
    const replies = await Promise.all(tries.map(({ a, by }) => by.call(moneyCalls.recharge, { ids: [a.id], ...form })));
    const winners = rivals.filter((_, i) => replies[i] && went(replies[i]));
    expect(winners, 'a card is redeemed once').toHaveLength(good.length > 0 ? 1 : 0);
    const [winner] = winners;
    if (!winner) return;
    expect(good).toContain(winner);
    card.used = true;
    if (card.goods) grant(winner, card.goods, sharesOf(card.worth, card.worth / card.goods.price), now());
    else winner.balance += card.worth;
  };
};

/** Pays an order, which the provider reports by three concurrent callbacks. */
const payOnline = (a: Account): Action => {
  const channel = random.pick(channels);
  const by = random.pick(vnoOf(a).insiders);
  const amount = 1 + random.below(20_000);
  const stored = random.below(2) === 0 ? current(a, now()) : undefined;
  const count = 1 + random.below(3);
  return async () => {
    const what = stored ? { kind: 'package', count } : { kind: 'amount', amount: money(amount) };
    const reply = await w.orderBy(by, { channel, user_id: a.id, ...what });
    expect(reply.code === 0, `order: ${reply.msg}`).toBe(mayRecharge(a));
    if (reply.code !== 0) return;
    const { id, order_no } = reply.data;
    const paid = w.standIn.pay(order_no);
    const again = w.standIn.callbackOf(order_no);
    await Promise.all([paid, isAccepted(again), isAccepted(again)]);
    const cost = stored ? stored.goods.price * count : amount;
    if (stored) grant(a, stored.goods, sharesOf(cost, count), now());
    else a.balance += cost;
    orders.push({ id, account: a, amount: cost, ...(stored && { goods: stored.goods }), count, open: true });
  };
};

/** Two operators withdraw the same order. */
const withdraw = (order: Order): Action => {
  const { account, goods } = order;
  const by = [random.pick(vnoOf(account).insiders), random.pick(vnoOf(account).insiders)];
  return async () => {
    const taken = goods && takenBack(account, goods, sharesOf(order.amount, order.count), now());
    const may = order.open && accounts.includes(account) && (goods === undefined || taken !== undefined);
    const replies = await Promise.all(by.map((one) => w.withdraw(order.id, one)));
    for (const reply of replies) expect(reply.code, reply.msg).not.toBe(errors.internal.code);
    expect(
      replies.filter(({ code }) => code === 0),
      'refund',
    ).toHaveLength(may ? 1 : 0);
    if (!may) return;
    order.open = false;
    for (const h of taken ?? []) h.expire_at = now();
    if (!goods) account.balance -= order.amount;
  };
};

const remove = (a: Account): Action => {
  const by = random.pick(vnoOf(a).insiders);
  return async () => {
    must(await by.call(userCalls.forbid, { ids: [a.id], operate: 'disable' }));
    const done = went(await by.call(userCalls.remove, { ids: [a.id], forfeit: limits.billMax }));
    expect(done, 'deletion').toBe(a.balance === 0);
    if (done) accounts = accounts.filter((one) => one !== a);
    else must(await by.call(userCalls.forbid, { ids: [a.id], operate: 'enable' }));
  };
};

/** Callers outside the branch cannot change the account. */
const intrude = (a: Account): Action => {
  const { strangers, online } = vnoOf(a);
  const by = random.pick(strangers);
  const order = orders.find((o) => o.account === a && o.open);
  return async () => {
    const ids = [a.id];
    expect(went(await by.call(moneyCalls.recharge, { ids, kind: 'amount', amount: '1' }))).toBe(false);
    expect(went(await by.call(moneyCalls.changePackage, { ids, package_id: online[0]?.id, effect: 'now' }))).toBe(false);
    if (order) expect((await w.withdraw(order.id, by)).code).toBe(errors.not_found.code);
  };
};

const batchCall = { ...addCalls.add, shape: shape<OpeningResult>() };

/** Opens a few accounts at once, for an amount that does not divide evenly. */
const openSome = (vno: Vno): Action => {
  const goods = random.pick(vno.online);
  const count = 1 + random.below(4);
  const { form, discount } = paymentFor(goods.price * count);
  const start_no = String(1000 * ++serial);
  return async () => {
    const input = {
      account_source: 'batch',
      account_type: 'personal',
      account_prefix: vno.prefix.id,
      start_no,
      count,
      password: 'Sea123',
      allow_logins: 1,
      bind_type: 'device',
      device_id: vno.billing.device_id,
      package_id: goods.id,
      expire_at: now() + 3000 * day,
      ...form,
    };
    expect(must(await vno.by.call(batchCall, input)).success).toBe(count);
    const prices = sharesOf(goods.price * count - discount, count);
    for (const [i, price] of prices.entries()) {
      const account = numberedAccount(vno.prefix.text, start_no, i);
      const row = await w.api.db
        .selectFrom('subscriber')
        .select(['id', 'account'])
        .where('account', '=', account)
        .executeTakeFirstOrThrow();
      const opened = await addAccount(vno, row);
      grant(opened, goods, [price], now());
      if (i === 0) enter(opened, goods.price * count, discount);
    }
  };
};

const actionFor = (a: Account): Action => {
  const order = orders.find((o) => o.account === a && o.open);
  const actions = [
    topUp,
    renew,
    renew,
    addExtra,
    change,
    change,
    payOnline,
    payOnline,
    intrude,
    ...(random.below(8) === 0 ? [remove] : []),
  ];
  return order && random.below(3) === 0 ? withdraw(order) : random.pick(actions)(a);
};

/** Picks `count` different accounts. */
const some = (count: number): Account[] => {
  const left = [...accounts];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.below(left.length), 1)).flat();
};

const rowsOf = (a: Account) => w.billing.holdings(a.id);

/** A subscriber goes online: a holding is activated and partly used. */
const use = async (a: Account) => {
  const at = a.holdings.findIndex((h) => ['to_be_used', 'normal'].includes(statusOf(h, now())));
  const stored: ModelHolding | undefined = a.holdings[at];
  const row = (await rowsOf(a))[at];
  if (!stored || !row) return;
  stored.activated_at ??= now();
  stored.used += random.below(gigabyte);
  await w.api.db
    .updateTable('holding')
    .set({ activated_at: stored.activated_at, used_flow: stored.used })
    .where('id', '=', row.id)
    .execute();
  await refreshPackages(w.api.db, [a.id], now());
};

/** Compares each account with the model. */
const compare = async () => {
  for (const a of accounts) {
    const rows = await rowsOf(a);
    const found = rows.map((h) => [h.package_id, h.price, h.start_at, h.activated_at, h.expire_at]);
    expect(found, a.account).toEqual(a.holdings.map((h) => [h.goods.id, money(h.price), h.start_at, h.activated_at, writtenEnd(h, now())]));
    const { balance, package_status } = await w.billing.account(a.id);
    expect([balance, package_status], a.account).toEqual([money(a.balance), packageStatus(a, now())]);
  }
  expect(await auditLedger(w.api.db)).toEqual([]);
};

const amountOf = async (agent_id: number, kind: 'card_debt' | 'collected', detail = '') => {
  const of = w.api.db.selectFrom('ledger_account').select('amount').where('agent_id', '=', agent_id).where('kind', '=', kind);
  return (await of.where('detail', '=', detail).executeTakeFirst())?.amount ?? '0.00';
};

const deadlocksOf = (db: PayWorld['api']['db']) =>
  db
    .selectNoFrom(sql<number>`(select deadlocks::int from pg_stat_database where datname = current_database())`.as('deadlocks'))
    .executeTakeFirstOrThrow();

test('after concurrent actions of several VNOs, each account matches the model and the ledger balances to the cent', {
  timeout: 240_000,
}, async () => {
  for (let round = 0; round < runs(45, 12, 3); round++) {
    const rivals = some(3);
    const others = random.below(4) === 0 ? [random.pick(vnos)] : [];
    const actors = some(8).filter((a) => !rivals.includes(a));
    const actions = [...actors.map(actionFor), ...others.map(openSome), redeem(random.pick(cards), rivals)];
    await Promise.all(actions.map((action) => action()));
    const gone = orders.find((o) => o.open && o.goods && !accounts.includes(o.account));
    if (gone) await withdraw(gone)();
    for (const a of some(4)) await use(a);
    await w.advance(random.below(3) === 0 ? random.below(9) * day : random.below(3600));
    await sweepAccounts(w.api.db, w.api.deps.config, now());
    await compare();
  }
  for (const { sums, billing, by } of vnos) {
    const { data } = await by.call(billCalls.counter, { vno_id: billing.agent_id });
    const { income, discount, expend } = sums;
    const net_income = money(income - discount - expend);
    expect(data.sums).toEqual({ income: money(income), discount: money(discount), expend: money(expend), net_income });
    const { agent_id } = billing;
    const paid = orders.filter((o) => o.open && vnoOf(o.account).billing === billing).reduce((sum, o) => sum + o.amount, 0);
    const online = inCents(await amountOf(agent_id, 'collected', 'wechat')) + inCents(await amountOf(agent_id, 'collected', 'alipay'));
    expect(online, 'paid online and not refunded').toBe(paid);
    const debt = agent_id === w.eastId ? cards.filter((c) => !c.used).reduce((sum, c) => sum + c.worth, 0) : 0;
    expect(await amountOf(agent_id, 'card_debt'), 'cards still to be redeemed').toBe(money(-debt));
  }
  const { deadlocks } = await deadlocksOf(w.api.db);
  expect(deadlocks, 'actions that waited for each other').toBe(0);
  const { income_used } = await w.api.db.selectFrom('customer').select('income_used').where('id', '=', clerkId).executeTakeFirstOrThrow();
  expect(income_used).toBe(money(clerkTook));
  expect(clerkTook).toBeLessThanOrEqual(clerkLimit);
});
