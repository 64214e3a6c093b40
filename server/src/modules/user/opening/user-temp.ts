import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { type CardSale, tempCardCalls as calls } from '@farlink/contract/user/user-temp.ts';
import { sql } from 'kysely';
import { findPackage } from '../../../domain/package/find-package.ts';
import { unlessHidden } from '../../../domain/package/package-sql.ts';
import { orRefusal } from '../../../domain/sale/quote-preview.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName, operatorSearch } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { bindingOf } from '../binding.ts';
import { prefixOf } from '../prefix.ts';
import { beginOpening } from './begin-opening.ts';
import { type CardRule, expandCards } from './expand-rule.ts';
import { pastExpiry } from './open-batch.ts';

const accounts = (ctx: Ctx) =>
  ctx.db
    .selectFrom('subscriber')
    .where('subscriber.account_type', '=', 'temp_card')
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'));

/** Outer joins on unique ids run only for the rows of the page. Passwords are read one by one with `reveal`. */
const cards = (ctx: Ctx) =>
  accounts(ctx)
    .leftJoin('agent', 'agent.id', 'subscriber.agent_id')
    .leftJoin('package', 'package.id', 'subscriber.package_id')
    .leftJoin('device', 'device.id', 'subscriber.device_id')
    .leftJoin('device_group', 'device_group.id', 'subscriber.device_group_id')
    .select([
      'subscriber.id',
      'subscriber.version',
      'subscriber.account',
      'subscriber.status',
      'subscriber.allow_logins',
      'subscriber.first_use_at',
      'subscriber.expire_at',
      operatorName<string | null>(ctx, 'subscriber.producer').as('producer'),
      'subscriber.create_at',
      'subscriber.package_id',
      'subscriber.device_id',
      'subscriber.device_group_id',
      'subscriber.card_price',
      'agent.name as agent_name',
      sql<CardSale>`case when subscriber.is_unsold then 'unsold' else 'sold' end`.as('sale'),
      sql<string>`'******'::text`.as('password'),
      sql<string | null>`coalesce(device.name, device_group.name)`.as('bind_name'),
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
    ]);

export const listCards: Handler<typeof calls.list> = (ctx, input) => {
  const { resource } = calls.list;
  const search = operatorSearch(ctx, { column: 'subscriber.producer', resource, filter: 'producer', filters: input.filters });
  return pageOf(ctx.db, calls.list, input, cards(ctx).where(search), accounts(ctx));
};

const texts = {
  each: ['{0}：单价 {1} × {2} 张', '{0}: {1} × {2} cards'],
  worth: ['面值合计 {0}', 'Face value {0}'],
  unbilled: [
    '生成临时卡不收款，不产生账单；首次使用时按此价格入账，计入制卡人的现金收款',
    'Making temporary cards charges nothing and creates no bill. The first use books this price as cash collected by the operator who made the card.',
  ],
} as const satisfies Record<string, Text>;

/** Value of the cards. Making them posts nothing. */
export const quoteCards: Handler<typeof calls.quote> = (ctx, { count, package_id }) =>
  orRefusal(ctx.lang, async () => {
    const { name, price } = await findPackage(ctx, package_id, 'online');
    const lines = [
      fill(texts.each, name, priceText(price), count),
      fill(texts.worth, priceText(cents(price) * BigInt(count))),
      texts.unbilled,
    ];
    return { notes: lines.map((line) => ({ text: say(line, ctx.lang) })) };
  });

/** Cards are sold when they are first used, so nothing is posted yet. */
export const makeCards: Handler<typeof calls.create> = async (ctx, input) => {
  const { count, package_id, allow_logins, expire_at } = input;
  const binding = await bindingOf(ctx, input);
  const { prefix_id, prefix } = await prefixOf(ctx, input.account_prefix, binding.agent_id, 'temp_card');
  if (expire_at <= ctx.now()) throw failAt('expire_at', pastExpiry);
  const rule: CardRule = { prefix, count, allow_logins, expire_at };
  const order = {
    terms: {
      way: 'open_temp' as const,
      place: binding,
      prefix_id,
      package_id,
      sale: null,
      atomic: false,
      producer: ctx.me.username,
      remark: input.remark ?? null,
    },
    spec: rule,
    total: count,
  };
  return beginOpening(ctx, order, (db) => expandCards(db, rule));
};
