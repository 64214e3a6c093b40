import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';

/** What a control starts from: the row's value, else the field's default, else nothing. */
const startOf = (field: Field, given: unknown): unknown => {
  if (field.kind === 'password' || field.kind === 'file') return undefined;
  if (!isEmpty(given)) return given;
  return field.default ?? (field.kind === 'bool' ? false : undefined);
};

/**
 * A row (or nothing, for a new record) as the form shows it. An edit never invents a default that the row does not have.
 * Helpers that no row holds are read from it: `old_phone` is the row's phone (and the new phone starts empty), `vno_id` of a VNO is its id,
 * and a switch such as `income_limit_enable` is on where there is an `income_limit`.
 */
export const startValues = (fields: Fields, row?: Values): Values => {
  const read = (name: string, field: Field): unknown => {
    if (!row || field.blank) return startOf(field, undefined);
    if (`old_${name}` in fields) return undefined;
    if (name.startsWith('old_')) return row[name.slice(4)];
    if (name === 'vno_id') return row.vno_id ?? row.id;
    if (name.endsWith('_enable') && !(name in row)) return !isEmpty(row[name.slice(0, -7)]);
    return startOf({ ...field, default: undefined }, row[name]);
  };
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, read(name, field)]));
};

/**
 * A deed on rows starts from its defaults, and for a single row from what that row holds of the form's fields.
 * A remark is about the deed, not about the row.
 */
export const actionValues = (fields: Fields, row?: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, startOf(field, field.kind === 'long' || field.blank ? undefined : row?.[name])]),
  );

export const isShown = (field: Field, values: Values) => !field.hidden && (!field.when || field.when(values));

const isRecord = (value: unknown): value is Values => typeof value === 'object' && value !== null;

const plain = (value: unknown): string => {
  if (isEmpty(value)) return '';
  if (Array.isArray(value)) return JSON.stringify(value.map((part) => (isRecord(part) ? JSON.stringify(part) : String(part))).sort());
  if (typeof value === 'object' && value !== null) return JSON.stringify(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)));
  return String(value).trim();
};

/** Whether two states of a form say the same: an emptied text is no text, '1' is 1, and what is not shown does not count. */
export const isUnchanged = (fields: Fields, before: Values, now: Values): boolean =>
  Object.entries(fields).every(([name, field]) => field.readonly || !isShown(field, now) || plain(before[name]) === plain(now[name]));
