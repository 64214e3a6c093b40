import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { addVno } from '../../../test/vno.ts';
import { dropPartitions, streamTables } from '../../db/partitions.ts';
import { hashToken } from '../../kit/session/secret.ts';
import { sendCommand } from '../../orders/command.ts';
import { keyColumns, newKey } from '../../orders/device-key.ts';
import { storeMessages } from '../store/store.ts';
import type { Stored } from '../store/tx.ts';
import { sweepField } from '../sweep.ts';

let testServer: FieldTestServer;
/** A VNO with the merchant code OTHER. */
let vno: number;

beforeAll(async () => {
  testServer = await openFieldTestServer({ tickMs: 100 });
  vno = await addVno(testServer.db, testServer.platformId);
});
afterAll(() => testServer?.close());

const now = () => testServer.clock.now();
const hello = (boot = 'boot1') => JSON.stringify({ boot, fw: '03.02.01', h: digestOf({}) });
const batch = (more: object) => JSON.stringify({ b: 'boot1', seq: 1, t0: now(), dt: 60, c: ['cpu', 'mem'], v: [[1, 2]], ...more });
const waitingSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const onlineOf = async (id: number) => (await testServer.device(id)).online_state;

describe('hostile input of a gateway', () => {
  test('a column named like a JavaScript property is ignored or refused, and the connection continues', async () => {
    const { sn, key } = await testServer.addDevice('EVIL1');
    const client = testServer.client(sn, key);
    await client.connect();
    for (const name of ['constructor', 'toString', '__proto__']) {
      const reply = await client.publish(upTopic(sn, 't/load'), batch({ c: ['cpu', 'mem', name], v: [[1, 2, 3]] }));
      expect([0, 0x99], name).toContain(reply);
    }
    expect(await client.publish(upTopic(sn, 't/load'), batch({ seq: 9 }))).toBe(0);
  });

  test('documents that cannot be shown as text are refused and do not delay another gateway', async () => {
    const [bad, good] = await Promise.all(['POISON1', 'POISON2'].map((sn) => testServer.addDevice(sn)));
    if (!bad || !good) throw new Error('no device');
    const client = testServer.client(bad.sn, bad.key);
    const other = testServer.client(good.sn, good.key);
    await Promise.all([client.connect(), other.connect()]);
    const warned = vi.spyOn(testServer.deps.log, 'warn');
    const doc = { rows: [{ account: { toString: 1 }, password: 'x' }] };
    const report = (rev: number) => JSON.stringify({ rev, h: '0'.repeat(32), loc: true, doc });
    const sections = ['auth_local_user', 'network_lan', 'network_static_route'];
    const replies = sections.flatMap((section) => [1, 2, 3].map((rev) => client.publish(upTopic(bad.sn, `cfg/${section}`), report(rev))));
    expect(await other.publish(upTopic(good.sn, 'hello'), hello())).toBe(0);
    expect(await Promise.all(replies)).toEqual(replies.map(() => 0x99));
    expect(warned).not.toHaveBeenCalledWith(expect.anything(), 'gateway message storage failed, retrying');
    warned.mockRestore();
  });

  test('a batch with a time outside all partitions is refused and does not affect others', async () => {
    const { sn, key } = await testServer.addDevice('EVIL2');
    const client = testServer.client(sn, key);
    await client.connect();
    // Simulates years of operation: the first partitions have been dropped.
    await dropPartitions(testServer.deps.pool, streamTables, 4_000_000_000);
    // The interval is so long that the first row is years old.
    const far = batch({ dt: 86_400, v: Array.from({ length: 4000 }, () => [1, 2]) });
    const replies = [client.publish(upTopic(sn, 't/load'), far), client.publish(upTopic(sn, 't/load'), batch({ seq: 2 }))];
    expect(await Promise.all(replies)).toEqual([0x99, 0]);
  });

  test('too many or too long subscription filters are refused', async () => {
    const { sn, key } = await testServer.addDevice('EVIL3');
    const client = testServer.client(sn, key);
    await client.connect();
    const codes = await Promise.all(Array.from({ length: 100 }, (_, i) => client.subscribe(downTopic(sn, `c/x${i}`))));
    expect(codes.filter((code) => code === 0x97).length).toBeGreaterThan(30);
    expect(codes[0]).toBe(1);
    // An existing subscription may be repeated.
    expect(await client.subscribe(downTopic(sn, 'c/x0'))).toBe(1);
    expect(await testServer.client(sn, key, { clientId: `${sn}-1` }).connect()).toMatchObject({ reasonCode: 0 });
    const long = testServer.client(sn, key, { clientId: `${sn}-2` });
    await long.connect();
    expect(await long.subscribe(downTopic(sn, 'x'.repeat(5000)))).toBe(0x97);
  });

  test('a topic alias for a topic longer than any valid one ends the connection', async () => {
    const { sn, key } = await testServer.addDevice('EVIL4');
    const reasons: (number | undefined)[] = [];
    const client = testServer.client(sn, key, { onClose: (reason) => reasons.push(reason) });
    await client.connect();
    client.publish(upTopic(sn, 'x'.repeat(5000)), '{}', { alias: true }).catch(() => {});
    await expect.poll(() => reasons).toEqual([0x94]);
  });

  test('at most 16 additional clients of a gateway are accepted', async () => {
    const { sn, key } = await testServer.addDevice('EVIL5');
    const codes: (number | undefined)[] = [];
    for (let i = 0; i < 20; i++) codes.push((await testServer.client(sn, key, { clientId: `${sn}-${i}` }).connect()).reasonCode);
    expect(codes).toEqual([...Array.from({ length: 16 }, () => 0), ...Array.from({ length: 4 }, () => 0x97)]);
    // A reconnecting client replaces itself, and the gateway's own client is always allowed.
    expect((await testServer.client(sn, key, { clientId: `${sn}-3` }).connect()).reasonCode).toBe(0);
    expect((await testServer.client(sn, key).connect()).reasonCode).toBe(0);
  });
});

