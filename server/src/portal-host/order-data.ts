import { payChannel } from '@farlink/contract/finance/choices.ts';
import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { Order } from '@farlink/portal/view.ts';
import { nameForSubscriber } from '../domain/package/name-for-subscriber.ts';
import type { OrderRow } from '../domain/payment/book.ts';
import { hereOf, type Visit } from './visit.ts';

/** Seconds until the page of an unpaid order reloads. */
const refreshS = 5;

/** The newest order of a subscriber that can still be paid, made in the portal. */
export const payableOrder = ({ deps: { db, clock } }: Visit, subscriberId: number): Promise<OrderRow | undefined> =>
  db
    .selectFrom('pay_order')
    .selectAll()
    .where('subscriber_id', '=', subscriberId)
    .where('customer_id', 'is', null)
    .where('state', '=', 'waiting')
    .where('pay_url', 'is not', null)
    .where('expire_at', '>', clock.now())
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Only a web URL is shown as a link; the URL of WeChat is for its scanner. */
const linkOf = (url: string) => (/^https?:\/\//.test(url) ? { link: url } : {});

export const orderData = (visit: Visit, order: OrderRow): Order => {
  const { order_no, package_name, amount, balance_part, channel, pay_url } = order;
  return {
    no: order_no,
    name: nameForSubscriber(package_name ?? '', visit.agent.name),
    amount: priceText(amount),
    ...(cents(balance_part) > 0n && { part: priceText(balance_part) }),
    channel: say(payChannel.find(({ id }) => id === channel)?.label ?? [channel, channel], visit.lang),
    ...(pay_url !== null && { ...linkOf(pay_url), qr: `${hereOf(visit)}pay/${order_no}/qr.svg` }),
    refresh: String(refreshS),
  };
};
