import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { addVno } from '../../../test/vno.ts';
import { sendCommand } from '../../orders/command.ts';

let testServer: FieldTestServer;
let other: number;
let n = 0;
beforeAll(async () => {
  testServer = await openFieldTestServer();
  other = await addVno(testServer.db, testServer.platformId);
});
afterAll(() => testServer.close());

const makeAccount = async (account: string, agent_id = testServer.platformId) =>
  (await testServer.db.insertInto('subscriber').values(subscriberRow({ agent_id, account })).returning('id').executeTakeFirstOrThrow()).id;

/** A gateway controlled by the test, and an account of its VNO. A message is stored when sending returns. */
const make = async () => {
  const device = await testServer.addDevice(`USER-${++n}`);
  const client = testServer.client(device.sn, device.key);
  await client.connect();
  let counter = 0;
  const send = (tail: string, body: object) => client.publish(upTopic(device.sn, tail), JSON.stringify(body));
  const hello = (boot: string) => send('hello', { boot, fw: '01.00.00', h: hashOf({}), up: 0, link: 'lte' });
  const event = (k: string, doc: object, { t = testServer.clock.now(), boot = 'boot1', id = ++counter } = {}) =>
    send('e', { id: `${boot}-${id}`, k, t, ...doc });
  const flow = (seq: number, t0: number, v: readonly (readonly [string, number, number])[]) =>
    send('t/user', { b: 'boot1', seq, t0, dt: 60, c: ['acc', 'u', 'd'], v });
  await hello('boot1');
  const account = `sailor${n}`;
  return { device, client, send, hello, event, flow, account, user: await makeAccount(account) };
};
const sessionsOf = (user: number) =>
  testServer.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', user).orderBy('id').execute();
const sessionOf = async (user: number) => (await sessionsOf(user))[0];
const userOf = (id: number) => testServer.db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const rejectionsOf = (id: number) =>
  testServer.db.selectFrom('login_rejection').selectAll().where('subscriber_id', '=', id).orderBy('id').execute();

describe('a user that logs in behind a gateway', () => {
  it('has a session until the logout, with the total bytes', async () => {
    const { device, event, account, user } = await make();
    const loginAt = testServer.clock.now();
    const mac = '02:00:00:00:00:07';
    const ip = '192.168.10.7';
    await event('user', { sid: 's1', acc: account, in: true, mac, ip });
    expect(await sessionsOf(user)).toEqual([
      expect.objectContaining({ session_id: 's1', device_id: device.id, mac, ip, login_at: loginAt, logout_at: null }),
    ]);
    expect(await userOf(user)).toMatchObject({ online_count: 1, first_use_at: loginAt });
    testServer.clock.advance(60);
    await event('user', { sid: 's1', acc: account, in: false, why: 'idle', u: 10, d: 20 });
    expect(await sessionOf(user)).toMatchObject({
      login_at: loginAt,
      logout_at: loginAt + 60,
      terminate_cause: 'idle',
      up_bytes: 10,
      down_bytes: 20,
    });
    expect((await userOf(user)).online_count).toBe(0);
  });

  it('is counted once, for any order and number of reports', async () => {
    const { event, account, user } = await make();
    const t = testServer.clock.now();
    testServer.clock.advance(120);
    const logout = () =>
      event('user', { sid: 's1', acc: account.toUpperCase(), in: false, why: 'quota', u: 7, d: 9 }, { t: t + 90, id: 92 });
    const login = () => event('user', { sid: 's1', acc: account, in: true, ip: '10.0.0.1' }, { t, id: 91 });
    for (const again of [logout, login, logout, login]) await again();
    expect(await sessionsOf(user)).toEqual([
      expect.objectContaining({ login_at: t, logout_at: t + 90, ip: '10.0.0.1', up_bytes: 7, down_bytes: 9, terminate_cause: 'quota' }),
    ]);
    expect(await userOf(user)).toMatchObject({ online_count: 0, first_use_at: t });
  });

  it('with two phones has two sessions', async () => {
    const { event, account, user } = await make();
    await Promise.all([1, 2].map((i) => event('user', { sid: `p${i}`, acc: account, in: true })));
    expect((await userOf(user)).online_count).toBe(2);
    await event('user', { sid: 'p1', acc: account, in: false });
    expect((await userOf(user)).online_count).toBe(1);
  });

  it('gets no session and no rejection row with an account of another VNO', async () => {
    const { event } = await make();
    const foreign = await makeAccount(`foreigner${n}`, other);
    await event('user', { sid: 'f1', acc: `foreigner${n}`, in: true });
    await event('auth', { acc: `foreigner${n}`, ok: false, why: 'password' });
    await event('user', { sid: 'f2', acc: 'nobody_at_all', in: true });
    expect(await sessionsOf(foreign)).toEqual([]);
    expect(await rejectionsOf(foreign)).toEqual([]);
    expect((await userOf(foreign)).online_count).toBe(0);
  });

  it('leaves a rejection row with the reason, mapped to a known one if possible', async () => {
    const { device, event, account, user } = await make();
    await event('auth', { acc: account, ok: true });
    await event('auth', { acc: account, ok: false, why: 'password', mac: '02:00:00:00:00:01' });
    await event('auth', { acc: account, ok: false, why: 'wrong_vlan' });
    await event('auth', { acc: account, ok: false, why: 'moon phase' });
    const rows = await rejectionsOf(user);
    expect(rows.map((r) => r.reason)).toEqual(['wrong_password', 'wrong_vlan', 'moon phase']);
    expect(rows[0]).toMatchObject({ device_id: device.id, mac: '02:00:00:00:00:01', create_at: testServer.clock.now() });
  });
});

