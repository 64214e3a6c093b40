import { orderMethod } from '@farlink/contract/finance/choices.ts';
import type { payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { cents, priceText } from '@farlink/contract/kit/money.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import { priceOf } from '../../domain/payment/book.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';

const texts = {
  whose: ['账号 {0}，VNO {1}', 'Account {0}, VNO {1}'],
  order: ['订单 {0}，账单 {1}', 'Order {0}, bill {1}'],
  unbilled: ['订单 {0}，未入账', 'Order {0}, not billed'],
  sold: ['{0}：{1} × {2} = {3}', '{0}: {1} × {2} = {3}'],
  amount: ['充值 {0}', 'Top-up {0}'],
  discount: ['优惠 -{0}', 'Discount -{0}'],
  close: ['尚未支付，撤销后订单关闭，不退款', 'Not paid yet: the order is closed, nothing is refunded'],
  toBalance: ['退回账户余额 {0}', '{0} returns to the balance'],
  refund: ['退款 {0}，原路退回（{1}）', 'Refund {0} to the payer ({1})'],
} as const satisfies Record<string, Text>;

const orderOf = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('pay_order')
    .innerJoin('agent', 'agent.id', 'pay_order.agent_id')
    .leftJoin('package', 'package.id', 'pay_order.package_id')
    .leftJoin('subscriber', 'subscriber.id', 'pay_order.subscriber_id')
    .leftJoin('ledger_entry as bill', 'bill.order_id', 'pay_order.id')
    .select([
      'pay_order.state',
      'pay_order.order_no',
      'pay_order.channel',
      'pay_order.amount',
      'pay_order.balance_part',
      'pay_order.count',
      'agent.name as agent_name',
    ])
    .select([
      'bill.bill_no',
      'bill.discount',
      'bill.balance_part as bill_part',
      sql<string | null>`coalesce(bill.account, subscriber.account, pay_order.user_name)`.as('account'),
    ])
    .select(unlessHidden<string>(ctx.me, 'pay_order.package_name').as('package_name'))
    .where('pay_order.id', '=', id)
    .where(inScope(ctx.me, 'pay_order.agent_id', 'pay_order.device_id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

/** Shows the account of the order, the goods and the refund to the payer. */
export const quoteWithdrawal: Handler<typeof payOrderQuote.withdrawal> = async (ctx, { ids }) => {
  const order = await orderOf(ctx, ids[0] ?? 0);
  const { order_no, bill_no, amount, count, package_name } = order;
  const channel = orderMethod.find(({ id }) => id === order.channel)?.label ?? order.channel;
  const discount = cents(order.discount ?? '0');
  const gross = priceOf(order) + discount;
  const lines: Text[] = [
    fill(texts.whose, order.account ?? '-', order.agent_name),
    bill_no === null ? fill(texts.unbilled, order_no) : fill(texts.order, order_no, bill_no),
    package_name === null
      ? fill(texts.amount, priceText(gross))
      : fill(texts.sold, package_name, priceText(gross / BigInt(count)), count, priceText(gross)),
    ...(discount > 0n ? [fill(texts.discount, priceText(discount))] : []),
  ];
  const part = cents(order.bill_part ?? '0');
  const due = cents(amount);
  const refunds = [
    ...(due > 0n ? [fill(texts.refund, priceText(due), channel)] : []),
    ...(part > 0n ? [fill(texts.toBalance, priceText(part))] : []),
  ];
  const outcomes = order.state === 'paid' ? refunds : [texts.close];
  const notes: PreviewNote[] = lines.map((line) => ({ text: say(line, ctx.lang) }));
  return { notes: [...notes, ...outcomes.map((text): PreviewNote => ({ text: say(text, ctx.lang), tone: 'total' }))] };
};
