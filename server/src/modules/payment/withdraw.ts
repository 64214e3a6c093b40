import { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { type OrderRow, priceOf } from '../../domain/payment/book.ts';
import { closeAtProvider } from '../../domain/payment/order.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { record } from '../../kit/log/record.ts';
import { findOrder } from './read-order.ts';
import { completeRefund, suspendGoods } from './refund.ts';
import { inLog, withProvider } from './with-provider.ts';

const closeWaiting = async (ctx: Ctx, order: OrderRow) => {
  await closeAtProvider(ctx.deps, order);
  await inLog(ctx, calls.withdraw, async (inside) => {
    const { numUpdatedRows } = await inside.db
      .updateTable('pay_order')
      .set({ state: 'withdrawn', withdraw_at: ctx.now(), withdraw_customer_id: ctx.me.uid, withdraw_operator: ctx.me.name })
      .where('id', '=', order.id)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw fail('wrong_state');
    const { order_no } = order;
    record(inside, [`撤销订单 ${order_no}`, `Withdrew payment order ${order_no}`], {
      before: { state: 'waiting' },
      after: { state: 'withdrawn' },
      ...(order.subscriber_id !== null && { subject: `subscriber:${order.subscriber_id}` }),
    });
  });
};

const refundPaid = async (ctx: Ctx, order: OrderRow) => {
  await inLog(ctx, calls.withdraw, async (inside) => {
    await suspendGoods(inside, order.id);
    const { order_no, amount, balance_part } = order;
    const [zh, en] = cents(balance_part) > 0n ? [`，退回余额 ${balance_part} 元`, ` and ${balance_part} yuan to the balance`] : ['', ''];
    record(inside, [`撤销订单 ${order_no}，退款 ${amount} 元${zh}`, `Withdrew payment order ${order_no}, refunding ${amount} yuan${en}`], {
      before: { state: 'paid' },
      after: { state: 'withdrawn', refund: amount, to_balance: balance_part },
      ...(order.subscriber_id !== null && { subject: `subscriber:${order.subscriber_id}` }),
    });
  });
  await completeRefund(ctx.deps, order.id, true);
  return { bill_no: await refundBill(ctx, order.id), amount: yuan(priceOf(order)) };
};

/** Bill number of the reversal of the order. */
const refundBill = async ({ deps }: Ctx, orderId: number) => {
  const refund = await deps.db
    .selectFrom('ledger_entry as bill')
    .innerJoin('ledger_entry as refund', 'refund.reverses_id', 'bill.id')
    .select('refund.bill_no')
    .where('bill.order_id', '=', orderId)
    .executeTakeFirst();
  return refund?.bill_no ?? null;
};

export const withdrawOrder = withProvider(calls.withdraw, async (ctx, { id }) => {
  const order = await findOrder(ctx, id);
  if (order.state === 'waiting') {
    await closeWaiting(ctx, order);
    return { bill_no: null, amount: order.amount };
  }
  if (order.state === 'paid') return refundPaid(ctx, order);
  throw fail('wrong_state');
});
