import type { Field, TagState } from '@farlink/contract/kit/field.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText, kilobits, measuredText, speedText } from '@farlink/contract/kit/units.ts';
import { zoneName } from '@farlink/contract/kit/zone.ts';

/** Content of one exported cell: text, an integer, or a decimal that keeps its digits. */
export type Cell = string | number | { readonly decimal: string };

const yesNo: readonly [yes: Text, no: Text] = [
  ['是', 'Yes'],
  ['否', 'No'],
];

const day = 86_400;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
/** Cache of recent dates: an export of a million rows uses the same dates repeatedly. */
const dates = new Map<number, string>();
const dateOf = (dayNumber: number): string => {
  const known = dates.get(dayNumber);
  if (known !== undefined) return known;
  const date = new Date(dayNumber * day * 1000).toISOString().slice(0, 10);
  if (dates.size >= 5000) dates.clear();
  dates.set(dayNumber, date);
  return date;
};

/** `YYYY-MM-DD HH:mm:ss` at the given offset from UTC. */
export const localTime = (epoch: number, offsetMinutes: number): string => {
  const local = epoch + offsetMinutes * 60;
  const dayNumber = Math.floor(local / day);
  const second = local - dayNumber * day;
  return `${dateOf(dayNumber)} ${two[Math.floor(second / 3600)]}:${two[Math.floor(second / 60) % 60]}:${two[Math.floor(second) % 60]}`;
};

/** Units of columns that are numbers in a file, so that they can be summed. */
const unitOf = ({ kind }: Field): Text | undefined => {
  if (kind === 'time' || kind === 'date') return [zoneName, zoneName];
  if (kind === 'bytes') return ['字节', 'bytes'];
  if (kind === 'duration') return ['秒', 's'];
  if (kind === 'speed') return ['kbps，0不限', 'kbps, 0: unlimited'];
  return kind === 'rate' ? ['KB/s', 'KB/s'] : undefined;
};

/** Column header, with the unit or the time zone of the values. */
export const headText = (field: Field, lang: Lang): string => {
  const label = say(field.label, lang);
  const unit = unitOf(field);
  if (!unit) return label;
  return lang === 'zh' ? `${label}（${say(unit, lang)}）` : `${label} (${say(unit, lang)})`;
};

const choices = new WeakMap<Field, Map<unknown, Text>>();
const choiceText = (field: Field, value: unknown): Text | undefined => {
  const known = choices.get(field) ?? new Map((field.options ?? field.codes)?.map((o) => [o.id, o.label]));
  choices.set(field, known);
  return known.get(value);
};

const labelOf = (field: Field, value: unknown, lang: Lang) => {
  const found = choiceText(field, value);
  return found ? say(found, lang) : String(value);
};

const joined = (value: unknown, lang: Lang) => (Array.isArray(value) ? value.map(String).join(lang === 'en' ? ', ' : '、') : String(value));

const isTagState = (value: unknown): value is TagState =>
  typeof value === 'object' && value !== null && 'name' in value && 'state' in value;

const tagsOf = (field: Field, value: unknown, lang: Lang) =>
  (Array.isArray(value) ? value : []).filter(isTagState).map(({ name, state }) => {
    const found = choiceText(field, state);
    return `${name} ${found ? say(found, lang) : state}`;
  });

/** A value as its field displays it, in this language and time offset. */
export const cellOf = (field: Field, value: unknown, lang: Lang, offsetMinutes: number): Cell => {
  if (value === null || value === undefined) return '';
  switch (field.kind) {
    case 'int':
    case 'progress':
    case 'option':
      return typeof value === 'number' ? value : String(value);
    case 'money':
      return /^-?\d+(\.\d+)?$/.test(String(value)) ? { decimal: String(value) } : String(value);
    case 'bool':
      return say(yesNo[value === true ? 0 : 1], lang);
    case 'choice':
      return labelOf(field, value, lang);
    case 'bytes':
      return bytesText(Number(value));
    case 'duration':
      return say(durationText(Number(value)), lang);
    case 'speed':
      return say(speedText(Number(value)), lang);
    case 'rate':
      return measuredText(Number(value));
    case 'date':
    case 'time':
      return typeof value === 'number' ? localTime(value, offsetMinutes) : String(value);
    case 'options':
    case 'protocols':
      return joined(value, lang);
    case 'tags':
      return joined(
        field.options && Array.isArray(value) ? value.map((tag) => say(choiceText(field, tag) ?? [tag, tag], lang)) : value,
        lang,
      );
    case 'states':
      return joined(tagsOf(field, value, lang), lang);
    case 'items':
    case 'grants':
    case 'polygon':
    case 'document':
      return JSON.stringify(value);
    // Secrets are never exported, regardless of the query.
    case 'password':
    case 'image':
    case 'file':
      return '';
    case 'text':
      return field.codes ? labelOf(field, value, lang) : joined(value, lang);
    case 'long':
    case 'link':
    case 'color':
    case 'clock':
    case 'weekdays':
    case 'ref':
      return joined(value, lang);
  }
};

/** A cell of a file: figures are numbers in the unit of the header. */
export const fileCellOf = (field: Field, value: unknown, lang: Lang, offsetMinutes: number): Cell => {
  if (value === null || value === undefined) return '';
  switch (field.kind) {
    case 'bytes':
    case 'duration':
      return Number(value);
    case 'speed':
      return Number(value) * kilobits;
    case 'rate':
      return { decimal: Number(value).toFixed(1) };
    default:
      return cellOf(field, value, lang, offsetMinutes);
  }
};
