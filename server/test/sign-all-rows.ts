import type { Api } from './api.ts';

/** Columns with the name of an operator. */
const nameColumns = ['operator', 'creator', 'producer', 'acted_by', 'handler', 'job_name'];

/** Makes an operator of the platform the author of all rows, in each table with the name of an operator. */
export const signAllRows = async ({ deps: { pool } }: Api, name: string) => {
  const { rows: columns } = await pool.query<{ tab: string; col: string; has_vno: boolean }>(
    `select c.table_name as tab, c.column_name as col, exists (select from information_schema.columns o
        where o.table_name = c.table_name and o.column_name = 'operator_agent_id') as has_vno
      from information_schema.columns c join information_schema.tables t on t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.column_name = any($1)`,
    [nameColumns],
  );
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into operator_name (name, agent_id) select $1, id from agent where parent_id is null on conflict do nothing`,
      [name],
    );
    // Also rows that triggers keep from changes.
    await client.query(`set local session_replication_role = replica`);
    for (const { tab, col, has_vno } of columns) {
      const vno = has_vno ? `, operator_agent_id = (select id from agent where parent_id is null)` : '';
      await client.query(`update ${tab} set ${col} = $1${vno}`, [name]);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
};
