import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { closeLogRows } from '../../orders/close-log-rows.ts';
import { sendCommand } from '../../orders/command.ts';
import { sweepField } from '../sweep.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

/** A gateway that sends what the test defines. */
const speaker = async (sn: string) => {
  const { id, key } = await testServer.addDevice(sn);
  const client = testServer.client(sn, key);
  await client.connect();
  let n = 0;
  let events = 0;
  const send = (tail: string, body: object) => client.publish(upTopic(sn, tail), JSON.stringify(body));
  return {
    id,
    send,
    status: (more: object) => send('s', { b: 'boot1', n: ++n, t: testServer.clock.now(), ...more }),
    event: (k: string, more: object) => send('e', { id: `boot1-${++events}`, k, t: testServer.clock.now(), ...more }),
    reply: (command: string, result: object) => send(`r/${command}`, result),
  };
};

const linkLines = (id: number) =>
  testServer.db
    .selectFrom('wan_link_log')
    .select(['link', 'network', 'link_state', 'state_before', 'ip', 'quality', 'rtt', 'duration', 'create_at'])
    .where('device_id', '=', id)
    .orderBy('create_at')
    .orderBy('id')
    .execute();
const changes = (id: number) => testServer.db.selectFrom('wan_change').selectAll().where('device_id', '=', id).orderBy('id').execute();
const apLines = async (id: number) =>
  (
    await testServer.db
      .selectFrom('ap_link_log')
      .select(['ap_name', 'ap_mac', 'ap_state', 'create_at', 'duration'])
      .where('device_id', '=', id)
      .orderBy('ap_name')
      .orderBy('create_at')
      .orderBy('id')
      .execute()
  ).map((row) => [row.ap_name, row.ap_state, row.create_at, row.duration]);

const runCommand = async (device: number, op: 'link.lock' | 'link.switch' | 'docker.info' | 'docker.ctl', args: Record<string, string>) => {
  const now = testServer.clock.now();
  return sendCommand(testServer.db, device, op, args, { now, deadline: now + 600, by: { uid: 7, name: '王船长' } });
};

describe('the WAN link log', () => {
  it('has a row when a link is first seen and when it changes, with the duration of each state', async () => {
    const gw = await speaker('LINK1');
    const t0 = testServer.clock.now();
    const on6d = { i: '6d', s: 1, r: 620, q: 91, ip: '10.9.0.5' };
    const offLte = { i: 'lte', s: 0 };
    await gw.status({ full: true, l: [on6d, offLte], cur: '6d' });
    await gw.status({ l: [{ ...on6d, r: 640, u: 5, d: 9 }] });
    await gw.status({ cpu: 3 });
    expect(await linkLines(gw.id)).toEqual([
      {
        link: '6d',
        network: '6d',
        link_state: 'on',
        state_before: null,
        ip: '10.9.0.5',
        quality: 91,
        rtt: 620,
        duration: null,
        create_at: t0,
      },
      {
        link: 'lte',
        network: 'lte',
        link_state: 'off',
        state_before: null,
        ip: null,
        quality: null,
        rtt: null,
        duration: null,
        create_at: t0,
      },
    ]);
    testServer.clock.advance(60);
    await gw.status({ l: [{ i: '6d', s: 2, q: 12 }] });
    testServer.clock.advance(30);
    await gw.status({ full: true, l: [on6d, offLte] });
    expect((await linkLines(gw.id)).map((l) => [l.link, l.link_state, l.state_before, l.create_at - t0, l.duration])).toEqual([
      ['6d', 'on', null, 0, 60],
      ['lte', 'off', null, 0, null],
      ['6d', 'abnormal', 'on', 60, 30],
      ['6d', 'on', 'abnormal', 90, null],
    ]);
  });

  it('has no row for a new boot without changes, and one "off" row for a link missing in a full status', async () => {
    const gw = await speaker('LINK2');
    const t0 = testServer.clock.now();
    const l = [
      { i: '6d', s: 1 },
      { i: 'lte2', s: 1 },
    ];
    await gw.status({ full: true, l });
    await gw.send('s', { b: 'boot2', n: 1, t: t0, full: true, l });
    expect(await linkLines(gw.id)).toHaveLength(2);
    testServer.clock.advance(10);
    for (const n of [2, 3]) await gw.send('s', { b: 'boot2', n, t: testServer.clock.now(), full: true, l: l.slice(0, 1) });
    await gw.send('s', { b: 'boot2', n: 4, t: testServer.clock.now(), l: [{ i: 'lte2', s: 1 }] });
    expect((await linkLines(gw.id)).map((r) => [r.link, r.link_state, r.state_before, r.duration])).toEqual([
      ['6d', 'on', null, null],
      ['lte2', 'on', null, 10],
      ['lte2', 'off', 'on', 0],
      ['lte2', 'on', 'off', null],
    ]);
  });

  it('continues after the stored status of the gateway was lost', async () => {
    const gw = await speaker('LINK4');
    await gw.status({
      full: true,
      l: [
        { i: '6d', s: 1 },
        { i: 'lte', s: 1 },
      ],
    });
    await testServer.db.deleteFrom('device_status').where('device_id', '=', gw.id).execute();
    testServer.clock.advance(10);
    await gw.status({
      full: true,
      l: [
        { i: '6d', s: 1 },
        { i: 'lte', s: 0 },
      ],
    });
    expect((await linkLines(gw.id)).map((r) => [r.link, r.link_state, r.state_before, r.duration])).toEqual([
      ['6d', 'on', null, null],
      ['lte', 'on', null, 10],
      ['lte', 'off', 'on', null],
    ]);
  });

  it('ignores repeated and late statuses, and has each change within one commit', async () => {
    const gw = await speaker('LINK3');
    const t = testServer.clock.now();
    const reported = (n: number, s: number) => gw.send('s', { b: 'boot1', n, t: t + n, l: [{ i: 'low_orbit', s }] });
    await Promise.all([reported(1, 1), reported(2, 0), reported(2, 0), reported(3, 1), reported(2, 0), reported(4, 2)]);
    await reported(3, 0);
    expect((await linkLines(gw.id)).map((r) => [r.link_state, r.create_at - t, r.duration])).toEqual([
      ['on', 1, 1],
      ['off', 2, 1],
      ['on', 3, 1],
      ['abnormal', 4, null],
    ]);
  });
});

