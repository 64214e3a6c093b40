import type { Endpoint } from './endpoint.ts';
import type { Fields } from './field.ts';
import type { AnyRow, Resource } from './resource.ts';
import type { Text } from './text.ts';
import type { Values } from './values.ts';

export interface Form<F extends Fields = Fields> {
  readonly title: Text;
  readonly fields: F;
  /** Pixels; a form with a tree is wider than the dialog of spec §9. */
  readonly width?: number;
  /** Text of a confirmation dialog before these values are sent; undefined: none. */
  readonly confirm?: (values: Values) => Text | undefined;
  /**
   * Returns `{ notes }` (PreviewNote) about the values and the selected rows; they are shown below the fields. `values` in the response
   * fills fields that the operator has not changed.
   */
  readonly preview?: Endpoint;
  readonly follow?: FollowUp;
}

/** The main button of the form also runs this action of the page on the saved record; a second button only saves. */
export interface FollowUp {
  readonly action: string;
  readonly label: Text;
  readonly saveOnly: Text;
  /** Notification after the second button. */
  readonly saved: Text;
}

/** One line below a form, such as the data to send, the time it takes, or the devices that must wait. */
export interface PreviewNote {
  readonly text: string;
  /** `total` is the amount to collect. */
  readonly tone?: 'warning' | 'total';
}

export const form = <const F extends Fields>(title: Text, fields: F, width?: number): Form<F> => ({ title, fields, width });

/** The session, as predicates and the menu use it. */
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
  /** `batch`: on the selected rows; `both`: on one row or the selected rows. The call then takes their ids as `ids`. */
  readonly on: 'toolbar' | 'row' | 'batch' | 'both';
  readonly label: Text;
  readonly call?: Endpoint;
  readonly form?: string;
  readonly confirm?: Text;
  /**
   * Returns `{ notes, values }` about the selected rows, before `confirm`: the question shows the notes, and the call gets the values, as
   * proof of what the operator has read.
   */
  readonly preview?: Endpoint;
  readonly danger?: boolean;
  /** Menu entry that contains all actions with the same group. */
  readonly group?: Text;
  /** Offered only to operators of the platform, or only to those of VNOs. */
  readonly platform?: 'admin' | 'vno';
  /** Text after a successful call that only starts a process. */
  readonly done?: Text;
  /** Route of the page with its progress, for a link after success; `:name` is taken from the response. */
  readonly progressRoute?: string;
  /** Sent with the call; `:name` is taken from the row, `:ids` are the ids of all its rows. */
  readonly params?: Values;
  /** Opens this route instead of calling; `:name` is taken from the row. */
  readonly to?: string;
  /** The call returns a file. */
  readonly download?: boolean;
  /** Whether this row and this session allow the action. The server checks the same condition again. */
  readonly when?: (row: AnyRow, me: Me) => boolean;
  /** Hidden instead of disabled if `when` refuses the row, because the row shows another action instead. */
  readonly hiddenWhenRefused?: boolean;
  /** Condition for all selected rows together. */
  readonly whenAll?: (rows: readonly AnyRow[]) => boolean;
  /** Text of the condition in `when` and `whenAll`, shown if the action is disabled. */
  readonly why?: Text | ((row: AnyRow) => Text);
}

/** Data of a page for the menu, the routes and the rights. */
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
  /** Pages whose permission also opens this page; it has no separate item in a role. */
  readonly grantedBy?: readonly string[];
  /** Operate keys of the write calls of a form page; at least one is required to open it. */
  readonly needs?: readonly string[];
  readonly keepAlive?: boolean;
}

export interface Page extends Head {
  readonly list?: Endpoint;
  readonly listParams?: Values;
  readonly resource?: Resource;
  /** Shown while the list has no rows: where they come from. */
  readonly emptyHint?: Text;
  readonly forms: Readonly<Record<string, Form>>;
  readonly actions: Readonly<Record<string, Action>>;
  /** Returns `{ value }`: the masked `field` of the row `id` in clear. */
  readonly reveal?: Endpoint;
}
export const page = <const P extends Page>(p: P) => p;

export interface Group {
  readonly key: string;
  readonly title: Text;
  readonly icon: string;
  readonly pages: readonly Head[];
}
