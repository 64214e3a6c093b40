import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { batchOf } from '@farlink/gateway/protocol/stream.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from './gateway-options.ts';
import { entryOf, now, openGateway, page, phaseOf } from './sample-accounts.ts';

const mac = '02:00:00:00:00:01';
const usual = { id: 5, t: 300, n: 3, lock: 600, refresh: 3600, up: 0, down: 0, max: 60 };

/** A gateway without a console that has received a rule. */
const ship = (rule: Partial<typeof usual> = {}, options: Partial<GatewayOptions> = {}) => {
  const opened = openGateway(options);
  let rev = 0;
  const send = (doc: Record<string, number>) =>
    opened.deliver(downTopic(opened.gateway.sn, 'cfg/release'), JSON.stringify({ rev: ++rev, h: hashOf(doc), doc }));
  send({ ...usual, ...rule });
  return { ...opened, send, change: (next: Partial<typeof usual>) => send({ ...usual, ...next }) };
};

describe('temporary release at a gateway without a console', () => {
  test('confirms the section and reports start and end with the bytes', () => {
    const { gateway, wait, events, sent } = ship();
    expect(sent('cfg/release')).toMatchObject([{ rev: 1, ok: true }]);
    expect(gateway.requestTempRelease('0200.0000.0001', 'pay')).toEqual({ ok: true, until: now + 300 });
    gateway.tempReleases.transfer(mac, { u: 1000, d: 5000 });
    wait(400);
    expect(events('release')).toMatchObject([
      { mac, rule: 5, st: 'start', for: 'pay', until: now + 300 },
      { mac, rule: 5, st: 'end', why: 'time', u: 1000, d: 5000, until: now + 300, t: now + 300 },
    ]);
    expect(gateway.tempReleases.open).toEqual([]);
  });

  test('refuses the fourth release within the window, and reports it once until the window ends', () => {
    const { gateway, wait, events } = ship();
    for (let n = 0; n < 3; n++) {
      expect(gateway.requestTempRelease(mac, 'user').ok).toBe(true);
      wait(300);
    }
    const refusal = { ok: false, until: now + 3600, reason: 'count' };
    expect([gateway.requestTempRelease(mac, 'user'), gateway.requestTempRelease(mac, 'user')]).toEqual([refusal, refusal]);
    expect(events('release').filter(({ st }) => st === 'refused')).toMatchObject([{ why: 'count', until: now + 3600 }]);
    wait(2700);
    expect(gateway.requestTempRelease(mac, 'user')).toMatchObject({ ok: true });
  });

  test('applies a changed rule to open releases at once', () => {
    const { gateway, change, send, events, wait } = ship();
    gateway.requestTempRelease(mac, 'user');
    wait(10);
    change({ t: 60 });
    expect(gateway.tempReleases.open).toMatchObject([{ mac, until: now + 60 }]);
    send({});
    expect(events('release').at(-1)).toMatchObject({ st: 'end', why: 'rule', until: now + 10 });
    expect(gateway.requestTempRelease(mac, 'user')).toEqual({ ok: false, until: null, reason: 'no_rule' });
  });

  test('counts survive a reboot', () => {
    const { gateway, wait } = ship({ n: 1 });
    gateway.requestTempRelease(mac, 'user');
    wait(300);
    gateway.reboot();
    expect(gateway.requestTempRelease(mac, 'user')).toMatchObject({ ok: false, reason: 'count' });
  });

  test('is refused without a link, and for a terminal that is online', () => {
    const { gateway } = ship();
    gateway.world.force('none');
    expect(gateway.requestTempRelease(mac, 'user')).toEqual({ ok: false, until: null, reason: 'no_link' });
    gateway.world.force(undefined);
    gateway.users.signIn('crew', { mac });
    expect(gateway.requestTempRelease(mac, 'user')).toEqual({ ok: false, until: null, reason: 'online' });
  });

  test('is blocked on L-band, unless the gateway is configured otherwise', () => {
    const { gateway } = ship({}, { links: ['6d', 'l_band'] });
    gateway.world.force('l_band');
    expect(gateway.requestTempRelease(mac, 'user')).toEqual({ ok: false, until: null, reason: 'l_band' });
    gateway.changeLocally('auth_temp_release', { block_on_lband: false });
    expect(gateway.requestTempRelease(mac, 'user').ok).toBe(true);
  });

  test("the gateway's own rule applies while the console has none", () => {
    const { gateway, send, events } = ship();
    send({});
    gateway.changeLocally('auth_temp_release', { enabled: true, pass_time: 60, pass_count: 1 });
    expect(gateway.requestTempRelease(mac, 'user')).toEqual({ ok: true, until: now + 60 });
    expect(events('release')).toMatchObject([{ rule: 0, st: 'start' }]);
  });

  test('a login ends the release', () => {
    const { gateway, events, wait } = ship();
    gateway.requestTempRelease(mac, 'user');
    gateway.users.signIn('crew', { mac });
    wait(5);
    expect(events('release').at(-1)).toMatchObject({ st: 'end', why: 'login' });
  });

  test('counts the traffic as that of the gateway, within the speed limits, and not for an account', () => {
    const { gateway, sent } = ship({ down: 1 });
    gateway.requestTempRelease(mac, 'user');
    expect(gateway.tempReleases.transfer(mac, { u: 700, d: 99_999 }, 10)).toEqual({ u: 700, d: 10_240 });
    gateway.world.reportTraffic();
    const own = sent('t/mgt').flatMap((body) => batchOf('mgt').read(body, '').rows);
    expect(own.filter(({ svc }) => svc === 'release')).toEqual([{ svc: 'release', u: 700, d: 10_240, i: '6d', pk: 1 }]);
    expect(sent('t/user')).toEqual([]);
  });

  test('simulated users without service request it, and stay within the speed limit', async () => {
    const blocked = Array.from({ length: 30 }, (_, n) => entryOf(`p${n}`, { ph: [phaseOf(1, { b: 0 })] }));
    const passwords = Object.fromEntries(blocked.map(({ acc }) => [acc, `pw-${acc}`]));
    const { receive, events, wait, gateway } = ship({ t: 120, down: 2, up: 1 }, { calm: false, passwords });
    receive(page(0, 1, blocked));
    for (let n = 0; n < 200 && events('release').filter(({ st }) => st === 'end').length < 3; n++) {
      wait(60);
      await Promise.all(blocked.map(() => new Promise(setImmediate)));
    }
    expect(gateway.users.online).toBe(0);
    const ended = events('release').filter(({ st }) => st === 'end');
    expect(ended.length).toBeGreaterThanOrEqual(3);
    for (const { u, d } of ended) expect([Number(u) <= 120 * 1024, Number(d) <= 2 * 120 * 1024]).toEqual([true, true]);
    expect(ended.some(({ d }) => Number(d) > 0)).toBe(true);
  });
});
