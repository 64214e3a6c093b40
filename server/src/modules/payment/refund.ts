import { cents } from '@farlink/contract/kit/money.ts';
import { lockBalance } from '../../domain/ledger/available-balance.ts';
import { reverseEntry } from '../../domain/ledger/reverse-entry.ts';
import { type PackageGrant, packageGrantsOf } from '../../domain/metering/store/grant-packages.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { causeOf, type OrderRow, priceOf } from '../../domain/payment/book.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import { loadChannel } from '../../domain/payment/provider-of.ts';
import { isOpen } from '../../domain/payment/provider-outcome.ts';
import { stopRenewal } from '../../domain/sale/renew-account.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';

/**
 * A refund has three steps, because the provider is not called inside a transaction: suspend the goods, return the money, post the
 * reversal. After a crash, `withdraw_at` is set and the same refund is repeated.
 */

const lockOrder = (db: Db, id: number): Promise<OrderRow> =>
  db.selectFrom('pay_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

const billOf = (db: Db, order: OrderRow) =>
  db
    .selectFrom('ledger_entry')
    .select(['id', 'state', 'package_id', 'subscriber_id'])
    .where('cause', '=', causeOf(order))
    .executeTakeFirstOrThrow();

type Bill = Awaited<ReturnType<typeof billOf>>;

interface GrantedHoldings {
  readonly subscriber_id: number;
  readonly package_id: number;
}

const boughtWith = (order: OrderRow, granted: GrantedHoldings) =>
  packageGrantsOf({ ...granted, agent_id: order.agent_id, count: order.count }, priceOf(order), cents(order.balance_part));

/** Holdings of the same package and price are equal, so unused ones are taken back, the newest first. */
const unstartedHoldings = (
  db: Db,
  { subscriber_id, package_id }: GrantedHoldings,
  { price, balance_part = '0.00', count }: Pick<PackageGrant, 'price' | 'balance_part' | 'count'>,
) =>
  db
    .selectFrom('holding')
    .select('id')
    .where('subscriber_id', '=', subscriber_id)
    .where('package_id', '=', package_id)
    .where('price', '=', price)
    .where('balance_part', '=', balance_part)
    .where('activated_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(count);

const takePackages = async (db: Db, order: OrderRow, granted: GrantedHoldings, now: number) => {
  for (const bought of boughtWith(order, granted)) {
    const unused = await unstartedHoldings(db, granted, bought)
      .where('used_flow', '=', 0)
      .where('used_time', '=', 0)
      .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', now)]))
      .forUpdate()
      .execute();
    if (unused.length < bought.count) throw fail('pay_used');
    await db
      .updateTable('holding')
      .set({ expire_at: now, refunded_at: now })
      .where(
        'id',
        'in',
        unused.map(({ id }) => id),
      )
      .execute();
  }
  await refreshPackages(db, [granted.subscriber_id], now);
};

const returnPackages = async (db: Db, order: OrderRow, granted: GrantedHoldings, now: number) => {
  const { expire_at } = await db.selectFrom('package').select('expire_at').where('id', '=', granted.package_id).executeTakeFirstOrThrow();
  for (const bought of boughtWith(order, granted)) {
    const taken = unstartedHoldings(db, granted, bought).where('expire_at', '=', order.withdraw_at);
    await db.updateTable('holding').set({ expire_at, refunded_at: null }).where('id', 'in', taken).execute();
  }
  await refreshPackages(db, [granted.subscriber_id], now);
};

const grantedBy = ({ subscriber_id, package_id }: Bill): GrantedHoldings | undefined =>
  subscriber_id !== null && package_id !== null ? { subscriber_id, package_id } : undefined;

/** Refuses an order that cannot be refunded; suspends its goods until the money is returned. Runs in the transaction of the caller. */
export const suspendGoods = async (ctx: Ctx, orderId: number): Promise<void> => {
  const { db } = ctx;
  const now = ctx.now();
  const order = await lockOrder(db, orderId);
  if (order.state !== 'paid') throw fail('wrong_state');
  if (order.withdraw_at !== null) throw fail('pay_withdrawing');
  const bill = await billOf(db, order);
  if (bill.state !== 'settled') throw fail('bill_revoked');
  const { subscriber_id } = bill;
  const available = subscriber_id === null ? 0n : await lockBalance(db, subscriber_id);
  if (subscriber_id !== null && bill.package_id === null && available < cents(order.amount)) throw fail('balance_short');
  // Holdings that were deleted with the account cannot be taken back.
  if (subscriber_id === null && bill.package_id !== null) throw fail('pay_used');
  const granted = grantedBy(bill);
  if (granted) {
    await takePackages(db, order, granted, now);
    await stopRenewal(db, granted.subscriber_id);
  }
  await db
    .updateTable('pay_order')
    .set({ withdraw_at: now, withdraw_customer_id: ctx.me.uid, withdraw_operator: ctx.me.name })
    .where('id', '=', orderId)
    .execute();
};

/** Locks the order if the refund is still open. */
const lockRefund = async (db: Db, id: number) => {
  const order = await lockOrder(db, id);
  return order.state === 'paid' && order.withdraw_at !== null ? order : undefined;
};

const enterRefund = (deps: Deps, id: number) =>
  deps.db.transaction().execute(async (db) => {
    const order = await lockRefund(db, id);
    if (!order) return;
    const { agent_id, withdraw_customer_id: customer_id, withdraw_operator } = order;
    await db.updateTable('pay_order').set({ state: 'withdrawn' }).where('id', '=', id).execute();
    const { id: entryId } = await billOf(db, order);
    await reverseEntry(db, { agent_id, customer_id, operator: withdraw_operator ?? order.operator }, entryId, null, deps.clock.now());
  });

const undo = (deps: Deps, id: number) =>
  deps.db.transaction().execute(async (db) => {
    const order = await lockRefund(db, id);
    if (!order) return;
    const granted = grantedBy(await billOf(db, order));
    if (granted) await returnPackages(db, order, granted, deps.clock.now());
    const noWithdrawal = { withdraw_at: null, withdraw_customer_id: null, withdraw_operator: null };
    await db.updateTable('pay_order').set(noWithdrawal).where('id', '=', id).execute();
  });

/** True if the money was not returned. After an earlier attempt, only a refusal by the provider proves it. */
const isRefused = (error: unknown, isFirst: boolean) =>
  error instanceof PaymentError && !isOpen(error) && (isFirst || error.reason === 'provider');

/** Returns the money to the payer and the part of the balance to the balance, and posts it; a refusal of the provider restores the order. A repetition is the same refund. */
export const completeRefund = async (deps: Deps, orderId: number, isFirst: boolean): Promise<void> => {
  const order = await deps.db.selectFrom('pay_order').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
  const { order_no, amount } = order;
  try {
    if (order.channel !== 'balance') {
      const { provider } = await loadChannel(deps, order.channel_id);
      await provider.refund({ order_no, refund_no: `R${order_no}`, amount, total: amount });
    }
  } catch (error) {
    if (isRefused(error, isFirst)) await undo(deps, orderId);
    throw error;
  }
  await enterRefund(deps, orderId);
};
