import type { Field, Values } from '@farlink/contract/kit/field.ts';
import type { Me } from '@farlink/contract/kit/resource.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { pageAt, routeOf } from './route.ts';

/** Where the value of a field leads: the page of the object that it names. Nowhere for callers who may not open that page. */
export const fieldHref = ({ to }: Field, record: Values, me: Me): string | undefined => {
  for (const route of [to ?? []].flat()) {
    const [href, target] = [routeOf(route, record), pageAt(route)];
    if (href !== undefined) return target && mayOpen(target, me) ? href : undefined;
  }
  return undefined;
};
