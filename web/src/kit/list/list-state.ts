import { filterFields, type Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { omitEmpty } from '../net/wire.ts';

/** State of a list in the URL: it can be shared and survives reload and back. */
export interface ListState {
  readonly page: number;
  readonly limit: number;
  readonly orderby: string | undefined;
  readonly filters: Filters;
}

/** Wire parameters as text. */
export type Filters = Readonly<Record<string, string>>;

const wholeNumber = (text: string | null) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

const orderOf = (r: Resource, text: string | null) => {
  const [, prop = ''] = /^(\S+) (?:asc|desc)$/.exec(text ?? '') ?? [];
  return r.columns.includes(prop) && r.fields[prop]?.sort ? (text ?? undefined) : undefined;
};

/** Unknown parameters are ignored, because a URL can come from anywhere. */
export const readListState = (query: URLSearchParams, r: Resource, defaultLimit: number = limits.limit): ListState => {
  const limit = wholeNumber(query.get('limit'));
  const filters = Object.keys(filterFields(r)).flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  return {
    page: wholeNumber(query.get('page')) ?? limits.page,
    limit: limits.pageSizes.find((size) => size === limit) ?? defaultLimit,
    orderby: orderOf(r, query.get('orderby')),
    filters: Object.fromEntries(filters),
  };
};

/** Defaults are omitted from the URL. Pages after the first include the page size, because the default depends on the screen. */
export const writeListState = ({ page, limit, orderby, filters }: ListState, defaultLimit: number = limits.limit): URLSearchParams => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(omitEmpty(filters))) query.set(name, String(value));
  if (orderby) query.set('orderby', orderby);
  if (page !== limits.page) query.set('page', String(page));
  if (limit !== defaultLimit || (page !== limits.page && limit !== limits.limit)) query.set('limit', String(limit));
  return query;
};

/** Height of header, toolbar, filters, table header and pager, and of one row. */
const aroundRows = 270;
const rowHeight = 42;
const filledShare = 0.75;

/** The smallest page size of the specification that fills most of the screen; the largest size is never chosen. */
export const limitFor = (height: number): number => {
  const rows = (height - aroundRows) / rowHeight;
  return limits.pageSizes.slice(0, -1).find((size) => size >= rows * filledShare) ?? limits.limit;
};

/** spec §4: after a delete the page number does not exceed the last page. */
export const clampPage = (page: number, limit: number, total: number) => Math.min(page, Math.max(1, Math.ceil(total / limit)));

/** A click on a header: ascending, descending, none (spec §4). */
export const nextOrder = (prop: string, orderby: string | undefined): string | undefined =>
  orderby === `${prop} asc` ? `${prop} desc` : orderby === `${prop} desc` ? undefined : `${prop} asc`;

/** Sort state of a column, as a value of `aria-sort`. */
export const sortOf = (prop: string, orderby: string | undefined) =>
  orderby === `${prop} asc` ? 'ascending' : orderby === `${prop} desc` ? 'descending' : undefined;
