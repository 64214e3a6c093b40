import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { Selectable } from 'kysely';
import type { PayOrderTable } from '../../db/tables.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { lockBalance } from '../ledger/available-balance.ts';
import { postSale } from '../ledger/post-sale.ts';
import { grantPackages, packageGrantsOf } from '../metering/store/grant-packages.ts';
import { PaymentError } from './payment-error.ts';
import type { Trade } from './provider.ts';
import type { ChannelRow } from './secrets.ts';

export type OrderRow = Selectable<PayOrderTable>;

export interface Payment extends Pick<Trade, 'amount' | 'currency' | 'trade_no' | 'paid_at'> {
  readonly order_no: string;
  /** Only for a callback; a query has none. */
  readonly event_id?: string;
}

/** Price in cents: what the provider collects and the part of the balance. */
export const priceOf = ({ amount, balance_part }: Pick<OrderRow, 'amount' | 'balance_part'>): bigint => cents(amount) + cents(balance_part);

export const causeOf = ({ order_no }: Pick<OrderRow, 'order_no'>) => `order:${order_no}`;

const wrong = (code: string) => new PaymentError('provider', ['支付结果与订单不符', 'The payment does not match the order'], { code });

const findBuyer = async (db: Db, { subscriber_id }: OrderRow) =>
  subscriber_id === null
    ? undefined
    : db.selectFrom('subscriber').selectAll().where('id', '=', subscriber_id).forUpdate().executeTakeFirst();

/** The ordered package, if it can still be granted; otherwise the amount is credited to the balance. */
const findOrderedPackage = async (db: Db, { package_id }: OrderRow, now: number) =>
  package_id === null
    ? undefined
    : db
        .selectFrom('package')
        .select(['id', 'name'])
        .where('id', '=', package_id)
        .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', now)]))
        .executeTakeFirst();

/** The balance still has the part of the order. A late payment comes after the order, and its reservation, have ended. */
const isCovered = async (db: Db, buyerId: number, { balance_part }: OrderRow): Promise<boolean> =>
  cents(balance_part) === 0n || cents(balance_part) <= (await lockBalance(db, buyerId));

/** Posts the bill of a paid order and grants its package, or credits the payment to the balance. */
export const deliver = async (db: Db, order: OrderRow, now: number) => {
  const buyer = await findBuyer(db, order);
  const goods = buyer && (await isCovered(db, buyer.id, order)) ? await findOrderedPackage(db, order, now) : undefined;
  const isBalance = buyer !== undefined && goods === undefined;
  const { agent_id, count, amount, balance_part } = order;
  const { isNew } = await postSale(
    db,
    { agent_id, customer_id: order.customer_id, operator: order.operator },
    {
      cause: causeOf(order),
      channel: 'online',
      expense_type: isBalance ? 'recharge' : order.expense_type,
      pay_method: order.channel,
      income: goods ? yuan(priceOf(order)) : amount,
      balance_part: goods ? balance_part : undefined,
      into: isBalance ? 'balance' : 'revenue',
      buyer,
      package: goods,
      count,
      order_id: order.id,
      remark: order.remark,
    },
    now,
  );
  if (!isNew || !goods || !buyer) return;
  const grant = { subscriber_id: buyer.id, agent_id, package_id: goods.id, count };
  await grantPackages(db, packageGrantsOf(grant, priceOf(order), cents(balance_part)), now);
};

/**
 * Books a verified payment exactly once, independent of how many notices and queries report it. A late payment counts too: an expired or
 * withdrawn order becomes paid.
 */
export const bookPayment = (deps: Deps, channel: ChannelRow, payment: Payment): Promise<'booked' | 'known'> =>
  deps.db.transaction().execute(async (db) => {
    const order = await db
      .selectFrom('pay_order')
      .selectAll()
      .where('order_no', '=', payment.order_no)
      .where('channel_id', '=', channel.id)
      .forUpdate()
      .executeTakeFirst();
    if (!order) throw wrong('order_no');
    if (payment.amount === null || cents(payment.amount) !== cents(order.amount)) throw wrong('amount');
    if (payment.currency !== 'CNY') throw wrong('currency');
    const { trade_no, event_id } = payment;
    if (trade_no === null || (order.trade_no !== null && order.trade_no !== trade_no)) throw wrong('trade_no');
    const now = deps.clock.now();
    if (event_id !== undefined)
      await db
        .insertInto('pay_event')
        .values({ channel: channel.channel, event_id, order_id: order.id, create_at: now })
        .onConflict((oc) => oc.doNothing())
        .execute();
    if (order.pay_at !== null) return 'known';
    await db
      .updateTable('pay_order')
      .set({
        state: 'paid',
        trade_no,
        pay_at: payment.paid_at ?? now,
        withdraw_at: null,
        withdraw_customer_id: null,
        withdraw_operator: null,
      })
      .where('id', '=', order.id)
      .execute();
    await deliver(db, order, now);
    return 'booked';
  });
