import { commandState } from '@farlink/contract/protocol/command.ts';
import { digestOf, shadowState } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { cancelCommand, sendCommand } from '../../orders/command.ts';
import { setDesired } from '../../orders/desired.ts';
import { issueDemoKeys, setDeviceKey } from '../../orders/device-key.ts';
import { liveChannel } from '../../orders/notify.ts';
import { resetBinding } from '../../orders/reset-binding.ts';
import { sweepField } from '../sweep.ts';

let testServer: FieldTestServer;
let world: number;

beforeAll(async () => {
  testServer = await openFieldTestServer();
  world = testServer.clock.now();
});
afterAll(() => testServer?.close());

const now = () => testServer.clock.now();
const hello = (boot = 'boot1') => JSON.stringify({ boot, fw: '03.02.01', h: digestOf({}) });
const commandOf = (id: string) => testServer.db.selectFrom('device_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const stateOf = async (id: string) => (await commandOf(id)).state;
const shadowOf = async (device_id: number, section: string) => {
  const of = { device_id, section };
  const at = (row: { device_id: number; section: string }) => row.device_id === of.device_id && row.section === of.section;
  const desired = (await testServer.db.selectFrom('desired_section').selectAll().execute()).find(at);
  const reported = (await testServer.db.selectFrom('reported_section').selectAll().execute()).find(at);
  return desired && shadowState(desired, reported);
};
const until = { deadline: 4_000_000_000 };
const send = (id: number, op: Parameters<typeof sendCommand>[2], args: Parameters<typeof sendCommand>[3] = {}) =>
  sendCommand(testServer.db, id, op, args, { now: now(), ...until });

describe('a gateway', () => {
  test('reports its status, and all of it is stored', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP1');
    const made: string[] = [];
    const gateway = testServer.gateway(sn, {
      key,
      produced: (what) => made.push('event' in what ? what.event : `${what.stream} ${what.rows}`),
    });
    expect(await gateway.connect()).toBe(true);
    for (let i = 0; i < 10; i++) {
      gateway.step(world + i * 60);
      // It changes its link meanwhile, and with it the connection.
      await expect.poll(() => gateway.connect()).toBe(true);
      await expect.poll(() => gateway.inFlight).toBe(0);
    }
    gateway.event('fence', { fence: 'harbour', in: true });
    await expect.poll(() => gateway.outgoing.length).toBe(0);
    expect(await testServer.device(id)).toMatchObject({
      online_state: 1,
      version: '03.02.01',
      boot: gateway.boot,
      model: 'FG-200',
      status: 0,
      protocol_map: '4.2',
    });
    expect(await testServer.device(id)).toMatchObject({
      current_link: gateway.current,
      network: gateway.current,
      clock_skew: 0,
      online_at: now(),
    });
    const status = await testServer.db.selectFrom('device_status').selectAll().where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(status).toMatchObject({ boot: gateway.boot, lan: expect.arrayContaining([1]) });
    expect(status.n).toBeGreaterThan(5);
    expect(Object.keys(Object(status.links))).toContain('6d');
    const events = await testServer.db.selectFrom('device_event').selectAll().where('sn', '=', sn).execute();
    expect(events.map((e) => e.id).filter((e) => !e.startsWith('on'))).toEqual(made.filter((m) => m.includes('-')));
    expect(events.map((e) => e.kind)).toContain('online');
    const rows = await testServer.db.selectFrom('device_load').selectAll().where('device_id', '=', id).execute();
    expect(rows).toHaveLength(10);
    expect(await testServer.db.selectFrom('device_track').selectAll().where('device_id', '=', id).execute()).toHaveLength(10);
    expect(
      await testServer.db.selectFrom('device_stream').select(['stream', 'taken']).where('device_id', '=', id).orderBy('stream').execute(),
    ).toEqual(['flow', 'load', 'mdpi', 'mgt', 'pos'].map((stream) => ({ stream, taken: [1, 2] })));
  });

  test('gets its desired sections, and they are applied when it echoes them', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP2');
    const faults = { ...noFaults(), reject: new Set(['qos']) };
    const gateway = testServer.gateway(sn, { key, faults });
    await setDesired(testServer.db, id, 'wifi', { ssid: 'one' }, { now: now() });
    expect(await shadowOf(id, 'wifi')).toBe('pending');
    const { rev, hash } = await setDesired(testServer.db, id, 'wifi', { ssid: 'two', deep: [1, { b: 2, a: 1 }] }, { now: now() });
    await gateway.connect();
    await expect.poll(() => shadowOf(id, 'wifi')).toBe('applied');
    // It missed two revisions and got only the last one.
    expect(gateway.sections.get('wifi')).toMatchObject({ rev: 2, hash });
    expect(rev).toBe(2);
    await setDesired(testServer.db, id, 'qos', { up: 1 }, { now: now() });
    await expect.poll(() => shadowOf(id, 'qos')).toBe('failed');
    gateway.changeLocally('wifi', { ssid: 'mine' });
    await expect.poll(() => shadowOf(id, 'wifi')).toBe('drifted');
    await setDesired(testServer.db, id, 'wifi', { ssid: 'two' }, { now: now() });
    await expect.poll(() => shadowOf(id, 'wifi')).toBe('applied');
    expect(gateway.sections.get('wifi')?.doc).toEqual({ ssid: 'two' });
  });

  test('gets all sections again after it lost its storage', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP3');
    const first = testServer.gateway(sn, { key });
    await first.connect();
    for (const section of ['wifi', 'lan']) await setDesired(testServer.db, id, section, { section }, { now: now() });
    await expect.poll(() => first.sections.names.length).toBe(2);
    await expect.poll(() => first.outgoing.length).toBe(0);
    // The same gateway gets nothing after a reconnect.
    first.stop();
    await expect.poll(() => first.state).toBe('off');
    await first.connect();
    const settled = () => testServer.db.selectFrom('desired_section').select('settled').where('device_id', '=', id).execute();
    expect(await settled()).toEqual([{ settled: true }, { settled: true }]);
    const wiped = testServer.gateway(sn, { key });
    await wiped.connect();
    await expect.poll(() => wiped.sections.names.sort()).toEqual(['lan', 'wifi']);
    await expect.poll(settled).toEqual([{ settled: true }, { settled: true }]);
  });

  test('executes commands once, reports unsupported ones, and sends the reply to a reboot command afterwards', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP4');
    const gateway = testServer.gateway(sn, { key });
    const early = await send(id, 'diag.ping', { count: 3 });
    const cancelled = await send(id, 'diag.ping');
    expect(await cancelCommand(testServer.db, cancelled, now())).toBe(true);
    await gateway.connect();
    await expect.poll(() => stateOf(early)).toBe(commandState.id('done'));
    expect(await commandOf(early)).toMatchObject({ progress: 100, out: { sent: 3 } });
    expect(await cancelCommand(testServer.db, early, now())).toBe(false);
    gateway.faults.unsupported = new Set(['diag.trace']);
    const unknown = await send(id, 'diag.trace', { host: '10.0.0.1' });
    await expect.poll(() => commandOf(unknown)).toMatchObject({ state: commandState.id('failed'), err: 'unsupported' });
    const { boot } = gateway;
    const reboot = await send(id, 'sys.reboot');
    await expect.poll(() => gateway.state).toBe('off');
    await expect.poll(() => gateway.connect()).toBe(true);
    await expect.poll(() => stateOf(reboot)).toBe(commandState.id('done'));
    expect((await testServer.device(id)).boot).not.toBe(boot);
    expect(await stateOf(cancelled)).toBe(commandState.id('cancelled'));
  });

  test('gets no command past its deadline, and cannot complete it: its late reply is only recorded', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP5');
    const command = await sendCommand(testServer.db, id, 'diag.ping', {}, { now: now(), deadline: now() + 60 });
    testServer.clock.advance(60);
    const got: string[] = [];
    const client = testServer.client(sn, key, { onMessage: (topic) => got.push(topic) });
    await client.connect();
    await client.subscribe(downTopic(sn, '#'));
    await client.publish(upTopic(sn, 'hello'), hello());
    await send(id, 'sys.reboot');
    await expect.poll(() => got).toContain(downTopic(sn, 'c/sys.reboot'));
    expect(got).not.toContain(downTopic(sn, 'c/diag.ping'));
    expect(await stateOf(command)).toBe(commandState.id('queued'));
    await sweepField(testServer.deps.pool, now());
    expect(await stateOf(command)).toBe(commandState.id('expired'));
    expect(await client.publish(upTopic(sn, `r/${command}`), '{"st":"done","code":105}')).toBe(0);
    expect(await commandOf(command)).toMatchObject({ state: commandState.id('expired'), late: true, code: 105 });
  });

  test('on L-band gets no heavy command until it has another link', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP6');
    const got: string[] = [];
    const client = testServer.client(sn, key, { onMessage: (topic) => got.push(topic) });
    const status = (n: number, cur: string) => client.publish(upTopic(sn, 's'), JSON.stringify({ b: 'boot1', n, t: now(), cur }));
    await client.connect();
    await client.publish(upTopic(sn, 'hello'), JSON.stringify({ boot: 'boot1', fw: '03.02.01', h: digestOf({}), link: 'l_band' }));
    await client.subscribe(downTopic(sn, '#'));
    await send(id, 'file.get', { url: 'x' });
    // Commands that wait for another link do not block those that are allowed.
    for (let i = 0; i < 200; i++) await send(id, 'backup.make', { put: 'x' });
    await setDesired(testServer.db, id, 'wifi', { text: 'x'.repeat(2000) }, { now: now() });
    await send(id, 'sys.reboot');
    await expect.poll(() => got).toContain(downTopic(sn, 'c/sys.reboot'));
    expect(got).not.toContain(downTopic(sn, 'c/file.get'));
    expect(got).not.toContain(downTopic(sn, 'cfg/wifi'));
    await status(1, '6d');
    await expect.poll(() => got).toContain(downTopic(sn, 'c/file.get'));
    await expect.poll(() => got).toContain(downTopic(sn, 'cfg/wifi'));
    expect(got.filter((t) => t.endsWith('sys.reboot'))).toHaveLength(1);
    // Commands of the same second keep their order.
    expect(got.find((t) => /c\/(file\.get|backup\.make)$/.test(t))).toBe(downTopic(sn, 'c/file.get'));
  });

  test('with a wrong clock loses no reports and gets the correct time', async () => {
    const { id, sn, key } = await testServer.addDevice('SHIP7');
    const gateway = testServer.gateway(sn, { key, faults: { ...noFaults(), skew: -20 * 365 * 86_400 } });
    for (let i = 0; i < 5; i++) gateway.step(world + i * 60);
    gateway.event('fence', { fence: 'x', in: true });
    expect(gateway.now()).toBeLessThan(now() - 1_000_000);
    await gateway.connect();
    await expect.poll(() => gateway.outgoing.length).toBe(0);
    await expect.poll(() => gateway.now()).toBe(now());
    expect((await testServer.device(id)).clock_skew).toBe(-20 * 365 * 86_400);
    const event = await testServer.db
      .selectFrom('device_event')
      .selectAll()
      .where('sn', '=', sn)
      .where('kind', '=', 'fence')
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ at: now(), reported_at: now() - 20 * 365 * 86_400 });
    const rows = await testServer.db.selectFrom('device_load').select('at').where('device_id', '=', id).orderBy('at').execute();
    expect([rows.length, rows.at(-1)?.at]).toEqual([5, now()]);
  });
});

