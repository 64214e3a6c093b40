import type { Field } from '@farlink/contract/kit/field.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { pageAt, routeOf } from '../chrome/route.ts';

/** The record as one of several values sees it: of lists beside it, its own entry. */
const recordAt = (record: Values, count: number, i: number): Values =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) && value.length === count ? value[i] : value]),
  );

/** Where each of several values leads. */
export const fieldHrefs = (field: Field, value: unknown, record: Values, me: Me): readonly (string | undefined)[] => {
  if (field.to === undefined || !Array.isArray(value)) return [];
  return value.map((_, i) => fieldHref(field, recordAt(record, value.length, i), me));
};

/** Where the value of a field leads: the page of the object that it names. Nowhere for callers who may not open that page. */
export const fieldHref = ({ to }: Field, record: Values, me: Me): string | undefined => {
  for (const route of [to ?? []].flat()) {
    const [href, target] = [routeOf(route, record), pageAt(route)];
    if (href !== undefined) return target && mayOpen(target, me) ? href : undefined;
  }
  return undefined;
};
