import { keptSecret } from '@farlink/contract/config/config.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import { dayNames } from '@farlink/contract/kit/value-text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { isFile } from '@farlink/gateway/kit/rules.ts';
import { nothing, numberText, timeText } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';
import { unitText } from './units.ts';

/** Rows that fields can refer to: by page, with key and name. */
export type Refs = Readonly<Record<string, readonly { readonly key: string; readonly name: string }[]>>;

const texts = {
  on: ['开启', 'On'],
  off: ['关闭', 'Off'],
  set: ['已设置', 'Set'],
  points: ['{0} 个点', '{0} points'],
  more: ['{0} 等 {1} 项', '{0} and more, {1} in total'],
  everyDay: ['每天', 'Every day'],
  comma: ['、', ', '],
} as const satisfies Record<string, Text>;

export const switchText = (on: boolean) => t(on ? texts.on : texts.off);

/** Display text of a referenced row: its name, with the key if it differs. */
export const refText = ({ of = [] }: Field, key: string, refs: Refs): string => {
  const found = of.flatMap((page) => refs[page] ?? []).find((row) => row.key === key);
  return found && found.name !== key && found.name !== '' ? `${found.name} (${key})` : key;
};

const defaultMaxLines = 3;

/** A nested row in one line, without labels and secrets. */
const lineText = (fields: Fields, line: unknown, refs: Refs): string =>
  Object.entries(fields)
    .filter(([name, field]) => !field.secret && isRecord(line) && !isEmpty(line[name]) && line[name] !== false)
    .map(([name, field]) => (field.kind === 'bool' ? t(field.label) : valueText(field, isRecord(line) ? line[name] : undefined, refs)))
    .join(' / ');

const listText = (field: Field, lines: readonly unknown[], refs: Refs, maxLines: number): string => {
  const joined = lines
    .slice(0, maxLines)
    .map((line) => lineText(field.items ?? {}, line, refs))
    .join(t(texts.comma));
  return lines.length > maxLines ? t(texts.more, joined, lines.length) : joined;
};

/** A value of a document in one line; for a list its first rows. An empty value is a dash; a secret shows only that it is set. */
export const valueText = (field: Field, value: unknown, refs: Refs, maxLines = defaultMaxLines): string => {
  if (isEmpty(value)) return nothing;
  if (field.secret || value === keptSecret) return t(texts.set);
  switch (field.kind) {
    case 'bool':
      return switchText(value === true);
    case 'choice': {
      const found = field.options?.find((o) => String(o.id) === String(value));
      return found ? t(found.label) : String(value);
    }
    case 'int':
      return field.unit === undefined ? String(value) : `${numberText(value)} ${unitText(field.unit)}`;
    case 'duration':
      return t(durationText(Number(value)));
    case 'time':
    case 'date':
      return timeText(value);
    case 'ref':
      return refText(field, String(value), refs);
    case 'weekdays': {
      const days = Array.isArray(value) ? value : [];
      return days.length === 7 ? t(texts.everyDay) : days.map((day) => t(dayNames[Number(day) - 1] ?? ['', ''])).join(t(texts.comma));
    }
    case 'polygon':
      return t(texts.points, Array.isArray(value) ? value.length : 0);
    case 'items':
      return Array.isArray(value) ? listText(field, value, refs, maxLines) : nothing;
    case 'file':
      return isFile(value) ? `${value.name} (${bytesText(value.size)})` : String(value);
    default:
      return field.unit === undefined ? String(value) : `${value} ${unitText(field.unit)}`;
  }
};
