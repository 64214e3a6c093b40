import { choice, type Field, type Fields, int, type Kind, text, time, type ValueOf } from './field.ts';
import { across } from './rule.ts';
import type { Values } from './values.ts';

/**
 * Rules of this kit:
 * - A definition has only data and pure predicates on a row. No JSX, no SQL, no request context, no promises, no hooks.
 * - Replace a function instead of hooking into it. No inheritance, registration by side effect, lookup by string or ambient context.
 * - An option is added when three resources need it, and removed when fewer than three use it.
 * - The kit is a library of functions: application code calls it, it never calls application code.
 */
export interface Resource<F extends Fields = Fields, C extends string = string, Q extends string = string> {
  readonly fields: F;
  /** Names a row in confirmations and on cards: what it is, then whose or where it is. */
  readonly title: readonly [C, ...C[]];
  readonly columns: readonly C[];
  /** The first five are visible by default (spec §9). */
  readonly filters: readonly Q[];
  /** Default sort: `prop asc|desc`. */
  readonly orderby: `${string} ${'asc' | 'desc'}`;
  /** Columns with sums below the table. */
  readonly sums?: readonly C[];
}

export const resource = <const F extends Fields, const C extends keyof F & string, const Q extends keyof F & string>(
  r: Resource<F, C, Q>,
) => r;

/** Optimistic locking; a resource with its own `version` column, such as firmware, uses another field. */
type Stamp<C> = 'version' extends C ? unknown : { readonly version?: number };

export type RowOf<R> =
  R extends Resource<infer F, infer C, string> ? { readonly id: number } & Stamp<C> & { readonly [K in C]: ValueOf<F[K]> | null } : never;

/** A row whose resource is not known at compile time. */
export type AnyRow = Values & { readonly id: number; readonly version?: number };

/** spec §4, decisions §3: operators of a `cond_` parameter. */
const conditions = [
  { id: 'gt', label: ['大于', 'Greater than'] },
  { id: 'eq', label: ['等于', 'Equal to'] },
  { id: 'lt', label: ['小于', 'Less than'] },
  { id: 'between', label: ['介于', 'Between'] },
] as const;

const notBelow = (low: string) =>
  across(
    'start_before_end',
    ['最大值不能小于最小值', 'The maximum cannot be less than the minimum'],
    (v, all) => Number(v) >= Number(all[low]),
  );

/** Kinds whose filter is a number with an operator. */
export const isNumeric = (kind: Kind | undefined): boolean => kind === 'int' || kind === 'money' || kind === 'progress' || kind === 'bytes';

/** Wire parameters of one filter: time is a range, a number has an operator, others have the field name. */
export const filterParams = (key: string, field: Field): Fields => {
  if (field.kind === 'time' || field.kind === 'date') return { [`${key}_start`]: time(field.label), [`${key}_end`]: time(field.label) };
  if (isNumeric(field.kind))
    return {
      [key]: { ...field, required: false, rules: [] },
      [`cond_${key}`]: choice(field.label, conditions),
      // Upper bound of `between`.
      [`${key}_end`]: { ...field, required: false, rules: [notBelow(key)], requiredWhen: (v) => v[`cond_${key}`] === 'between' },
    };
  if (field.kind === 'options') return { [key]: int(field.label) };
  if (field.kind === 'tags') return { [key]: text(field.label, { max: 128 }) };
  return {
    [key]: {
      ...field,
      kind: field.kind === 'link' || field.kind === 'long' ? 'text' : field.kind,
      required: false,
      rules: [],
      max: 128,
      when: undefined,
    },
  };
};

/** Wire parameters of all filters of a list. */
export const filterFields = ({ filters, fields }: Resource): Fields =>
  Object.assign(
    {},
    ...filters.map((key) => {
      const field = fields[key];
      return field ? filterParams(key, field) : {};
    }),
  );
