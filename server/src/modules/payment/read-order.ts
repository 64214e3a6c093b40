import type { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import type { OrderRow } from '../../domain/payment/book.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';

export const findOrder = async (ctx: Ctx, id: number): Promise<OrderRow> => {
  const row = await ctx.db
    .selectFrom('pay_order')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(ctx.me, 'pay_order.agent_id', 'pay_order.device_id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const readOrder: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('pay_order')
    .leftJoin('package', 'package.id', 'pay_order.package_id')
    .leftJoin('ledger_entry as bill', 'bill.order_id', 'pay_order.id')
    .select([
      'pay_order.id',
      'bill.bill_no',
      'pay_order.order_no',
      'pay_order.channel',
      'pay_order.state',
      'pay_order.amount',
      'pay_order.user_name',
      'pay_order.pay_url',
      'pay_order.pay_at',
      'pay_order.expire_at',
      unlessHidden<string>(ctx.me, 'pay_order.package_name').as('package_name'),
    ])
    .where('pay_order.id', '=', id)
    .where(inScope(ctx.me, 'pay_order.agent_id', 'pay_order.device_id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const isPayable = row.state === 'waiting' && row.expire_at > ctx.now();
  return { ...row, pay_url: isPayable ? row.pay_url : null };
};
