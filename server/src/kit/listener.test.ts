import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { openListener } from './listener.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

const listening = async () => {
  const { rows } = await service.deps.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
  return rows.map(({ pid }) => pid);
};

it('all listeners of a process share one connection, and each receives its own channel', async () => {
  const { pool } = service.deps;
  const received: string[] = [];
  const listeners = ['one', 'two', 'two'].map((name, i) => openListener(pool, `test_${name}`, (text) => received.push(`${i} ${text}`)));
  expect(await Promise.all(listeners.map((listener) => listener.ensure()))).toEqual([true, true, true]);
  expect(await listening()).toHaveLength(1);
  await pool.query(`select pg_notify('test_one', 'a'), pg_notify('test_two', 'b')`);
  await vi.waitFor(() => expect(received.toSorted()).toEqual(['0 a', '1 b', '2 b']));
  expect(await listeners[0]?.ensure()).toBe(false);

  listeners[1]?.close();
  await pool.query(`select pg_notify('test_two', 'c')`);
  await vi.waitFor(() => expect(received).toContain('2 c'));
  expect(received).not.toContain('1 c');

  const [pid] = await listening();
  await pool.query('select pg_terminate_backend($1::int)', [pid]);
  await vi.waitFor(() => expect(listeners[0]?.isListening()).toBe(false));
  expect(listeners[2]?.isListening()).toBe(false);
  expect([await listeners[0]?.ensure(), await listeners[2]?.ensure(), await listeners[1]?.ensure()]).toEqual([true, true, false]);
  await pool.query(`select pg_notify('test_one', 'd')`);
  await vi.waitFor(() => expect(received).toContain('0 d'));

  for (const listener of listeners) listener.close();
  await vi.waitFor(async () => expect(await listening()).toEqual([]));
});
