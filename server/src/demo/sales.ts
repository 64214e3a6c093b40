import type { Buyer, Sale, Seller } from '../domain/ledger/post-sale.ts';
import { postSale } from '../domain/ledger/post-sale.ts';
import type { Db } from '../kit/deps.ts';

export interface PastSale {
  readonly at: number;
  readonly by: Seller;
  readonly sale: Pick<Sale, 'expense_type' | 'pay_method' | 'income' | 'discount' | 'package'> & { readonly buyer: Buyer };
}

/** Posts past sales in the order of their time, as the counter posts them. */
export const postSales = async (db: Db, sales: readonly PastSale[]) => {
  const inOrder = sales.toSorted((a, b) => a.at - b.at);
  for (const [i, { at, by, sale }] of inOrder.entries())
    await postSale(db, by, { ...sale, cause: `history:${i}`, channel: 'counter', ignoresLimit: true }, at);
};
