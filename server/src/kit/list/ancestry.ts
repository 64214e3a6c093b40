import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The owner of a row is this VNO or a VNO above it. A VNO must not use rows of another branch or of a VNO below. */
export const isOfOrAbove = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} = any(string_to_array(trim(both '/' from (select vno.path from agent vno where vno.id = ${vnoId})), '/')::bigint[])`;

/** The owner is one of these VNOs or above one of them; any owner if there are none. */
export const isOfAnyOrAbove = (owner: string, vnoIds: readonly number[]): RawBuilder<SqlBool> =>
  vnoIds.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        vnoIds.map((id) => isOfOrAbove(owner, id)),
        sql` or `,
      )})`;

/** The owner is above this VNO, because only VNOs above decide its rights. */
export const aboveVno = (owner: string, vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(owner)} <> ${vnoId} and ${isOfOrAbove(owner, vnoId)}`;
