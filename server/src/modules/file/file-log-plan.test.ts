import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isScan, planOf, rowsRead } from '../../../test/query-plan.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { taskQuery } from './file-log-query.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
  await service.deps.pool.query(`insert into file_task
      (task_no, agent_id, file_name, batch, size, operation, path, send_mode, send_at, state, paused, device_count, operator, create_at)
    select 'T' || n, 1, 'f', 'b', 1, 'none', '/', 'immediate', n, case n % 50 when 0 then 'running' else 'finished' end, n % 100 = 0, 1, 'admin', n
    from generate_series(1, 5000) n`);
  await service.deps.pool.query('vacuum analyze file_task');
});
afterAll(() => service.close());

it.each([
  [undefined, 5000],
  ['finished', 4900],
  ['running', 50],
  ['paused', 50],
])('the newest tasks (state %s) are read from an index', async (state, count) => {
  const { db } = service.deps;
  const found = taskQuery({ db, me: service.me, lang: 'zh' });
  const where = state === undefined ? sql`true` : sql`t.state = ${state}`;
  const page = sql`select t.id from ${found} as t where ${where} order by t.create_at desc, t.id desc limit 20`;
  const scans = (await planOf(db, page)).filter(isScan);
  expect(scans.reduce((sum, node) => sum + rowsRead(node), 0)).toBeLessThanOrEqual(25);
  const result = await sql<{ n: number }>`select count(*)::int as n from ${found} as t where ${where}`.execute(db);
  expect(result.rows[0]?.n).toBe(count);
});
