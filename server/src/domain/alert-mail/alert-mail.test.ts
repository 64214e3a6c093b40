import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AlertTestServer, namedIn, noTransport, openAlertTestServer } from '../../../test/alert-test-server.ts';
import { openField } from '../../field/field.ts';
import { beat, sweepField, sweepRarely, unregister } from '../../field/sweep.ts';

let testServer: AlertTestServer;
const day = 86_400;

beforeAll(async () => {
  testServer = await openAlertTestServer();
});
afterEach(() => testServer.clear());
afterAll(() => testServer?.close());

const subjects = () => testServer.sink.mails.map((m) => m.subject).sort();
const texts = () => testServer.sink.mails.map((m) => m.text);
const now = () => testServer.clock.now();
const alive = () => beat(testServer.deps.pool, testServer.field.node, now());

describe('when a satellite drops five hundred gateways', () => {
  test('each mailbox gets one mail that lists them all', { tags: 'all' }, async () => {
    const { sink, pass } = testServer;
    const fleet = await testServer.addShips(500);
    const rules = await testServer.addRules(fleet, { emails: ['noc@sea.cn', 'boss@sea.cn'] });
    await testServer.comeOnline(fleet);
    await testServer.goOffline(fleet);
    await pass(30);
    expect(sink.mails).toEqual([]);
    await pass(60);
    expect(sink.mails.map((m) => m.to).sort()).toEqual(['boss@sea.cn', 'noc@sea.cn']);
    expect(subjects()).toEqual(Array(2).fill('【Platform】设备离线：500 台设备'));
    for (const mail of sink.mails) expect(namedIn(mail)).toEqual(fleet.map((s) => s.sn).sort());
    await pass(900);
    expect(sink.mails).toHaveLength(2);
    const heard = await testServer.db.selectFrom('notify_rule').select('last_notify_at').where('id', 'in', rules).execute();
    expect(heard.every((r) => r.last_notify_at !== null)).toBe(true);
  });

  test('gateways that go offline one after the other share a few mails', { tags: 'all' }, async () => {
    const fleet = await testServer.addShips(20);
    await testServer.addRules(fleet);
    await testServer.comeOnline(fleet);
    for (const ship of fleet) {
      await testServer.goOffline([ship]);
      await testServer.pass(30);
    }
    await testServer.pass(120);
    // A mail waits at most five minutes, and the devices went offline over ten.
    expect(testServer.sink.mails.length).toBeLessThanOrEqual(3);
    expect(testServer.sink.mails.flatMap(namedIn)).toHaveLength(20);
  });

  test('gateways without rules cause no pending notice', async () => {
    const fleet = await testServer.addShips(10);
    await testServer.comeOnline(fleet);
    await testServer.goOffline(fleet);
    expect(await testServer.db.selectFrom('notify_due').select('mailbox').execute()).toEqual([]);
  });
});

describe('the brand of a mail', () => {
  test('is that of the VNO of its devices, and that of the mail server for devices of several VNOs', async () => {
    const { me } = testServer;
    const north = await testServer.addVno(me.agent_id, '北洋', 1);
    const south = await testServer.addVno(me.agent_id, '南洋', 1);
    const ships = [
      await testServer.addShip({ agent_id: north, name: '北一' }),
      await testServer.addShip({ agent_id: south, name: '南一' }),
    ];
    await testServer.addRules(ships.slice(0, 1), { emails: ['north@sea.cn'] });
    await testServer.addRules(ships, { emails: ['both@sea.cn'] });
    await testServer.comeOnline(ships);
    await testServer.goOffline(ships);
    await testServer.pass(90);
    expect(subjects()).toEqual(['【Platform】设备离线：2 台设备', '【北洋】设备离线：北一']);
  });
});

