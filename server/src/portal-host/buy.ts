import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { fill, say } from '@farlink/contract/kit/text.ts';
import { qrSvg } from '@farlink/portal/qr.ts';
import type { FastifyReply } from 'fastify';
import { nameForSubscriber } from '../domain/package/name-for-subscriber.ts';
import { causeOf, type OrderRow, priceOf } from '../domain/payment/book.ts';
import { followOrder } from '../domain/payment/follow-order.ts';
import { closeAtProvider, newOrderNo, openChannels, orderAmount, submitOrder } from '../domain/payment/order.ts';
import { PaymentError } from '../domain/payment/payment-error.ts';
import { isOpen, toPerson } from '../domain/payment/provider-outcome.ts';
import { publicUrl } from '../domain/payment/public-url.ts';
import type { ChannelRow } from '../domain/payment/secrets.ts';
import { findOffer } from '../domain/portal/portal-offers.ts';
import { fail, Refusal } from '../kit/fail.ts';
import { writeLog } from '../kit/log/record.ts';
import { connectClient } from './access.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { openOrder, type PayChoice } from './open-order.ts';
import { orderData } from './order-data.ts';
import { payWays } from './pay-ways.ts';
import { actorOf, loggedInSubscriber, type SubscriberRow } from './subscriber.ts';
import { texts } from './texts.ts';
import { contextOf, messageData, redirectTo, secure, sendPage, type Visit } from './visit.ts';

const idOf = (text: string | null): number => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0);

/** Price of a package and the ways to pay it, before an order exists. */
export const showBuy = async (visit: Visit): Promise<FastifyReply> => {
  const { deps } = visit;
  const subscriber = await loggedInSubscriber(visit);
  const now = deps.clock.now();
  const { pkg } = await findOffer(deps.db, subscriber, idOf(visit.query.get('package')), now);
  const amount = orderAmount(pkg.price);
  const order = {
    no: String(pkg.id),
    newNo: newOrderNo(now),
    name: nameForSubscriber(pkg.name, visit.agent.name),
    amount: priceText(amount),
    channel: '',
  };
  return sendPage(visit, 'buy', { account: subscriber.account, order, channels: await payWays(visit, subscriber, cents(amount)) });
};

const announce = async (visit: Visit, subscriber: SubscriberRow, { order, channel }: { order: OrderRow; channel: ChannelRow }) => {
  const { deps, request } = visit;
  const { id, order_no, amount, package_name } = order;
  const pay_url = await submitOrder(deps, order, channel, { subject: package_name ?? order_no, publicUrl: publicUrl({ deps, request }) });
  await deps.db.transaction().execute(async (db) => {
    const unannounced = db.updateTable('pay_order').set({ pay_url }).where('id', '=', id).where('pay_url', 'is', null);
    if ((await unannounced.executeTakeFirst()).numUpdatedRows === 0n) return;
    await writeLog(db, actorOf(subscriber), contextOf(visit), {
      module: 'finance',
      action: 'create',
      content: [
        `用户 ${subscriber.account} 在门户下单 ${order_no}`,
        `Subscriber ${subscriber.account} made payment order ${order_no} in the portal`,
      ],
      after: { order_no, channel: order.channel, expense_type: order.expense_type, amount, package_name },
      subject: `subscriber:${subscriber.id}`,
    });
  });
};

/** An order that was announced before may have been closed or paid at the provider since then. */
const isStillOpen = async ({ deps }: Visit, order: OrderRow): Promise<boolean> => {
  try {
    await followOrder(deps, order);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    deps.log.warn({ reason: error.reason, code: error.code }, 'payment order check failed');
  }
  const { state } = await deps.db.selectFrom('pay_order').select('state').where('id', '=', order.id).executeTakeFirstOrThrow();
  return state !== 'expired' && state !== 'withdrawn';
};

const openOrAgain = async (visit: Visit, subscriber: SubscriberRow, choice: PayChoice) => {
  const opened = await openOrder(visit, subscriber, choice);
  if (opened.channel === undefined || opened.order.pay_url === null || (await isStillOpen(visit, opened.order))) return opened;
  return openOrder(visit, subscriber, choice);
};

const wayOf = async ({ deps }: Visit, { agent_id }: SubscriberRow, form: URLSearchParams): Promise<PayChoice['way']> => {
  const name = form.get('channel');
  if (name === 'balance') return name;
  const way = [...(await openChannels(deps.db, agent_id))].find((one) => one === name);
  if (way) return way;
  throw fail('pay_channel_off');
};

