import { cents } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';

const tooHigh: Text = ['不能超过您自己的收款上限 {0} 元', 'Cannot exceed your own collection limit of {0} yuan'];
const missing: Text = [
  '您有收款上限（{0} 元），须为同事设置上限',
  'You have a collection limit ({0} yuan), so your colleague needs one too',
];

/** Collection limit of the session; null means no limit. */
const ownLimit = async (ctx: Ctx): Promise<string | null> => {
  const row = await ctx.db.selectFrom('customer').select('income_limit').where('id', '=', ctx.me.uid).executeTakeFirst();
  return row?.income_limit ?? null;
};

const isHigher = (limit: string | null, own: string) => limit === null || cents(limit) > cents(own);

/** Another account gets at most the session's own collection limit. */
export const refuseHigherLimit = async (ctx: Ctx, limit: string | null) => {
  const own = await ownLimit(ctx);
  if (own === null || !isHigher(limit, own)) return;
  throw limit === null ? failAt('income_limit_enable', fill(missing, own)) : failAt('income_limit', fill(tooHigh, own));
};

/** True if an account may collect more than the session. Acting as it or resetting its password would bypass the limit. */
export const collectsMore = async (ctx: Ctx, limit: string | null): Promise<boolean> => {
  const own = await ownLimit(ctx);
  return own !== null && isHigher(limit, own);
};