test('causes a notification on the live channel for each change of its device', async () => {
  const notifications: string[] = [];
  const listener = await testServer.deps.pool.connect();
  listener.on('notification', (n) => notifications.push(n.payload ?? ''));
  await listener.query(`listen ${liveChannel}`);
  const { id, sn, key } = await testServer.addDevice('TOLD1');
  const gateway = testServer.gateway(sn, { key });
  await setDesired(testServer.db, id, 'wifi', {}, { now: now() });
  await send(id, 'diag.ping');
  await gateway.connect();
  gateway.step(world);
  gateway.event('fence', { fence: 'x', in: true });
  await expect.poll(() => gateway.outgoing.length).toBe(0);
  gateway.stop();
  const of = (what: string) => JSON.stringify({ what, ids: [id] });
  for (const what of ['section', 'command', 'online', 'status', 'event', 'offline'])
    await expect.poll(() => notifications).toContain(of(what));
  listener.release(true);
});

describe('presence', () => {
  const online = async (id: number) => {
    const { online_state, offline_reason } = await testServer.device(id);
    return [online_state, offline_reason];
  };

  test('ends when the client disconnects, or with the will of a lost connection', async () => {
    const { id, sn, key } = await testServer.addDevice('HERE1');
    const will = { topic: upTopic(sn, 'bye'), payload: '{"r":"lost"}', delay: 0 };
    for (const [disconnect, reason] of [
      [(c: ReturnType<FieldTestServer['client']>) => c.disconnect(), 'stop'],
      [(c: ReturnType<FieldTestServer['client']>) => c.destroy(), 'lost'],
    ] as const) {
      const client = testServer.client(sn, key, { will });
      await client.connect();
      await client.publish(upTopic(sn, 'hello'), hello());
      expect((await online(id))[0]).toBe(1);
      disconnect(client);
      await expect.poll(() => online(id)).toEqual([0, reason]);
    }
    const kinds = await testServer.db.selectFrom('device_event').select('kind').where('sn', '=', sn).orderBy('id').execute();
    expect(kinds.map((k) => k.kind).sort()).toEqual(['offline', 'offline', 'online', 'online']);
  });

  test('continues when the same client connects again, and an auxiliary client replaces no connection', async () => {
    const { id, sn, key } = await testServer.addDevice('HERE2');
    const reasons: (number | undefined)[] = [];
    const will = { topic: upTopic(sn, 'bye'), payload: '{"r":"lost"}', delay: 0 };
    const first = testServer.client(sn, key, { will, onClose: (reason) => reasons.push(reason) });
    await first.connect();
    await first.publish(upTopic(sn, 'hello'), hello());
    const aux = testServer.client(sn, key, { clientId: `${sn}-shell` });
    await aux.connect();
    await aux.publish(upTopic(sn, 'e'), JSON.stringify({ id: 'boot1-1', k: 'lock', t: now(), lock: 'x' }));
    aux.disconnect();
    expect(reasons).toEqual([]);
    const second = testServer.client(sn, key, { will });
    await second.connect();
    await expect.poll(() => reasons).toEqual([0x8e]);
    await second.publish(upTopic(sn, 'hello'), hello());
    expect((await online(id))[0]).toBe(1);
    second.destroy();
    await expect.poll(() => online(id)).toEqual([0, 'lost']);
  });

  test('lasts while any client of the gateway is connected', async () => {
    const { id, sn, key } = await testServer.addDevice('HERE5');
    const listening = testServer.client(sn, key);
    await listening.connect();
    await listening.subscribe(downTopic(sn, '#'));
    const speaking = testServer.client(sn, key, { clientId: `${sn}-1` });
    await speaking.connect();
    await speaking.publish(upTopic(sn, 'hello'), hello());
    const remaining = testServer.endpoint().connections() - 1;
    speaking.disconnect();
    await expect.poll(() => testServer.endpoint().connections()).toBe(remaining);
    await listening.publish(upTopic(sn, 'e'), JSON.stringify({ id: 'boot1-9', k: 'lock', t: now(), lock: 'x' }));
    expect((await online(id))[0]).toBe(1);
    listening.disconnect();
    await expect.poll(() => online(id)).toEqual([0, 'stop']);
  });

  test('ends when the process of the connection has sent no heartbeat for 30 seconds', async () => {
    const { id } = await testServer.addDevice('HERE3');
    await testServer.db.updateTable('device').set({ online_state: 1, conn_id: 'gone-1', conn_node: 'gone' }).where('id', '=', id).execute();
    await testServer.db.insertInto('field_node').values({ id: 'gone', beat_at: now() }).execute();
    await sweepField(testServer.deps.pool, now() + 10);
    expect((await online(id))[0]).toBe(1);
    await sweepField(testServer.deps.pool, now() + 31);
    expect(await online(id)).toEqual([0, 'lost']);
  });

  test('ends when the key is changed', async () => {
    const { id, sn, key } = await testServer.addDevice('HERE4');
    const reasons: (number | undefined)[] = [];
    const client = testServer.client(sn, key, { onClose: (reason) => reasons.push(reason) });
    await client.connect();
    await client.publish(upTopic(sn, 'hello'), hello());
    await setDeviceKey(testServer.db, id, 'another-key');
    await expect.poll(() => reasons).toEqual([0x98]);
    expect((await testServer.client(sn, key).connect()).reasonCode).toBe(0x86);
  });
});

