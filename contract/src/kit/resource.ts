import type { Endpoint } from './endpoint.ts';
import { choice, type Field, type Fields, int, text, time, type ValueOf, type Values } from './field.ts';
import { across } from './rule.ts';
import type { Text } from './text.ts';

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
  across(
    'start_before_end',
    ['最大值不能小于最小值', 'The maximum cannot be less than the minimum'],
    (v, all) => Number(v) >= Number(all[low]),
  );

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

export interface Form<F extends Fields = Fields> {
  readonly title: Text;
  readonly fields: F;
  /** Wider than the dialog of spec §9 where a form holds a tree. */
  readonly width?: number;
  /** What is asked before these values are sent. */
  readonly ask?: (values: Values) => Text | undefined;
  /** Answers `{ notes }` (PreviewNote): what the values would come to for the rows at hand, said below the fields while they are chosen. `values` fill fields that the operator has not changed. */
  readonly preview?: Endpoint;
}

/** One line below a form: what would be sent, how long it takes, what would have to wait. */
export interface PreviewNote {
  readonly text: string;
  /** `total` is the amount to collect. */
  readonly tone?: 'warning' | 'total';
}

export const form = <const F extends Fields>(title: Text, fields: F, width?: number): Form<F> => ({ title, fields, width });

/** Who looks: what predicates and the menu may ask about the session. */
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
  /** `batch` works on the selected rows, `both` on a row or on the selection; the call then takes their ids as `ids`. */
  readonly on: 'toolbar' | 'row' | 'batch' | 'both';
  readonly label: Text;
  readonly call?: Endpoint;
  readonly form?: string;
  readonly confirm?: Text;
  readonly danger?: boolean;
  /** In a menu: one entry for all actions of the same group, by this name. */
  readonly group?: Text;
  /** Offered to the platform's own people, or to those of VNOs, alone. */
  readonly platform?: 'admin' | 'vno';
  /** Said when the call has succeeded, where that is only a beginning. */
  readonly done?: Text;
  /** Where its progress is shown; `:name` is taken from the answer. The notice links to it. */
  readonly follow?: string;
  /** Sent with the call; `:name` is taken from the row, `:ids` from all the rows it is for. */
  readonly params?: Values;
  /** Route that it opens instead of a call; `:name` is taken from the row. */
  readonly to?: string;
  /** The call answers a file. */
  readonly download?: boolean;
  /** Offered to this row and this session; the server refuses by the same predicate or by its own statement. */
  readonly when?: (row: AnyRow, me: Me) => boolean;
  /** Left out of rows that `when` refuses instead of greyed: such a row has another action in its place. */
  readonly hides?: boolean;
  /** What must hold for the selection as a whole. */
  readonly together?: (rows: readonly AnyRow[]) => boolean;
  /** What `when` and `together` ask for, in words; said where they refuse, of the row at hand. */
  readonly why?: Text | ((row: AnyRow) => Text);
}

/** A page as the menu, the routes and the rights know it. */
export interface Head {
  readonly key: string;
  readonly title: Text;
  readonly route: string;
  readonly permission: string;
  readonly platform?: 'admin' | 'vno';
  /** Agent modes that do not have this page (spec §6). */
  readonly hiddenModes?: readonly number[];
  readonly requires?: 'agent_child_enable';
  /** Not in the menu. */
  readonly hidden?: boolean;
  /** Pages whose right opens this one too; it has then no item of its own in a role. */
  readonly grantedBy?: readonly string[];
  /** Writes, by their operate keys, that the page is a form for: without one of them it cannot be opened. */
  readonly needs?: readonly string[];
  readonly keepAlive?: boolean;
}

export interface Page extends Head {
  readonly list?: Endpoint;
  readonly listParams?: Values;
  readonly resource?: Resource;
  readonly forms: Readonly<Record<string, Form>>;
  readonly actions: Readonly<Record<string, Action>>;
  /** Answers `{ value }` of a masked `field` of the row `id`. */
  readonly reveal?: Endpoint;
}
export const page = <const P extends Page>(p: P) => p;

export interface Group {
  readonly key: string;
  readonly title: Text;
  readonly icon: string;
  readonly pages: readonly Head[];
}