describe('link switches', () => {
  it('are reported by the gateway with reason and mode, stored once', async () => {
    const gw = await speaker('SWITCH1');
    const t = testServer.clock.now();
    const reported = { id: 'boot1-1', k: 'link', t, from: '6d', to: 'lte2', why: 'rain', mode: 'roaming' };
    await Promise.all([gw.send('e', reported), gw.send('e', reported)]);
    await gw.send('e', reported);
    await gw.send('e', { id: 'boot1-2', k: 'link', t: t + 5, from: 'lte2', to: 'none', why: 'a rope in the screw' });
    expect(await changes(gw.id)).toMatchObject([
      {
        sn: 'SWITCH1',
        agent_id: testServer.platformId,
        source: 'wan',
        from_link: '6d',
        to_link: 'lte2',
        network: 'lte',
        link_state: 'on',
        change_mode: 'roaming',
        link_lock: null,
        reason: 'rain',
        result: null,
        operator: null,
        create_at: t,
      },
      { from_link: 'lte2', to_link: null, network: 'unknown', link_state: 'off', change_mode: 'default', reason: 'a rope in the screw' },
    ]);
  });

  it('have operator, reason and result if the platform requested them', async () => {
    const gw = await speaker('SWITCH2');
    await gw.status({ full: true, l: [{ i: '6d', s: 1 }], cur: '6d' });
    const done = await runCommand(gw.id, 'link.lock', { lock: 'second_satellite', mode: 'backup' });
    await gw.reply(done, { st: 'ack' });
    expect(await changes(gw.id)).toEqual([]);
    for (const _ of [1, 2]) await gw.reply(done, { st: 'done', out: { link: 'low_orbit' } });
    const refused = await runCommand(gw.id, 'link.switch', { link: 'lte' });
    await gw.reply(refused, { st: 'fail', err: 'no such link' });
    await runCommand(gw.id, 'link.lock', { lock: 'unlocked' });
    await sweepField(testServer.deps.pool, testServer.clock.now() + 601);
    const by = { source: 'send', from_link: '6d', operator: '王船长' };
    expect(await changes(gw.id)).toMatchObject([
      {
        ...by,
        to_link: 'low_orbit',
        network: 'low_orbit',
        link_state: 'on',
        change_mode: 'backup',
        link_lock: 'second_satellite',
        reason: 'lock',
        result: 'success',
      },
      { ...by, to_link: 'lte', network: 'lte', link_state: null, reason: 'no such link', result: 'fail' },
      { ...by, to_link: null, link_lock: 'unlocked', reason: 'no answer', result: 'fail' },
    ]);
  });
});

