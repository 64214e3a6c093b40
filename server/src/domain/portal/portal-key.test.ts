import { openHandover, signHandover } from '@farlink/gateway/protocol/portal.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceDeps } from '../../../test/setup/service-deps.ts';
import { addVno } from '../../../test/vno.ts';
import { portalKeyOf } from './portal-key.ts';

let service: Awaited<ReturnType<typeof serviceDeps>>;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

const addDevice = async (sn: string) => {
  const { db } = service.deps;
  const platform = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
  const device = { agent_id: platform.id, name: sn, sn, create_at: 1 };
  const { id } = await db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow();
  return { id, platformId: platform.id };
};

test('concurrent first uses create one key, which signs handovers and is stored sealed', async () => {
  const { db, config } = service.deps;
  const { id } = await addDevice('KEY-1');
  const keys = await Promise.all(Array.from({ length: 5 }, () => portalKeyOf(db, config, id)));
  const [key = ''] = keys;
  expect(new Set(keys)).toEqual(new Set([key]));
  expect(key).toMatch(/^[\w-]{43}$/);
  const client = { sn: 'KEY-1', mac: '02:00:00:00:00:01', ip: '10.0.0.9', t: 1_800_000_000 };
  expect(openHandover(key, signHandover(key, client), client.t)).toEqual(client);
  const stored = await db.selectFrom('device').select('portal_key').where('id', '=', id).executeTakeFirstOrThrow();
  expect(stored.portal_key).not.toContain(key);
});

test('a device that does not exist has no key', async () => {
  expect(await portalKeyOf(service.deps.db, service.deps.config, 999_999)).toBeUndefined();
});

test('a device with another owner or serial number gets another key', async () => {
  const { db, config } = service.deps;
  const { id, platformId } = await addDevice('KEY-2');
  const first = await portalKeyOf(db, config, id);
  await db.updateTable('device').set({ sn: 'KEY-2B' }).where('id', '=', id).execute();
  const second = await portalKeyOf(db, config, id);
  await db
    .updateTable('device')
    .set({ agent_id: await addVno(db, platformId) })
    .where('id', '=', id)
    .execute();
  expect(new Set([first, second, await portalKeyOf(db, config, id)]).size).toBe(3);
});
