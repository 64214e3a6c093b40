import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { seal } from '../kit/session/secret.ts';
import { openRegistry } from './registry.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('reads thousands of NAS in several queries, and a changed secret with the next load', async () => {
  const { deps, me } = service;
  const sealed = seal(deps.config.secretKey, 'first secret');
  await deps.pool.query(
    `insert into nas (agent_id, name, identifier, addr, secret, create_at, update_at)
      select $1, 'NAS ' || n, 'nas-' || n, case n when 7 then '192.0.2.7' end, $2, 1, 1 from generate_series(1, 4500) n`,
    [me.agent_id, sealed],
  );
  const registry = openRegistry(deps);
  await registry.load();
  const named = (n: number) => registry.candidates(`nas-${n}`, []);
  for (const n of [1, 2000, 2001, 4000, 4500]) expect(named(n).map(({ secret }) => secret)).toEqual(['first secret']);
  expect(registry.candidates(undefined, ['192.0.2.7']).map(({ identifier }) => identifier)).toEqual(['nas-7']);
  await deps.pool.query(`update nas set secret = $1 where identifier = 'nas-4500'`, [seal(deps.config.secretKey, 'second secret')]);
  await deps.pool.query(`delete from nas where identifier = 'nas-1'`);
  await Promise.all([registry.load(), registry.load()]);
  expect(named(4500).map(({ secret }) => secret)).toEqual(['second secret']);
  expect(named(1)).toEqual([]);
});

it('adds a NAS that is committed after one with a higher id', async () => {
  const { deps, me } = service;
  const insert = `insert into nas (agent_id, name, identifier, secret, create_at, update_at) values ($1, $2, $2, $3, 1, 1)`;
  const secret = seal(deps.config.secretKey, 'late secret');
  const registry = openRegistry(deps);
  await registry.load();
  const slow = await deps.pool.connect();
  try {
    await slow.query('begin');
    await slow.query(insert, [me.agent_id, 'late', secret]);
    await deps.pool.query(insert, [me.agent_id, 'early', secret]);
    await registry.loadNew();
    expect(registry.candidates('early', [])).toHaveLength(1);
    expect(registry.candidates('late', [])).toEqual([]);
    await slow.query('commit');
  } finally {
    slow.release();
  }
  await registry.loadNew();
  expect(registry.candidates('late', []).map((nas) => nas.secret)).toEqual(['late secret']);
  expect(registry.candidates('early', [])).toHaveLength(1);
});

it('adds created NAS without reading the others again', async () => {
  const { deps, me } = service;
  const registry = openRegistry(deps);
  await registry.load();
  const [changed] = registry.candidates('nas-2', []);
  await deps.pool.query(`update nas set name = 'renamed' where identifier = 'nas-2'`);
  await deps.pool.query(
    `insert into nas (agent_id, name, identifier, addr, secret, create_at, update_at)
      select $1, 'NAS ' || n, 'new-' || n, '192.0.2.8', $2, 1, 1 from generate_series(1, 2500) n`,
    [me.agent_id, seal(deps.config.secretKey, 'new secret')],
  );
  await Promise.all([registry.loadNew(), registry.loadNew()]);
  for (const n of [1, 2500]) expect(registry.candidates(`new-${n}`, []).map(({ secret }) => secret)).toEqual(['new secret']);
  expect(registry.candidates('nas-2', [])).toEqual([changed]);
  await registry.load();
  expect(registry.candidates('nas-2', []).map(({ name }) => name)).toEqual(['renamed']);
  expect(registry.candidates('new-1', [])).toHaveLength(1);
});