describe('fences', () => {
  it('have a log of entry and exit, and the device has the state of its own fence', async () => {
    const gw = await speaker('FENCE1');
    await testServer.db.updateTable('device').set({ fence: '渤海', network: 'lte' }).where('id', '=', gw.id).execute();
    await gw.event('fence', { fence: '渤海', in: true, lat: 38.51234567, lon: 119.5, act: 'fence' });
    testServer.clock.advance(10);
    await gw.event('fence', { fence: '港口', in: false });
    const rows = await testServer.db.selectFrom('fence_change').selectAll().where('device_id', '=', gw.id).orderBy('id').execute();
    expect(rows).toMatchObject([
      { fence_name: '渤海', fence_state: 'in', latitude: 38.51234567, longitude: 119.5, action: 'fence', network: 'lte' },
      { fence_name: '港口', fence_state: 'out', latitude: null, longitude: null, action: null },
    ]);
    expect(await testServer.device(gw.id)).toMatchObject({ fence_state: 'in', fence_at: testServer.clock.now() - 10 });
    await gw.send('e', { id: 'boot1-9', k: 'fence', t: testServer.clock.now() - 20, fence: '渤海', in: false });
    expect(await testServer.device(gw.id)).toMatchObject({ fence_state: 'in' });
  });
});

describe('access points', () => {
  const mac = (n: number) => `AA:00:00:00:00:0${n}`;

  it('have alternating up and offline rows, from statuses and events', async () => {
    const gw = await speaker('AP1');
    const t = testServer.clock.now();
    await gw.status({
      full: true,
      ap: [
        ['bridge', 1, 4, mac(1)],
        ['mess', 0, 0, mac(2)],
      ],
    });
    await gw.status({
      ap: [
        ['bridge', 1, 6, mac(1)],
        ['mess', 0, 0, mac(2)],
      ],
    });
    testServer.clock.advance(20);
    await gw.event('ap', { ap: 'bridge', s: 0, mac: mac(1), ip: '192.168.1.11' });
    await gw.status({
      ap: [
        ['bridge', 0, 0, mac(1)],
        ['mess', 0, 0, mac(2)],
      ],
    });
    testServer.clock.advance(20);
    // Identified only by its name.
    await gw.event('ap', { ap: 'mess', s: 1 });
    await gw.event('ap', { ap: 'buoy', s: 1 });
    testServer.clock.advance(20);
    await gw.status({ ap: [['bridge', 1, 2, mac(1)]] });
    expect(await apLines(gw.id)).toEqual([
      ['bridge', 'up', t, 20],
      ['bridge', 'offline', t + 20, 40],
      ['bridge', 'up', t + 60, null],
      ['buoy', 'up', t + 40, null],
      ['mess', 'offline', t, 40],
      ['mess', 'up', t + 40, 20],
      ['mess', 'offline', t + 60, null],
    ]);
    const now = await testServer.db.selectFrom('ap').selectAll().where('device_id', '=', gw.id).orderBy('name').execute();
    expect(now).toMatchObject([
      { mac: mac(1).toLowerCase(), name: 'bridge', ip: '192.168.1.11', state: 'up', stations: 2, at: t + 60 },
      { mac: mac(2).toLowerCase(), name: 'mess', state: 'offline', stations: 0 },
    ]);
  });

  it('have the same history for any order of reports', async () => {
    const states = [0, 1, 0, 1, 0];
    for (const [i, order] of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [1, 3, 0, 4, 2],
      [3, 4, 1, 2, 0],
    ].entries()) {
      const gw = await speaker(`AP-ORDER${i}`);
      const t = testServer.clock.now();
      testServer.clock.advance(100);
      await gw.send('s', { b: 'boot1', n: 1, t, full: true, ap: [['deck', 1, 1, mac(3)]] });
      for (const n of order) await gw.send('e', { id: `boot1-${n}`, k: 'ap', t: t + 10 * (n + 1), ap: 'deck', s: states[n], mac: mac(3) });
      expect(await apLines(gw.id)).toEqual([
        ['deck', 'up', t, 10],
        ['deck', 'offline', t + 10, 10],
        ['deck', 'up', t + 20, 10],
        ['deck', 'offline', t + 30, 10],
        ['deck', 'up', t + 40, 10],
        ['deck', 'offline', t + 50, null],
      ]);
    }
  });
});