/** Pays from the balance, or creates an order, or finds that of the same click, and shows how to pay it. */
export const buy = async (visit: Visit): Promise<FastifyReply> => {
  const { deps } = visit;
  const subscriber = await loggedInSubscriber(visit);
  const form = formOf(visit.request);
  const { order, channel } = await openOrAgain(visit, subscriber, {
    packageId: idOf(fieldOf(form, 'package')),
    way: await wayOf(visit, subscriber, form),
    usesBalance: fieldOf(form, 'balance') === '1',
    no: fieldOf(form, 'no'),
  });
  try {
    if (channel && order.state === 'waiting' && order.pay_url === null) await announce(visit, subscriber, { order, channel });
  } catch (error) {
    if (error instanceof PaymentError) {
      deps.log.warn({ reason: error.reason, code: error.code }, 'payment provider call failed');
      if (!isOpen(error)) await deps.db.deleteFrom('pay_order').where('id', '=', order.id).where('pay_at', 'is', null).execute();
    }
    throw toPerson(error);
  }
  return redirectTo(visit, `pay/${order.order_no}`);
};

/** An order of this subscriber, made in the portal. Other orders are not found. */
const findOrder = async ({ deps: { db } }: Visit, subscriberId: number, no: string): Promise<OrderRow> => {
  const order = await db
    .selectFrom('pay_order')
    .selectAll()
    .where('order_no', '=', no)
    .where('subscriber_id', '=', subscriberId)
    .where('customer_id', 'is', null)
    .executeTakeFirst();
  if (!order) throw fail('not_found');
  return order;
};

/** What a paid order has brought: the package, or its amount in the balance if the package was no longer sold. */
const paidText = async ({ deps: { db }, agent }: Visit, order: OrderRow) => {
  const bill = await db.selectFrom('ledger_entry').select('package_id').where('cause', '=', causeOf(order)).executeTakeFirst();
  const amount = priceText(priceOf(order));
  if (bill?.package_id === null)
    return fill(cents(order.balance_part) > 0n ? texts.creditedShort : texts.credited, priceText(order.amount));
  return fill(texts.paid, `${nameForSubscriber(order.package_name ?? '', agent.name)} ${amount}`);
};

const isPayable = (visit: Visit, { state, expire_at, pay_url }: OrderRow) =>
  state === 'waiting' && expire_at > visit.deps.clock.now() && pay_url !== null;

/** State of an order. The page reloads until the order is paid or closed. */
export const showOrder = async (visit: Visit, no: string): Promise<FastifyReply> => {
  const subscriber = await loggedInSubscriber(visit);
  const order = await findOrder(visit, subscriber.id, no);
  if (isPayable(visit, order)) return sendPage(visit, 'paying', { account: subscriber.account, order: orderData(visit, order) });
  if (order.state !== 'paid') return sendHome(visit, messageData(texts.orderOver, visit.lang));
  await connectClient(visit, subscriber);
  return sendHome(visit, messageData(await paidText(visit, order), visit.lang));
};

export const showQr = async (visit: Visit, no: string): Promise<FastifyReply> => {
  const subscriber = await loggedInSubscriber(visit);
  const order = await findOrder(visit, subscriber.id, no);
  if (!isPayable(visit, order) || order.pay_url === null) throw fail('not_found');
  return secure(visit.reply).type('image/svg+xml').send(qrSvg(order.pay_url));
};

/** Closes an unpaid order. One that was paid at the same moment stays paid. */
export const cancelOrder = async (visit: Visit, no: string): Promise<FastifyReply> => {
  const { deps, lang } = visit;
  const subscriber = await loggedInSubscriber(visit);
  const order = await findOrder(visit, subscriber.id, no);
  if (order.state !== 'waiting') return redirectTo(visit, `pay/${no}`);
  try {
    await closeAtProvider(deps, order);
  } catch (error) {
    const refusal = toPerson(error);
    if (!(refusal instanceof Refusal)) throw refusal;
    return refusal.reason === 'pay_already'
      ? redirectTo(visit, `pay/${no}`)
      : sendHome(visit, { message: say(refusal.text, lang), isError: true }, 409);
  }
  await deps.db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('pay_order')
      .set({ state: 'withdrawn', withdraw_at: deps.clock.now(), withdraw_operator: subscriber.account })
      .where('id', '=', order.id)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await writeLog(db, actorOf(subscriber), contextOf(visit), {
      module: 'finance',
      action: 'update',
      content: [`用户 ${subscriber.account} 取消订单 ${no}`, `Subscriber ${subscriber.account} cancelled payment order ${no}`],
      before: { state: 'waiting' },
      after: { state: 'withdrawn' },
      subject: `subscriber:${subscriber.id}`,
    });
  });
  return sendHome(visit, messageData(texts.cancelled, lang));
};