describe('a packet that violates the MQTT protocol', () => {
  test.each([
    ['SUBSCRIBE without a filter', 5, [0x82, 3, 0, 2, 0]],
    ['SUBSCRIBE without a filter', 4, [0x82, 2, 0, 2]],
    ['SUBSCRIBE with packet id 0', 5, [0x82, 7, 0, 0, 0, 0, 1, 97, 0]],
    ['UNSUBSCRIBE without a filter', 5, [0xa2, 3, 0, 2, 0]],
    ['UNSUBSCRIBE without a filter', 4, [0xa2, 2, 0, 2]],
    ['PUBLISH of QoS 1 with packet id 0', 5, [0x32, 6, 0, 1, 97, 0, 0, 0]],
  ] as const)('ends only this connection: %s of version %i', async (_, version, bytes) => {
    const ends: (number | undefined)[] = [];
    const before = testServer.listener().faults.protocol ?? 0;
    // Any unauthenticated client can reach this state.
    const stranger = testServer.client('RULES1', 'enrol:x', { version, onClose: (reason) => ends.push(reason) });
    await stranger.connect();
    stranger.raw(Uint8Array.from(bytes));
    await expect.poll(() => ends).toEqual([version === 5 ? 0x82 : undefined]);
    expect(testServer.listener().faults.protocol).toBe(before + 1);
    expect(await testServer.client('RULES2', 'enrol:x').connect()).toMatchObject({ reasonCode: 0 });
  });
});

