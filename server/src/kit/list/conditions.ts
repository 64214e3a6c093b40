import type { Field } from '@farlink/contract/kit/field.ts';
import { isNumeric, type Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { failAt } from '../fail.ts';

export const column = (name: string) => sql.ref(`t.${name}`);
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const comparisons = { gt: sql`>`, eq: sql`=`, lt: sql`<` } as const;
const isComparison = (value: unknown): value is keyof typeof comparisons => typeof value === 'string' && value in comparisons;

export const isText = (kind: string | undefined) => kind === 'text' || kind === 'link' || kind === 'long' || kind === 'tags';

/** Longest substring of a name that `text_grams` stores. */
export const longestGram = 3;

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
