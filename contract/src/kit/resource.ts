import { choice, type Field, type Fields, int, text, time, type ValueOf } from './field.ts';
import { across } from './rule.ts';
import type { Values } from './values.ts';

/**
 * The constitution of this kit:
 * - A definition holds data and pure predicates on a row. No JSX, no SQL, no request context, no promises, no hooks.
 * - Replace, never hook. No inheritance, no registration by side effect, no look-up by string, no ambient context.
 * - An option enters when the third resource needs it, and leaves when the third last stops.
 * - The kit is functions that you call; it never calls you.
 */
export interface Resource<F extends Fields = Fields, C extends string = string, Q extends string = string> {
  readonly fields: F;
  readonly columns: readonly C[];
  /** The first five are shown until the operator chooses (spec §9). */
  readonly filters: readonly Q[];
  /** `prop asc|desc` where the caller names none. */
  readonly orderby: `${string} ${'asc' | 'desc'}`;
  /** Columns of money whose sums stand below the table. */
  readonly sums?: readonly C[];
}

export const resource = <const F extends Fields, const C extends keyof F & string, const Q extends keyof F & string>(
  r: Resource<F, C, Q>,
) => r;

/** By which a stale change is known; a row with a version of its own, such as that of a firmware, has its stamp elsewhere. */
type Stamp<C> = 'version' extends C ? unknown : { readonly version?: number };

export type RowOf<R> =
  R extends Resource<infer F, infer C, string> ? { readonly id: number } & Stamp<C> & { readonly [K in C]: ValueOf<F[K]> | null } : never;

/** A row whose resource is not known at compile time. */
export type AnyRow = Values & { readonly id: number; readonly version?: number };

/** spec §4, decisions §3: the operators a `cond_` parameter may name. */
const conditions = [
  { id: 'gt', label: ['大于', 'Greater than'] },
  { id: 'eq', label: ['等于', 'Equal to'] },
  { id: 'lt', label: ['小于', 'Less than'] },
  { id: 'between', label: ['介于', 'Between'] },
] as const;

const notBelow = (low: string) =>
  across('start_before_end', ['最大值不能小于最小值', 'The upper value is below the lower one'], (v, all) => Number(v) >= Number(all[low]));

/** The parameters one filter puts on the wire: time is a range, a number has an operator, the rest is itself. */
export const filterParams = (key: string, field: Field): Fields => {
  if (field.kind === 'time' || field.kind === 'date') return { [`${key}_start`]: time(field.label), [`${key}_end`]: time(field.label) };
  if (field.kind === 'int' || field.kind === 'money' || field.kind === 'progress')
    return {
      [key]: { ...field, required: false, rules: [] },
      [`cond_${key}`]: choice(field.label, conditions),
      // The upper end of `between`.
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
