import type { Text } from '@farlink/contract/kit/text.ts';
import { keyOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { t } from '../chrome/lang.ts';
import { type Pasted, readCell } from './row-paste.ts';
import { validateDocument } from './validate-document.ts';
import type { Refs } from './value-text.ts';

export interface PastedRow {
  /** Line number in the pasted text, including the header. */
  readonly line: number;
  readonly row: JsonObject;
  readonly error: string | undefined;
}

const duplicate: Text = ['与第{0}行重复', 'Duplicate of line {0}'];
const at: Text = ['{0}：{1}', '{0}: {1}'];
const never = () => false;

/** Each line as a row with the defaults of a new row, and its first error. */
export const pastedRows = (page: GatewayPage, pasted: Pasted, refs: Refs, start: JsonObject): PastedRow[] => {
  const lineOfKey = new Map<string, number>();
  return pasted.rows.map((cells, i): PastedRow => {
    const line = i + (pasted.heads ? 2 : 1);
    const entered = cells.flatMap((cell, c): [string, unknown][] => {
      const name = pasted.columns[c];
      const field = name === undefined ? undefined : page.fields[name];
      const value = field && !field.reported ? readCell(field, cell, refs) : undefined;
      return name === undefined || value === undefined ? [] : [[name, value]];
    });
    const { doc, errors } = validateDocument(page.fields, { ...start, ...Object.fromEntries(entered) }, never);
    const [[path, text] = []] = Object.entries(errors);
    const name = path?.split(/[[.]/)[0];
    const label = name === undefined ? undefined : page.fields[name]?.label;
    const key = keyOf(page, doc);
    const first = lineOfKey.get(key);
    if (first === undefined) lineOfKey.set(key, line);
    const error = text === undefined ? (first === undefined ? undefined : t(duplicate, first)) : label ? t(at, label, text) : text;
    return { line, row: doc, error };
  });
};
