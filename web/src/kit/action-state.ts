import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import type { Action, AnyRow, Me, Page } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { pages } from '@farlink/contract/pages.ts';
import { grantOf, mayCall, mayOpen } from '@farlink/contract/rights.ts';

const viewOnly: Text = ['您仅有查看权限', 'You may only view this'];
const notNow: Text = ['当前数据不支持此操作', 'Not available for this record in its current state'];

export interface Offer {
  readonly key: string;
  readonly action: Action;
  /** Why it is shown but cannot be used. */
  readonly refusal?: Text;
}

const refusalOf = (action: Action, row: AnyRow | undefined, me: Me): Text | undefined => {
  if (action.call && isWrite(action.call) && grantOf(action.call, me) === '10') return viewOnly;
  return row && action.when && !action.when(row, me) ? notNow : undefined;
};

/** spec §6: invisible is not drawn, show only is drawn and cannot be used. */
const isVisible = (action: Action, me: Me): boolean => {
  if (action.call) return grantOf(action.call, me) !== '00' && (isWrite(action.call) || mayCall(action.call, me));
  const target = action.to === undefined ? undefined : pages.find((p) => p.route === action.to);
  return !target || mayOpen(target, me);
};

/** What a page offers on its toolbar, or on one row. */
export const offersOf = (page: Page, on: Action['on'], me: Me, row?: AnyRow): Offer[] =>
  Object.entries(page.actions)
    .filter(([, action]) => action.on === on && isVisible(action, me))
    .map(([key, action]) => ({ key, action, refusal: refusalOf(action, row, me) }));
