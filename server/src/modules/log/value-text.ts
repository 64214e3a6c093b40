import { permItem } from '@farlink/contract/choices.ts';
import { keptSecret } from '@farlink/contract/config/config.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { dayNames, unitName } from '@farlink/contract/kit/value-text.ts';
import { isRecord, singleText } from '@farlink/contract/kit/values.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { pages } from '@farlink/contract/pages.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { cellOf } from '../../kit/formats/cell.ts';

const texts = {
  set: ['已设置', 'Set'],
  points: ['{0} 个点', '{0} points'],
  comma: ['、', ', '],
} as const satisfies Record<string, Text>;

/** Names of the items of a role. */
const grantNames = new Map<string, Text>([
  ...endpoints.map((e) => [operateKey(e), e.summary] as const),
  ...pages.map(({ permission, title }) => [permission, title] as const),
  ...[...gatewayPages.values()].map((page) => [gatewayPermission(page), page.title] as const),
  ...[...gatewayPages.values()].map(({ key, title }) => [key, title] as const),
]);
const grantTexts = new Map<unknown, Text>(permItem.map(({ id, label }) => [id, label]));

const differs = (value: unknown, other: unknown) => JSON.stringify(value) !== JSON.stringify(other);

/** Entries of a map, one per line. Of two maps, such as the permissions of a role, only the differences. */
const linesOf = (value: Readonly<Record<string, unknown>>, other: unknown, line: (key: string, one: unknown) => string) =>
  Object.entries(value)
    .filter(([key, one]) => !isRecord(other) || differs(one, other[key]))
    .map(([key, one]) => line(key, one))
    .join('\n');

/** `String` throws for some objects: `{"toString": 1}`. */
const storedText = (one: unknown): string => singleText(one) ?? JSON.stringify(one);

/** A value without a field: numbers and codes as they are stored. */
export const plainText = (value: unknown, other: unknown): string | null => {
  if (isEmpty(value)) return null;
  return isRecord(value) ? linesOf(value, other, (key, one) => `${key}: ${storedText(one)}`) || null : storedText(value);
};

const itemText = (fields: Fields, item: unknown, lang: Lang): string =>
  Object.entries(fields)
    .flatMap(([name, field]) => {
      const text = isRecord(item) ? valueText(field, item[name], undefined, lang) : null;
      return text === null ? [] : [`${say(field.label, lang)} ${text}`];
    })
    .join(' · ');

const grantText = (value: unknown, other: unknown, lang: Lang) => {
  const name = (key: string) => say(grantNames.get(key) ?? [key, key], lang);
  const grant = (one: unknown) => say(grantTexts.get(one) ?? [storedText(one), storedText(one)], lang);
  return isRecord(value) ? linesOf(value, other, (key, one) => `${name(key)}: ${grant(one)}`) || null : plainText(value, other);
};

/** Last second of the year 9999. */
const lastSecond = 253_402_300_799;

/** A gateway can report anything, also for a field of another kind. */
const isOfKind = ({ kind }: Field, value: unknown): boolean =>
  kind === 'time' || kind === 'date'
    ? typeof value === 'number' && Math.abs(value) <= lastSecond
    : listOf(value).every((one) => singleText(one) !== undefined);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** A value as its field describes it: labels of choices, times, units. Ids of other rows are `#34`. Null: no value. */
export const valueText = (field: Field, value: unknown, other: unknown, lang: Lang): string | null => {
  if (isEmpty(value)) return null;
  if (value === keptSecret) return say(texts.set, lang);
  const joined = (list: unknown, text: (one: unknown) => string) => listOf(list).map(text).join(say(texts.comma, lang));
  switch (field.kind) {
    case 'option':
    case 'options':
      return joined(value, (one) => (typeof one === 'number' ? `#${one}` : storedText(one)));
    case 'weekdays':
      return joined(value, (day) => say(dayNames[Number(singleText(day)) - 1] ?? [storedText(day), storedText(day)], lang));
    case 'polygon':
      return say(fill(texts.points, listOf(value).length), lang);
    case 'items':
      return listOf(value)
        .map((item) => itemText(field.items ?? {}, item, lang))
        .join('\n');
    case 'grants':
      return grantText(value, other, lang);
    case 'password':
    case 'document':
    case 'image':
    case 'file':
      return isRecord(value) && typeof value.name === 'string' ? value.name : plainText(value, other);
    default: {
      if (!isOfKind(field, value)) return plainText(value, other);
      const cell = cellOf(field, value, lang, zoneMinutes);
      const text = typeof cell === 'object' ? cell.decimal : String(cell);
      return field.unit === undefined || field.kind !== 'int' ? text : `${text} ${say(unitName(field.unit), lang)}`;
    }
  }
};
