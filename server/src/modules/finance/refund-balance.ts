import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { cents, priceText, yuan } from '@farlink/contract/kit/money.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import type { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { lockSelection, namedBy, readSelection, sellTo } from './account.ts';

const owed: Text = ['应退 {0}', 'Amount to refund {0}'];

/** An order that is being refunded keeps its amount in the balance until the provider has returned it; one that waits for payment reserves it. */
const refuseReserved = async ({ db }: Ctx, id: number) => {
  const order = await db
    .selectFrom('pay_order')
    .select('state')
    .where('subscriber_id', '=', id)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'paid'), eb('withdraw_at', 'is not', null)]),
        eb.and([eb('state', '=', 'waiting'), eb('balance_part', '>', '0')]),
      ]),
    )
    .executeTakeFirst();
  if (order) throw fail(order.state === 'paid' ? 'balance_withdrawing' : 'balance_reserved');
};

/** Refuses the refund if a balance has changed since the operator read the amount. */
const refuseOtherRefund = (refunded: string | null | undefined, { list }: BatchResult) => {
  const total = list.reduce((sum, { received }) => sum - cents(received ?? '0'), 0n);
  if (total === 0n || !refunded || cents(refunded) === total) return;
  throw failAt('refunded', [`应退${priceText(total)}，请核对`, `The amount to refund is ${priceText(total)}, please check`]);
};

/** Returns the whole balance of each account, on one bill each. */
export const refundBalance: Handler<typeof moneyCalls.refundBalance> = async (ctx, { ids, pay_method, refunded, remark }) => {
  const selection = await lockSelection(ctx, ids);
  const result = await eachOf(ctx, ids, namedBy(selection, ['退还余额', 'Refund the balance of']), async (row, id) => {
    const { account } = selection.get(id);
    const expend = account.balance;
    if (cents(expend) <= 0n) throw fail('balance_empty');
    await refuseReserved(row, id);
    const refund = { expense_type: 'refund', into: 'balance', income: '0.00', expend, pay_method, remark } as const;
    const { bill_no } = await sellTo(row, 'balance', account, refund);
    record(row, [`退还余额 ${account.account}`, `Refunded the balance of ${account.account}`], {
      before: { balance: expend },
      after: { balance: '0.00', bill_no, expend, pay_method },
      subject: `subscriber:${id}`,
    });
    return { bill_no, received: yuan(-cents(expend)) };
  });
  refuseOtherRefund(refunded, result);
  return result;
};

export const quoteRefund: Handler<typeof quoteCalls.refundBalance> = async (ctx, { ids }) => {
  const { accounts } = await readSelection(ctx, ids);
  const total = [...accounts.values()].reduce((sum, { balance }) => sum + cents(balance), 0n);
  return { notes: [{ text: say(fill(owed, priceText(total)), ctx.lang), tone: 'total' }], values: { refunded: yuan(total) } };
};