describe('containers', () => {
  const log = (id: number) => testServer.db.selectFrom('docker_log').selectAll().where('device_id', '=', id).orderBy('id').execute();
  const containersOf = async (id: number) =>
    (
      await testServer.db.selectFrom('device_container').select(['name', 'status']).where('device_id', '=', id).orderBy('name').execute()
    ).map((c) => [c.name, c.status]);

  it('have a log of their changes', async () => {
    const gw = await speaker('DOCKER1');
    await testServer.db.updateTable('device').set({ docker_status: 1 }).where('id', '=', gw.id).execute();
    await gw.event('docker', { name: 'portal', st: 1, img: 'farlink/portal:2', act: 'install', ok: true, cpu: 4, mem: 1024, log: 'ready' });
    await gw.event('docker', { name: 'mail', st: 2, act: 'restart', ok: false, log: 'panic' });
    expect(await log(gw.id)).toMatchObject([
      {
        sn: 'DOCKER1',
        container: 'portal',
        image: 'farlink/portal:2',
        docker_status: 1,
        action: 'install',
        cpu: 4,
        memory: 1024,
        content: 'ready',
        result: 'success',
        operator: null,
      },
      { container: 'mail', image: null, docker_status: 2, action: 'restart', content: 'panic', result: 'fail' },
    ]);
    expect(await containersOf(gw.id)).toEqual([
      ['mail', 2],
      ['portal', 1],
    ]);
    expect((await testServer.device(gw.id)).docker_status).toBe(2);
    await gw.event('docker', { name: 'mail', st: 3, act: 'uninstall', ok: true });
    expect(await containersOf(gw.id)).toEqual([['portal', 1]]);
  });

  it('are reported on request: all, one, or none', async () => {
    const gw = await speaker('DOCKER2');
    await testServer.db.updateTable('device').set({ docker_status: 2 }).where('id', '=', gw.id).execute();
    const all = await runCommand(gw.id, 'docker.info', {});
    const containers = [
      { name: 'portal', image: 'p:1', st: 1, cpu: 3, mem: 2048, log: 'listening' },
      { name: 'dpi', st: 3, log: 'stopped' },
    ];
    for (const _ of [1, 2]) await gw.reply(all, { st: 'done', out: { containers } });
    expect(await log(gw.id)).toMatchObject([
      { container: 'portal', image: 'p:1', docker_status: 1, action: null, cpu: 3, memory: 2048, content: 'listening', operator: '王船长' },
      { container: 'dpi', docker_status: 3, content: 'stopped', result: 'success' },
    ]);
    expect((await testServer.device(gw.id)).docker_status).toBe(1);
    const one = await runCommand(gw.id, 'docker.info', { container: 'dpi' });
    await gw.reply(one, { st: 'done', out: { containers: [{ name: 'dpi', st: 2 }] } });
    expect(await containersOf(gw.id)).toEqual([
      ['dpi', 2],
      ['portal', 1],
    ]);
    const none = await runCommand(gw.id, 'docker.info', {});
    await gw.reply(none, { st: 'done', out: { containers: [] } });
    expect(await containersOf(gw.id)).toEqual([]);
    expect((await testServer.device(gw.id)).docker_status).toBe(4);
    expect((await log(gw.id)).at(-1)).toMatchObject({ container: null, content: 'no containers', result: 'success' });
  });

  it('execute commands, and the operator is recorded', async () => {
    const gw = await speaker('DOCKER4');
    const order = (act: string) => runCommand(gw.id, 'docker.ctl', { container: 'portal', act });
    const containers = [{ name: 'portal', image: 'p:1', st: 1, log: 'ready' }];
    await gw.reply(await order('restart'), { st: 'done', out: { containers } });
    await gw.reply(await order('stop'), { st: 'fail', err: 'is busy' });
    expect(await containersOf(gw.id)).toEqual([['portal', 1]]);
    await gw.reply(await order('uninstall'), { st: 'done', out: { containers: [] } });
    expect(await containersOf(gw.id)).toEqual([]);
    expect((await log(gw.id)).map((l) => [l.container, l.action, l.content, l.result, l.operator])).toEqual([
      ['portal', 'restart', 'ready', 'success', '王船长'],
      ['portal', 'stop', 'is busy', 'fail', '王船长'],
      ['portal', 'uninstall', null, 'success', '王船长'],
    ]);
  });

  it('have a log row with the reason if they cannot be reported', async () => {
    const gw = await speaker('DOCKER3');
    const refused = await runCommand(gw.id, 'docker.info', { container: 'ghost' });
    await gw.reply(refused, { st: 'fail', err: 'no such container' });
    const odd = await runCommand(gw.id, 'docker.info', {});
    await gw.reply(odd, { st: 'done', out: { containers: 'many' } });
    await runCommand(gw.id, 'docker.info', {});
    await sweepField(testServer.deps.pool, testServer.clock.now() + 601);
    expect((await log(gw.id)).map((l) => [l.container, l.content, l.result])).toEqual([
      ['ghost', 'no such container', 'fail'],
      [null, 'unreadable', 'fail'],
      [null, 'no answer', 'fail'],
    ]);
  });
});

