import type { Field } from '@farlink/contract/kit/field.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText, speedText } from '@farlink/contract/kit/units.ts';

/** What stands in one cell of an exported table: text, a whole number, or a decimal that keeps its digits. */
export type Cell = string | number | { readonly decimal: string };

const yesNo: readonly [yes: Text, no: Text] = [
  ['是', 'Yes'],
  ['否', 'No'],
];

/** `YYYY-MM-DD HH:mm:ss` on a clock that is so many minutes ahead of UTC. */
export const localTime = (epoch: number, offsetMinutes: number): string =>
  new Date((epoch + offsetMinutes * 60) * 1000).toISOString().slice(0, 19).replace('T', ' ');

const joined = (value: unknown, lang: Lang) => (Array.isArray(value) ? value.map(String).join(lang === 'en' ? ', ' : '、') : String(value));

/** A value as its field shows it to a reader of this language, on a clock of this offset. */
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
    case 'choice': {
      const found = field.options?.find((o) => o.id === value);
      return found ? say(found.label, lang) : String(value);
    }
    case 'bytes':
      return bytesText(Number(value));
    case 'duration':
      return say(durationText(Number(value)), lang);
    case 'speed':
      return say(speedText(Number(value)), lang);
    case 'date':
    case 'time':
      return typeof value === 'number' ? localTime(value, offsetMinutes) : String(value);
    case 'options':
    case 'protocols':
    case 'tags':
      return joined(value, lang);
    case 'grants':
      return JSON.stringify(value);
    // A secret never leaves, whatever a query selects.
    case 'password':
    case 'image':
    case 'file':
      return '';
    case 'text':
    case 'long':
    case 'link':
      return joined(value, lang);
  }
};
