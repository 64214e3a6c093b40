import { commandState } from '@farlink/contract/protocol/command.ts';
import { breakRule, violations } from '@farlink/simulator/violations.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { sendCommand } from '../orders/command.ts';
import { newKey } from '../orders/device-key.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const ship = async (sn: string, more: Parameters<FieldTestServer['gateway']>[1] = {}) => {
  const device = await testServer.addDevice(sn);
  const gateway = testServer.gateway(sn, { key: device.key, calm: true, ...more });
  gateway.step(testServer.clock.now());
  return { ...device, gateway };
};
const order = (id: number, op: Parameters<typeof sendCommand>[2], args: Parameters<typeof sendCommand>[3] = {}) =>
  sendCommand(testServer.db, id, op, args, { now: testServer.clock.now(), deadline: 4_000_000_000 });
const commandOf = (id: string) => testServer.db.selectFrom('device_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a simulated gateway that misbehaves', () => {
  test.each([
    ['oversize', { code: 0x95, closed: true }],
    ['garbage', { code: 0x99, closed: false }],
    ['breach', { code: 0x87, closed: false }],
    ['flood', { code: 0x93, closed: true }],
  ] as const)('gets the reason code of the refusal: %s', async (violation, reply) => {
    const { gateway, sn } = await ship(`BAD-${violation}`);
    await gateway.connect();
    const client = gateway.connection.open;
    expect(violations).toContain(violation);
    expect(client && (await breakRule(client, sn, violation))).toEqual(reply);
    await expect.poll(() => gateway.connect()).toBe(true);
  });

  test('with a wrong key is refused, and with the right key it is accepted', async () => {
    const { gateway } = await ship('BAD-key');
    gateway.faults.wrongKey = true;
    expect([await gateway.connect(), gateway.refusal]).toEqual([false, 0x86]);
    gateway.faults.wrongKey = false;
    expect(await gateway.connect()).toBe(true);
  });

  test('replies late, never, or that the command is unsupported', async () => {
    const { id, gateway } = await ship('BAD-answers');
    await gateway.connect();
    gateway.faults.neverAck = true;
    const never = await order(id, 'diag.ping');
    await expect.poll(async () => (await commandOf(never)).sends).toBe(1);
    gateway.faults.neverAck = false;
    gateway.faults.slowAck = 50;
    const late = await order(id, 'diag.ping');
    await expect.poll(async () => (await commandOf(late)).state).toBe(commandState.id('done'));
    // Its result may be stored before the acknowledgement that it was sent.
    await expect.poll(async () => (await commandOf(late)).sends).toBe(1);
    gateway.faults.unsupported = new Set(['diag.ping']);
    const cannot = await order(id, 'diag.ping');
    await expect.poll(() => commandOf(cannot)).toMatchObject({ state: commandState.id('failed'), err: 'unsupported' });
    expect((await commandOf(never)).state).toBe(commandState.id('queued'));
  });
});

describe('a simulated gateway with two keys', () => {
  test('uses the new key when it is accepted', async () => {
    const kept: string[] = [];
    const { id, gateway } = await ship('KEYS1', { enrolled: (_, key) => kept.push(key) });
    await gateway.connect();
    const next = newKey();
    await order(id, 'key.set', { key: next });
    await expect.poll(() => gateway.keys.all).toEqual([next]);
    expect(kept).toEqual([next]);
    expect((await testServer.device(id)).key_hint).toBe(next.slice(-4));
  });

  test('returns to the old key if the new one is refused', async () => {
    const { id, key, gateway } = await ship('KEYS2');
    await gateway.connect();
    const command = await order(id, 'vno.transfer', { code: 'OTHER', key: newKey() });
    await expect.poll(async () => (await commandOf(command)).state).toBe(commandState.id('done'));
    await expect.poll(() => gateway.keys.all).toEqual([key]);
    expect([gateway.state, gateway.connection.connects]).toEqual(['online', 2]);
  });
});
