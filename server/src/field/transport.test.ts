import { commandState } from '@farlink/contract/protocol/command.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrokerTestServer } from '../../test/broker.ts';
import { openFieldTestServer } from '../../test/field.ts';
import { addVno } from '../../test/vno.ts';
import { hashToken } from '../kit/session/secret.ts';
import { sendCommand } from '../orders/command.ts';
import { setDesired } from '../orders/desired.ts';
import { newKey } from '../orders/device-key.ts';
import { gatewayRoutes } from './enrolment/gateway-routes.ts';

/** Test server of each transport, with ways to restart the console and the transport. */
const embedded = async () => {
  const testServer = await openFieldTestServer();
  const restart = async () => testServer.reopen(testServer.endpoint().port);
  return { ...testServer, restartConsole: restart, restartTransport: restart, learnsKeys: async () => {} };
};
const broker = async () => {
  const testServer = await openBrokerTestServer();
  const { mosquitto, listening } = testServer;
  return {
    ...testServer,
    restartConsole: async () => {
      await testServer.reopen(mosquitto.port);
      await listening();
    },
    restartTransport: async () => {
      await mosquitto.stop();
      await mosquitto.start();
    },
    learnsKeys: mosquitto.reload,
  };
};

const hello = (c: string) => JSON.stringify({ boot: 'boot1', fw: '03.02.01', h: digestOf({}), c });

