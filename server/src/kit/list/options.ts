import type { Field } from '@farlink/contract/kit/field.ts';
import { lookupLimit } from '@farlink/contract/kit/lookup.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { textSql } from './conditions.ts';

interface OptionRequest {
  readonly keyword?: string | null | undefined;
  readonly chosen?: readonly number[] | null | undefined;
  readonly limit?: number | null | undefined;
}

/** An option label is `name (code) · owner`. A complete label is searched by its code or name. */
const searchTermOf = (label: string): string => {
  const [own = label] = label.split(' · ');
  return own.match(/\(([^()]+)\)$/)?.[1] ?? own;
};

/** Rows of a lookup that match a keyword in one of these columns, or the ids that are already chosen. */
export const narrowOptions = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { keyword, chosen, limit }: OptionRequest,
  table: string,
  columns: Readonly<Record<string, Field['match']>>,
): SelectQueryBuilder<DB, TB, Row> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const found = Object.entries(columns).map(([name, match]) => textSql(column(name), match, searchTermOf(keyword ?? '')));
  return query
    .$if(Boolean(keyword), (q) => q.where(sql<SqlBool>`(${sql.join(found, sql` or `)})`))
    .$if(Array.isArray(chosen), (q) => q.where(sql<SqlBool>`${column('id')} = any(${chosen ?? []}::bigint[])`))
    .limit(Math.min(Math.max(limit ?? lookupLimit, 1), lookupLimit));
};
