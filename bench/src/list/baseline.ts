import { limits } from '@farlink/contract/limits.ts';
// biome-ignore lint/correctness/noUndeclaredDependencies: uses the Fastify version of the server for the comparison
import Fastify from 'fastify';
import { Pool } from 'pg';

/**
 * Cost of the same page written by hand: Fastify and the plain driver in a separate process. It also uses prepared statements, joined names
 * and a capped count in one query.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = Fastify();

const users = (where: string, cap: number) => `with page as materialized (
    select s.*, a.name as agent_name, p.name as package_name, d.name as device_name from subscriber s left join agent a on a.id = s.agent_id
      left join package p on p.id = s.package_id left join device d on d.id = s.device_id
    where s.agent_id = any($1) and ${where} order by s.create_at desc, s.id desc limit 20)
  select page.*, (select count(*)::int from (select from subscriber s where s.agent_id = any($1) and ${where} limit ${cap}) c) as all_rows from page`;

const statements: Readonly<Record<string, string>> = {
  first: users('true', limits.countCap + 1),
  status: users('s.status = $2', limits.countCapFiltered + 1),
  account_source: users('s.account_source = $2', limits.countCapFiltered + 1),
};

/** The platform sees every row; a VNO sees the rows of its branch, whose ids are passed in. */
const branch: readonly number[] = JSON.parse(process.env.BRANCH ?? '[]');

app.get('/agt/v1/:name', async (request) => {
  const { name } = Object(request.params);
  const { value, scope } = Object(request.query);
  const written = statements[name] ?? '';
  const isVno = scope === 'vno';
  const text = isVno ? written : written.replaceAll('s.agent_id = any($1)', '$1::bigint[] is not null');
  const values = [branch, ...(value === undefined ? [] : [value])];
  const { rows } = await pool.query({ name: `${name} ${isVno}`, text, values });
  return { code: 0, msg: '', data: { total: rows[0]?.all_rows ?? 0, list: rows } };
});

const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`Address: ${address}\n`);