describe('the MQTT endpoint', () => {
  test('refuses a wrong key, a foreign SN, a wrong client id and a suspended device, in both MQTT versions', async () => {
    const { sn, key } = await testServer.addDevice('DOOR1');
    const other = await testServer.addDevice('DOOR2');
    const suspended = await testServer.addDevice('DOOR3', { auth_status: 'suspended' });
    const reply = async (...args: Parameters<FieldTestServer['client']>) => (await testServer.client(...args).connect()).reasonCode;
    expect(await reply(sn, 'wrong')).toBe(0x86);
    expect(await reply(sn, '')).toBe(0x86);
    expect(await reply(other.sn, key)).toBe(0x86);
    expect(await reply('NOBODY', key)).toBe(0x86);
    expect(await reply('bad/sn', key)).toBe(0x86);
    expect(await reply(sn, key, { clientId: other.sn })).toBe(0x85);
    expect(await reply(sn, key, { will: { topic: upTopic(other.sn, 'bye'), payload: '{}', delay: 0 } })).toBe(0x87);
    expect(await reply(suspended.sn, suspended.key)).toBe(0x8a);
    expect((await testServer.client(sn, 'wrong', { version: 4 }).connect()).returnCode).toBe(4);
    expect((await testServer.client(suspended.sn, suspended.key, { version: 4 }).connect()).returnCode).toBe(5);
  });

  test('sends its limits, and the keep-alive for the last known link of the gateway', async () => {
    const { id, sn, key } = await testServer.addDevice('DOOR4');
    await testServer.db.updateTable('device').set({ network: 'l_band' }).where('id', '=', id).execute();
    const { properties } = await testServer.client(sn, key).connect();
    expect(properties).toMatchObject({ serverKeepAlive: 1200, receiveMaximum: 16, maximumPacketSize: 65_536, topicAliasMaximum: 16 });
  });

  test('refuses topics of other gateways, and counts the attempts', async () => {
    const { sn, key } = await testServer.addDevice('DOOR5');
    const victim = await testServer.addDevice('DOOR6');
    const heard: string[] = [];
    const client = testServer.client(sn, key, { onMessage: (topic) => heard.push(topic) });
    await client.connect();
    const before = testServer.endpoint().field.counts.refused.foreign;
    const event = JSON.stringify({ id: 'boot1-1', k: 'lock', t: now(), lock: 'x' });
    expect(await client.publish(upTopic(victim.sn, 'e'), event)).toBe(0x87);
    expect(await client.publish(downTopic(sn, 'c/sys.reboot'), '{}')).toBe(0x87);
    expect(await client.publish('gw/1/+/up/e', event)).toBe(0x87);
    expect(testServer.endpoint().field.counts.refused.foreign).toBe(before + 3);
    for (const filter of ['#', 'gw/#', downTopic(victim.sn, '#'), 'gw/1/+/dn/#']) expect(await client.subscribe(filter)).toBe(0x87);
    await send(victim.id, 'diag.ping');
    // Its own messages are still accepted, and the victim has none.
    expect(await client.publish(upTopic(sn, 'e'), event)).toBe(0);
    const events = await testServer.db
      .selectFrom('device_event')
      .select('sn')
      .where('id', '=', 'boot1-1')
      .where('sn', 'like', 'DOOR%')
      .execute();
    expect(events).toEqual([{ sn }]);
    expect(heard).toEqual([]);
    const foreign = await send(victim.id, 'diag.ping');
    await client.publish(upTopic(sn, `r/${foreign}`), '{"st":"done"}');
    expect(await stateOf(foreign)).toBe(commandState.id('queued'));
  });

  test('refuses an invalid message with a reason code, and keeps the connection', async () => {
    const { sn, key } = await testServer.addDevice('DOOR7');
    const client = testServer.client(sn, key);
    await client.connect();
    expect(await client.publish(upTopic(sn, 's'), '{broken')).toBe(0x99);
    expect(await client.publish(upTopic(sn, 's'), '{"b":"boot1","n":-1,"t":1}')).toBe(0x99);
    expect(await client.publish(upTopic(sn, 'party'), '{}')).toBe(0x90);
    expect(await client.publish(upTopic(sn, 'enrol'), '{"hw":"hw-1"}')).toBe(0x87);
    expect(await client.publish(upTopic(sn, 'hello'), hello(), { alias: true })).toBe(0);
    expect(await client.publish(upTopic(sn, 'hello'), hello(), { alias: true })).toBe(0);
  });

  test.each([
    [
      'ten megabytes',
      0x95,
      (c: ReturnType<FieldTestServer['client']>, sn: string) => void c.publish(upTopic(sn, 's'), 'x'.repeat(10_000_000)).catch(() => {}),
    ],
    [
      'seventeen messages at once',
      0x93,
      (c: ReturnType<FieldTestServer['client']>, sn: string) => {
        for (let i = 0; i < 17; i++) c.publish(upTopic(sn, 'e'), '{}').catch(() => {});
      },
    ],
    ['a broken packet', 0x82, (c: ReturnType<FieldTestServer['client']>) => c.raw(Uint8Array.from([0x00, 0x00]))],
    [
      'a second CONNECT',
      0x82,
      (c: ReturnType<FieldTestServer['client']>) => c.raw(Uint8Array.from([0x10, 13, 0, 4, 77, 81, 84, 84, 5, 2, 0, 60, 0, 0, 0])),
    ],
    [
      'an alias that is too large',
      0x94,
      (c: ReturnType<FieldTestServer['client']>) => c.raw(Uint8Array.from([0x30, 6, 0, 0, 3, 0x23, 0, 99])),
    ],
    ['QoS 2', 0x9b, (c: ReturnType<FieldTestServer['client']>) => c.raw(Uint8Array.from([0x34, 6, 0, 1, 97, 0, 1, 0]))],
  ])('ends a connection that sends %s', async (name, reason, act) => {
    const { sn, key } = await testServer.addDevice(`DOOR-${name.replaceAll(' ', '-')}`);
    const reasons: (number | undefined)[] = [];
    const client = testServer.client(sn, key, { onClose: (r) => reasons.push(r) });
    await client.connect();
    act(client, sn);
    await expect.poll(() => reasons).toEqual([reason]);
  });

  test('supports clients with MQTT 3.1.1', async () => {
    const { id, sn, key } = await testServer.addDevice('DOOR8');
    const got: string[] = [];
    const client = testServer.client(sn, key, { version: 4, onMessage: (topic) => got.push(topic) });
    expect((await client.connect()).returnCode).toBe(0);
    expect(await client.subscribe(downTopic(sn, '#'))).toBe(1);
    expect(await client.subscribe('#')).toBe(0x80);
    await client.publish(upTopic(sn, 'hello'), hello());
    expect((await testServer.device(id)).online_state).toBe(1);
    await send(id, 'sys.reboot');
    await expect.poll(() => got).toContain(downTopic(sn, 'c/sys.reboot'));
  });

  test('accepts reports of an expired device but sends it no commands', async () => {
    const { id, sn, key } = await testServer.addDevice('DOOR9', { auth_expire_at: now() - 1 });
    const got: string[] = [];
    const client = testServer.client(sn, key, { onMessage: (topic) => got.push(topic) });
    await client.connect();
    await client.subscribe(downTopic(sn, '#'));
    await send(id, 'sys.reboot');
    await client.publish(upTopic(sn, 'hello'), hello());
    await expect.poll(() => got).toEqual([downTopic(sn, 'a')]);
    expect((await testServer.device(id)).online_state).toBe(1);
  });

  test('a value that the database refuses does not affect other gateways', async () => {
    const { sn, key } = await testServer.addDevice('DOOR10');
    const client = testServer.client(sn, key);
    await client.connect();
    await testServer.deps.pool.query(`alter table device_event add constraint no_bad check (doc ->> 'lock' is distinct from 'bad')`);
    const sendResult = (n: number, lock: string) =>
      client.publish(upTopic(sn, 'e'), JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: now(), lock }));
    expect(await Promise.all([sendResult(1, 'a'), sendResult(2, 'bad'), sendResult(3, 'c')])).toEqual([0, 0x99, 0]);
    const stored = await testServer.db.selectFrom('device_event').select('id').where('sn', '=', sn).orderBy('id').execute();
    expect(stored.map((e) => e.id)).toEqual(['boot1-1', 'boot1-3']);
  });
});

