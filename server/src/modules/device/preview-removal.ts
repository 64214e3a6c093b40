import type { deviceCalls } from '@farlink/contract/device/device.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { boundTo } from './bound-to.ts';
import { deviceScope } from './device-query.ts';

const texts = {
  accounts: [
    '绑定的上网账号：{0} 个，其中 {1} 个有未到期的付费套餐',
    'Bound accounts: {0}, of which {1} have a paid package that has not ended',
  ],
  stranded: [
    '删除后这些账号不再绑定任何设备，无法上网，已付款项不会退还；请先变更其绑定，或之后在用户列表按“绑定情况：未绑定”筛选处理',
    'Afterwards these accounts are bound to nothing and have no service; nothing is refunded. Bind them to another device first, or find them later in the user list with “Bound to: Nothing”.',
  ],
  packages: ['绑定的套餐：{0} 个，将解除与设备的绑定', 'Bound packages: {0}. They are released from the device.'],
  cards: ['绑定的未使用充值卡：{0} 张，修改或作废后才能删除', 'Bound unused cards: {0}. Change or void them before the deletion.'],
} as const satisfies Record<string, Text>;

/** Accounts, packages and cards that lose their device. */
export const previewRemoval: Handler<typeof deviceCalls.removal> = async (ctx, { ids }) => {
  const devices = await ctx.db
    .selectFrom('device')
    .select(['id', 'account_count'])
    .where('id', 'in', ids)
    .where(deviceScope(ctx.me))
    .execute();
  const sum = { accounts: 0, paid: 0, packages: 0, cards: 0 };
  for (const device of devices) {
    const bound = await boundTo(ctx, device);
    for (const key of ['accounts', 'paid', 'packages', 'cards'] as const) sum[key] += bound[key];
  }
  const note = (count: number, text: Text, tone?: PreviewNote['tone']): PreviewNote[] =>
    count > 0 ? [{ text: say(text, ctx.lang), ...(tone && { tone }) }] : [];
  return {
    notes: [
      ...note(sum.accounts, fill(texts.accounts, sum.accounts, sum.paid), 'total'),
      ...note(sum.accounts, texts.stranded, 'warning'),
      ...note(sum.packages, fill(texts.packages, sum.packages)),
      ...note(sum.cards, fill(texts.cards, sum.cards), 'warning'),
    ],
  };
};
