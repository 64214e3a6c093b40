import { cardResource } from '@farlink/contract/card/card.ts';
import { langs, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { filterTexts } from '../../kit/export/export-log.ts';
import { cardQuery } from './card-query.ts';

/** For each id filter: its column, and the list column that contains the name. */
const named = {
  rule_id: { id: 'recharge_card.rule_id', name: 'batch_no' },
  package_id: { id: 'card_rule.package_id', name: 'package_name' },
  device_id: { id: 'recharge_card.device_id', name: 'device_name' },
  vno_id: { id: 'recharge_card.agent_id', name: 'agent_name' },
} as const;
const isNamed = (key: string): key is keyof typeof named => key in named;

const nameOf = async (ctx: Ctx, key: keyof typeof named, id: unknown): Promise<string> => {
  const row = await cardQuery(ctx.db, ctx).where(named[key].id, '=', Number(id)).limit(1).executeTakeFirst();
  return row?.[named[key].name] ?? String(id);
};

/** Describes the filters with names instead of ids, so the text stays readable after the rows are deleted. */
export const describeFilters = async (ctx: Ctx, filters: Values): Promise<Text> => {
  const names = new Map<string, string>();
  for (const [key, id] of Object.entries(filters)) if (isNamed(key)) names.set(key, await nameOf(ctx, key, id));
  const [zh, en] = langs.map((lang) => filterTexts(cardResource, filters, lang, zoneMinutes, names));
  return [zh || '全部', en || 'All'];
};