describe('repeated events', () => {
  test('a repeated event counts once', async () => {
    const ship = await testServer.addShip({ name: '远洋一号' });
    await testServer.addRules([ship], { events: ['link'] });
    const event = { id: 'boot1-1', k: 'link', t: now(), from: '6d', to: 'lte2' };
    await testServer.publish([ship], 'e', event);
    await testServer.publish([ship, ship], 'e', event);
    await testServer.pass(90);
    expect(subjects()).toEqual(['【Platform】链路切换：远洋一号']);
    expect(texts()[0]).toContain('6D → LTE2');
    expect(texts()[0]).not.toContain('次数');
  });

  test('a gateway that keeps reconnecting is reported at once, then every ten minutes with a count', async () => {
    const ship = await testServer.addShip({ name: '远洋二号' });
    await testServer.addRules([ship], { events: ['online', 'offline'] });
    await testServer.comeOnline([ship]);
    await testServer.goOffline([ship]);
    await testServer.pass(90);
    expect(subjects()).toEqual(['【Platform】设备上线：远洋二号', '【Platform】设备离线：远洋二号']);
    testServer.sink.mails.length = 0;
    for (let i = 0; i < 3; i++) {
      await testServer.comeOnline([ship], `again${i}`);
      await testServer.goOffline([ship], `again${i}`);
      await testServer.pass(60);
    }
    expect(testServer.sink.mails).toEqual([]);
    await testServer.pass(600);
    expect(testServer.sink.mails).toHaveLength(2);
    for (const text of texts()) expect(text).toMatch(/次数\n远洋.* \| 3\n/);
  });

  test('two processes that gather at the same time send one notice', { tags: 'all' }, async () => {
    const [ship] = await testServer.addShips(1);
    await testServer.addRules(ship ? [ship] : []);
    await testServer.comeOnline(ship ? [ship] : []);
    await testServer.goOffline(ship ? [ship] : []);
    testServer.clock.advance(90);
    await Promise.all([testServer.runJobs(), testServer.runJobs(), testServer.runJobs()]);
    await testServer.runJobs();
    expect(testServer.sink.mails).toHaveLength(1);
  });
});

describe('when the console itself was down', () => {
  const watched = async () => {
    const ship = await testServer.addShip();
    await testServer.addRules([ship], { events: ['online', 'offline'] });
    await testServer.comeOnline([ship]);
    await testServer.pass(90);
    testServer.sink.mails.length = 0;
    return ship;
  };
  const watch = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 30) {
      await alive();
      await testServer.pass(30);
    }
  };

  test('gateways that reconnect are not reported', async () => {
    const ship = await watched();
    await unregister(testServer.deps.pool, testServer.field.node, now());
    testServer.clock.advance(3600);
    await testServer.runJobs();
    await watch(60);
    await testServer.comeOnline([ship], 'back');
    await watch(900);
    expect(testServer.sink.mails).toEqual([]);
  });

  test('a gateway that does not reconnect is reported as offline, and its later return as online', async () => {
    const ship = await watched();
    await unregister(testServer.deps.pool, testServer.field.node, now());
    testServer.clock.advance(3600);
    await watch(240);
    expect(testServer.sink.mails).toEqual([]);
    await watch(150);
    expect(texts()).toEqual([expect.stringContaining('平台重启后未重新连接')]);
    await testServer.comeOnline([ship], 'late');
    await watch(90);
    expect(subjects()).toEqual([expect.stringContaining('设备上线'), expect.stringContaining('设备离线')]);
  });

  test('gateways of a crashed process are reported only if no other process takes them over', { tags: 'all' }, async () => {
    const taken = await testServer.addShip();
    const left = await testServer.addShip();
    await testServer.addRules([taken, left]);
    const other = openField(testServer.deps, noTransport);
    await beat(testServer.deps.pool, other.node, now());
    await testServer.comeOnline([taken, left], 'there', other);
    await other.close();
    testServer.clock.advance(40);
    await alive();
    await sweepField(testServer.deps.pool, now());
    await testServer.comeOnline([taken], 'here');
    await watch(420);
    expect(testServer.sink.mails.map(namedIn)).toEqual([[left.sn]]);
  });
});

describe('access points', () => {
  const mac = 'aa:bb:cc:00:00:01';

  test('are reported by name to the rules for this one or for all', async () => {
    const ship = await testServer.addShip({ name: 'Sea Star' });
    await testServer.addRules([ship], { kind: 'ap', events: ['offline'], emails: ['all@sea.cn'], lang: 'en' });
    await testServer.addRules([ship], { kind: 'ap', events: ['offline', 'up'], emails: ['one@sea.cn'], ap_mac: mac });
    await testServer.publish([ship], 'e', { id: 'boot1-1', k: 'ap', t: now(), ap: '甲板', s: 0, mac: mac.toUpperCase() });
    await testServer.publish([ship], 'e', { id: 'boot1-2', k: 'ap', t: now(), ap: '机舱', s: 2 });
    await testServer.pass(90);
    const to = (mailbox: string) => testServer.sink.mails.find((m) => m.to === mailbox);
    expect(to('one@sea.cn')?.subject).toBe('【Platform】AP离线：Sea Star');
    expect(to('one@sea.cn')?.text).toContain(`甲板 ${mac}`);
    expect(to('one@sea.cn')?.text).not.toContain('机舱');
    expect(to('all@sea.cn')?.subject).toBe('[Platform] AP offline: Sea Star');
    expect(to('all@sea.cn')?.text).toMatch(/甲板 aa:bb[\s\S]*机舱/);
  });

  test('are marked as notified in their log', async () => {
    const ship = await testServer.addShip();
    await testServer.addRules([ship], { kind: 'ap', events: ['offline'], ap_mac: mac });
    await testServer.publish([ship], 'e', { id: 'boot1-1', k: 'ap', t: now() - 50, ap: '甲板', s: 1, mac });
    await testServer.publish([ship], 'e', { id: 'boot1-2', k: 'ap', t: now(), ap: '甲板', s: 0, mac });
    await testServer.publish([ship], 'e', { id: 'boot1-3', k: 'ap', t: now(), ap: '机舱', s: 0, mac: 'aa:bb:cc:00:00:02' });
    await testServer.pass(90);
    const log = await testServer.db
      .selectFrom('ap_link_log')
      .select(['ap_name', 'ap_state', 'notified'])
      .where('device_id', '=', ship.id)
      .orderBy('create_at')
      .orderBy('ap_name')
      .execute();
    expect(log.map((l) => [l.ap_name, l.ap_state, l.notified]).sort()).toEqual([
      ['机舱', 'offline', false],
      ['甲板', 'offline', true],
      ['甲板', 'up', false],
    ]);
  });
});

