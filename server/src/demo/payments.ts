import type { Random } from '@farlink/contract/kit/random.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../db/tables.ts';
import { causeOf, type OrderRow } from '../domain/payment/book.ts';
import { chinaTime } from '../domain/payment/china-time.ts';
import type { Db } from '../kit/deps.ts';

/** Begin of the gateway address of a channel that uses the stand-in of the simulator. */
export const standInGateway = 'http://127.0.0.1:';

/** Shown until the stand-in starts and sets its own. */
const merchants = {
  wechat: { merchant_id: '1900000001', app_id: 'wx0000000000000001' },
  alipay: { merchant_id: '2088000000000001', app_id: '2021000000000001' },
};

const day = 86_400;
const minute = 60;
const count = 80;
const waitingS = 7200;
const amounts = ['20.00', '30.00', '50.00', '50.00', '100.00', '100.00', '200.00', '300.00'];

/** The platform collects for all VNOs, except three VNOs with their own channels. */
const seedChannels = async (db: Db) => {
  const agents = await db
    .selectFrom('agent')
    .select('id')
    .where('agent_level', '<=', 1)
    .orderBy('agent_level')
    .orderBy('id')
    .limit(4)
    .execute();
  for (const channel of ['wechat', 'alipay'] as const)
    await db
      .updateTable('payment_channel')
      .set({ status: 1, ...merchants[channel], gateway: `${standInGateway}8090` })
      .where('channel', '=', channel)
      .where(
        'agent_id',
        'in',
        agents.map(({ id }) => id),
      )
      .execute();
};

/** Nearest channel of each kind for each VNO. */
const collectors = async (db: Db) => {
  const { rows } = await sql<{ agent_id: number; channel: 'wechat' | 'alipay'; channel_id: number }>`
    select distinct on (a.id, c.channel) a.id as agent_id, c.channel, c.id as channel_id
    from agent a join agent o on a.path like o.path || '%' join payment_channel c on c.agent_id = o.id and c.status = 1
    order by a.id, c.channel, o.agent_level desc`.execute(db);
  return rows;
};

type Outcome = 'paid' | 'refunded' | 'expired' | 'withdrawn' | 'waiting';

const outcomeOf = (n: number): Outcome => {
  if (n < 5) return 'waiting';
  if (n < 19) return 'expired';
  if (n < 26) return 'withdrawn';
  return n < 31 ? 'refunded' : 'paid';
};

const digits = (random: Random, length: number) => Array.from({ length }, () => random.int(0, 9)).join('');

type Order = Insertable<Database['pay_order']> & { readonly create_at: number };

const makeOrders = async (db: Db, random: Random, now: number): Promise<Order[]> => {
  const subscribers = await db
    .selectFrom('subscriber')
    .select(['id', 'agent_id', 'name', 'device_id', 'create_at'])
    .where('account_type', '<>', 'job')
    .orderBy('id')
    .execute();
  const staff = await db.selectFrom('customer').select(['id', 'agent_id', 'name']).where('kind', '<>', 'sub').orderBy('id').execute();
  const extras = await db
    .selectFrom('package')
    .select(['id', 'agent_id', 'name', 'price'])
    .where('kind', '=', 'extra')
    .orderBy('id')
    .execute();
  const channels = await collectors(db);
  return Array.from({ length: count }, (_, n) => {
    const outcome = outcomeOf(n);
    const buyer = random.pick(subscribers.filter((s) => s.create_at < now - day));
    const by = random.pick(staff.filter((s) => s.agent_id === buyer.agent_id));
    const through = random.pick(channels.filter((c) => c.agent_id === buyer.agent_id));
    const own = extras.filter((p) => p.agent_id === buyer.agent_id);
    const goods = own.length > 0 && random.next() < 0.3 ? random.pick(own) : undefined;
    const create_at =
      outcome === 'waiting' ? now - random.int(0, 5 * minute) : random.int(Math.max(buyer.create_at, now - 180 * day), now - day);
    const order_no = `P${chinaTime(create_at).slice(0, 10).replaceAll('-', '')}${digits(random, 10)}`;
    const pay_at = create_at + random.int(10, 240);
    const isPaid = outcome === 'paid' || outcome === 'refunded';
    const withdraw_at = outcome === 'refunded' ? pay_at + random.int(3600, 20 * 3600) : create_at + random.int(60, 600);
    return {
      agent_id: buyer.agent_id,
      order_no,
      channel: through.channel,
      channel_id: through.channel_id,
      state: outcome === 'refunded' ? 'withdrawn' : outcome,
      expense_type: goods ? 'extra_package' : 'recharge',
      subscriber_id: buyer.id,
      user_name: buyer.name,
      package_id: goods?.id ?? null,
      package_name: goods?.name ?? null,
      amount: goods?.price ?? random.pick(amounts),
      pay_url: `${standInGateway}8090/pay/${digits(random, 22)}`,
      device_id: buyer.device_id,
      customer_id: by.id,
      operator: by.name,
      trade_no: isPaid ? `${chinaTime(pay_at).slice(0, 10).replaceAll('-', '')}${digits(random, 20)}` : null,
      pay_at: isPaid ? pay_at : null,
      expire_at: create_at + (outcome === 'waiting' ? waitingS : limits.payOrderS),
      create_at,
      ...((outcome === 'refunded' || outcome === 'withdrawn') && { withdraw_at, withdraw_customer_id: by.id, withdraw_operator: by.name }),
    };
  });
};

