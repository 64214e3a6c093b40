import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type CompiledQuery, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { prepared, preparedByIds } from '../../db/prepare.ts';
import type { Db } from '../deps.ts';
import { filterSql, isText, longestGram, orderSql } from './conditions.ts';
import { dayAfter } from './days.ts';
import { capOf, type ListInput, type ListSource, listingOf, offsetOf } from './listing.ts';
import { pageOfMatches, pageOfStart } from './matches.ts';

/** The scope of a VNO is an array of its branch. */
const hasBranch = ({ parameters }: Pick<CompiledQuery, 'parameters'>) => parameters.some(Array.isArray);

const countOf = async (db: Db, query: RawBuilder<unknown>) => {
  const { rows } = await query.$castTo<{ n: number }>().execute(db);
  return rows[0]?.n ?? 0;
};

/** A row of the first page that also carries the total. */
interface RowWithTotal {
  readonly all_rows?: number | null;
}

interface Found {
  readonly ids: readonly number[];
  readonly all_rows?: number | null;
}

/** A code has matches in one part of the list. */
const isCodeSearch = ({ fields }: Resource, name: string, value: unknown) =>
  fields[name]?.match === 'code' && isText(fields[name]?.kind) && [...String(value)].length >= longestGram;

/** The planner has statistics for other filters. */
const isSubstringSearch = ({ fields }: Resource, name: string) =>
  isText(fields[name]?.kind) && !['exact', 'start'].includes(fields[name]?.match ?? '');

/** Most rows have one of few choices, and a choice whose rows are in one part of a sort has an index of both. */
const isChoiceField = ({ fields }: Resource, name: string) => fields[name]?.kind === 'choice' || fields[name]?.kind === 'bool';

/** The index of such a sort has the time after the sorted column, so it also serves the period. */
const isPeriodOfSort = ({ fields, orderby: usual }: Resource, { orderby = usual }: ListInput, name: string) => {
  const [sorted = ''] = orderby.split(' ');
  return fields[sorted]?.sort === 'newest' && fields[name.replace(/_(start|end)$/, '')]?.kind === 'time';
};

/** Above this offset, the page is found by its ids first. */
const deepOffset = 200;

/**
 * Above this offset, whole days are skipped. The rows of a VNO lie between those of all others, so reading over them costs more than counting
 * them by day; the rows of the platform are read over in one index.
 */
const farOffset = { vno: 50_000, platform: 200_000 };

/**
 * One page of a list. `query` returns the id and every declared column and filter by name; PostgreSQL flattens it, so that conditions and
 * order use the indexes. The count is capped, so that the cost of a page does not grow with the table. `base` is the base table, used for
 * the count without filters and for the ids of a deep page in default order: PostgreSQL drops unneeded joins but still reads their columns,
 * so only the base table is read from its index. First pages of the platform without filters are one prepared statement. Any other page is
 * found by its ids, where outer joins on unique keys are dropped from the plan, and its rows are then read by a prepared statement
 * (decision 24).
 */
export const pageOf = async <DB, TB extends keyof DB, Row, BaseDB = DB, Base extends keyof BaseDB = never, BaseRow = unknown>(
  db: Db,
  call: Endpoint & { readonly resource: Resource },
  input: ListInput,
  query: SelectQueryBuilder<DB, TB, Row>,
  base?: SelectQueryBuilder<BaseDB, Base, BaseRow>,
): Promise<Listing<Row>> => {
  const { resource } = call;
  const where = filterSql(resource, input.filters);
  const sources = {
    query: compiledOnce(query),
    where,
    base: base?.clearSelect() ?? query.clearSelect(),
    ids: base && idsOf(base, resource),
  };
  return listingOf(input, sourceOf(db, resource, input, sources));
};

/** A page has its query in two or three places, and compiling it takes longer than anything else here. */
const compiledOnce = <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): RawBuilder<Row> => {
  const { sql: text, parameters } = query.compile();
  const pieces = `(${text})`.split(/\$\d+/);
  // A literal of the statement has such a text too.
  if (pieces.length !== parameters.length + 1) return sql<Row>`${query}`;
  return sql<Row>(Object.assign(pieces, { raw: pieces }), ...parameters);
};

interface Sources<Row> {
  readonly query: RawBuilder<Row>;
  readonly where: RawBuilder<SqlBool>;
  readonly base: Expression<unknown>;
  readonly ids: Expression<unknown> | undefined;
}

/** Ids of the base table, with the column of the default order. */
const idsOf = <DB, TB extends keyof DB, Row>(base: SelectQueryBuilder<DB, TB, Row>, { orderby }: Resource): Expression<unknown> => {
  const [name = ''] = orderby.split(' ');
  return base.clearSelect().select([sql`id`.as('id'), sql`${sql.ref(name)}`.as(name)]);
};

