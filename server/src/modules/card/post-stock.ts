import { cents } from '@farlink/contract/kit/money.ts';
import { postEntry } from '../../domain/ledger/post-entry.ts';
import type { Seller } from '../../domain/ledger/post-sale.ts';
import type { Db } from '../../kit/deps.ts';

interface Stock {
  /** What made it happen; a card is made once and leaves the stock once, so a batch or its first card names the deed. */
  readonly cause: string;
  readonly denomination: string;
  /** Cards that came, or, below zero, that went without having been redeemed. */
  readonly count: number;
  readonly remark: string;
}

/** What the cards promise, on both sides of the books of the VNO that issued them. */
export const postStock = async (db: Db, by: Seller, { cause, denomination, count, remark }: Stock, now: number): Promise<void> => {
  const amount = cents(denomination) * BigInt(count);
  const entry = {
    ...by,
    cause,
    channel: 'stock',
    expense_type: 'card_stock',
    count: Math.abs(count),
    remark,
    create_at: now,
  } as const;
  await postEntry(db, entry, [
    { kind: 'card_stock', amount },
    { kind: 'card_debt', amount: -amount },
  ]);
};
