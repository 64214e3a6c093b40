import type { Fields } from '@farlink/contract/kit/field.ts';
import { filterParams, type Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { omitEmpty } from './wire.ts';

/** What a list shows, as it stands in the address bar: a list can be shared and survives reload and back. */
export interface ListState {
  readonly page: number;
  readonly limit: number;
  readonly orderby: string | undefined;
  readonly filters: Filters;
}

/** Parameters of the wire, as text. */
export type Filters = Readonly<Record<string, string>>;

const paramsOf = (r: Resource): Fields =>
  Object.assign(
    {},
    ...r.filters.map((key) => {
      const field = r.fields[key];
      return field ? filterParams(key, field) : {};
    }),
  );

const wholeNumber = (text: string | null) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

const orderOf = (r: Resource, text: string | null) => {
  const [, prop = ''] = /^(\S+) (?:asc|desc)$/.exec(text ?? '') ?? [];
  return r.columns.includes(prop) && r.fields[prop]?.sort ? (text ?? undefined) : undefined;
};

/** Whatever the resource does not declare is ignored: an address may come from anywhere. */
export const readListState = (query: URLSearchParams, r: Resource): ListState => {
  const limit = wholeNumber(query.get('limit'));
  const filters = Object.keys(paramsOf(r)).flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  return {
    page: wholeNumber(query.get('page')) ?? limits.page,
    limit: limits.pageSizes.find((size) => size === limit) ?? limits.limit,
    orderby: orderOf(r, query.get('orderby')),
    filters: Object.fromEntries(filters),
  };
};

/** The defaults leave no trace in the address. */
export const writeListState = ({ page, limit, orderby, filters }: ListState): URLSearchParams => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(omitEmpty(filters))) query.set(name, String(value));
  if (orderby) query.set('orderby', orderby);
  if (page !== limits.page) query.set('page', String(page));
  if (limit !== limits.limit) query.set('limit', String(limit));
  return query;
};

/** spec §4: after removing rows the page does not exceed the last one. */
export const clampPage = (page: number, limit: number, total: number) => Math.min(page, Math.max(1, Math.ceil(total / limit)));

/** A click on a header: ascending, descending, none (spec §4). */
export const nextOrder = (prop: string, orderby: string | undefined): string | undefined =>
  orderby === `${prop} asc` ? `${prop} desc` : orderby === `${prop} desc` ? undefined : `${prop} asc`;

/** How a column stands in the order, in the words of `aria-sort`. */
export const sortOf = (prop: string, orderby: string | undefined) =>
  orderby === `${prop} asc` ? 'ascending' : orderby === `${prop} desc` ? 'descending' : undefined;
