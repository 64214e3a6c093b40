import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { limits } from '@farlink/contract/limits.ts';
import { fail } from '../../kit/fail.ts';

interface Payment {
  readonly discount?: string | null | undefined;
  readonly pay_method?: PayMethod | null | undefined;
  readonly remark?: string | null | undefined;
}

/** What a form says about paying for so much, and what is paid in the end: nothing where it is free. */
export const termsOf = (input: Payment, price: string, count = 1) => {
  const income = cents(price) * BigInt(count);
  if (income > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
  const pay_method = input.pay_method ?? 'cash';
  const discount = pay_method === 'free' ? income : cents(input.discount ?? '0');
  if (discount > income) throw fail('discount_too_high');
  return { terms: { pay_method, income: yuan(income), discount: yuan(discount), remark: input.remark }, paid: income - discount };
};