/** Ledger accounts of a paid order. */
const accountsOf = (order: OrderRow) => [
  { agent_id: order.agent_id, kind: 'collected' as const, detail: order.channel },
  order.package_id === null
    ? { agent_id: order.agent_id, kind: 'balance' as const, detail: String(order.subscriber_id) }
    : { agent_id: order.agent_id, kind: 'revenue' as const, detail: order.expense_type },
];

type AccountName = Pick<Selectable<Database['ledger_account']>, 'agent_id' | 'kind' | 'detail'>;
const nameOf = ({ agent_id, kind, detail }: AccountName) => `${agent_id} ${kind} ${detail}`;

const openAccounts = async (db: Db, orders: readonly OrderRow[]): Promise<Map<string, number>> => {
  const accounts = [...new Map(orders.flatMap(accountsOf).map((a) => [nameOf(a), a])).values()];
  await db
    .insertInto('ledger_account')
    .values(accounts)
    .onConflict((oc) => oc.doNothing())
    .execute();
  const rows = await db.selectFrom('ledger_account').select(['id', 'agent_id', 'kind', 'detail']).execute();
  return new Map(rows.map((row) => [nameOf(row), row.id]));
};

const billOf = (order: OrderRow, n: number, buyer: { account: string; account_type: string; account_source: string } | undefined) => ({
  agent_id: order.agent_id,
  cause: causeOf(order),
  bill_no: `B${order.order_no.slice(1, 9)}P${String(n).padStart(7, '0')}`,
  channel: 'online' as const,
  expense_type: order.expense_type,
  pay_method: order.channel,
  income: order.amount,
  subscriber_id: order.subscriber_id,
  account: buyer?.account ?? null,
  user_name: order.user_name,
  account_type: buyer?.account_type ?? null,
  account_source: buyer?.account_source ?? null,
  package_id: order.package_id,
  package_name: order.package_name,
  device_id: order.device_id,
  order_id: order.id,
  customer_id: order.customer_id,
  operator: order.operator,
  create_at: order.pay_at ?? order.create_at,
});

/** Posts bills and refunds of paid orders, with the same database checks as real ones. */
const enter = async (db: Db, orders: readonly OrderRow[]) => {
  const ids = orders.flatMap(({ subscriber_id }) => subscriber_id ?? []);
  const people = await db
    .selectFrom('subscriber')
    .select(['id', 'account', 'account_type', 'account_source'])
    .where('id', 'in', ids)
    .execute();
  const accounts = await openAccounts(db, orders);
  for (const [n, order] of orders.entries()) {
    const isBack = order.state === 'withdrawn';
    const bill = billOf(
      order,
      n,
      people.find(({ id }) => id === order.subscriber_id),
    );
    const [{ id } = { id: 0 }] = await db
      .insertInto('ledger_entry')
      .values({ ...bill, state: isBack ? 'revoked' : 'settled' })
      .returning('id')
      .execute();
    const [collected = 0, target = 0] = accountsOf(order).map((account) => accounts.get(nameOf(account)));
    const post = (entry_id: number, into: number, from: number) =>
      db
        .insertInto('ledger_posting')
        .values([
          { entry_id, account_id: into, amount: order.amount },
          { entry_id, account_id: from, amount: `-${order.amount}` },
        ])
        .execute();
    await post(id, collected, target);
    if (!isBack) continue;
    const back = {
      cause: `reverse:${id}`,
      bill_no: `${bill.bill_no}R`,
      expense_type: 'refund' as const,
      income: '0.00',
      expend: order.amount,
      order_id: null,
    };
    const reversal = await db
      .insertInto('ledger_entry')
      .values({ ...bill, ...back, reverses_id: id, create_at: order.withdraw_at ?? bill.create_at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await post(reversal.id, target, collected);
  }
};

/** Seeds channels of the stand-in and half a year of orders in all states. Runs after the other demo data. */
export const seedPayments = async (db: Db, random: Random, { now }: { readonly now: number }): Promise<void> => {
  await seedChannels(db);
  const orders = await db
    .insertInto('pay_order')
    .values(await makeOrders(db, random, now))
    .returningAll()
    .execute();
  const paid = orders.filter(({ pay_at }) => pay_at !== null).sort((a, b) => (a.pay_at ?? 0) - (b.pay_at ?? 0));
  await enter(db, paid);
};
