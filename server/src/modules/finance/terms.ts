import { errors } from '@farlink/contract/errors.ts';
import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import { saleOf } from '@farlink/contract/finance/sale.ts';
import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { cents, priceText, yuan } from '@farlink/contract/kit/money.ts';
import { limits } from '@farlink/contract/limits.ts';
import { fail, failAt } from '../../kit/fail.ts';

interface Payment {
  readonly discount?: string | null | undefined;
  readonly pay_method?: PayMethod | null | undefined;
  readonly remark?: string | null | undefined;
}

const partsOf = (pay_method: PayMethod, due: bigint) =>
  pay_method === 'balance' ? { balancePart: due, received: 0n } : { balancePart: 0n, received: due };

/** Payment terms of a form, the amount to pay (zero if it is free), and its parts: from the balance, and in money. */
export const termsOf = (input: Payment, price: string, count = 1) => {
  const pay_method = input.pay_method ?? 'cash';
  const { income, discount, due } = saleOf({ price, count, discount: input.discount, pay_method });
  if (income > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
  if (due < 0n) throw fail('discount_too_high', { fields: { discount: errors.discount_too_high.text } });
  return {
    terms: { pay_method, income: yuan(income), discount: yuan(discount), remark: input.remark },
    paid: due,
    ...partsOf(pay_method, due),
  };
};

/** Refuses the sale if the collected amount differs from the bills, for example after a price change. */
export const refuseOtherAmount = (received: string | null | undefined, { list }: BatchResult) => {
  const charged = list.filter((row) => row.success);
  if (!received || charged.length === 0) return;
  const total = charged.reduce((sum, row) => sum + cents(row.received ?? '0'), 0n);
  const due = total > 0n ? total : 0n;
  if (cents(received) !== due)
    throw failAt('received', [`应收${priceText(due)}，请核对`, `The amount due is ${priceText(due)}, please check`]);
};

/** Terms of a sale in the operator log. */
export const soldFor = ({ pay_method, income, discount }: ReturnType<typeof termsOf>['terms']) => ({ pay_method, income, discount });
