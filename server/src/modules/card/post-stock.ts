import { cents } from '@farlink/contract/kit/money.ts';
import { postEntry } from '../../domain/ledger/post-entry.ts';
import type { Seller } from '../../domain/ledger/post-sale.ts';
import type { Db } from '../../kit/deps.ts';

interface Stock {
  /** Unique cause of the entry: a batch, or its first card. A card enters and leaves the stock only once. */
  readonly cause: string;
  readonly denomination: string;
  /** Number of cards added; negative for cards that leave the stock without being redeemed. */
  readonly count: number;
  readonly remark: string;
}

/** Posts the value of the cards on both sides of the ledger of the VNO that issued them. */
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
