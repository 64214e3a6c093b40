import { cents } from '../kit/money.ts';
import type { PayMethod } from './choices.ts';

interface Offer {
  readonly price: string;
  readonly count?: number | undefined;
  readonly discount?: string | null | undefined;
  readonly pay_method?: PayMethod | null | undefined;
}

/** Amounts of a sale in cents. Server, quote and form use this rule; with `free` the whole amount is discount. */
export const saleOf = ({ price, count = 1, discount, pay_method }: Offer) => {
  const income = cents(price) * BigInt(count);
  const off = pay_method === 'free' ? income : cents(discount ?? '0');
  return { income, discount: off, due: income - off };
};
