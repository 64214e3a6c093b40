import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { type Column, columnsOf } from '../list/columns.ts';
import { type Refs, valueText } from './value-text.ts';

/** The field that orders the rows, lowest first. */
export const orderField = ({ fields, keyField }: GatewayPage): string | undefined =>
  ['order', 'priority'].find((name) => fields[name]?.kind === 'int' && name !== keyField);

/** The lowest order number that the rules of the field allow. */
export const lowestOrder = (page: GatewayPage, order: string): number =>
  Math.min(...(page.fields[order]?.rules ?? []).map((rule) => rule.min ?? 0), 1);

const initialColumns = 7;
/** Width of the key and its origin. */
const keyWidth = 190;

/** Rank of a column for the reader; lower is more important. */
const rank = (page: GatewayPage, name: string, field: GatewayField): number => {
  if (name === page.keyField) return 0;
  if (name === orderField(page)) return 1;
  if (name === 'alias') return 2;
  if (name === 'enabled') return 3;
  if (field.secret || field.kind === 'polygon' || field.kind === 'file' || field.kind === 'long') return 9;
  // Conditional fields are mostly empty.
  if (field.when) return 8;
  if (field.required) return 5;
  if (field.reported) return 6;
  return field.kind === 'choice' || field.kind === 'ref' ? 6 : 7;
};

/** Every field as a column; the most important are visible by default. */
export const rowColumns = (page: GatewayPage): Column[] => {
  const ranked = Object.entries(page.fields)
    .map(([name, field]) => ({ name, field, rank: rank(page, name, field) }))
    .sort((a, b) => a.rank - b.rank);
  const shown = new Set(ranked.slice(0, initialColumns).map(({ name }) => name));
  return columnsOf({
    fields: Object.fromEntries(
      ranked.map(({ name, field }) => [
        name,
        { ...field, hiddenByDefault: !shown.has(name), ...(name === page.keyField && { width: keyWidth }) },
      ]),
    ),
    columns: ranked.map(({ name }) => name),
  });
};

const texts = new WeakMap<Values, string>();

/** All texts of a row in lower case, for the search. */
export const rowText = (page: GatewayPage, row: Values, refs: Refs): string => {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = Object.entries(page.fields)
    .filter(([name, field]) => !field.secret && !isEmpty(row[name]))
    .map(([name, field]) => valueText(field, row[name], refs))
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
};
