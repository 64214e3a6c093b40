import { priceText } from '@farlink/contract/kit/money.ts';
import { fill, say } from '@farlink/contract/kit/text.ts';
import { qrSvg } from '@farlink/portal/qr.ts';
import type { FastifyReply } from 'fastify';
import { causeOf, type OrderRow } from '../domain/payment/book.ts';
import { closeAtProvider, findChannel, openChannels, orderAmount, storeOrder, submitOrder } from '../domain/payment/order.ts';
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
import { orderData } from './order-data.ts';
import { channelLines } from './public-data.ts';
import { actorOf, loggedInSubscriber, type SubscriberRow } from './subscriber.ts';
import { texts } from './texts.ts';
import { contextOf, messageData, redirectTo, secure, sendPage, type Visit } from './visit.ts';

/** Orders of one subscriber that wait for payment at the same time. */
const maxWaiting = 5;
/** An order is used again only if enough time is left to pay it. */
const minRemainingS = 120;

const idOf = (text: string | null): number => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0);

/** Price and channels of a package, before an order exists. */
export const showBuy = async (visit: Visit): Promise<FastifyReply> => {
  const { deps, lang } = visit;
  const subscriber = await loggedInSubscriber(visit);
  const { pkg } = await findOffer(deps.db, subscriber, idOf(visit.query.get('package')), deps.clock.now());
  const order = { no: String(pkg.id), name: pkg.name, amount: priceText(orderAmount(pkg.price)), channel: '' };
  return sendPage(visit, 'buy', { account: subscriber.account, order, channels: await channelLines(deps, subscriber.agent_id, lang) });
};

/** The subscriber is locked, so two clicks make one order. */
const openOrder = (visit: Visit, { id }: SubscriberRow, packageId: number, name: ChannelRow['channel']) => {
  const { deps } = visit;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (db) => {
    const buyer = await db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    const { pkg, expense_type } = await findOffer(db, buyer, packageId, now);
    const channel = await findChannel(db, buyer.agent_id, name);
    const amount = orderAmount(pkg.price);
    const waiting = await db
      .selectFrom('pay_order')
      .selectAll()
      .where('subscriber_id', '=', id)
      .where('customer_id', 'is', null)
      .where('state', '=', 'waiting')
      .where('expire_at', '>', now + minRemainingS)
      .orderBy('id', 'desc')
      .execute();
    const same = waiting.find((one) => one.package_id === pkg.id && one.channel_id === channel.id && one.amount === amount);
    if (same) return { order: same, channel };
    if (waiting.length >= maxWaiting) throw fail('too_many');
    const order = await storeOrder(
      db,
      channel,
      {
        ...{ agent_id: buyer.agent_id, expense_type, subscriber_id: id, user_name: buyer.name, package_id: pkg.id, package_name: pkg.name },
        ...{ count: 1, amount, device_id: buyer.device_id, customer_id: null, operator: buyer.account, remark: null },
      },
      now,
    );
    return { order, channel };
  });
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

/** Creates an order, or finds that of the same click, and shows how to pay it. */
export const buy = async (visit: Visit): Promise<FastifyReply> => {
  const { deps } = visit;
  const subscriber = await loggedInSubscriber(visit);
  const form = formOf(visit.request);
  const name = [...(await openChannels(deps.db, subscriber.agent_id))].find((one) => one === form.get('channel'));
  if (!name) throw fail('pay_channel_off');
  const opened = await openOrder(visit, subscriber, idOf(fieldOf(form, 'package')), name);
  try {
    if (opened.order.pay_url === null) await announce(visit, subscriber, opened);
  } catch (error) {
    if (error instanceof PaymentError) {
      deps.log.warn({ reason: error.reason, code: error.code }, 'payment provider call failed');
      if (!isOpen(error)) await deps.db.deleteFrom('pay_order').where('id', '=', opened.order.id).where('pay_at', 'is', null).execute();
    }
    throw toPerson(error);
  }
  return redirectTo(visit, `pay/${opened.order.order_no}`);
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
const paidText = async ({ deps: { db } }: Visit, order: OrderRow) => {
  const bill = await db.selectFrom('ledger_entry').select('package_id').where('cause', '=', causeOf(order)).executeTakeFirst();
  const amount = priceText(order.amount);
  return bill?.package_id === null ? fill(texts.credited, amount) : fill(texts.paid, `${order.package_name ?? ''} ${amount}`);
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
