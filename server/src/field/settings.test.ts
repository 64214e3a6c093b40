import { noFaults } from '@farlink/simulator/faults.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { hashToken } from '../kit/session/secret.ts';
import { sendCommand } from '../orders/command.ts';
import { sweepField } from './sweep.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const comeOnline = async (sn: string) => {
  const device = await testServer.addDevice(sn);
  const gateway = testServer.gateway(sn, { key: device.key, faults: noFaults() });
  expect(await gateway.connect()).toBe(true);
  await expect.poll(async () => (await testServer.device(device.id)).online_state).toBe(1);
  return { ...device, gateway };
};
const options = (seconds = 600) => ({ now: testServer.clock.now(), deadline: testServer.clock.now() + seconds });
const command = (id: string) => testServer.db.selectFrom('device_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const ended = (id: string) => expect.poll(async () => (await command(id)).state);

test('a link lock is stored with a new revision when the gateway has applied it, and not if it is refused', async () => {
  const { id } = await comeOnline('LOCK1');
  const before = await testServer.device(id);
  const sent = await sendCommand(testServer.db, id, 'link.lock', { lock: 'global', mode: 'roaming' }, options());
  await ended(sent).toBe(3);
  expect(await testServer.device(id)).toMatchObject({ link_lock: 'global', change_mode: 'roaming', revision: before.revision + 1 });
  const refused = await sendCommand(testServer.db, id, 'link.lock', { lock: 'nothing such', mode: 'backup' }, options());
  await ended(refused).toBe(4);
  expect(await testServer.device(id)).toMatchObject({ link_lock: 'global', change_mode: 'roaming' });
});

test('a gateway switches to its new key by itself, and the key is removed from the command', async () => {
  const { id, gateway } = await comeOnline('KEY1');
  const key = 'another-key-of-this-gateway';
  const sent = await sendCommand(testServer.db, id, 'key.set', { key }, options());
  await ended(sent).toBe(3);
  expect(await testServer.device(id)).toMatchObject({ key_hash: hashToken(key), key_hint: 'eway' });
  expect(await command(sent)).toMatchObject({ args: {} });
  await expect.poll(() => gateway.connect()).toBe(true);
  await expect.poll(async () => (await testServer.device(id)).key_used_at).not.toBeNull();
});

test('a key command that expires before it is sent loses its key, and the old key stays valid', async () => {
  const { id } = await testServer.addDevice('KEY2');
  const before = await testServer.device(id);
  const sent = await sendCommand(testServer.db, id, 'key.set', { key: 'never-heard-of-this-one' }, options(60));
  testServer.clock.advance(61);
  await sweepField(testServer.deps.pool, testServer.clock.now());
  expect(await command(sent)).toMatchObject({ state: 5, args: {} });
  expect(await testServer.device(id)).toMatchObject({ key_hash: before.key_hash });
});
