import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import type { Action, Me, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { entryGrant, grantOf, mayCall, mayOpen } from '@farlink/contract/rights.ts';
import { pageAt } from '../chrome/route.ts';
import { suitableRows, whyNot } from './suitable-rows.ts';

const viewOnly: Text = ['您仅有查看权限', 'You have view-only permission'];
const noneFits: Text = ['所选 {0} 条均不支持此操作：{1}', 'Not available for any of the {0} selected rows: {1}'];
const notTogether: Text = ['所选数据不能一起操作', 'The selected rows cannot be processed together'];

export interface Offer {
  readonly key: string;
  readonly action: Action;
  /** Reason why it is disabled. */
  readonly refusal?: Text | undefined;
}

export const isBatch = (action: Action) => action.on === 'batch' || action.on === 'both';

const targetOf = ({ to }: Action) => (to === undefined ? undefined : pageAt(to));

/** The dialog skips unsuitable rows, so a batch is refused only if no row fits. */
const refusalOf = (action: Action, rows: readonly AnyRow[], me: Me): Text | undefined => {
  if (action.call && isWrite(action.call) && grantOf(action.call, me) === '10') return viewOnly;
  const target = targetOf(action);
  if (target && entryGrant(target, me) === '10') return viewOnly;
  const [first] = rows;
  if (!first) return undefined;
  const { fit, skipped } = suitableRows(action, rows, me);
  if (fit.length === 0) return skipped.length === 1 ? whyNot(action, first) : fill(noneFits, rows.length, whyNot(action, first));
  if (action.whenAll?.(fit) !== false) return undefined;
  return action.why === undefined ? notTogether : whyNot(action, first);
};

/** spec §6: invisible is not rendered; show only is rendered but disabled. */
const isVisible = (action: Action, me: Me): boolean => {
  if (action.platform !== undefined && action.platform !== (me.agent_level === 0 ? 'admin' : 'vno')) return false;
  if (action.call) return grantOf(action.call, me) !== '00' && (isWrite(action.call) || mayCall(action.call, me));
  const target = targetOf(action);
  return !target || (mayOpen(target, me) && entryGrant(target, me) !== '00');
};

const positions = {
  toolbar: ['toolbar'],
  row: ['row', 'both'],
  /** A detail page offers all actions for its record. */
  record: ['toolbar', 'row', 'batch', 'both'],
} as const satisfies Record<string, readonly Action['on'][]>;

const visible = (page: Page, on: readonly Action['on'][], me: Me) =>
  Object.entries(page.actions).filter(([, action]) => on.includes(action.on) && isVisible(action, me));

/** Actions of the toolbar, of one row (row-only actions first), or of the record of a detail page. */
export const offersOf = (page: Page, position: keyof typeof positions, me: Me, row?: AnyRow): Offer[] => {
  const all = visible(page, positions[position], me);
  const ordered = position === 'row' ? all.toSorted(([, a], [, b]) => Number(isBatch(a)) - Number(isBatch(b))) : all;
  const offered = row ? ordered.filter(([, action]) => action.hiddenWhenRefused !== true || action.when?.(row, me) !== false) : ordered;
  return offered.map(([key, action]) => ({ key, action, refusal: refusalOf(action, row ? [row] : [], me) }));
};

/** Rows are selectable if any action takes a selection. */
export const hasBatch = (page: Page, me: Me): boolean => visible(page, ['batch', 'both'], me).length > 0;

/** Toolbar actions of a list: page actions, or batch actions while rows are selected. */
export const barOffers = (page: Page, me: Me, selected: readonly AnyRow[]): Offer[] =>
  visible(page, selected.length > 0 ? ['batch', 'both'] : ['toolbar'], me).map(([key, action]) => ({
    key,
    action,
    refusal: refusalOf(action, selected, me),
  }));
