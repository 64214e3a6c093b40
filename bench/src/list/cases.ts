import { endpoints } from '@farlink/contract/endpoints.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { lookupLimit, lookupRows, searchedLookups } from '@farlink/contract/kit/lookup.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { pages } from '@farlink/contract/pages.ts';

export type Get = (path: string) => Promise<string>;
type Row = Readonly<Record<string, unknown>>;

export interface Case {
  readonly path: string;
  readonly what: string;
  readonly query: string;
}

export const pageSize = 20;
const deepPages = [500, 5000];

export const listCalls = endpoints.flatMap((call) =>
  call.kind === 'list' && call.resource && !call.path.includes('{')
    ? [{ path: call.path, resource: call.resource, input: call.input }]
    : [],
);
const optionCalls = endpoints.filter(({ kind, path }) => (kind === 'option' || kind === 'tree') && !path.includes('{'));

const isRequired = (input: Endpoint['input']) => Object.values(input ?? {}).some((field) => field.required);

const rowsOf = async (get: Get, path: string): Promise<readonly Row[]> => {
  const { data }: { data?: { list?: readonly Row[] } } = JSON.parse(await get(`${path}?lang=zh&limit=100`));
  return data?.list ?? [];
};

/** Values that an operator would choose, from existing rows; for a text one, two and six characters. */
const valuesOf = (key: string, field: Field, rows: readonly Row[]): string[] => {
  // Not the newest row, because its round number matches many rows.
  const found = rows.map((row) => row[key]).findLast((value) => value !== null && value !== undefined && value !== '');
  switch (field.kind) {
    case 'choice':
      return (field.options ?? []).map(({ id }) => `${key}=${encodeURIComponent(id)}`);
    case 'bool':
      return [`${key}=true`, `${key}=false`];
    case 'time':
    case 'date': {
      const at = Number(found ?? 1_790_000_000);
      return [`${key}_start=${at - 86_400}&${key}_end=${at + 86_400}`, `${key}_start=${at - 86_400 * 60}&${key}_end=${at}`];
    }
    case 'int':
    case 'money':
    case 'progress':
      return ['eq', 'gt', 'lt'].map((cond) => `${key}=${found ?? 1}&cond_${key}=${cond}`);
    case 'option':
    case 'options': {
      const id = Array.isArray(found) ? found[0] : found;
      return id === undefined ? [] : [`${key}=${id}`];
    }
    default: {
      const text = Array.isArray(found) ? String(found[0] ?? '') : String(found ?? 'abcdef');
      const terms = [text.slice(0, 1), text.slice(1, 3), text.slice(-6), 'zq'];
      return [...new Set(terms.filter(Boolean))].map((term) => `${key}=${encodeURIComponent(term)}`);
    }
  }
};

const sortsOf = ({ columns, fields }: Resource) =>
  columns.filter((name) => fields[name]?.sort).flatMap((name) => [`${name} asc`, `${name} desc`]);

/** Fixed parameters that a page adds to its list call. */
const paramsOf = (path: string) => {
  const params = pages.find(({ list, listParams }) => list?.path === path && listParams)?.listParams ?? {};
  return Object.entries(params)
    .map(([name, value]) => `&${name}=${value}`)
    .join('');
};

/** The console requests sums with a separate call. */
const baseOf = (path: string, resource: Resource) => `lang=zh&limit=${pageSize}${resource.sums ? '&sums=later' : ''}${paramsOf(path)}`;

const filtersOf = (resource: Resource, rows: readonly Row[]) =>
  resource.filters.flatMap((key) => {
    const field = resource.fields[key];
    return field ? valuesOf(key, field, rows) : [];
  });

const casesOf = async (get: Get, path: string, resource: Resource): Promise<Case[]> => {
  const rows = await rowsOf(get, path);
  const base = baseOf(path, resource);
  return [
    { path, what: 'first page', query: base },
    ...deepPages.map((page) => ({ path, what: `page ${page}`, query: `${base}&page=${page}` })),
    ...sortsOf(resource).map((orderby) => ({ path, what: `sort ${orderby}`, query: `${base}&orderby=${encodeURIComponent(orderby)}` })),
    ...filtersOf(resource, rows).map((value) => ({ path, what: decodeURIComponent(value), query: `${base}&${value}` })),
    ...(resource.sums ? [{ path, what: 'sums', query: `lang=zh&limit=${pageSize}&sums=only` }] : []),
  ];
};

/** Every filter together with every sort: an index of the filter or of the sort alone may read most of the table. */
const pairsOf = async (get: Get, path: string, resource: Resource): Promise<Case[]> => {
  const rows = await rowsOf(get, path);
  if (rows.length === 0) return [];
  const filters = filtersOf(resource, rows);
  const base = baseOf(path, resource);
  const sorts = sortsOf(resource).filter((orderby) => orderby !== resource.orderby);
  return sorts.flatMap((orderby) =>
    filters.map((value) => ({
      path,
      what: `${decodeURIComponent(value)}, sort ${orderby}`,
      query: `${base}&${value}&orderby=${encodeURIComponent(orderby)}`,
    })),
  );
};

/** Cases of each list of the console. Lists of one row (device, account) stay short and are skipped. */
const ofLists = async (get: Get, only: RegExp | undefined, casesOfList: typeof casesOf): Promise<Case[]> => {
  const cases: Case[] = [];
  for (const { path, resource, input } of listCalls) {
    if (isRequired(input) || (only && !only.test(path))) continue;
    try {
      cases.push(...(await casesOfList(get, path, resource)));
    } catch {
      // This caller has no access to the list.
    }
  }
  return cases;
};

export const allPairs = (get: Get, only?: RegExp): Promise<Case[]> => ofLists(get, only, pairsOf);

/** Every list and option of the console. */
export const allCases = async (get: Get, only?: RegExp): Promise<Case[]> => {
  const cases = await ofLists(get, only, casesOf);
  for (const { path, input } of optionCalls) {
    if (isRequired(input) || (only && !only.test(path))) continue;
    const isSearched = searchedLookups.has(path);
    const terms = isSearched ? ['', '&keyword=%E7%8E%8B', '&keyword=u1', '&keyword=zq'] : [''];
    const base = `lang=zh&page=1&limit=${isSearched ? lookupRows : lookupLimit}`;
    cases.push(...terms.map((term) => ({ path, what: `option${decodeURIComponent(term)}`, query: `${base}${term}` })));
  }
  return cases;
};
