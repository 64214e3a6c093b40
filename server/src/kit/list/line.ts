import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The owner of a row is this VNO or one above it: what a VNO uses must not belong to another branch or to a VNO below. */
export const inLineOf = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} = any(string_to_array(trim(both '/' from (select line.path from agent line where line.id = ${vnoId})), '/')::bigint[])`;

/** The owner is above this VNO: only those above decide what it may do. */
export const aboveVno = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} <> ${vnoId} and ${inLineOf(owner, vnoId)}`;
