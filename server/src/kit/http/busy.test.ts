import { once } from 'node:events';
import { createServer } from 'node:net';
import { userCalls } from '@farlink/contract/user/user.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { toRefusal } from '../to-refusal.ts';

let api: Api;
let admin: Caller;
beforeAll(async () => {
  api = await startApi();
  admin = await api.login('admin');
});
afterAll(() => api.close());

const unknown = Array.from({ length: 500 }, (_, i) => 900_000 + i);

it('refuses each of 500 unknown rows of a batch, in the reply and in the log', async () => {
  const reply = await admin.call(userCalls.kick, { ids: unknown });
  expect(reply).toMatchObject({ status: 200, data: { success: 0, fail: 500 } });
  expect(reply.data.list.every(({ message }) => message === '数据不存在')).toBe(true);
  const { lines } = await api.db
    .selectFrom('syslog')
    .select((eb) => eb.fn.countAll<number>().as('lines'))
    .where('result', '=', 'fail')
    .executeTakeFirstOrThrow();
  expect(lines).toBe(500);
});

it('serves others while one session sends forty batches at once', { tags: 'all' }, async () => {
  const other = await api.login('admin');
  const flood = Array.from({ length: 40 }, () => admin.call(userCalls.kick, { ids: unknown }));
  const replies = await Promise.all([other.call(vnoCalls.list, {}), other.call(vnoCalls.list, {})]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
});

it('answers 503 with Retry-After while no connection is free', async () => {
  const { pool } = api.deps;
  pool.options.connectionTimeoutMillis = 200;
  const clients: PoolClient[] = [];
  const request = async () => {
    // Work of earlier requests may still return a connection.
    while (pool.totalCount < pool.options.max || pool.idleCount > 0) clients.push(await pool.connect());
    const response = await fetch(`${api.base}/agt/v1/agent`, { headers: { authorization: admin.session?.token ?? '' } });
    const { msg }: { msg: string } = JSON.parse(await response.text());
    return [response.status, response.headers.get('retry-after'), msg];
  };
  await expect.poll(request).toEqual([503, '2', '系统繁忙，请稍后再试']);
  for (const client of clients) client.release();
});

it('reports a database without free connections as busy, not as an error', () => {
  for (const code of ['53300', '57P03']) expect(toRefusal(Object.assign(new Error('x'), { code }), undefined, 'id').reason).toBe('busy');
});

it('reports a timeout when connecting to the database as busy', async () => {
  // Accepts and never answers.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const pool = new Pool({ host: '127.0.0.1', port: typeof address === 'object' ? address?.port : 0, connectionTimeoutMillis: 50 });
  const error = await pool.query('select 1').catch((thrown: unknown) => thrown);
  expect(toRefusal(error, undefined, 'id').reason).toBe('busy');
  await pool.end();
  silent.close();
});
