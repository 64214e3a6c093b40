import { commandOp } from '@farlink/contract/device/command.ts';
import { deviceAccountCalls } from '@farlink/contract/device/device-account.ts';
import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import { videoCalls } from '@farlink/contract/device/video.ts';
import { errors } from '@farlink/contract/errors.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { operations } from '@farlink/gateway/protocol/command.ts';
import { Gateway } from '@farlink/simulator/gateway.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../../test/api.ts';
import { subscriberRow } from '../../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { type Endpoint, openEndpoint } from '../../../field/endpoint/endpoint.ts';
import { sendCommand } from '../../../orders/command.ts';
import { keyColumns, newKey } from '../../../orders/device-key.ts';
import { slotsOf } from './slots.ts';

let api: Api;
let endpoint: Endpoint;
let east: Caller;
let west: Caller;
let eastId: number;
let ship: Awaited<ReturnType<typeof makeShip>>;
const gateways: Gateway[] = [];
let n = 0;

/** A device of VNO east, with its gateway. */
const makeShip = async (agent_id = eastId) => {
  const sn = `SHIP-${++n}`;
  const key = newKey();
  const { id } = await api.db
    .insertInto('device')
    .values({ agent_id, name: `Ship ${n}`, sn, create_at: 1, ...keyColumns(key) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const gateway = new Gateway({ sn, key, seed: 1, host: '127.0.0.1', port: endpoint.port, realMs: () => api.clock.now() * 1000 });
  gateways.push(gateway);
  return { id, sn, gateway };
};
const connect = async ({ id, gateway }: { id: number; gateway: Gateway }) => {
  expect(await gateway.connect()).toBe(true);
  await expect.poll(async () => (await east.call(calls.read, { id })).data?.online_state).toBe(1);
};
const makeAccount = async (account: string) =>
  (
    await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: eastId, account }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

beforeAll(async () => {
  api = await startApi();
  ({ east, west, eastId } = await makeBranches(api));
  endpoint = await openEndpoint(api.deps, { port: 0, host: '127.0.0.1' });
  ship = await makeShip();
  expect(await ship.gateway.connect()).toBe(true);
});
afterAll(async () => {
  for (const gateway of gateways) gateway.stop(false);
  await endpoint.close();
  await api.close();
});

describe('the page of a device', () => {
  it('shows the record, and the links, ports, access points and position that its gateway reported', async () => {
    const { id, gateway } = ship;
    gateway.step(api.clock.now());
    await expect.poll(async () => (await east.call(calls.now, { id })).data.links.length).toBeGreaterThan(0);
    const { data: now } = await east.call(calls.now, { id });
    const { data: record } = await east.call(calls.read, { id });
    expect(record).toMatchObject({ id, name: 'Ship 1', sn: ship.sn, online_state: 1, revision: 1, version: gateway.firmware.version });
    expect(record).not.toHaveProperty('key_hash');
    expect(now.links.filter((l) => l.is_current)).toHaveLength(1);
    for (const link of now.links)
      expect(link).toMatchObject({ color: expect.stringMatching(/^#[0-9A-F]{6}$/i), state: expect.stringMatching(/^(on|off|abnormal)$/) });
    expect(now.lan.length).toBeGreaterThan(0);
    expect(now.aps.every((ap) => ap.name !== '' && ap.stations >= 0)).toBe(true);
    expect(Math.abs(now.position?.lat ?? 99)).toBeLessThanOrEqual(90);
    expect(now).toMatchObject({ seen_at: api.clock.now(), cpu: expect.any(Number), memory: expect.any(Number) });
  });

  it('of an offline gateway shows no link as connected, and no users online', async () => {
    const gone = await makeShip();
    await connect(gone);
    gone.gateway.step(api.clock.now());
    await expect.poll(async () => (await east.call(calls.now, { id: gone.id })).data.links.length).toBeGreaterThan(0);
    gone.gateway.stop();
    await expect.poll(async () => (await east.call(calls.read, { id: gone.id })).data.online_state).toBe(0);
    const { data } = await east.call(calls.now, { id: gone.id });
    expect(data.links.every((l) => l.state === 'off' && !l.is_current)).toBe(true);
    expect(data).toMatchObject({ lan: [], cpu: null, online_users: null, offline_reason: 'stop' });
    expect(data.position).not.toBeNull();
  });

  it('of another branch is not found, for any call', async () => {
    const { id } = ship;
    const replies = [
      await west.call(calls.read, { id }),
      await west.call(calls.now, { id }),
      await west.call(calls.track, { id }),
      await west.call(calls.history, { id }),
      await west.call(calls.commands, { id }),
      await west.call(calls.log, { id }),
      await west.call(loadCalls.series, { device_id: id }),
      await west.call(loadCalls.interval, { device_id: id }),
      await west.call(loadCalls.setInterval, { device_id: id, interval: 30 }),
      await west.call(videoCalls.read, { device_id: id }),
      await west.call(videoCalls.set, { device_id: id, enable: 1 }),
      await west.call(onlineUserCalls.list, { device_id: id }),
      await west.call(deviceAccountCalls.list, { device_id: id }),
    ];
    expect(replies.map((a) => a.code)).toEqual(replies.map(() => errors.not_found.code));
    expect((await west.call(onlineUserCalls.kick, { ids: [1] })).data).toMatchObject({ success: 0, fail: 1 });
  });
});

describe('load', () => {
  const fill = (id: number, from: number, to: number, step: number) =>
    sql`insert into device_load (device_id, at, cpu, memory, disk, session_count, temperature)
      select ${id}, t, 10 + (t / ${step}) % 5, 50, 30, 7, 40 from generate_series(${from}::bigint, ${to}::bigint, ${step}::bigint) t`.execute(
      api.db,
    );

  it('shows every sample of a short period, and at most 501 points over the whole range of a long period', async () => {
    const { id } = await makeShip();
    const now = api.clock.now();
    await fill(id, now - 40 * 86_400, now, 300);
    const hour = (await east.call(loadCalls.series, { device_id: id, start_at: now - 3600, end_at: now })).data;
    expect(hour.list).toHaveLength(13);
    expect(hour.list[0]).toMatchObject({ time: now - 3600, memory: 50, disk: 30, session_count: 7, temperature: 40 });
    const month = (await east.call(loadCalls.series, { device_id: id, start_at: now - 30 * 86_400, end_at: now })).data;
    expect(month.list.length).toBeLessThanOrEqual(501);
    expect(month.list.length).toBeGreaterThan(400);
    expect(month.list[0]?.time).toBeLessThan(now - 30 * 86_400 + month.step);
    expect(month.list.at(-1)?.time).toBeGreaterThan(now - 2 * month.step);
    expect(month.list.every((p) => p.cpu_max >= p.cpu && p.cpu >= 10 && p.cpu_max <= 14)).toBe(true);
    const day = (await east.call(loadCalls.series, { device_id: id })).data;
    expect(day.start_at).toBe(now - 86_400);
    expect((await east.call(loadCalls.series, { device_id: id, start_at: now, end_at: now - 1 })).data).toHaveProperty('fields.end_at');
    expect((await east.call(loadCalls.series, { device_id: id, start_at: now - 500 * 86_400, end_at: now })).data).toHaveProperty(
      'fields.end_at',
    );
  });

  it('has a limited number of slots for a day and for a year, and reads one sample per slot by index', async () => {
    for (const days of [1, 7, 30, 366]) {
      const { slot, step } = slotsOf(0, days * 86_400);
      expect((days * 86_400) / slot).toBeLessThanOrEqual(8640);
      expect((days * 86_400) / step).toBeLessThanOrEqual(500);
      expect(step % slot).toBe(0);
    }
    await sql`analyze device_load`.execute(api.db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from generate_series(0::bigint, 100000::bigint, 100::bigint) as s(at) cross join lateral (
        select * from device_load l where l.device_id = 1 and l.at >= s.at and l.at < s.at + 100 order by l.at desc limit 1) l`.execute(
      api.db,
    );
    expect(rows.map((r) => r['QUERY PLAN']).join('\n')).toContain('Index Scan using device_load_');
  });

  it('has an interval that is sent to the gateway, with the state pending, applied, drifted or failed', async () => {
    const { id, gateway } = await makeShip();
    const shadow = async () => (await east.call(loadCalls.interval, { device_id: id })).data;
    expect(await shadow()).toMatchObject({ interval: 60, shadow: { state: 'none', waits: null } });
    expect((await east.call(loadCalls.setInterval, { device_id: id, interval: 9 })).data).toHaveProperty('fields.interval');
    expect((await east.call(loadCalls.setInterval, { device_id: id, interval: 3601 })).data).toHaveProperty('fields.interval');
    expect((await east.call(loadCalls.setInterval, { device_id: id, interval: 60 })).code).toBe(errors.unchanged.code);
    expect((await east.call(loadCalls.setInterval, { device_id: id, interval: 30 })).code).toBe(0);
    expect(await shadow()).toMatchObject({ interval: 30, shadow: { state: 'pending', waits: 'offline' } });
    await connect({ id, gateway });
    await expect.poll(async () => (await shadow()).shadow.state).toBe('applied');
    expect(gateway.sections.get('report')?.doc).toEqual({ load: 30 });
    gateway.changeLocally('report', { load: 5 });
    await expect.poll(async () => (await shadow()).shadow.state).toBe('drifted');
    expect((await east.call(loadCalls.setInterval, { device_id: id, interval: 30 })).code).toBe(0);
    await expect.poll(async () => (await shadow()).shadow.state).toBe('applied');
    gateway.faults.reject = new Set(['report']);
    await east.call(loadCalls.setInterval, { device_id: id, interval: 20 });
    await expect.poll(async () => (await shadow()).shadow.state).toBe('failed');
    expect((await shadow()).shadow.err).toBeTruthy();
    const log = (await east.call(calls.log, { id })).data.list;
    expect(log[0]).toMatchObject({ action: 'update', result: 'success', content: expect.stringContaining('20 秒') });
  });
});

describe('the camera', () => {
  it('is configured only while the gateway is online, and keeps its address when it is disabled', async () => {
    const { id, gateway } = await makeShip();
    const set = (input: object) => east.call(videoCalls.set, { device_id: id, ...input });
    expect((await set({ enable: 1, url: 'video.example.com' })).code).toBe(errors.device_offline.code);
    await connect({ id, gateway });
    for (const url of ['not a domain', 'rtsp://', 'ftp://video.example.com', 'rtsp://viewer:secret@camera.example.com'])
      expect((await set({ enable: 1, url })).data).toHaveProperty('fields.url');
    const camera = 'rtsp://192.168.1.64:554/stream/1';
    expect((await set({ enable: 1, url: camera })).code).toBe(0);
    await expect.poll(() => gateway.sections.get('video')?.doc).toMatchObject({ url: camera });
    expect((await set({ enable: 1, url: 'video.example.com', up_limit: -1 })).data).toHaveProperty('fields.up_limit');
    expect((await set({ enable: 1, url: 'video.example.com', up_limit: 256 })).code).toBe(0);
    await expect.poll(async () => (await east.call(videoCalls.read, { device_id: id })).data.shadow.state).toBe('applied');
    expect(gateway.sections.get('video')?.doc).toEqual({ enable: 1, url: 'video.example.com', up_limit: 256 });
    expect((await set({ enable: 1, url: 'video.example.com', up_limit: 256 })).code).toBe(errors.unchanged.code);
    expect((await set({ enable: 0, up_limit: 256 })).code).toBe(0);
    expect((await east.call(videoCalls.read, { device_id: id })).data).toMatchObject({
      enable: 0,
      url: 'video.example.com',
      up_limit: 256,
    });
  });
});

describe('the online users of a device', () => {
  it('are listed, are kicked by the gateway, and leave the list when it confirms', async () => {
    const { id, gateway } = ship;
    await makeAccount('sailor1');
    gateway.users.signIn('sailor1');
    const online = async () => (await east.call(onlineUserCalls.list, { device_id: id })).data.list;
    await expect.poll(online).toHaveLength(1);
    const [session] = await online();
    expect(session).toMatchObject({ account: 'sailor1', state: 'online', ip: expect.any(String), duration: 0, up_speed: null });
    expect((await east.call(onlineUserCalls.kick, { ids: [session?.id ?? 0, 999_999] })).data).toMatchObject({ success: 1, fail: 1 });
    await expect.poll(online).toEqual([]);
    const { terminate_cause } = await api.db
      .selectFrom('online_session')
      .select('terminate_cause')
      .where('id', '=', session?.id ?? 0)
      .executeTakeFirstOrThrow();
    expect(terminate_cause).toBe('kick');
    expect((await east.call(onlineUserCalls.kick, { ids: [session?.id ?? 0] })).data.list[0]?.message).toBe(errors.user_offline.text[0]);
    const commands = (await east.call(calls.commands, { id, op: 'user.kick' })).data.list;
    expect(commands[0]).toMatchObject({
      op: 'user.kick',
      state: 3,
      operator: east.session?.nickname ? expect.any(String) : expect.anything(),
    });
  });

  it('can also be kicked from the user page; without a connected gateway their session ends at once', async () => {
    const away = await makeShip();
    const here = await makeAccount('sailor2');
    const there = await makeAccount('sailor3');
    ship.gateway.users.signIn('sailor2');
    const open = (user: number) =>
      api.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', user).where('logout_at', 'is', null).execute();
    await expect.poll(() => open(here)).toHaveLength(1);
    expect((await east.call(userCalls.kick, { ids: [here] })).data).toMatchObject({ success: 1 });
    await expect.poll(() => open(here)).toEqual([]);
    expect(ship.gateway.users.sessions.some((s) => s.acc === 'sailor2')).toBe(false);

    const login = { subscriber_id: there, agent_id: eastId, device_id: away.id, session_id: 'x1', login_at: 1 };
    await api.db.insertInto('online_session').values(login).execute();
    await api.db.updateTable('subscriber').set({ online_count: 1 }).where('id', '=', there).execute();
    expect((await east.call(userCalls.kick, { ids: [there] })).data).toMatchObject({ success: 1 });
    expect(await open(there)).toEqual([]);
    const waiting = await api.db.selectFrom('device_command').selectAll().where('device_id', '=', away.id).execute();
    expect(waiting).toEqual([expect.objectContaining({ op: 'user.kick', args: { sid: 'x1' }, state: 0 })]);
  });

  it('are kicked with one command for any number of requests until the gateway replies', async () => {
    const { id } = await makeShip();
    await api.db.updateTable('device').set({ online_state: 1 }).where('id', '=', id).execute();
    const user = await makeAccount('sailor4');
    const login = { subscriber_id: user, agent_id: eastId, device_id: id, session_id: 'y1', login_at: 1 };
    const { id: session } = await api.db.insertInto('online_session').values(login).returning('id').executeTakeFirstOrThrow();
    for (let i = 0; i < 3; i++) await east.call(onlineUserCalls.kick, { ids: [session] });
    expect((await east.call(onlineUserCalls.list, { device_id: id })).data.list[0]).toMatchObject({ state: 'kicking' });
    expect(await api.db.selectFrom('device_command').selectAll().where('device_id', '=', id).execute()).toHaveLength(1);
  });

  it('may be viewed, and not kicked, with the right to view only', async () => {
    await makeStaff(east, 'watcher', await makeRole(east, '只看', grantsOf(['device_list'], '10')));
    const watcher = await api.login('watcher');
    expect((await watcher.call(onlineUserCalls.list, { device_id: ship.id })).code).toBe(0);
    expect((await watcher.call(onlineUserCalls.kick, { ids: [1] })).code).toBe(errors.denied.code);
    expect((await watcher.call(loadCalls.setInterval, { device_id: ship.id, interval: 33 })).code).toBe(errors.denied.code);
    expect((await watcher.call(videoCalls.set, { device_id: ship.id, enable: 0 })).code).toBe(errors.denied.code);
  });
});

describe('the history of a device', () => {
  it('is shown in the language of the reader, newest first, and can be filtered by kind', async () => {
    const { id, gateway } = await makeShip();
    await connect({ id, gateway });
    const events = [
      ['link', { from: '6d', to: 'lte', why: 'quality' }],
      ['fence', { fence: '南海', in: true }],
      ['ap', { ap: 'deck', s: 0 }],
      ['lock', { lock: 'global' }],
    ] as const;
    for (const [kind, doc] of events) {
      api.clock.advance(1);
      gateway.event(kind, doc);
    }
    await gateway.flushed();
    const history = async (more = {}) => (await east.call(calls.history, { id, limit: 50, ...more })).data.list;
    await expect.poll(() => history()).toHaveLength(5);
    const zh = (await history()).map((row) => row.content);
    expect(zh.slice(0, 4)).toEqual(['锁定全球网', 'AP deck 断开', '进入围栏 南海', '6D → LTE（quality）']);
    const en = (await history({ lang: 'en' })).map((row) => row.content);
    expect(en.slice(0, 4)).toEqual(['Locked to the global network', 'AP deck is down', 'Entered fence 南海', '6D → LTE (quality)']);
    expect(await history({ kind: 'fence' })).toHaveLength(1);
    gateway.stop();
    await expect.poll(async () => (await history({ kind: 'offline' }))[0]?.content).toBe('离线：网关主动断开');
  });

  it('before a transfer is not shown to the new owner, and the old owner no longer finds the device', async () => {
    const { id, gateway } = await makeShip();
    await connect({ id, gateway });
    await expect.poll(async () => (await east.call(calls.history, { id })).data.total).toBe(1);
    await api.db
      .updateTable('device')
      .set({ agent_id: west.session?.agent_id ?? 0 })
      .where('id', '=', id)
      .execute();
    expect((await west.call(calls.history, { id })).data.total).toBe(0);
    expect((await east.call(calls.history, { id })).code).toBe(errors.not_found.code);
  });

  it('shows each command with the reason why it is not sent yet', async () => {
    expect(commandOp.map((o) => o.id).sort()).toEqual(Object.keys(operations).sort());
    const { id } = await makeShip();
    const now = api.clock.now();
    await sendCommand(api.db, id, 'backup.make', {}, { now, deadline: now + 900 });
    const waits = async () => (await east.call(calls.commands, { id })).data.list[0]?.waits;
    expect(await waits()).toBe('offline');
    expect((await east.call(calls.now, { id })).data.waiting).toBe(1);
    const set = (patch: object) => api.db.updateTable('device').set(patch).where('id', '=', id).execute();
    await set({ online_state: 1, network: 'l_band' });
    expect(await waits()).toBe('link_volume');
    await set({ network: 'lte' });
    expect(await waits()).toBe('sending');
    await set({ auth_status: 'expired' });
    expect(await waits()).toBe('authorization');
  });

  it('of its positions is a track of at most 501 points', async () => {
    const { id } = await makeShip();
    const now = api.clock.now();
    await sql`insert into device_track (device_id, at, lat, lon, sog, cog)
      select ${id}, t, 20 + t % 100 / 100.0, 110, 12, 90 from generate_series(${now - 3 * 86_400}::bigint, ${now}::bigint, 60) t`.execute(
      api.db,
    );
    const track = async (hours: number) => (await east.call(calls.track, { id, hours })).data.list;
    expect((await track(1)).length).toBeGreaterThanOrEqual(60);
    const days = await track(72);
    expect(days.length).toBeLessThanOrEqual(501);
    expect(days.length).toBeGreaterThan(300);
    expect(days.every((p, i) => i === 0 || p.at > (days[i - 1]?.at ?? 0))).toBe(true);
    expect((await east.call(calls.track, { id, hours: 1000 })).data).toHaveProperty('fields.hours');
  });

  it('lists the gateway accounts that logged in', async () => {
    const { id, gateway } = ship;
    gateway.event('login', { acc: 'root', ok: true });
    await expect
      .poll(async () => (await east.call(deviceAccountCalls.list, { device_id: id })).data.list)
      .toEqual([expect.objectContaining({ username: 'root', role_name: null, last_login_at: api.clock.now() })]);
  });
});