const rowsOfIds = async <Row>(db: Db, query: RawBuilder<Row>, ids: readonly number[], order: RawBuilder<unknown>) => {
  if (ids.length === 0) return [];
  const rows = sql<Row>`${sql.raw(preparedByIds)}select t.* from ${query} as t where t.id = any(${ids}::bigint[]) order by ${order}`;
  return (await rows.execute(db)).rows;
};

const sourceOf = <Row>(db: Db, resource: Resource, input: ListInput, { query, where, base, ids }: Sources<Row>): ListSource<Row> => {
  const filterNames = Object.keys(input.filters).filter((name) => input.filters[name] !== undefined);
  const isFiltered = filterNames.length > 0;
  const bound = isFiltered ? limits.countCapFiltered : limits.countCap;
  const cap = capOf(input, bound);
  const offset = offsetOf(input);
  const order = orderSql(resource, input.orderby);
  const cutOf = (from: Expression<unknown>, { rest, offset: skipped } = { rest: sql<SqlBool>`true`, offset }) =>
    sql`from ${from} as t where ${where} and ${rest} order by ${order} limit ${sql.lit(input.limit)} offset ${sql.lit(skipped)}`;
  const isDefaultOrder = (input.orderby ?? resource.orderby) === resource.orderby;
  const count = sql`select count(*)::int as n from (select 1 from ${isFiltered ? query : base} as t where ${where} limit ${sql.lit(cap)}) as c`;
  // The last page implies the total, so the count of a short list is skipped.
  const ifFull = (found: string) =>
    sql`case when (select count(*) from ${sql.table(found)}) >= ${sql.lit(input.limit)} then (${count}) end as all_rows`;

  // Literal limits: a plan that is made once for any limit reads far more than one page. Only usual first pages are kept prepared.
  const isUsual = input.page === 1 && limits.pageSizes.some((size) => size === input.limit) && input.count !== 'exact';
  const mark = sql.raw(isUsual ? prepared : '');

  const byIds = async () => {
    // A text search mostly fits on one page, so its count runs only if needed.
    const isSearch = isFiltered && filterNames.every((name) => isText(resource.fields[name]?.kind));
    const usesBase = !isFiltered && isDefaultOrder && ids !== undefined;
    const isFar =
      usesBase && resource.orderby === 'create_at desc' && offset >= farOffset[hasBranch(sql`${ids}`.compile(db)) ? 'vno' : 'platform'];
    const start = isFar ? await dayAfter(db, ids, offset) : undefined;
    if (isFar && !start) return { list: [], total: undefined };
    const from = start && { rest: sql<SqlBool>`t.create_at < ${start.before}`, offset: start.offset };
    const found = sql<Found>`${isFiltered ? sql`` : mark}with found as materialized (select t.id ${cutOf(usesBase ? ids : query, from)})
      select coalesce(array_agg(id), '{}') as ids${isSearch ? sql`` : sql`, ${ifFull('found')}`} from found`;
    const [page] = (await found.execute(db)).rows;
    if (!page || page.ids.length === 0) return { list: [], total: undefined };
    return { list: await rowsOfIds(db, query, page.ids, order), total: page.all_rows };
  };
  const byStart = async () => {
    const needed = Math.max(cap ?? 0, offset + input.limit);
    const start = await pageOfStart(db, resource, input, query, where, needed);
    return start && { list: await rowsOfIds(db, query, start.ids, order), total: start.n };
  };
  const byMatches = async () => {
    const matches = await pageOfMatches(db, resource, input, query, where);
    if (matches) return { list: await rowsOfIds(db, query, matches.ids, order), total: matches.n };
    const page = await byIds();
    return { ...page, total: cap ?? page.total };
  };
  const atOnce = async () => {
    const page = sql<
      Row & RowWithTotal
    >`${mark}with page as materialized (select * ${cutOf(query)}) select page.*, ${ifFull('page')} from page`.compile(db);
    // Such a statement is planned each time, and the joins take most of it.
    if (hasBranch(page)) return byIds();
    const { rows } = await db.executeQuery(page);
    return { list: rows.map((row) => ({ ...row, all_rows: undefined })), total: rows[0]?.all_rows };
  };

  // The plan of a single choice is kept: it uses the index of that choice, and planning would cost more than running.
  const [only = ''] = filterNames;
  const isChoice = filterNames.length === 1 && resource.fields[only]?.kind === 'choice';
  // Another order may have no index, and sorting ids is cheaper than sorting rows.
  const isOneStatement = offset < deepOffset && isDefaultOrder && (!isFiltered || isChoice);
  const readsMatches = filterNames.some((name) =>
    isDefaultOrder
      ? isCodeSearch(resource, name, input.filters[name])
      : !isChoiceField(resource, name) && !isPeriodOfSort(resource, input, name),
  );
  const find = isOneStatement ? atOnce : readsMatches ? byMatches : byIds;
  const isSearched = cap !== null && filterNames.some((name) => isSubstringSearch(resource, name));
  const page = async () => (isSearched && (await byStart())) || find();
  return { bound, page, count: () => countOf(db, count) };
};
