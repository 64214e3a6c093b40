import { cardResource } from '@farlink/contract/card/card.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import { type Lang, langs, say, type Text } from '@farlink/contract/kit/text.ts';
import { cellOf } from '../../kit/cell.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { cardQuery } from './card-query.ts';

/** What a list was asked, in words that still mean something when the rows it names are gone. */
const signs: Readonly<Record<string, string>> = { gt: '>', lt: '<', eq: '=' };
const chinaMinutes = 480;
/** What an id is a column of, and the column that names what it stands for. */
const named = {
  rule_id: { id: 'recharge_card.rule_id', name: 'batch_no' },
  package_id: { id: 'card_rule.package_id', name: 'package_name' },
  device_id: { id: 'recharge_card.device_id', name: 'device_name' },
  vno_id: { id: 'recharge_card.agent_id', name: 'agent_name' },
} as const;
const isNamed = (key: string): key is keyof typeof named => key in named;
type FilterKey = (typeof cardResource.filters)[number];

const nameOf = async (ctx: Ctx, key: keyof typeof named, id: unknown): Promise<string> => {
  const row = await cardQuery(ctx.db, ctx).where(named[key].id, '=', Number(id)).limit(1).executeTakeFirst();
  return row?.[named[key].name] ?? String(id);
};

export const describeFilters = async (ctx: Ctx, filters: Values): Promise<Text> => {
  const names = new Map<string, string>();
  for (const [key, id] of Object.entries(filters)) if (isNamed(key)) names.set(key, await nameOf(ctx, key, id));
  const shown = (key: FilterKey, value: unknown, lang: Lang): string => {
    const cell = names.get(key) ?? cellOf(cardResource.fields[key], value, lang, chinaMinutes);
    return typeof cell === 'object' ? cell.decimal : String(cell);
  };
  const inWords = (lang: Lang) =>
    cardResource.filters
      .flatMap((key) => {
        const label = say(cardResource.fields[key].label, lang);
        const [start, end, value] = [filters[`${key}_start`], filters[`${key}_end`], filters[key]];
        if (start !== undefined || end !== undefined)
          return [`${label}: ${start === undefined ? '' : shown(key, start, lang)} ~ ${end === undefined ? '' : shown(key, end, lang)}`];
        if (value === undefined) return [];
        const sign = signs[String(filters[`cond_${key}`])];
        return [`${label}${sign ? ` ${sign} ` : ': '}${shown(key, value, lang)}`];
      })
      .join('; ');
  const [zh, en] = langs.map(inWords);
  return [zh || '全部', en || 'All'];
};
