import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { isNumeric, type Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type CompiledQuery, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { prepared, preparedByIds } from '../../db/prepare.ts';
import type { Db } from '../deps.ts';
import { failAt } from '../fail.ts';
import { dayAfter } from './days.ts';

const column = (name: string) => sql.ref(`t.${name}`);
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const comparisons = { gt: sql`>`, eq: sql`=`, lt: sql`<` } as const;
const isComparison = (value: unknown): value is keyof typeof comparisons => typeof value === 'string' && value in comparisons;

const isText = (kind: string | undefined) => kind === 'text' || kind === 'link' || kind === 'long' || kind === 'tags';

/** Longest substring of a name that `text_grams` stores. */
const longestGram = 3;

/**
 * Substring search that uses an index. Names are indexed by substrings of one to three characters, because most Chinese names have two.
 * Code trigrams need three characters, so a shorter input is matched at the start.
 */
export const textSql = (at: RawBuilder<unknown>, match: Field['match'], text: string): RawBuilder<SqlBool> => {
  const length = [...text].length;
  // Addresses are stored in lower case, and their index supports only LIKE.
  if (match === 'exact') return sql<SqlBool>`${at} = ${text}`;
  if (match === 'start') return sql<SqlBool>`${at} like ${like(text.toLowerCase()).slice(1)}`;
  if (match === 'code' && length < longestGram) return sql<SqlBool>`${at} ilike ${like(text).slice(1)}`;
  if (match !== 'name') return sql<SqlBool>`${at} ilike ${like(text)}`;
  const gram = sql.lit(Math.min(length, longestGram));
  const pieces = sql<SqlBool>`text_grams(${at}, 1, ${sql.lit(longestGram)}) @> text_grams(${text}, ${gram}, ${gram})`;
  return length <= longestGram ? pieces : sql<SqlBool>`(${pieces} and ${at} ilike ${like(text)})`;
};

/** A declared choice is part of the statement, so that each choice has its own plan. Other values stay parameters. */
const choiceOf = (field: Field | undefined, value: unknown): RawBuilder<unknown> => {
  const declared = field?.options?.find(({ id }) => id === value)?.id;
  return declared === undefined ? sql`${value}` : sql.lit(declared);
};

/** Declared filters as conditions on the columns of the same name. Undeclared filters never get here. */
export const filterSql = (resource: Resource, filters: Values): RawBuilder<SqlBool> => {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  // PostgreSQL evaluates conditions in order, so the expensive text search comes last.
  const searches: RawBuilder<unknown>[] = [];
  for (const key of resource.filters) {
    const kind = resource.fields[key]?.kind;
    if (kind === 'time' || kind === 'date') {
      const start = filters[`${key}_start`];
      const end = filters[`${key}_end`];
      if (start !== undefined) conditions.push(sql`${column(key)} >= ${start}`);
      if (end !== undefined) conditions.push(sql`${column(key)} <= ${end}`);
      continue;
    }
    const value = filters[key];
    if (value === undefined) continue;
    if (isNumeric(kind)) {
      const cond = filters[`cond_${key}`] ?? 'eq';
      const end = filters[`${key}_end`];
      if (cond === 'between' && end !== undefined) conditions.push(sql`${column(key)} between ${value} and ${end}`);
      else conditions.push(sql`${column(key)} ${comparisons[isComparison(cond) ? cond : 'eq']} ${value}`);
    } else if (kind === 'tags') searches.push(sql`array_to_string(${column(key)}, ' ') ilike ${like(String(value))}`);
    else if (isText(kind)) searches.push(textSql(column(key), resource.fields[key]?.match, String(value)));
    else if (kind === 'options') conditions.push(sql`${value} = any(${column(key)})`);
    else conditions.push(sql`${column(key)} = ${choiceOf(resource.fields[key], value)}`);
  }
  return sql<SqlBool>`${sql.join([...conditions, ...searches], sql` and `)}`;
};

/**
 * `prop asc|desc` for a sortable column. The id breaks ties, so that pages never overlap. With `newest`, the time comes before the id, to
 * match the index of the filter.
 */
export const orderSql = (resource: Resource, orderby: string | undefined): RawBuilder<unknown> => {
  const [name = '', direction] = (orderby ?? resource.orderby).split(' ');
  const { sort, mask } = resource.fields[name] ?? {};
  // The default order is always valid, also if a client names it.
  const isDefault = orderby === undefined || orderby === resource.orderby;
  // The order of a masked column would reveal its values.
  const sortable = resource.columns.includes(name) && mask !== true && ((sort !== undefined && sort !== false) || isDefault);
  if (!sortable || (direction !== 'asc' && direction !== 'desc')) throw failAt('orderby', ['排序字段无效', 'Invalid sort column']);
  // Default null order of PostgreSQL, so that one index serves both directions.
  const [way, back] = direction === 'asc' ? [sql`asc`, sql`desc`] : [sql`desc`, sql`asc`];
  if (sort === 'newest') return sql`${column(name)} ${way}, ${column('create_at')} ${back}, ${column('id')} ${back}`;
  return sql`${column(name)} ${way}, ${column('id')} ${way}`;
};

export interface ListInput {
  readonly page: number;
  readonly limit: number;
  readonly orderby?: string | undefined;
  readonly count?: 'exact' | undefined;
  readonly filters: Values;
}

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

/** Matches of a filter that are read before they are sorted. */
const maxMatches = 60_000;

/** A code has matches in one part of the list. */
const isCodeSearch = ({ fields }: Resource, name: string, value: unknown) =>
  fields[name]?.match === 'code' && isText(fields[name]?.kind) && [...String(value)].length >= longestGram;

/** Most rows have one of few choices, and a choice whose rows are in one part of a sort has an index of both. */
const isChoiceField = ({ fields }: Resource, name: string) => fields[name]?.kind === 'choice' || fields[name]?.kind === 'bool';

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
  const { list, count } = await rowsOf(db, resource, input, sources);
  return { ...count, list };
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

interface Matches {
  readonly ids: readonly number[];
  readonly n: number;
}

/**
 * The page from all matches of the filters. The planner expects matches everywhere in the list, but codes are numbered in order of time, and a
 * filter and another sort may depend on each other: in the order of the list it would read most of the table. Undefined: too many matches.
 */
const idsOfMatches = async (
  db: Db,
  resource: Resource,
  { limit, page, orderby }: ListInput,
  from: Expression<unknown>,
  where: RawBuilder<SqlBool>,
): Promise<Matches | undefined> => {
  const [name = ''] = (orderby ?? resource.orderby).split(' ');
  const columns = new Set([name, ...(resource.fields[name]?.sort === 'newest' ? ['create_at'] : []), 'id']);
  const { rows } = await sql<Matches>`with matches as materialized (
      select ${sql.join([...columns].map(column))} from ${from} as t where ${where} limit ${sql.lit(maxMatches + 1)}),
    found as (select id from matches as t order by ${orderSql(resource, orderby)} limit ${sql.lit(limit)} offset ${sql.lit((page - 1) * limit)})
    select coalesce((select array_agg(id) from found), '{}') as ids, (select count(*) from matches)::int as n`.execute(db);
  const [matches] = rows;
  return matches && matches.n <= maxMatches ? matches : undefined;
};

const rowsOfIds = async <Row>(db: Db, query: RawBuilder<Row>, ids: readonly number[], order: RawBuilder<unknown>) => {
  if (ids.length === 0) return [];
  const rows = sql<Row>`${sql.raw(preparedByIds)}select t.* from ${query} as t where t.id = any(${ids}::bigint[]) order by ${order}`;
  return (await rows.execute(db)).rows;
};

const rowsOf = async <Row>(db: Db, resource: Resource, input: ListInput, { query, where, base, ids }: Sources<Row>) => {
  const filterNames = Object.keys(input.filters).filter((name) => input.filters[name] !== undefined);
  const isFiltered = filterNames.length > 0;
  const bound = isFiltered ? limits.countCapFiltered : limits.countCap;
  const cap = input.count === 'exact' ? null : bound + 1;
  const offset = (input.page - 1) * input.limit;
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
  const byMatches = async () => {
    const matches = await idsOfMatches(db, resource, input, query, where);
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
    isDefaultOrder ? isCodeSearch(resource, name, input.filters[name]) : !isChoiceField(resource, name),
  );
  const find = isOneStatement ? atOnce : readsMatches ? byMatches : byIds;
  const { list, total } = await find();
  const isLast = list.length < input.limit && (list.length > 0 || offset === 0);
  const n = total ?? (isLast ? offset + list.length : await countOf(db, count));
  const capped = cap !== null && n >= cap;
  return { list, count: { total: capped ? bound : n, ...(capped && { capped }) } };
};
