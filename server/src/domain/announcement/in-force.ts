import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Sent, enabled and not expired. The text matches the partial index `notice_current`. */
export const inForce = (notice: string, now: number): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${notice}.${name}`);
  return sql<SqlBool>`(${column('status')} = 1 and ${column('send_at')} is not null and ${column('expire_at')} > ${now})`;
};
