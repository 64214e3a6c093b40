import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';

/** Initial value of a control: the row's value, else the default, else empty. */
const startOf = (field: Field, current: unknown): unknown => {
  if (field.kind === 'password' || field.kind === 'file') return undefined;
  if (!isEmpty(current)) return current;
  return field.default ?? (field.kind === 'bool' ? false : undefined);
};

/**
 * Initial form values from a row, or from defaults for a new record. An edit never adds a default that the row does not have. Derived
 * fields: `old_phone` is the row's phone (and the new phone starts empty), `vno_id` of a VNO is its id, and a switch such as
 * `income_limit_enable` is on if there is an `income_limit`.
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
 * An action form starts with its defaults, and for a single row with the values of that row. A remark is about the action, so it starts
 * empty.
 */
export const actionValues = (fields: Fields, row?: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, startOf(field, field.kind === 'long' || field.blank ? undefined : row?.[name])]),
  );

export const isShown = (field: Field, values: Values) => !field.hidden && (!field.when || field.when(values));

const plain = (value: unknown): string => {
  if (isEmpty(value)) return '';
  if (Array.isArray(value))
    return JSON.stringify(value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each))).sort());
  if (isRecord(value)) return JSON.stringify(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)));
  return String(value).trim();
};

/** Whether two form states are equal: an empty text equals no value, '1' equals 1, and hidden fields are ignored. */
export const isUnchanged = (fields: Fields, before: Values, now: Values): boolean =>
  Object.entries(fields).every(([name, field]) => field.readonly || !isShown(field, now) || plain(before[name]) === plain(now[name]));
