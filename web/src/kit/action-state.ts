import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import type { Action, AnyRow, Me, Page } from '@farlink/contract/kit/resource.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { entryGrant, grantOf, mayCall, mayOpen } from '@farlink/contract/rights.ts';
import { pageAt } from './route.ts';
import { nameOf } from './row-name.ts';

const viewOnly: Text = ['您仅有查看权限', 'You may only view this'];
const notNow: Text = ['当前数据不支持此操作', 'Not available for this record in its current state'];
const notAll: Text = ['所选 {0} 条中有 {1} 条不支持此操作：{2}', '{1} of the {0} selected rows do not allow this: {2}'];
const notTogether: Text = ['所选数据不能一起操作', 'The selected rows cannot be handled together'];
const namedAtMost = 3;

export interface Offer {
  readonly key: string;
  readonly action: Action;
  /** Why it is shown but cannot be used. */
  readonly refusal?: Text | undefined;
}

export const isBatch = (action: Action) => action.on === 'batch' || action.on === 'both';

const barredText = (page: Page, rows: readonly AnyRow[], barred: readonly AnyRow[], why: Text | undefined): Text => {
  if (rows.length === 1) return why ?? notNow;
  const named = barred.slice(0, namedAtMost).map((row) => nameOf(page.resource, row));
  const names: Text = [named.join('、'), named.join(', ')];
  const [zh, en] = fill(notAll, rows.length, barred.length, barred.length > namedAtMost ? fill(['{0}…', '{0}…'], names) : names);
  return why ? [`${zh}\n${why[0]}`, `${en}\n${why[1]}`] : [zh, en];
};

const targetOf = ({ to }: Action) => (to === undefined ? undefined : pageAt(to));

const refusalOf = (page: Page, action: Action, rows: readonly AnyRow[], me: Me): Text | undefined => {
  if (action.call && isWrite(action.call) && grantOf(action.call, me) === '10') return viewOnly;
  const target = targetOf(action);
  if (target && entryGrant(target, me) === '10') return viewOnly;
  if (rows.length === 0) return undefined;
  const barred = rows.filter((row) => action.when?.(row, me) === false);
  if (barred.length > 0) return barredText(page, rows, barred, action.why);
  return action.together?.(rows) === false ? (action.why ?? notTogether) : undefined;
};

/** spec §6: invisible is not drawn, show only is drawn and cannot be used. */
const isVisible = (action: Action, me: Me): boolean => {
  if (action.platform !== undefined && action.platform !== (me.agent_level === 0 ? 'admin' : 'vno')) return false;
  if (action.call) return grantOf(action.call, me) !== '00' && (isWrite(action.call) || mayCall(action.call, me));
  const target = targetOf(action);
  return !target || (mayOpen(target, me) && entryGrant(target, me) !== '00');
};

const places = {
  toolbar: ['toolbar'],
  row: ['row', 'both'],
  /** A page about one record offers all it has for that record. */
  record: ['toolbar', 'row', 'batch', 'both'],
} as const satisfies Record<string, readonly Action['on'][]>;

const visible = (page: Page, on: readonly Action['on'][], me: Me) =>
  Object.entries(page.actions).filter(([, action]) => on.includes(action.on) && isVisible(action, me));

/** What a page offers on its toolbar, on one row (first what is the row's alone), or for the record it is about. */
export const offersOf = (page: Page, place: keyof typeof places, me: Me, row?: AnyRow): Offer[] => {
  const all = visible(page, places[place], me);
  const ordered = place === 'row' ? all.toSorted(([, a], [, b]) => Number(isBatch(a)) - Number(isBatch(b))) : all;
  return ordered.map(([key, action]) => ({ key, action, refusal: refusalOf(page, action, row ? [row] : [], me) }));
};

/** Whether rows of the list can be selected: some action takes a selection. */
export const hasBatch = (page: Page, me: Me): boolean => visible(page, ['batch', 'both'], me).length > 0;

/** What the toolbar of a list offers: the page's own actions, or while rows are selected those on the selection. */
export const barOffers = (page: Page, me: Me, selected: readonly AnyRow[]): Offer[] =>
  visible(page, selected.length > 0 ? ['batch', 'both'] : ['toolbar'], me).map(([key, action]) => ({
    key,
    action,
    refusal: refusalOf(page, action, selected, me),
  }));
