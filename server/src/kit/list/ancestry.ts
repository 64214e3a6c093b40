import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The owner of a row is this VNO or a VNO above it. A VNO must not use rows of another branch or of a VNO below. */
export const inLineOf = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} = any(string_to_array(trim(both '/' from (select line.path from agent line where line.id = ${vnoId})), '/')::bigint[])`;

/** The owner is in line of one of these VNOs; any owner if there are none. */
export const inLineOfAny = (owner: string, vnoIds: readonly number[]): RawBuilder<SqlBool> =>
  vnoIds.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        vnoIds.map((id) => inLineOf(owner, id)),
        sql` or `,
      )})`;

/** The owner is above this VNO, because only VNOs above decide its rights. */
export const aboveVno = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} <> ${vnoId} and ${inLineOf(owner, vnoId)}`;