/** Guarantees for a gateway on any transport. */
describe.each([
  ['the console itself', embedded],
  ['a broker', broker],
])('over %s a gateway', (_, open) => {
  let testServer: Awaited<ReturnType<typeof embedded>> | Awaited<ReturnType<typeof broker>>;
  let app: FastifyInstance;
  let web: string;
  beforeAll(async () => {
    testServer = await open();
    app = Fastify();
    await app.register(gatewayRoutes(testServer.deps));
    web = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await app?.close();
    await testServer?.close();
  });

  const now = () => testServer.clock.now();
  const until = { deadline: 4_000_000_000 };
  const presence = async (id: number) => {
    const { online_state, offline_reason } = await testServer.device(id);
    return online_state === 1 ? 'online' : (offline_reason ?? 'never');
  };
  const events = async (sn: string) =>
    (await testServer.db.selectFrom('device_event').select(['id', 'kind']).where('sn', '=', sn).orderBy('id').execute()).map((e) =>
      /^(on|off)line$/.test(e.kind) ? e.kind : e.id,
    );
  const will = (sn: string, c: string) => ({ topic: upTopic(sn, 'bye'), payload: JSON.stringify({ r: 'lost', c }), delay: 0 });
  const event = (n: number) => JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: now(), lock: 'x' });
  const settledOf = (id: number) => testServer.db.selectFrom('desired_section').select('settled').where('device_id', '=', id).execute();
  const stateOf = async (id: string) =>
    (await testServer.db.selectFrom('device_command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;

  test('is online from hello to bye or will, and the late will of an older connection is ignored', async () => {
    const { id, sn, key } = await testServer.addDevice('CAR1');
    const first = testServer.client(sn, key, { will: will(sn, 'one') });
    expect((await first.connect()).reasonCode).toBe(0);
    await first.publish(upTopic(sn, 'hello'), hello('one'));
    await expect.poll(() => presence(id)).toBe('online');
    await first.publish(upTopic(sn, 'bye'), '{"r":"stop","c":"one"}');
    await expect.poll(() => presence(id)).toBe('stop');
    first.disconnect();
    await first.closed;

    const second = testServer.client(sn, key, { will: will(sn, 'two') });
    await second.connect();
    await second.publish(upTopic(sn, 'hello'), hello('two'));
    await expect.poll(() => presence(id)).toBe('online');
    const third = testServer.client(sn, key, { will: will(sn, 'three') });
    await third.connect();
    await second.closed;
    await third.publish(upTopic(sn, 'hello'), hello('three'));
    await third.publish(upTopic(sn, 'e'), event(1));
    await expect.poll(() => events(sn)).toContain('boot1-1');
    await expect.poll(() => presence(id)).toBe('online');
    third.destroy();
    await expect.poll(() => presence(id)).toBe('lost');
  });

  test('can repeat any message, and it is stored once', async () => {
    const { id, sn, key } = await testServer.addDevice('CAR2');
    const client = testServer.client(sn, key);
    await client.connect();
    await client.publish(upTopic(sn, 'hello'), hello('one'));
    const batch = JSON.stringify({
      b: 'boot1',
      seq: 1,
      t0: now() - 120,
      dt: 60,
      c: ['cpu', 'mem'],
      v: [
        [1, 2],
        [3, 4],
      ],
    });
    const status = (n: number, cpu: number) => JSON.stringify({ b: 'boot1', n, t: now(), cpu });
    for (let i = 0; i < 3; i++) {
      await client.publish(upTopic(sn, 't/load'), batch, { dup: i > 0 });
      await client.publish(upTopic(sn, 'e'), event(1), { dup: i > 0 });
    }
    await client.publish(upTopic(sn, 's'), status(2, 20));
    await client.publish(upTopic(sn, 's'), status(1, 10));
    await client.publish(upTopic(sn, 'e'), event(2));
    await expect.poll(() => events(sn)).toEqual(['boot1-1', 'boot1-2', 'online']);
    expect(await testServer.db.selectFrom('device_load').selectAll().where('device_id', '=', id).execute()).toHaveLength(2);
    const { cpu } = await testServer.db.selectFrom('device_status').select('cpu').where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(cpu).toBe(20);
  });

  test('gets sections and commands while it is connected, and pending ones when it reconnects', async () => {
    const { id, sn, key } = await testServer.addDevice('CAR3');
    const gateway = testServer.gateway(sn, { key });
    expect(await gateway.connect()).toBe(true);
    await expect.poll(() => presence(id)).toBe('online');
    await setDesired(testServer.db, id, 'wifi', { ssid: 'one' }, { now: now() });
    const ping = await sendCommand(testServer.db, id, 'diag.ping', { count: 3 }, { now: now(), ...until });
    await expect.poll(() => settledOf(id)).toEqual([{ settled: true }]);
    await expect.poll(() => stateOf(ping)).toBe(commandState.id('done'));
    gateway.stop();
    await expect.poll(() => presence(id)).toBe('stop');
    await setDesired(testServer.db, id, 'wifi', { ssid: 'two' }, { now: now() });
    await setDesired(testServer.db, id, 'wifi', { ssid: 'three' }, { now: now() });
    const later = await sendCommand(testServer.db, id, 'diag.ping', {}, { now: now(), ...until });
    expect(await stateOf(later)).toBe(commandState.id('queued'));
    expect(await gateway.connect()).toBe(true);
    await expect.poll(() => stateOf(later)).toBe(commandState.id('done'));
    await expect.poll(() => gateway.sections.get('wifi')).toMatchObject({ rev: 3, doc: { ssid: 'three' } });
    await expect.poll(() => settledOf(id)).toEqual([{ settled: true }]);
  });

  test('cannot publish or subscribe on topics of another gateway, and needs its key', async () => {
    const { sn, key } = await testServer.addDevice('CAR4');
    const victim = await testServer.addDevice('CAR5');
    const received: string[] = [];
    const client = testServer.client(sn, key, { onMessage: (topic) => received.push(topic) });
    await client.connect();
    for (const filter of ['gw/1/+/dn/#', downTopic(victim.sn, '#')]) await client.subscribe(filter);
    const own = testServer.client(victim.sn, victim.key, { onMessage: (topic) => received.push(`victim ${topic}`) });
    await own.connect();
    await own.subscribe(downTopic(victim.sn, '#'));
    await own.publish(upTopic(victim.sn, 'hello'), hello('one'));
    expect(await client.publish(upTopic(victim.sn, 'e'), event(1))).toBe(0x87);
    expect(await client.publish(downTopic(victim.sn, 'c/sys.reboot'), '{}')).toBe(0x87);
    await sendCommand(testServer.db, victim.id, 'diag.ping', {}, { now: now(), ...until });
    await expect.poll(() => received).toContain(`victim ${downTopic(victim.sn, 'c/diag.ping')}`);
    expect(received.filter((topic) => !topic.startsWith('victim'))).toEqual([]);
    // It cannot replace the other gateway by using its client id.
    await testServer.client(sn, key, { clientId: victim.sn }).connect();
    await own.publish(upTopic(victim.sn, 'e'), event(2));
    await expect.poll(() => events(victim.sn)).toEqual(['boot1-2', 'online']);
    for (const [name, password] of [
      [sn, victim.key],
      [sn, 'wrong'],
      ['NOBODY', key],
    ] as const)
      expect((await testServer.client(name, password).connect()).reasonCode).toBeGreaterThanOrEqual(0x80);
  });

  test.each([
    ['the console', () => testServer.restartConsole()],
    ['the transport', () => testServer.restartTransport()],
  ])('loses and duplicates no messages when %s is restarted', { tags: 'all' }, async (name, restart) => {
    const prefix = name === 'the console' ? 'CON' : 'MID';
    const made = new Set<string>();
    let rows = 0;
    const devices = await Promise.all(Array.from({ length: 8 }, (_, i) => testServer.addDevice(`${prefix}${i}`)));
    const gateways = devices.map(({ sn, key }) =>
      testServer.gateway(sn, {
        key,
        faults: { ...noFaults(), duplicate: 0.2, reorder: 0.3 },
        produced: (what) => {
          if ('event' in what) made.add(`${sn} ${what.event}`);
          else if (what.stream === 'load') rows += what.rows;
        },
      }),
    );
    const connectClient = async () => {
      for (const g of gateways) g.current = '6d';
      return (await Promise.all(gateways.map((g) => g.connect()))).every(Boolean);
    };
    const live = (from: number, steps: number) => {
      for (let i = from; i < from + steps; i++)
        for (const g of gateways) {
          g.step(now() + i * 60);
          g.event('fence', { fence: 'harbour', in: i % 2 === 0 });
        }
    };
    await expect.poll(connectClient).toBe(true);
    const commands = await Promise.all(devices.map(({ id }) => sendCommand(testServer.db, id, 'diag.ping', {}, { now: now(), ...until })));
    live(0, 10);
    const restarting = restart();
    live(10, 5);
    await restarting;
    live(15, 5);
    for (const { id } of devices) await setDesired(testServer.db, id, 'wifi', { ssid: 'back' }, { now: now() });
    await expect
      .poll(async () => {
        await connectClient();
        return gateways.reduce((sum, g) => sum + g.outgoing.length, 0);
      })
      .toBe(0);
    const stored = async () => {
      const found = await testServer.db
        .selectFrom('device_event')
        .select(sql<string>`sn || ' ' || id`.as('name'))
        .where('sn', 'like', `${prefix}%`)
        .where('kind', 'not in', ['online', 'offline'])
        .execute();
      return found.map((f) => f.name).sort();
    };
    await expect.poll(stored).toEqual([...made].sort());
    const loads = async () => {
      const { n } = await testServer.db
        .selectFrom('device_load')
        .innerJoin('device', 'device.id', 'device_load.device_id')
        .select(sql<number>`count(*)::int`.as('n'))
        .where('device.sn', 'like', `${prefix}%`)
        .executeTakeFirstOrThrow();
      return n;
    };
    // A broker acknowledges before the console has stored the message.
    await expect.poll(loads).toBe(rows);
    for (const { id } of devices) {
      await expect.poll(() => presence(id)).toBe('online');
      await expect.poll(() => settledOf(id)).toEqual([{ settled: true }]);
    }
    for (const id of commands) await expect.poll(() => stateOf(id)).toBe(commandState.id('done'));
    for (const g of gateways) g.stop();
  });

  /** Retries until the transport accepts the key. */
  const entersWith = (gateway: Gateway, key: string) =>
    expect
      .poll(async () => {
        await testServer.learnsKeys();
        return (await gateway.connect()) && gateway.keys.all;
      })
      .toEqual([key]);
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${web}/gateway/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return reply.status;
  };

  test('is bound by its merchant code over HTTP, and connects with the key from the reply', async () => {
    const stranger = testServer.gateway('WEB1', { code: 'none-such', console: web });
    expect([await stranger.connect(), stranger.connection.binding]).toEqual([false, 2]);
    const gateway = testServer.gateway('WEB1', { code: 'platform', console: web });
    await expect.poll(() => testServer.learnsKeys().then(() => gateway.connect())).toBe(true);
    const device = await testServer.db.selectFrom('device').selectAll().where('sn', '=', 'WEB1').executeTakeFirstOrThrow();
    expect([device.agent_id, device.status]).toEqual([testServer.platformId, 0]);
    await expect.poll(() => presence(device.id)).toBe('online');
    expect(await post('enrol', { sn: 'no such/sn', hw: 'hw-1' })).toBe(400);
    expect(await post('enrol', { sn: 'WEB1' })).toBe(400);
  });

  test('confirms a new key over HTTP, which is accepted, pending or refused', async () => {
    const { id, sn, key } = await testServer.addDevice('WEB2');
    const gateway = testServer.gateway(sn, { key, console: web });
    await gateway.connect();
    await expect.poll(() => presence(id)).toBe('online');
    const next = newKey();
    const changed = await sendCommand(testServer.db, id, 'key.set', { key: next }, { now: now(), ...until });
    await expect.poll(() => stateOf(changed)).toBe(commandState.id('done'));
    await entersWith(gateway, next);
    expect([await post('key', { sn, key: next }), await post('key', { sn, key })]).toEqual([204, 401]);
    expect(await post('key', { sn: 'NOBODY', key })).toBe(401);
    // A key that the gateway has received, but whose reply is not stored yet.
    const away = await testServer.addDevice('WEB4');
    await sendCommand(testServer.db, away.id, 'key.set', { key: next }, { now: now(), ...until });
    expect(await post('key', { sn: away.sn, key: next })).toBe(202);
    await testServer.db.updateTable('device').set({ auth_status: 'suspended' }).where('id', '=', id).execute();
    expect(await post('key', { sn, key: next })).toBe(403);
  });

  test('is transferred when it confirms its new key', async () => {
    const { id, sn, key } = await testServer.addDevice('WEB3');
    const gateway = testServer.gateway(sn, { key, console: web });
    await gateway.connect();
    await expect.poll(() => presence(id)).toBe('online');
    const other = await addVno(testServer.db, testServer.platformId);
    const next = newKey();
    const command_id = await sendCommand(testServer.db, id, 'vno.transfer', { code: 'OTHER', key: next }, { now: now(), ...until });
    const deal = {
      device_id: id,
      sn,
      from_agent_id: testServer.platformId,
      to_agent_id: other,
      keep_users: true,
      operator: '-',
      create_at: now(),
    };
    await testServer.db
      .insertInto('device_transfer')
      .values({ ...deal, command_id, ...until })
      .execute();
    await testServer.db
      .updateTable('device')
      .set({ next_key_hash: hashToken(next) })
      .where('id', '=', id)
      .execute();
    await expect.poll(async () => (await testServer.device(id)).agent_id).toBe(other);
    await entersWith(gateway, next);
    expect(await testServer.client(sn, key).connect()).toMatchObject({ reasonCode: expect.toSatisfy((code) => code >= 0x80) });
  });
});