describe('binding', () => {
  const code = 'platform';

  test('creates a device for an unknown gateway in the VNO whose code it sends', async () => {
    const gateway = testServer.gateway('NEW1', { code });
    expect(await gateway.connect()).toBe(true);
    const device = await testServer.db.selectFrom('device').selectAll().where('sn', '=', 'NEW1').executeTakeFirstOrThrow();
    expect(device).toMatchObject({
      agent_id: testServer.platformId,
      status: 0,
      merchant_code: code,
      online_state: 1,
      hardware_id: 'hw-NEW1',
    });
    expect(device.key_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('fails without a code or with a wrong one, each with its own status, and succeeds with the right one', async () => {
    const status = async () =>
      (await testServer.db.selectFrom('device').select('status').where('sn', '=', 'NEW2').executeTakeFirstOrThrow()).status;
    for (const [merchantCode, st] of [
      ['', 1],
      ['none-such', 2],
    ] as const) {
      const gateway = testServer.gateway('NEW2', { code: merchantCode });
      expect([await gateway.connect(), gateway.connection.binding, await status()]).toEqual([false, st, st]);
    }
    expect(await testServer.gateway('NEW2', { code }).connect()).toBe(true);
    expect(await status()).toBe(0);
  });

  test('does not issue a key for a gateway in use until an operator resets the binding', async () => {
    const gateway = testServer.gateway('NEW3', { code });
    await gateway.connect();
    const { id } = await testServer.db.selectFrom('device').select('id').where('sn', '=', 'NEW3').executeTakeFirstOrThrow();
    const again = testServer.gateway('NEW3', { code });
    expect([await again.connect(), again.connection.binding, (await testServer.device(id)).status]).toEqual([false, 4, 4]);
    await testServer.db.updateTable('device').set({ hardware_id: 'another-box' }).where('id', '=', id).execute();
    const swapped = testServer.gateway('NEW3', { code });
    expect([await swapped.connect(), swapped.connection.binding, (await testServer.device(id)).status]).toEqual([false, 3, 3]);
    const stranger = testServer.gateway('NEW3', { code: 'none-such' });
    expect([await stranger.connect(), stranger.connection.binding, (await testServer.device(id)).status]).toEqual([false, 2, 3]);
    // An enrolment request does not end the existing connection.
    expect(gateway.state).toBe('online');
    await resetBinding(testServer.db, id);
    await expect.poll(() => gateway.state).toBe('off');
    expect(await swapped.connect()).toBe(true);
    expect(await gateway.connect()).toBe(false);
  });

  test('issues a key again if the first one was never used', async () => {
    const lost = testServer.client('NEW4', `enrol:${code}`);
    await lost.connect();
    await lost.publish(upTopic('NEW4', 'enrol'), '{"hw":"hw-NEW4"}');
    lost.destroy();
    expect(await testServer.gateway('NEW4', { code }).connect()).toBe(true);
  });

  test('accepts demo keys, which are the same for the same secret', async () => {
    const { id, sn } = await testServer.addDevice('DEMO1');
    const secret = Buffer.alloc(32, 1);
    const [issued] = await issueDemoKeys(testServer.db, secret, [id]);
    expect(await issueDemoKeys(testServer.db, secret, [id])).toEqual([issued]);
    expect(await testServer.gateway(sn, { key: issued?.key }).connect()).toBe(true);
  });

  test('refuses other messages of an enrolling client', async () => {
    const client = testServer.client('SHIP1', `enrol:${code}`);
    await client.connect();
    expect(await client.publish(upTopic('SHIP1', 'hello'), hello())).toBe(0x87);
  });
});
