import { isRecord } from '@farlink/contract/kit/values.ts';
import { type AliasedRawBuilder, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/tables.ts';
import type { Ctx } from '../ctx.ts';
import { fail } from '../fail.ts';
import { nameObject } from '../log/record.ts';

const nameOf = (row: unknown) =>
  (isRecord(row) ? [row.name, row.title, row.domain, row.prefix] : []).find((name) => typeof name === 'string');

/** Locks one row of the scope for a change. A row outside the scope is not found. */
export const lockRow = async <T extends keyof Database & string>(
  ctx: Ctx,
  table: T,
  id: number,
  scope: RawBuilder<SqlBool>,
): Promise<Selectable<Database[T]>> => {
  const { rows } = await sql<Selectable<Database[T]>>`
    select * from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${id} and ${scope} for update of ${sql.table(table)}`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw fail('not_found');
  const name = nameOf(row);
  if (name !== undefined) nameObject(ctx, name);
  return row;
};

/** A column with the number of rows of another table that refer to this row. */
export const countOf = <A extends string>(
  table: keyof Database & string,
  where: RawBuilder<SqlBool>,
  as: A,
): AliasedRawBuilder<number, A> => sql<number>`(select count(*) from ${sql.table(table)} where ${where})`.as(as);
