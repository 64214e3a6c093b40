import { priceText, yuan } from '@farlink/contract/kit/money.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import type { userCalls } from '@farlink/contract/user/user.ts';
import { unusedValues } from '../../domain/subscriber/unused-value.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { userScope } from './user-query.ts';

/** Accounts named one by one; the rest is counted. */
const namedMax = 5;

const texts = {
  one: ['{0}：已付款而未用完的套餐价值 {1}', '{0}: paid packages worth {1} that are not used up'],
  more: ['另有 {0} 个账号', '{0} more accounts'],
  lost: ['删除后不再退还：{0}', 'Lost by the deletion: {0}'],
  refund: ['未使用的在线订单可先在“在线账单”中撤销退款', 'Unused online orders can first be withdrawn and refunded in “Online bills”'],
} as const satisfies Record<string, Text>;

/** Names the accounts with unused paid packages and the amount that is lost with them. */
export const quoteRemoval: Handler<typeof userCalls.removal> = async (ctx, { ids }) => {
  const found = await ctx.db
    .selectFrom('subscriber')
    .select(['id', 'account'])
    .where('id', 'in', ids)
    .where(userScope(ctx.me))
    .orderBy('id')
    .execute();
  const values = await unusedValues(ctx.db, [...found.map(({ id }) => id), 0], ctx.now());
  const losing = found.filter(({ id }) => (values.get(id) ?? 0n) > 0n);
  if (losing.length === 0) return { notes: [] };
  const total = [...values.values()].reduce((sum, value) => sum + value, 0n);
  const lines: Text[] = losing.slice(0, namedMax).map(({ id, account }) => fill(texts.one, account, priceText(values.get(id) ?? 0n)));
  if (losing.length > namedMax) lines.push(fill(texts.more, losing.length - namedMax));
  return {
    notes: [
      ...lines.map((line) => ({ text: say(line, ctx.lang), tone: 'warning' as const })),
      { text: say(fill(texts.lost, priceText(total)), ctx.lang), tone: 'total' },
      { text: say(texts.refund, ctx.lang) },
    ],
    values: { forfeit: yuan(total) },
  };
};
