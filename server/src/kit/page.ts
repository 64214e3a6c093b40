import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { prepared } from '../db/prepare.ts';
import type { Db } from './deps.ts';
import { failAt } from './fail.ts';

const column = (name: string) => sql.ref(`t.${name}`);
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const comparisons = { gt: sql`>`, eq: sql`=`, lt: sql`<` } as const;
const isComparison = (value: unknown): value is keyof typeof comparisons => typeof value === 'string' && value in comparisons;

const isText = (kind: string | undefined) => kind === 'text' || kind === 'link' || kind === 'long' || kind === 'tags';

/** The declared filters as conditions on the columns of the same name; what was not declared never gets here. */
export const filterSql = (resource: Resource, filters: Values): RawBuilder<SqlBool> => {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  // PostgreSQL tests conditions in their order: searching a text is the dearest and comes last.
  const searches: RawBuilder<unknown>[] = [];
  for (const key of resource.filters) {
    const kind = resource.fields[key]?.kind;
    if (kind === 'time' || kind === 'date') {
      const [start, end] = [filters[`${key}_start`], filters[`${key}_end`]];
      if (start !== undefined) parts.push(sql`${column(key)} >= ${start}`);
      if (end !== undefined) parts.push(sql`${column(key)} <= ${end}`);
      continue;
    }
    const value = filters[key];
    if (value === undefined) continue;
    if (kind === 'int' || kind === 'money' || kind === 'progress') {
      const cond = filters[`cond_${key}`] ?? 'eq';
      const end = filters[`${key}_end`];
      if (cond === 'between' && end !== undefined) parts.push(sql`${column(key)} between ${value} and ${end}`);
      else parts.push(sql`${column(key)} ${comparisons[isComparison(cond) ? cond : 'eq']} ${value}`);
    } else if (kind === 'tags') searches.push(sql`array_to_string(${column(key)}, ' ') ilike ${like(String(value))}`);
    else if (isText(kind)) searches.push(sql`${column(key)} ilike ${like(String(value))}`);
    else if (kind === 'options') parts.push(sql`${value} = any(${column(key)})`);
    else parts.push(sql`${column(key)} = ${value}`);
  }
  return sql<SqlBool>`${sql.join([...parts, ...searches], sql` and `)}`;
};

/** `prop asc|desc` for a column that the resource lets be sorted; the id settles ties, so that pages never overlap. */
export const orderSql = (resource: Resource, orderby: string | undefined): RawBuilder<unknown> => {
  const [name = '', direction] = (orderby ?? resource.orderby).split(' ');
  const sortable = resource.columns.includes(name) && (resource.fields[name]?.sort === true || orderby === undefined);
  if (!sortable || (direction !== 'asc' && direction !== 'desc')) throw failAt('orderby', ['排序字段无效', 'Not a column to sort by']);
  // PostgreSQL's own order of nulls (last when rising, first when falling), so that one index serves both directions.
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  return sql`${column(name)} ${way}, ${column('id')} ${way}`;
};

interface ListInput {
  readonly page: number;
  readonly limit: number;
  readonly orderby?: string | undefined;
  readonly count?: 'exact' | undefined;
  readonly filters: Values;
}

/** Over everything that the filters find, so this is the one part of a list whose cost grows with it. */
const sumsOf = async <DB, TB extends keyof DB, Row>(
  db: Db,
  columns: readonly string[],
  query: SelectQueryBuilder<DB, TB, Row>,
  where: RawBuilder<SqlBool>,
): Promise<Record<string, string>> => {
  const sums = columns.map((name) => sql`coalesce(sum(${column(name)}), 0)::numeric(18, 2)::text as ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, string>>`select ${sql.join(sums)} from ${query} as t where ${where}`.execute(db);
  return rows[0] ?? {};
};

const countOf = async (db: Db, query: RawBuilder<unknown>) => {
  const { rows } = await query.$castTo<{ n: number }>().execute(db);
  return rows[0]?.n ?? 0;
};

/** What each row of a full page says of the whole list. */
interface Counted {
  readonly all_rows?: number | null;
}

/**
 * One page of a list. `query` exposes the id and every declared column and filter under its name; PostgreSQL pulls it up,
 * so conditions and order reach the indexes below. Counting stops at a cap: the cost of a page does not grow with the table.
 * `whole` is what is counted without filters: where `query` joins what only the rows of a page show, the same without it, because
 * PostgreSQL drops such joins but goes on reading the columns they were made by.
 */
export const pageOf = async <DB, TB extends keyof DB, Row>(
  db: Db,
  call: Endpoint & { readonly resource: Resource },
  input: ListInput,
  query: SelectQueryBuilder<DB, TB, Row>,
  whole: Expression<unknown> = query.clearSelect(),
): Promise<Listing<Row>> => {
  const { resource } = call;
  const where = filterSql(resource, input.filters);
  const asked = Object.keys(input.filters).filter((name) => input.filters[name] !== undefined);
  const isFiltered = asked.length > 0;
  const bound = isFiltered ? limits.countCapFiltered : limits.countCap;
  const mark = sql.raw(bound === limits.countCap && input.count !== 'exact' ? prepared : '');
  const cap = input.count === 'exact' ? null : bound + 1;
  const offset = (input.page - 1) * input.limit;
  const rows = sql`select * from ${query} as t where ${where} order by ${orderSql(resource, input.orderby)} limit ${input.limit} offset ${offset}`;
  const count = sql`select count(*)::int as n from (select from ${isFiltered ? query : whole} as t where ${where} limit ${cap}) as c`;
  // A list's last page says itself how long the list is. Elsewhere one question answers both, but to plan both takes its time: what
  // is looked for by its text alone is mostly found on one page.
  const isSearch = isFiltered && asked.every((name) => isText(resource.fields[name]?.kind));
  const page = isSearch
    ? sql<Row & Counted>`${rows}`
    : sql<Row & Counted>`${mark}with page as materialized (${rows})
        select page.*, case when (select count(*) from page) >= ${input.limit} then (${count}) end as all_rows from page`;
  const [{ rows: list }, sums] = await Promise.all([page.execute(db), resource.sums ? sumsOf(db, resource.sums, query, where) : undefined]);
  const isLast = list.length < input.limit && (list.length > 0 || offset === 0);
  const n = list[0]?.all_rows ?? (isLast ? offset + list.length : await countOf(db, count));
  const capped = cap !== null && n >= cap;
  return {
    total: capped ? bound : n,
    ...(capped && { capped }),
    ...(sums && { sums }),
    list: list.map((row) => ({ ...row, all_rows: undefined })),
  };
};
