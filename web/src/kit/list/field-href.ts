import type { Field } from '@farlink/contract/kit/field.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { pageAt, routeOf } from '../chrome/route.ts';

/** The record for one of several values: parallel lists are reduced to the entry with this index. */
const recordAt = (record: Values, count: number, i: number): Values =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) && value.length === count ? value[i] : value]),
  );

/** URLs of several values. */
export const fieldHrefs = (field: Field, value: unknown, record: Values, me: Me): readonly (string | undefined)[] => {
  if (field.to === undefined || !Array.isArray(value)) return [];
  return value.map((_, i) => fieldHref(field, recordAt(record, value.length, i), me));
};

/** URL of the object that a value refers to; undefined if the operator cannot open the page. */
export const fieldHref = ({ to }: Field, record: Values, me: Me): string | undefined => {
  for (const route of [to ?? []].flat()) {
    const href = routeOf(route, record);
    const target = pageAt(route);
    if (href !== undefined) return target && mayOpen(target, me) ? href : undefined;
  }
  return undefined;
};