describe('a gateway that reports ever new names', () => {
  const storeOutput = (sn: string, output: readonly Stored[]) =>
    storeMessages(
      testServer.deps.pool,
      now(),
      'node',
      output.map((one) => ({ sn, conn: 'c', content: one })),
    );
  const macOf = (n: number) =>
    [0, 0, n >> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255].map((b) => b.toString(16).padStart(2, '0')).join(':');

  test('has a limited number of links in its status row', async () => {
    const { id, sn } = await testServer.addDevice('EVIL6');
    for (let n = 1; n <= 40; n++) {
      const l = Array.from({ length: 16 }, (_, i) => ({ i: `x${n}_${i}`, s: 1 as const }));
      await storeOutput(sn, [{ kind: 'status', body: { b: 'boot1', n, t: now(), l } }]);
    }
    const { links, link_marks } = await testServer.db
      .selectFrom('device_status')
      .select(['links', 'link_marks'])
      .where('device_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(link_marks?.trim().split(' ').length).toBeLessThan(64);
    expect(Object.keys(Object(links)).length).toBeLessThan(200);
    expect(Object.keys(Object(links))).toContain('x40_15');
  });

  test('has at most 512 access points, including the latest', async () => {
    const { id, sn } = await testServer.addDevice('EVIL7');
    for (let n = 1; n <= 4; n++) {
      const ap = Array.from({ length: 256 }, (_, i): [string, 1, number, string] => [`ap${i}`, 1, 0, macOf(n * 256 + i)]);
      await storeOutput(sn, [{ kind: 'status', body: { b: 'boot1', n, t: now() + n, ap } }]);
    }
    const aps = await testServer.db.selectFrom('ap').select(['mac', 'state']).where('device_id', '=', id).execute();
    expect(aps).toHaveLength(512);
    expect(aps.filter(({ state }) => state === 'up').map(({ mac }) => mac)).toContain(macOf(4 * 256 + 255));
    expect(aps.filter(({ state }) => state === 'up')).toHaveLength(256);
  });

  test('has at most 500 containers', async () => {
    const { id, sn } = await testServer.addDevice('EVIL8');
    const started = (n: number): Stored => ({
      kind: 'event',
      body: { id: `boot1-${n}`, k: 'docker', t: now(), doc: { name: `c${n}`, st: 1 } },
    });
    for (const first of [0, 500])
      await storeOutput(
        sn,
        Array.from({ length: 500 }, (_, i) => started(first + i)),
      );
    expect(await testServer.db.selectFrom('device_container').select('name').where('device_id', '=', id).execute()).toHaveLength(500);
  });
});

describe('a client of one gateway', () => {
  test('does not replace the connection of another gateway whose SN it uses as client id', async () => {
    const one = await testServer.addDevice('TWIN');
    const two = await testServer.addDevice('TWIN-2');
    const ends: (number | undefined)[] = [];
    const victim = testServer.client(two.sn, two.key, { onClose: (reason) => ends.push(reason) });
    await victim.connect();
    await victim.publish(upTopic(two.sn, 'hello'), hello());
    const other = testServer.client(one.sn, one.key, { clientId: two.sn });
    expect((await other.connect()).reasonCode).toBe(0);
    expect(await other.publish(upTopic(one.sn, 'hello'), hello())).toBe(0);
    expect(await victim.publish(upTopic(two.sn, 'hello'), hello())).toBe(0);
    expect(ends).toEqual([]);
    expect([await onlineOf(one.id), await onlineOf(two.id)]).toEqual([1, 1]);
  });
});

describe('a lost gateway', () => {
  test('becomes offline, also if its will is invalid', async () => {
    for (const [i, payload] of ['garbage', '{"r":"party"}', '', '{"r":"lost","c":"NOT OK"}'].entries()) {
      const { id, sn, key } = await testServer.addDevice(`WILL${i}`);
      const client = testServer.client(sn, key, { will: { topic: upTopic(sn, 'bye'), payload, delay: 0 } });
      await client.connect();
      await client.publish(upTopic(sn, 'hello'), hello());
      expect(await onlineOf(id)).toBe(1);
      client.destroy();
      await expect.poll(() => onlineOf(id)).toBe(0);
    }
  });

  test('is online after a reconnect, also if bye and hello are stored together', async () => {
    const { id, sn, key } = await testServer.addDevice('BACK1');
    const client = testServer.client(sn, key);
    await client.connect();
    await client.publish(upTopic(sn, 'hello'), hello());
    const blocker = await testServer.deps.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table device_event in exclusive mode');
    const event = JSON.stringify({ id: 'boot1-1', k: 'lock', t: now(), lock: 'x' });
    const replies = [client.publish(upTopic(sn, 'e'), event)];
    try {
      await expect.poll(async () => (await testServer.deps.pool.query(waitingSql)).rowCount).toBeGreaterThan(0);
      replies.push(client.publish(upTopic(sn, 'bye'), '{"r":"reboot"}'), client.publish(upTopic(sn, 'hello'), hello('boot2')));
      // Both messages are read and wait in the queue.
      await client.subscribe(downTopic(sn, '#'));
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect(await Promise.all(replies)).toEqual([0, 0, 0]);
    expect(await testServer.device(id)).toMatchObject({ online_state: 1, boot: 'boot2' });
  });

  test('becomes online again without a reconnect if only another process marked it offline', async () => {
    const { id, sn, key } = await testServer.addDevice('ALIVE1');
    const gateway = testServer.gateway(sn, { key });
    await gateway.connect();
    await expect.poll(() => onlineOf(id)).toBe(1);
    // This process missed its heartbeat, and another one marked its gateways offline.
    await testServer.deps.pool.query('delete from field_node');
    await sweepField(testServer.deps.pool, now());
    await expect.poll(() => onlineOf(id)).toBe(1);
    expect(gateway.connection.connects).toBe(1);
  });
});

describe('an enrolling client', () => {
  test('is disconnected if it sends several requests at once or a large message', async () => {
    const ends: (number | undefined)[] = [];
    const stranger = testServer.client('STRANGE1', 'enrol:nobody', { onClose: (reason) => ends.push(reason) });
    await stranger.connect();
    const topic = upTopic('STRANGE1', 'enrol');
    const requestOf = (messageId: number) =>
      generate({ cmd: 'publish', topic, payload: '{"hw":"hw-1"}', qos: 1, dup: false, retain: false, messageId }, { protocolVersion: 5 });
    stranger.raw(Buffer.concat(Array.from({ length: 12 }, (_, i) => requestOf(i + 1))));
    await expect.poll(() => ends).toEqual([0x97]);
    const large = testServer.client('STRANGE2', 'enrol:nobody', { onClose: (reason) => ends.push(reason) });
    await large.connect();
    large.publish(upTopic('STRANGE2', 'enrol'), 'x'.repeat(10_000)).catch(() => {});
    await expect.poll(() => ends).toEqual([0x97, 0x95]);
  });
});

describe('a client with only the code of a VNO', () => {
  const enrol = async (sn: string) => {
    const replies: string[] = [];
    const stranger = testServer.client(sn, 'enrol:OTHER', { onMessage: (_, body) => replies.push(body) });
    await stranger.connect();
    await stranger.subscribe(downTopic(sn, 'enrol'));
    await stranger.publish(upTopic(sn, 'enrol'), '{"hw":"another-box"}');
    await expect.poll(() => replies.length).toBe(1);
    return JSON.parse(replies[0] ?? '{}');
  };

  test('gets no key for a gateway whose key has just been changed', async () => {
    const { id, sn, key } = await testServer.addDevice('RIGHT1');
    await testServer.db.updateTable('device').set({ agent_id: vno, hardware_id: 'box-1' }).where('id', '=', id).execute();
    const client = testServer.client(sn, key);
    await client.connect();
    const command = await sendCommand(testServer.db, id, 'key.set', { key: newKey() }, { now: now(), deadline: now() + 900 });
    await client.publish(upTopic(sn, `r/${command}`), '{"st":"done"}').catch(() => {});
    const { key_hash } = await testServer.device(id);
    expect(await enrol(sn)).toEqual({ st: 3 });
    expect(await testServer.device(id)).toMatchObject({ key_hash });
  });
});

describe('a client that lost its subscription rights', () => {
  const listening = async (sn: string, key: string, clientId = sn) => {
    const [ends, received]: [(number | undefined)[], string[]] = [[], []];
    const client = testServer.client(sn, key, {
      clientId,
      onClose: (reason) => ends.push(reason),
      onMessage: (topic) => received.push(topic),
    });
    expect((await client.connect()).reasonCode).toBe(0);
    await client.subscribe(downTopic(sn, '#'));
    await client.publish(upTopic(sn, 'hello'), hello());
    return { client, ends, received };
  };

  test('is disconnected when the gateway is transferred to another VNO', async () => {
    const { id, sn, key } = await testServer.addDevice('OWNER1');
    const next = newKey();
    const spy = await listening(sn, key, `${sn}-spy`);
    const command_id = await sendCommand(
      testServer.db,
      id,
      'vno.transfer',
      { code: 'OTHER', key: next },
      { now: now(), deadline: now() + 900 },
    );
    await testServer.db
      .updateTable('device')
      .set({ next_key_hash: hashToken(next) })
      .where('id', '=', id)
      .execute();
    const ids = { device_id: id, from_agent_id: testServer.platformId, to_agent_id: vno, command_id };
    await testServer.db
      .insertInto('device_transfer')
      .values({ ...ids, sn, keep_users: true, deadline: now() + 900, operator: 'x', create_at: now() })
      .execute();
    const owner = await listening(sn, next);
    await expect.poll(() => spy.ends).toEqual([0x98]);
    await sendCommand(testServer.db, id, 'sys.reboot', {}, { now: now(), deadline: now() + 900 });
    await expect.poll(() => owner.received).toContain(downTopic(sn, 'c/sys.reboot'));
    expect(owner.ends).toEqual([]);
    expect(await testServer.device(id)).toMatchObject({ agent_id: vno, online_state: 1 });
  });

  test('is disconnected when the gateway has taken a new key', async () => {
    const { id, sn, key } = await testServer.addDevice('OWNER2');
    const next = newKey();
    const spy = await listening(sn, key, `${sn}-spy`);
    const command = await sendCommand(testServer.db, id, 'key.set', { key: next }, { now: now(), deadline: now() + 900 });
    await spy.client.publish(upTopic(sn, `r/${command}`), '{"st":"done"}').catch(() => {});
    await expect.poll(() => spy.ends).toEqual([0x98]);
    expect((await testServer.client(sn, next).connect()).reasonCode).toBe(0);
  });

  test('is disconnected even if the notification was missed', async () => {
    const [changed, suspended, deleted, unchanged] = await Promise.all(
      ['DEAF1', 'DEAF2', 'DEAF3', 'DEAF4'].map((sn) => testServer.addDevice(sn)),
    );
    if (!changed || !suspended || !deleted || !unchanged) throw new Error('no devices');
    const all = await Promise.all([changed, suspended, deleted, unchanged].map(({ sn, key }) => listening(sn, key)));
    await testServer.db.updateTable('device').set(keyColumns(newKey())).where('id', '=', changed.id).execute();
    await testServer.db.updateTable('device').set({ auth_status: 'suspended' }).where('id', '=', suspended.id).execute();
    await testServer.db.deleteFrom('device').where('id', '=', deleted.id).execute();
    await testServer.deps.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    await expect.poll(() => all.map(({ ends }) => ends)).toEqual([[0x98], [0x98], [0x98], []]);
  });
});