describe('a device with a new owner', () => {
  it('keeps the ended rows of the previous owner, and starts new ones', async () => {
    const gw = await speaker('GIVEN');
    const t = testServer.clock.now();
    const reported = { full: true, l: [{ i: '6d', s: 1 }], ap: [['deck', 1, 2, '02:00:00:00:00:07']] };
    await gw.status(reported);
    testServer.clock.advance(100);
    await closeLogRows(testServer.db, gw.id, testServer.clock.now());
    testServer.clock.advance(50);
    await gw.status(reported);
    expect((await linkLines(gw.id)).map((r) => [r.link_state, r.state_before, r.create_at - t, r.duration])).toEqual([
      ['on', null, 0, 100],
      ['on', null, 150, null],
    ]);
    expect(await apLines(gw.id)).toEqual([
      ['deck', 'up', t, 100],
      ['deck', 'up', t + 150, null],
    ]);
  });
});

describe('gateways on bad links', () => {
  it('have each log row exactly once', { tags: 'all' }, async () => {
    const made = new Map<string, Set<string>>();
    const fleet = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const { id, sn, key } = await testServer.addDevice(`BAD${i}`);
        const events = new Set<string>();
        made.set(sn, events);
        const faults = { ...noFaults(), duplicate: 0.4, reorder: 0.4, cut: 0.05 };
        const gateway = testServer.gateway(sn, { key, seed: i + 3, faults, produced: (what) => 'event' in what && events.add(what.event) });
        return { id, sn, gateway };
      }),
    );
    for (let step = 0; step < 120; step++) {
      testServer.clock.advance(60);
      for (const { gateway } of fleet) {
        await gateway.connect();
        gateway.step(testServer.clock.now());
        if (step % 9 === 8) {
          const { lanSide } = gateway.world;
          lanSide.setAp('ap1', lanSide.aps[0]?.s === 0);
          gateway.event('link', { from: '6d', to: 'lte', why: 'rain' });
        }
      }
      await new Promise(setImmediate);
    }
    for (const { gateway } of fleet) gateway.faults.cut = 0;
    const arrived = async () => {
      for (const { gateway } of fleet) {
        await gateway.connect();
        gateway.step(testServer.clock.now());
      }
      return fleet.every(({ gateway }) => gateway.outgoing.length === 0 && gateway.inFlight === 0);
    };
    await expect.poll(arrived).toBe(true);

    for (const { id, sn } of fleet) {
      const kinds = await testServer.db
        .selectFrom('device_event')
        .select(['kind', sql<number>`count(*)`.as('n')])
        .where('device_id', '=', id)
        .where('kind', 'not in', ['online', 'offline'])
        .groupBy('kind')
        .execute();
      const count = (kind: string) => kinds.find((k) => k.kind === kind)?.n ?? 0;
      expect(
        kinds.reduce((sum, k) => sum + k.n, 0),
        sn,
      ).toBe(made.get(sn)?.size);
      expect(
        (await changes(id)).filter((c) => c.source === 'wan'),
        sn,
      ).toHaveLength(count('link'));
      const reported = await testServer.db
        .selectFrom('device_event')
        .select(['at', sql<string>`doc ->> 'ap'`.as('ap'), sql<string>`doc ->> 's'`.as('s')])
        .where('device_id', '=', id)
        .where('kind', '=', 'ap')
        .orderBy('at')
        .orderBy(sql`length(id), id`)
        .execute();
      expect(reported.length).toBeGreaterThan(10);
      // The first row of each access point is its first sample.
      for (const [name, [first, ...turns]] of Map.groupBy(await apLines(id), ([ap]) => ap)) {
        expect(first?.slice(0, 2)).toEqual([name, 'up']);
        const events = reported.filter((e) => e.ap === name);
        expect(turns.map(([, state, at]) => [state, at])).toEqual(events.map((e) => [e.s === '1' ? 'up' : 'offline', e.at]));
      }
      for (const line of Map.groupBy(await linkLines(id), (l) => l.link).values())
        for (const [i, { create_at, duration, link_state }] of line.entries()) {
          const next = line[i + 1];
          expect(duration).toBe(next ? next.create_at - create_at : null);
          expect(next?.link_state).not.toBe(link_state);
        }
    }
  });
});
