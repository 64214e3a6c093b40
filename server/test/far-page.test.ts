/** @module-tag all */
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Api, startApi } from './api.ts';
import { makeBranches } from './world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
const rows = 50_434;
const limit = 100;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  // Several rows a second, days without rows, and rows of another VNO between them.
  await sql`insert into syslog (agent_id, username, name, module, action, content_zh, content_en, result, ip, user_agent, create_at)
    select case when n % 3 = 0 then ${world.westId}::bigint else ${world.childId}::bigint end, 'far', '-', 'user', 'create', '-', '-', 'success',
      '127.0.0.1', '-', ${api.clock.now()}::bigint - 172800 * (n / 4000) - (n / 4) % 90000
    from generate_series(1, ${(rows * 3) / 2}::int) n`.execute(api.db);
  return () => api.close();
});

/** All rows of the child by direct SQL, newest first. */
const sorted = async () => {
  const { rows: found } = await sql<{
    id: number;
  }>`select id from syslog where agent_id = ${world.childId} order by create_at desc, id desc`.execute(api.db);
  return found.map(({ id }) => id);
};

test('far pages of a VNO, which skip whole days, have the rows of the list in order', async () => {
  const ids = await sorted();
  expect(ids.length).toBeGreaterThanOrEqual(rows);
  for (const page of [1, 3, 500, 501, 502, 504, Math.ceil(ids.length / limit)]) {
    const { data } = await world.east.call(logCalls.children, { page, limit });
    expect(data.list.map(({ id }) => id)).toEqual(ids.slice((page - 1) * limit, page * limit));
    expect(data.total).toBe(limits.countCap);
  }
});

test('a page after the end of the list is empty and has the total', async () => {
  const { data } = await world.east.call(logCalls.children, { page: 800, limit });
  expect(data).toMatchObject({ list: [], total: limits.countCap, capped: true });
});
