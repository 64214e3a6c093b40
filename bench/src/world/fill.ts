import { Client } from 'pg';
import { fillings, type WorldSize } from './tables.ts';

/** Indexes without a constraint. They are built after the rows, which takes a third of the time. */
const plainIndexes = async (client: Client, tables: readonly string[]) => {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relname = any($1) and not i.indisprimary and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  return rows;
};

/**
 * Fills an empty, migrated database whose large VNO exists. Triggers and foreign keys are off, so the statements maintain the counters
 * (`account_count`) themselves. Ledger entries have no postings, because no list reads them.
 */
export const fillWorld = async (url: string, size: WorldSize, printLine: (line: string) => void = () => {}) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const steps = fillings(size);
    const tables = [...new Set(steps.map((step) => step.table))];
    const indexes = (await plainIndexes(client, tables)).filter(({ name }) => !name.startsWith('bench_'));
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const { table, sql } of steps) {
      const start = performance.now();
      await client.query(sql);
      printLine(`${table.padEnd(20)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
    const start = performance.now();
    for (const { made } of indexes) await client.query(made);
    printLine(`${indexes.length} indexes ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await client.query('insert into bill_month select * from bill_month_of_bills');
    await client.query('insert into bill_branch_month select * from bill_branch_month_of_vnos');
    await client.query(`insert into collection_day (customer_id, agent_id, day, pay_method, operator, bills, income, expend)
      select customer_id, agent_id, day, pay_method, max(operator), count(*), coalesce(sum(amount) filter (where amount > 0), 0),
        coalesce(-sum(amount) filter (where amount < 0), 0) from collected_by_operator group by 1, 2, 3, 4`);
    await client.query(
      'insert into settlement (collector_id, agent_id, period, payments, paid, refunds, refunded) select * from settlement_of_bills',
    );
    await client.query('drop table bench_owner');
    await client.query(`select setval(pg_get_serial_sequence('agent', 'id'), (select max(id) from agent))`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
};
