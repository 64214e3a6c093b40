import type { Endpoint } from './endpoint.ts';
import { choice, type Field, type Fields, int, text, time, type ValueOf, type Values } from './field.ts';
import { across } from './rule.ts';
import type { Text } from './text.ts';

/**
 * Rules of this kit:
 * - A definition has only data and pure predicates on a row. No JSX, no SQL, no request context, no promises, no hooks.
 * - Replace a function instead of hooking into it. No inheritance, registration by side effect, lookup by string or ambient context.
 * - An option is added when three resources need it, and removed when fewer than three use it.
 * - The kit is a library of functions: application code calls it, it never calls application code.
 */
export interface Resource<F extends Fields = Fields, C extends string = string, Q extends string = string> {
  readonly fields: F;
  readonly columns: readonly C[];
  /** The first five are visible by default (spec §9). */
  readonly filters: readonly Q[];
  /** Default sort: `prop asc|desc`. */
  readonly orderby: `${string} ${'asc' | 'desc'}`;
  /** Money columns with sums below the table. */
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
  across('start_before_end', ['最大值不能小于最小值', 'The upper value is below the lower one'], (v, all) => Number(v) >= Number(all[low]));

/** Wire parameters of one filter: time is a range, a number has an operator, others have the field name. */
export const filterParams = (key: string, field: Field): Fields => {
  if (field.kind === 'time' || field.kind === 'date') return { [`${key}_start`]: time(field.label), [`${key}_end`]: time(field.label) };
  if (field.kind === 'int' || field.kind === 'money' || field.kind === 'progress')
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

export interface Form<F extends Fields = Fields> {
  readonly title: Text;
  readonly fields: F;
  /** Wider than the default dialog of spec §9, for a form with a tree. */
  readonly width?: number;
  /** Confirmation text before these values are sent. */
  readonly ask?: (values: Values) => Text | undefined;
  /**
   * Returns `{ notes }` (PreviewNote): the effect of the values on the rows, shown below the fields. `values` fill fields that the operator
   * has not changed.
   */
  readonly preview?: Endpoint;
}

/** One line below a form: the effect, the duration, or why it must wait. */
export interface PreviewNote {
  readonly text: string;
  /** `total` is the amount to collect. */
  readonly tone?: 'warning' | 'total';
}

export const form = <const F extends Fields>(title: Text, fields: F, width?: number): Form<F> => ({ title, fields, width });

/** Session data for predicates and the menu. */
export interface Me {
  readonly uid: number;
  readonly agent_id: number;
  readonly agent_level: number;
  readonly agent_mode: number;
  readonly agent_child_enable: boolean;
  readonly is_admin: boolean;
  /** Page keys; null grants everything (spec §6). */
  readonly permissions: readonly string[] | null;
  readonly operate_permissions: Readonly<Record<string, string>>;
  readonly view_hide_pkg: boolean;
}

export interface Action {
  /** `batch` acts on the selected rows, `both` on a row or the selection; the call then takes their ids as `ids`. */
  readonly on: 'toolbar' | 'row' | 'batch' | 'both';
  readonly label: Text;
  readonly call?: Endpoint;
  readonly form?: string;
  readonly confirm?: Text;
  readonly danger?: boolean;
  /** In a menu: actions of the same group share one entry with this name. */
  readonly group?: Text;
  /** Only for the platform (`admin`) or only for VNOs (`vno`). */
  readonly platform?: 'admin' | 'vno';
  /** Message after the call, if the action continues in the background. */
  readonly done?: Text;
  /** Route of the progress page; `:name` is taken from the response. The notification links to it. */
  readonly follow?: string;
  /** Sent with the call; `:name` is taken from the row, `:ids` from all rows of the action. */
  readonly params?: Values;
  /** Route to open instead of a call; `:name` is taken from the row. */
  readonly to?: string;
  /** The response is a file. */
  readonly download?: boolean;
  /** Whether the action is offered for this row and session; the server checks the same condition. */
  readonly when?: (row: AnyRow, me: Me) => boolean;
  /** Hidden instead of disabled if `when` refuses, because such a row has another action in its place. */
  readonly hides?: boolean;
  /** Condition for the selection as a whole. */
  readonly together?: (rows: readonly AnyRow[]) => boolean;
  /** Reason shown when `when` or `together` refuses. */
  readonly why?: Text | ((row: AnyRow) => Text);
}

/** Page data for menu, routes and permissions. */
export interface Head {
  readonly key: string;
  readonly title: Text;
  readonly route: string;
  readonly permission: string;
  readonly platform?: 'admin' | 'vno';
  /** Agent modes without this page (spec §6). */
  readonly hiddenModes?: readonly number[];
  readonly requires?: 'agent_child_enable';
  /** Not in the menu. */
  readonly hidden?: boolean;
  /** Pages whose permission also opens this one; it has no separate item in a role. */
  readonly grantedBy?: readonly string[];
  /** Write calls of this form page, by operate key; without one of them it cannot be opened. */
  readonly needs?: readonly string[];
  readonly keepAlive?: boolean;
}

export interface Page extends Head {
  readonly list?: Endpoint;
  readonly listParams?: Values;
  readonly resource?: Resource;
  readonly forms: Readonly<Record<string, Form>>;
  readonly actions: Readonly<Record<string, Action>>;
  /** Returns `{ value }` of a masked `field` of the row `id`. */
  readonly reveal?: Endpoint;
}
export const page = <const P extends Page>(p: P) => p;

export interface Group {
  readonly key: string;
  readonly title: Text;
  readonly icon: string;
  readonly pages: readonly Head[];
}
