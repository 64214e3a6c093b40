import { cents } from '../kit/money.ts';
import type { PayMethod } from './choices.ts';

interface Offer {
  readonly price: string;
  readonly count?: number | undefined;
  readonly discount?: string | null | undefined;
  readonly pay_method?: PayMethod | null | undefined;
}

/** What a sale comes to, in cents. Server, quote and form use this one rule: free of charge, everything is discount. */
export const saleOf = ({ price, count = 1, discount, pay_method }: Offer) => {
  const income = cents(price) * BigInt(count);
  const off = pay_method === 'free' ? income : cents(discount ?? '0');
  return { income, discount: off, due: income - off };
};
