import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../deps.ts';
import { column, orderSql } from './conditions.ts';
import type { ListInput } from './listing.ts';

interface Matches {
  readonly ids: readonly number[];
  /** At most the number that was asked for. */
  readonly n: number;
}

/** Matches of a filter that are read before they are sorted. */
const maxMatches = 60_000;

/** Rows at the start of the list that tell how many rows match. */
const sampleRows = 200;

/** The start of a list that is read row by row. Rows of a sample differ from those after it, so half as many again are read. */
const maxStart = 20_000;
const reserve = 1.5;

const orderColumns = (resource: Resource, orderby: string = resource.orderby) => {
  const [name = ''] = orderby.split(' ');
  return [name, ...(resource.fields[name]?.sort === 'newest' ? ['create_at'] : []), 'id'];
};

const filterColumns = ({ filters: names }: Resource, filters: Values) =>
  names.filter((name) => [name, `${name}_start`, `${name}_end`].some((key) => filters[key] !== undefined));

/** The page from the first `max` matches of the filters, sorted. */
const readMatches = async (
  db: Db,
  resource: Resource,
  { limit, page, orderby }: ListInput,
  { from, where, max }: { readonly from: Expression<unknown>; readonly where: RawBuilder<SqlBool>; readonly max: number },
): Promise<Matches> => {
  const columns = new Set(orderColumns(resource, orderby));
  const { rows } = await sql<Matches>`with matches as materialized (
      select ${sql.join([...columns].map(column))} from ${from} as t where ${where} limit ${sql.lit(max)}),
    found as (select id from matches as t order by ${orderSql(resource, orderby)} limit ${sql.lit(limit)} offset ${sql.lit((page - 1) * limit)})
    select coalesce((select array_agg(id) from found), '{}') as ids, (select count(*) from matches)::int as n`.execute(db);
  return rows[0] ?? { ids: [], n: 0 };
};

/**
 * The page from all matches of the filters. The planner expects matches everywhere in the list, but codes are numbered in order of time, and a
 * filter and another sort may depend on each other: in the order of the list it would read most of the table. Undefined: too many matches.
 */
export const pageOfMatches = async (
  db: Db,
  resource: Resource,
  input: ListInput,
  from: Expression<unknown>,
  where: RawBuilder<SqlBool>,
): Promise<Matches | undefined> => {
  const matches = await readMatches(db, resource, input, { from, where, max: maxMatches + 1 });
  return matches.n <= maxMatches ? matches : undefined;
};

/**
 * The page from the start of the list, for a search that many rows match: one character, or a word of every row. The planner expects few
 * matches of a text that it has no statistics for, and would find and sort them all. Undefined: the start has less than `needed` matches.
 */
export const pageOfStart = async (
  db: Db,
  resource: Resource,
  input: ListInput,
  query: Expression<unknown>,
  where: RawBuilder<SqlBool>,
  needed: number,
): Promise<Matches | undefined> => {
  const { orderby, filters } = input;
  const columns = new Set([...orderColumns(resource, orderby), ...filterColumns(resource, filters)]);
  const startOf = (n: number) =>
    sql`(select ${sql.join([...columns].map(column))} from ${query} as t order by ${orderSql(resource, orderby)} limit ${sql.lit(n)})`;
  const sample = await readMatches(db, resource, input, { from: startOf(sampleRows), where, max: sampleRows });
  const start = Math.ceil((reserve * needed * sampleRows) / sample.n);
  if (start > maxStart) return undefined;
  const matches = await readMatches(db, resource, input, { from: startOf(start), where, max: needed });
  return matches.n >= needed ? matches : undefined;
};
