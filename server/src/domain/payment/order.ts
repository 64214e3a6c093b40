import { randomInt } from 'node:crypto';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type Insertable, sql } from 'kysely';
import type { PayOrderTable } from '../../db/tables.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { bookPayment, deliver, type OrderRow } from './book.ts';
import { chinaTime } from './china-time.ts';
import { notifyPath } from './notify-path.ts';
import { PaymentError } from './payment-error.ts';
import type { NewOrder, PaymentProvider } from './provider.ts';
import { loadChannel, providerOf } from './provider-of.ts';
import { isOpen } from './provider-outcome.ts';
import type { ChannelRow } from './secrets.ts';

const channelsOf = (db: Db, agentId: number) =>
  db
    .selectFrom('payment_channel')
    .innerJoin('agent', 'agent.id', 'payment_channel.agent_id')
    .selectAll('payment_channel')
    .where('payment_channel.status', '=', 1)
    .where(sql<boolean>`(select path from agent where id = ${agentId}) like agent.path || '%'`)
    .orderBy('agent.agent_level', 'desc');

/** Channel of the VNO, or of the nearest VNO above it. */
export const findChannel = async (db: Db, agentId: number, channel: ChannelRow['channel']): Promise<ChannelRow> => {
  const row = await channelsOf(db, agentId).where('payment_channel.channel', '=', channel).limit(1).executeTakeFirst();
  if (!row) throw fail('pay_channel_off');
  return row;
};

/** Channels by which subscribers of a VNO can pay. */
export const openChannels = async (db: Db, agentId: number): Promise<ReadonlySet<ChannelRow['channel']>> =>
  new Set((await channelsOf(db, agentId).execute()).map(({ channel }) => channel));

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Day and 50 random bits, so order numbers do not reveal how many orders exist. */
export const newOrderNo = (now: number) =>
  `P${chinaTime(now).slice(0, 10).replaceAll('-', '')}${Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

/** Price of `count` packages, in yuan. */
export const orderAmount = (price: string, count = 1): string => {
  const amount = cents(price) * BigInt(count);
  if (amount > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
  return yuan(amount);
};

type Ordered = Omit<Insertable<PayOrderTable>, 'id' | 'order_no' | 'channel' | 'channel_id' | 'expire_at' | 'create_at'> & {
  readonly amount: string;
};

/** Stores an order before it is sent to the provider. */
export const storeOrder = (db: Db, { id, channel }: ChannelRow, ordered: Ordered, now: number): Promise<OrderRow> =>
  db
    .insertInto('pay_order')
    .values({
      ...ordered,
      order_no: newOrderNo(now),
      channel,
      channel_id: id,
      expire_at: now + limits.payOrderS,
      create_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Pays an order from the balance and delivers it, in the caller's transaction that has locked the account. A number that exists already is
 * another click on the same offer: nothing is sold.
 */
export const payFromBalance = async (db: Db, ordered: Ordered, now: number, order_no = newOrderNo(now)): Promise<OrderRow | undefined> => {
  const paid = { channel: 'balance', state: 'paid', amount: '0.00', balance_part: ordered.amount, pay_at: now } as const;
  const order = await db
    .insertInto('pay_order')
    .values({ ...ordered, ...paid, order_no, expire_at: now, create_at: now })
    .onConflict((oc) => oc.column('order_no').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (order) await deliver(db, order, now);
  return order;
};

/** The same number is the same order at the provider, so a call without a clear result is repeated. */
const createAtProvider = async (provider: PaymentProvider, order: NewOrder) => {
  try {
    return await provider.createOrder(order);
  } catch (error) {
    if (!isOpen(error)) throw error;
    return provider.createOrder(order);
  }
};

/** Sends an order to its provider and returns the payment URL. */
export const submitOrder = async (
  deps: Deps,
  { order_no, amount, expire_at }: OrderRow,
  channel: ChannelRow,
  { subject, publicUrl }: { readonly subject: string; readonly publicUrl: string },
): Promise<string> => {
  const request = { order_no, amount, expire_at, subject, notify_url: `${publicUrl}${notifyPath(channel)}` };
  return (await createAtProvider(providerOf(deps, channel), request)).pay_url;
};

/** Code of WeChat Pay for an unknown order. */
const unknownOrder = 'ORDER_NOT_EXIST';

/** Closes the order at the provider, or finds it closed. A payment that was made first is booked. */
export const closeAtProvider = async (deps: Deps, { order_no, channel_id }: OrderRow) => {
  const { row, provider } = await loadChannel(deps, channel_id);
  try {
    await provider.close(order_no);
  } catch (error) {
    if (!(error instanceof PaymentError && error.reason === 'provider')) throw error;
    if (error.code === unknownOrder) return;
    const trade = await provider.query(order_no);
    if (trade.state === 'waiting') throw error;
    if (trade.state !== 'paid') return;
    await bookPayment(deps, row, { ...trade, order_no });
    throw fail('pay_already');
  }
};
