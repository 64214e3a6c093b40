import { payOrderCalls as calls, type payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { refuseUnbound } from '../../domain/access/unbound.ts';
import type { MeterState } from '../../domain/metering/engine/types.ts';
import { currentHolding } from '../../domain/metering/store/current-holding.ts';
import { loadMeters } from '../../domain/metering/store/load-meters.ts';
import { findPackage, type PackageRow, refuseNotOffered } from '../../domain/package/find-package.ts';
import { findChannel, orderAmount, storeOrder, submitOrder } from '../../domain/payment/order.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import { isOpen } from '../../domain/payment/provider-outcome.ts';
import { publicUrl } from '../../domain/payment/public-url.ts';
import { orRefusal, quotedName, quoteOfLines } from '../../domain/sale/quote-preview.ts';
import { refuseRecharge, refuseTooLong } from '../../domain/subscriber/refuse-recharge.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { forgetKey, once } from '../../kit/http/idempotency.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { findOrder, readOrder } from './read-order.ts';
import { inLog, withProvider } from './with-provider.ts';

type Input = InputOf<typeof calls.create>;

const findBuyer = async (ctx: Ctx, { user_id, account }: Input) => {
  const row = await ctx.db
    .selectFrom('subscriber')
    .select(['id', 'agent_id', 'account', 'name', 'account_type', 'device_id', 'device_group_id', 'whole_vno'])
    .where(user_id ? sql<boolean>`id = ${user_id}` : sql<boolean>`lower(account) = lower(${account ?? ''})`)
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'))
    .executeTakeFirst();
  if (row) return row;
  throw user_id ? fail('not_found') : failAt('account', ['账号不存在', 'Account not found']);
};

type Buyer = Awaited<ReturnType<typeof findBuyer>>;

/** Current package of the buyer, if it can be renewed. */
const findRenewal = async (ctx: Ctx, buyer: Buyer, state: MeterState, count: number): Promise<PackageRow> => {
  const { holding } = currentHolding(state, ctx.now());
  const rows = await ctx.db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .selectAll('package')
    .select('holding.id as holding_id')
    .where('holding.subscriber_id', '=', buyer.id)
    .execute();
  const pkg = rows.find((row) => row.holding_id === holding?.id);
  if (!pkg) throw fail('recharge_no_package');
  const same = new Set(rows.filter((row) => row.id === pkg.id).map((row) => row.holding_id));
  const stored = state.holdings.filter((h) => same.has(h.id));
  refuseTooLong(pkg, stored, count, ctx.now());
  return pkg;
};

const findExtra = async (ctx: Ctx, buyer: Buyer, state: MeterState, packageId: number): Promise<PackageRow> => {
  const pkg = await findPackage(ctx, packageId, 'extra');
  const { status } = currentHolding(state, ctx.now());
  if (status !== 'normal' && status !== 'exhausted') throw fail('extra_needs_package');
  await refuseNotOffered(ctx.db, pkg, buyer);
  return pkg;
};

/** Applies the rules of a counter sale before payment; after payment the sale cannot be refused. */
const findGoods = async (ctx: Ctx, buyer: Buyer, input: Input): Promise<PackageRow | undefined> => {
  const state = (await loadMeters(ctx.db, [buyer.id])).get(buyer.id);
  if (!state) throw fail('not_found');
  if (input.kind !== 'amount' || input.expense_type === 'extra_package') await refuseUnbound(ctx.db, buyer);
  if (input.expense_type === 'extra_package') return findExtra(ctx, buyer, state, input.package_id ?? 0);
  refuseRecharge(buyer, state, ctx.now());
  return input.kind === 'package' ? findRenewal(ctx, buyer, state, input.count ?? 1) : undefined;
};

const amountOf = (input: Input, pkg: PackageRow | undefined, count: number): string =>
  orderAmount(pkg?.price ?? input.amount ?? '0', pkg ? count : 1);

/** Amount of the order, by the same rules as creating it. */
export const quoteOrder: Handler<typeof payOrderQuote.quote> = (ctx, input) =>
  orRefusal(ctx.lang, async () => {
    const buyer = await findBuyer(ctx, input);
    const pkg = await findGoods(ctx, buyer, input);
    await findChannel(ctx.db, buyer.agent_id, input.channel);
    const count = pkg ? (input.count ?? 1) : 1;
    const income = cents(amountOf(input, pkg, count));
    const line = {
      name: pkg ? quotedName(ctx, pkg) : null,
      price: pkg ? cents(pkg.price) : income,
      count,
      income,
      discount: 0n,
      refund: 0n,
    };
    return { notes: quoteOfLines([line], [], ctx.lang).notes };
  });

/** Stores the order before the provider gets it. */
const openOrder = async (ctx: Ctx, input: Input) => {
  const buyer = await findBuyer(ctx, input);
  const pkg = await findGoods(ctx, buyer, input);
  const channel = await findChannel(ctx.db, buyer.agent_id, input.channel);
  const count = pkg ? (input.count ?? 1) : 1;
  const ordered = {
    agent_id: buyer.agent_id,
    expense_type: input.expense_type,
    subscriber_id: buyer.id,
    user_name: buyer.name,
    package_id: pkg?.id ?? null,
    package_name: pkg?.name ?? null,
    count,
    amount: amountOf(input, pkg, count),
    device_id: buyer.device_id,
    customer_id: ctx.me.uid,
    operator: ctx.me.name,
    remark: input.remark ?? null,
  };
  const order = await storeOrder(ctx.db, channel, ordered, ctx.now());
  const subject: Text = pkg
    ? [`${pkg.name} × ${count}`, `${pkg.name} × ${count}`]
    : [`${buyer.account} 充值`, `Recharge of ${buyer.account}`];
  return { order, channel, buyer, subject };
};

type Opened = Awaited<ReturnType<typeof openOrder>>;

/** Deletes an order that the provider refused, with its key: the corrected form may be sent again. */
const forget = (ctx: Ctx, orderId: number) =>
  ctx.deps.db.transaction().execute(async (db) => {
    await db.deleteFrom('pay_order').where('id', '=', orderId).where('pay_at', 'is', null).execute();
    await forgetKey({ ...ctx, db }, calls.create);
  });

/** Sends the order to the provider and stores its payment URL. A repeated request does it again only if the first did not finish. */
const sendToProvider = async (ctx: Ctx, { order, channel, buyer, subject }: Opened) => {
  const { id, order_no, amount, package_name, count } = order;
  const pay_url = await submitOrder(ctx.deps, order, channel, { subject: say(subject, ctx.lang), publicUrl: publicUrl(ctx) });
  await inLog(ctx, calls.create, async (inside) => {
    const withoutUrl = inside.db.updateTable('pay_order').set({ pay_url }).where('id', '=', id).where('pay_url', 'is', null);
    if ((await withoutUrl.executeTakeFirst()).numUpdatedRows === 0n) return;
    record(inside, [`新建收款单 ${order_no}，账号 ${buyer.account}`, `Created payment order ${order_no} for ${buyer.account}`], {
      after: { order_no, channel: order.channel, expense_type: order.expense_type, amount, package_name, count },
      subject: `subscriber:${buyer.id}`,
    });
  });
};

export const createOrder = withProvider(calls.create, async (ctx, input) => {
  const opened = await ctx.deps.db.transaction().execute((db) => {
    const inside = { ...ctx, db };
    return once(inside, calls.create, input, () => openOrder(inside, input));
  });
  const { id } = opened.order;
  try {
    if ((await findOrder(ctx, id)).pay_url === null) await sendToProvider(ctx, opened);
  } catch (error) {
    if (error instanceof PaymentError && !isOpen(error)) await forget(ctx, id);
    throw error;
  }
  return readOrder(ctx, { id });
});
