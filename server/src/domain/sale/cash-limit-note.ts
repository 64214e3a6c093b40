import { cents, priceText } from '@farlink/contract/kit/money.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';

const texts = {
  left: ['收款上限 {0}，本次后还可收现金 {1}', 'Collection limit {0}; {1} in cash can be collected after this sale'],
  over: ['收款上限 {0}，只能再收现金 {1}，请先交款', 'Collection limit {0}: only {1} in cash can be collected. Hand over your cash first.'],
} as const satisfies Record<string, Text>;

/** What the seller can still collect in cash; none without a collection limit. */
export const cashLimitNotes = async ({ db, me, lang }: Ctx, due: bigint): Promise<PreviewNote[]> => {
  const columns = ['income_used', 'income_limit'] as const;
  const { income_used, income_limit } = await db.selectFrom('customer').select(columns).where('id', '=', me.uid).executeTakeFirstOrThrow();
  if (income_limit === null || due <= 0n) return [];
  const left = cents(income_limit) - cents(income_used);
  if (due <= left) return [{ text: say(fill(texts.left, priceText(income_limit), priceText(left - due)), lang) }];
  return [{ text: say(fill(texts.over, priceText(income_limit), priceText(left > 0n ? left : 0n)), lang), tone: 'warning' }];
};