describe('an authorization', () => {
  test('is reported a week ahead and at its end, once each, and again after a renewal', async () => {
    const until = (days: number) => ({ auth_expire_at: now() + days * day, auth_status: 'test' as const });
    const ship = await testServer.addShip(until(8));
    await testServer.addRules([ship], { events: ['auth'] });
    const live = async (days: number) => {
      for (let i = 0; i < days; i++) {
        testServer.clock.advance(day);
        await sweepRarely(testServer.deps.pool, now());
        await sweepRarely(testServer.deps.pool, now());
        await testServer.pass(90);
      }
    };
    await sweepRarely(testServer.deps.pool, now());
    await testServer.pass(90);
    expect(texts()).toEqual([]);
    await live(3);
    expect(texts()).toEqual([expect.stringContaining('授权将于')]);
    await live(7);
    expect(texts()).toEqual([expect.stringContaining('授权将于'), expect.stringContaining('授权已于')]);
    await testServer.db.updateTable('device').set(until(2)).where('id', '=', ship.id).execute();
    await live(1);
    expect(texts()).toHaveLength(3);
  });
});

describe('a notification mail', () => {
  test('combines devices of several VNOs only if they share a mail server', async () => {
    const platform = testServer.me.agent_id;
    const own = await testServer.addVno(platform, 'own', 1);
    const sharing = await testServer.addVno(platform, 'sharing', 1);
    const under = await testServer.addVno(own, 'under', 2);
    await testServer.setServer(own);
    const ships = await Promise.all([own, under, sharing, platform].map((agent_id) => testServer.addShip({ agent_id })));
    await testServer.addRules(ships, { emails: ['consultant@all.cn'] });
    await testServer.comeOnline(ships);
    await testServer.goOffline(ships);
    await testServer.pass(90);
    const expected = [ships.slice(0, 2), ships.slice(2)].map((some) => some.map((s) => s.sn).sort());
    expect(testServer.sink.mails.map(namedIn)).toEqual(expect.arrayContaining(expected));
    expect(testServer.sink.mails).toHaveLength(2);
  });

  test('is withdrawn before it is sent if its rule is disabled, deleted or gets another mailbox', async () => {
    const { db } = testServer;
    const ships = await testServer.addShips(3);
    const [off = 0, other = 0, gone = 0] = await testServer.addRules(ships);
    await testServer.comeOnline(ships);
    await testServer.goOffline(ships);
    await db.updateTable('notify_rule').set({ status: 0 }).where('id', '=', off).execute();
    await db
      .updateTable('notify_rule')
      .set({ emails: ['new@sea.cn'] })
      .where('id', '=', other)
      .execute();
    await db.deleteFrom('notify_rule').where('id', '=', gone).execute();
    await testServer.pass(90);
    expect(testServer.sink.mails).toEqual([]);
  });

  test('cannot get headers or HTML from a device name', async () => {
    const ship = await testServer.addShip({ name: 'x\r\nBcc: evil@x.cn\r\n\r\n<img src=x onerror=alert(1)>' });
    await testServer.addRules([ship]);
    await testServer.comeOnline([ship]);
    await testServer.goOffline([ship]);
    await testServer.pass(90);
    expect(testServer.sink.mails).toHaveLength(1);
    const { source = '', text = '' } = testServer.sink.mails[0] ?? {};
    expect(source).not.toMatch(/^Bcc:/m);
    expect(source).not.toContain('<img');
    expect(text).toContain('x Bcc: evil@x.cn <img src=x onerror=alert(1)> | N');
  });
});
