import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { serviceDeps } from '../../../test/setup/service-deps.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { openSessionCache, type SessionCache } from './session-cache.ts';

let service: Awaited<ReturnType<typeof serviceDeps>>;
let cache: SessionCache;
beforeAll(async () => {
  service = await serviceDeps();
  me = await sessionInfoOf(service.deps.db, 1, null);
  cache = openSessionCache(service.deps.pool);
});
afterAll(async () => {
  cache.close();
  await service.close();
});

let me: SessionInfo;
const session = () => ({ id: 1, me, seenAt: 1 });
const store = (hash: string) => cache.put(hash, session(), cache.version());

/** The cache starts to listen at its first use. */
const listening = () =>
  vi.waitFor(() => {
    cache.get('probe');
    store('probe');
    expect(cache.get('probe')).toBeDefined();
  });

const addSession = async (hash: string) => {
  const { pool } = service.deps;
  await pool.query(
    `insert into session (token_hash, customer_id, agent_id, info, ip, create_at, seen_at)
     select $1, c.id, c.agent_id, '{}', '', 1, 1 from customer c limit 1`,
    [hash],
  );
};

it('keeps sessions only after it has started to listen', async () => {
  store('early');
  expect(cache.get('early')).toBeUndefined();
  await listening();
  store('a');
  expect(cache.get('a')).toEqual(session());
});

it('forgets a session when any process ends it', async () => {
  await listening();
  await addSession('h1');
  store('h1');
  await service.deps.pool.query(`delete from session where token_hash = 'h1'`);
  await vi.waitFor(() => expect(cache.get('h1')).toBeUndefined());
});

it('does not keep a query result that is older than the last removal', async () => {
  await listening();
  const version = cache.version();
  cache.forget();
  cache.put('c', session(), version);
  expect(cache.get('c')).toBeUndefined();
});

it('forgets everything when its listening connection is lost, and listens again', async () => {
  await listening();
  store('d');
  await service.deps.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`,
  );
  await vi.waitFor(() => expect(cache.get('d')).toBeUndefined());
  await vi.waitFor(listening, { timeout: 5000 });
});