describe('the usage of an account', () => {
  it('is added to its open session once, with the latest speed; the logout sets the final bytes', async () => {
    const { event, flow, account, user } = await make();
    const t0 = testServer.clock.now();
    await event('user', { sid: 's1', acc: account, in: true });
    testServer.clock.advance(180);
    await flow(1, t0, [[account, 60 * 1024, 600 * 1024]]);
    await flow(1, t0, [[account, 60 * 1024, 600 * 1024]]);
    await flow(2, t0 + 60, [[account, 120 * 1024, 0]]);
    expect(await sessionOf(user)).toMatchObject({ up_bytes: 180 * 1024, down_bytes: 600 * 1024, up_speed: 2, down_speed: 0 });
    await flow(3, t0 + 120, []);
    expect(await sessionOf(user)).toMatchObject({ up_bytes: 180 * 1024, up_speed: 0 });
    await event('user', { sid: 's1', acc: account, in: false, u: 200_000, d: 700_000 });
    await flow(4, t0 + 60, [[account, 999, 999]]);
    expect(await sessionOf(user)).toMatchObject({ up_bytes: 200_000, down_bytes: 700_000, terminate_cause: 'user' });
  });

  it('is added to its session after a logout without bytes', async () => {
    const { event, flow, account, user } = await make();
    const t = testServer.clock.now();
    testServer.clock.advance(100);
    await event('user', { sid: 'x', acc: account, in: true }, { t });
    await event('user', { sid: 'x', acc: account, in: false }, { t: t + 90 });
    await flow(1, t + 30, [[account, 5, 6]]);
    expect(await sessionOf(user)).toMatchObject({ up_bytes: 5, down_bytes: 6, up_speed: 0, logout_at: t + 90 });
  });

  it('is charged from the login on, not from the start of the reported interval', async () => {
    const { event, flow, account, user } = await make();
    const start = testServer.clock.now();
    const usage = () =>
      testServer.db
        .selectFrom('usage')
        .select(['at', 'up_bytes'])
        .where('subscriber_id', '=', user)
        .where('up_bytes', '>', 0)
        .orderBy('id')
        .execute();
    testServer.clock.advance(60);
    await event('user', { sid: 'now', acc: account, in: true });
    await flow(1, start, [[account, 5, 0]]);
    expect(await usage(), 'a report in the second of the login').toEqual([{ at: start + 60, up_bytes: 5 }]);
    await event('user', { sid: 'now', acc: account, in: false });
    testServer.clock.advance(60);
    await event('user', { sid: 'short', acc: account, in: true }, { t: start + 90 });
    await event('user', { sid: 'short', acc: account, in: false }, { t: start + 100 });
    await flow(2, start + 61, [[account, 7, 0]]);
    expect((await usage())[1], 'a session that ended before the report').toEqual({ at: start + 90, up_bytes: 7 });
  });

  it('belongs to the VNO that owned the gateway at that time, and is charged to an account transferred with it', async () => {
    const { device, send, event, account, user } = await make();
    const now = testServer.clock.now();
    const { platformId, db } = testServer;
    await db.updateTable('subscriber').set({ agent_id: other }).where('id', '=', user).execute();
    await db.updateTable('device').set({ agent_id: other }).where('id', '=', device.id).execute();
    await db
      .insertInto('device_transfer')
      .values({
        device_id: device.id,
        sn: device.sn,
        from_agent_id: platformId,
        to_agent_id: other,
        keep_users: true,
        state: 'done',
        operator: 'x',
        command_id: 'c',
        deadline: now,
        finish_at: now - 600,
        create_at: now - 900,
      })
      .execute();
    const report = (seq: number, t0: number, u: number) =>
      send('t/user', { b: 'boot1', seq, t0, dt: 60, c: ['acc', 'u', 'd', 's'], v: [[account, u, 0, 60]] });
    await report(1, now - 3600, 700);
    await report(2, now - 60, 50);
    await event('user', { sid: 'old', acc: account, in: true }, { t: now - 3600 });
    const days = await db
      .selectFrom('traffic_day')
      .select((eb) => ['agent_id', eb.fn.sum<number>('user_bytes').as('bytes')])
      .where('device_id', '=', device.id)
      .groupBy('agent_id')
      .execute();
    expect(new Map(days.map(({ agent_id, bytes }) => [agent_id, Number(bytes)]))).toEqual(
      new Map([
        [platformId, 700],
        [other, 50],
      ]),
    );
    const events = await db
      .selectFrom('device_event')
      .select('agent_id')
      .where('device_id', '=', device.id)
      .where('kind', '=', 'user')
      .execute();
    expect(events).toEqual([{ agent_id: platformId }]);
    const charged = await db.selectFrom('usage').select('up_bytes').where('subscriber_id', '=', user).orderBy('id').execute();
    expect(charged.map(({ up_bytes }) => up_bytes)).toEqual([700, 50]);
  });

  it('is not assigned when no user was online, and never to a user of another VNO', async () => {
    const { flow, account, user } = await make();
    await makeAccount(`stranger${n}`, other);
    await flow(1, testServer.clock.now(), [
      [account, 5, 6],
      [`stranger${n}`, 5, 6],
    ]);
    expect(await sessionsOf(user)).toEqual([]);
    expect(await testServer.db.selectFrom('user_flow').selectAll().where('account', '=', account).execute()).toHaveLength(1);
  });
});

