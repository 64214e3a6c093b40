import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { lockBalance, refuseShort } from '../domain/ledger/available-balance.ts';
import { type OrderRow, priceOf } from '../domain/payment/book.ts';
import { findChannel, orderAmount, payFromBalance, storeOrder } from '../domain/payment/order.ts';
import type { ChannelRow } from '../domain/payment/secrets.ts';
import { findOffer } from '../domain/portal/portal-offers.ts';
import type { Db } from '../kit/deps.ts';
import { fail } from '../kit/fail.ts';
import { writeLog } from '../kit/log/record.ts';
import { actorOf, type SubscriberRow } from './subscriber.ts';
import { contextOf, type Visit } from './visit.ts';

/** Orders of one subscriber that wait for payment at the same time. */
const maxWaiting = 5;
/** An order is used again only if enough time is left to pay it. */
const minRemainingS = 120;

export interface PayChoice {
  readonly packageId: number;
  readonly way: ChannelRow['channel'] | 'balance';
  /** The balance pays what it has, the channel the rest. */
  readonly usesBalance: boolean;
  /** Number that the page has reserved for this order, so that two clicks make one; empty: any. */
  readonly no: string;
}

interface Opened {
  readonly order: OrderRow;
  /** Undefined: paid from the balance. */
  readonly channel?: ChannelRow;
}

const waitingOrders = (db: Db, subscriberId: number, now: number) =>
  db
    .selectFrom('pay_order')
    .selectAll()
    .where('subscriber_id', '=', subscriberId)
    .where('customer_id', 'is', null)
    .where('state', '=', 'waiting')
    .where('expire_at', '>', now + minRemainingS)
    .orderBy('id', 'desc')
    .execute();

type Ordered = Parameters<typeof payFromBalance>[1];

const payNow = async (visit: Visit, db: Db, buyer: SubscriberRow, ordered: Ordered, no: string): Promise<Opened> => {
  refuseShort(await lockBalance(db, buyer.id), cents(ordered.amount));
  const isNumber = /^P[0-9A-Z]{18}$/.test(no);
  const order = await payFromBalance(db, ordered, visit.deps.clock.now(), isNumber ? no : undefined);
  if (!order) throw fail('bad_input');
  const { order_no, balance_part: amount, package_name, expense_type } = order;
  await writeLog(db, actorOf(buyer), contextOf(visit), {
    module: 'finance',
    action: 'create',
    content: [
      `用户 ${buyer.account} 在门户用余额支付 ${order_no}`,
      `Subscriber ${buyer.account} paid ${order_no} from the balance in the portal`,
    ],
    after: { order_no, channel: 'balance', expense_type, amount, package_name },
    subject: `subscriber:${buyer.id}`,
  });
  return { order };
};

/** The subscriber is locked, so two clicks make one order. */
export const openOrder = (visit: Visit, { id }: SubscriberRow, { packageId, way, usesBalance, no }: PayChoice): Promise<Opened> => {
  const { deps } = visit;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (db) => {
    const buyer = await db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    const paid = await db.selectFrom('pay_order').selectAll().where('order_no', '=', no).where('subscriber_id', '=', id).executeTakeFirst();
    if (paid) return { order: paid };
    const { pkg, expense_type } = await findOffer(db, buyer, packageId, now);
    const amount = orderAmount(pkg.price);
    const price = cents(amount);
    const ordered = {
      agent_id: buyer.agent_id,
      expense_type,
      subscriber_id: id,
      user_name: buyer.name,
      package_id: pkg.id,
      package_name: pkg.name,
      count: 1,
      amount,
      device_id: buyer.device_id,
      customer_id: null,
      operator: buyer.account,
      remark: null,
    };
    if (way === 'balance') return payNow(visit, db, buyer, ordered, no);
    const channel = await findChannel(db, buyer.agent_id, way);
    const waiting = await waitingOrders(db, id, now);
    const same = waiting.find(
      (one) =>
        one.package_id === pkg.id &&
        one.channel_id === channel.id &&
        priceOf(one) === price &&
        cents(one.balance_part) > 0n === usesBalance,
    );
    if (same) return { order: same, channel };
    if (waiting.length >= maxWaiting) throw fail('too_many');
    const available = usesBalance ? await lockBalance(db, id) : 0n;
    if (available >= price) return payNow(visit, db, buyer, ordered, no);
    const part = available > 0n ? available : 0n;
    return { order: await storeOrder(db, channel, { ...ordered, amount: yuan(price - part), balance_part: yuan(part) }, now), channel };
  });
};
