import type { Pool } from 'pg';

/** Plain indexes are created after the rows, which is faster; the result is the same. */
export const withoutIndexes = async (pool: Pool, tables: readonly string[], insert: () => Promise<void>) => {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = any($1::text[]::regclass[]) and not i.indisprimary`,
    [tables],
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  await insert();
  for (const { definition } of rows) await pool.query(definition.replace(' ON ONLY ', ' ON '));
};