describe('a gateway that restarts', () => {
  it('has no users online, and older messages do not open sessions again', async () => {
    const { hello, event, account, user } = await make();
    await event('user', { sid: 's1', acc: account, in: true });
    const came = testServer.clock.now();
    testServer.clock.advance(30);
    await hello('boot1');
    expect((await sessionOf(user))?.logout_at).toBeNull();
    await hello('boot2');
    expect(await sessionOf(user)).toMatchObject({ terminate_cause: 'lost', logout_at: came + 30 });
    expect((await userOf(user)).online_count).toBe(0);
    await event('user', { sid: 'late', acc: account, in: true }, { t: came + 5, boot: 'boot1' });
    expect((await sessionsOf(user))[1]).toMatchObject({ terminate_cause: 'lost', login_at: came + 5, logout_at: came + 30 });
    await event('user', { sid: 'late', acc: account, in: false, why: 'user', u: 3, d: 4 }, { t: came + 20, boot: 'boot1' });
    expect((await sessionsOf(user))[1]).toMatchObject({ terminate_cause: 'user', logout_at: came + 20, up_bytes: 3, down_bytes: 4 });
    expect((await userOf(user)).online_count).toBe(0);
    await event('user', { sid: 's9', acc: account, in: true }, { boot: 'boot2' });
    expect((await userOf(user)).online_count).toBe(1);
  });

  it('ends a kicked session that it does not know', async () => {
    const { device, send: say, event, account, user } = await make();
    await event('user', { sid: 'ghost', acc: account, in: true });
    const now = testServer.clock.now();
    const id = await sendCommand(testServer.db, device.id, 'user.kick', { sid: 'ghost' }, { now, deadline: now + 60 });
    await say(`r/${id}`, { st: 'ack' });
    expect((await userOf(user)).online_count).toBe(1);
    await say(`r/${id}`, { st: 'fail', err: 'no such session' });
    expect(await sessionOf(user)).toMatchObject({ terminate_cause: 'lost', logout_at: now });
    expect((await userOf(user)).online_count).toBe(0);
  });
});

it('a login to the gateway itself is stored with its last time, for at most 64 names', async () => {
  const { event, device } = await make();
  const t = testServer.clock.now();
  await event('login', { acc: 'root', ok: true, ip: '192.168.1.2' });
  await event('login', { acc: 'thief', ok: false });
  const accounts = () =>
    testServer.db.selectFrom('device_account').select(['username', 'last_login_at']).where('device_id', '=', device.id).execute();
  expect(await accounts()).toEqual([{ username: 'root', last_login_at: t }]);
  testServer.clock.advance(10);
  await event('login', { acc: 'root', ok: true }, { t: t - 100 });
  expect(await accounts()).toEqual([{ username: 'root', last_login_at: t }]);
  for (let i = 0; i < 70; i++) await event('login', { acc: `name${i}`, ok: true });
  await event('login', { acc: 'root', ok: true });
  expect(await accounts()).toHaveLength(64);
  expect(await accounts()).toContainEqual({ username: 'root', last_login_at: t + 10 });
});
