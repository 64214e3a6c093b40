import type { AccountEntry } from '@farlink/gateway/protocol/account.ts';
import { batchOf } from '@farlink/gateway/protocol/stream.ts';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from './gateway-options.ts';
import { entryOf, now, openGateway, page, phaseOf, verifierOf } from './sample-accounts.ts';

const hour = 3600;
const day = 86_400;

/** A gateway with one account, `crew`, which logs in with its password unless a test passes another one. */
const ship = (more: Partial<AccountEntry> = {}, options: Partial<GatewayOptions> = {}) => {
  const opened = openGateway(options);
  const { gateway, receive } = opened;
  receive(page(0, 1, [entryOf('crew', more)]));
  let rev = 1;
  const login = async (terminal: { password?: string; mac?: string; ip?: string; vlan?: number } = {}) => {
    const result = await gateway.users.login({ acc: 'crew', password: 'pw-crew', ...terminal });
    return 'why' in result ? result.why : 'ok';
  };
  return {
    ...opened,
    login,
    change: (next: Partial<AccountEntry>) => receive(page(rev, ++rev, [entryOf('crew', next)])),
    remove: () => receive(page(rev, ++rev, [], { x: ['crew'] })),
    use: (u: number, d: number) => gateway.users.transfer('crew', { u, d }),
    left: () =>
      opened
        .events('user')
        .filter((e) => e.in === false)
        .map((e) => e.why),
    counters: () => gateway.accounts.counters().crew,
  };
};

describe('a login', () => {
  test.each<[string, Partial<AccountEntry>, Parameters<ReturnType<typeof ship>['login']>[0], string]>([
    ['with its password opens a session', {}, {}, 'ok'],
    ['with another password is refused', {}, { password: 'guess' }, 'wrong_password'],
    ['of a disabled account is refused', { st: 'disabled' }, {}, 'disabled'],
    ['of a frozen account is refused', { st: 'frozen' }, {}, 'frozen'],
    ['after the account expired is refused', { ex: now }, {}, 'expired'],
    ['without a package is refused', { ph: [] }, {}, 'no_package'],
    ['before the package starts is refused', { ph: [phaseOf(1, { from: now + 60 })] }, {}, 'no_package'],
    ['with a used-up package is refused', { ph: [phaseOf(1, { b: 0 })] }, {}, 'shutdown'],
    ['from another MAC address is refused', { mac: '02:00:00:00:00:01' }, { mac: '02:00:00:00:00:02' }, 'wrong_mac'],
    ['from the bound MAC address in another notation opens a session', { mac: '02:00:00:00:00:ab' }, { mac: '0200.0000.00AB' }, 'ok'],
    ['from another IP address is refused', { ip: '192.168.10.7' }, { ip: '192.168.10.8' }, 'wrong_ip'],
    ['from another VLAN is refused', { vl: 7 }, { vlan: 8 }, 'wrong_vlan'],
    ['from the bound VLAN opens a session', { vl: 7 }, { vlan: 7 }, 'ok'],
  ])('%s', async (_, entry, terminal, outcome) => {
    const { login, events, gateway } = ship(entry);
    expect(await login(terminal)).toBe(outcome);
    if (outcome === 'ok') {
      expect(events('user')).toMatchObject([{ acc: 'crew', in: true, via: 'local', ...(entry.mac && { mac: entry.mac }) }]);
      expect(events('auth')).toEqual([]);
    } else {
      expect(events('auth')).toMatchObject([{ acc: 'crew', ok: false, why: outcome }]);
      expect(gateway.users.online).toBe(0);
    }
  });

  test('accepts a password in another Unicode form', async () => {
    const { login } = ship({ v: verifierOf('pass\u00e9') });
    expect(await login({ password: 'passe\u0301' })).toBe('ok');
  });

  test('gets the bound addresses when the terminal sends none', async () => {
    const { login, gateway } = ship({ mac: '02:00:00:00:00:01', ip: '192.168.10.77', vl: 5 });
    await login();
    expect(gateway.users.sessions).toMatchObject([{ mac: '02:00:00:00:00:01', ip: '192.168.10.77', vlan: 5 }]);
  });

  test('beyond the allowed number is rejected, also when all arrive at once', async () => {
    const { login, gateway } = ship({ al: 2 });
    expect((await Promise.all([login(), login(), login()])).toSorted()).toEqual(['ok', 'ok', 'too_many']);
    expect(gateway.users.online).toBe(2);
  });

  test('is checked against the account at the end of the password computation', async () => {
    const { login, change } = ship();
    const attempt = login();
    change({ v: verifierOf('new') });
    expect(await attempt).toBe('wrong_password');
    expect(await login({ password: 'new' })).toBe('ok');
  });

  test('of an unknown account, in billing mode AAA, on an old gateway or before the first page is rejected', async () => {
    const unknown = { why: 'unknown' };
    const { gateway } = ship();
    expect(await gateway.users.login({ acc: 'guest', password: 'x' })).toEqual(unknown);
    expect(await ship({}, { bill: 2 }).login()).toBe('unknown');
    expect(await ship({}, { version: '02.11.00' }).login()).toBe('unknown');
    expect(await openGateway().gateway.users.login({ acc: 'crew', password: 'pw-crew' })).toEqual(unknown);
  });
});

describe('the quota', () => {
  test('passes traffic to the byte and then ends the session', async () => {
    const { login, use, left, counters, events, sent, gateway } = ship({ ph: [phaseOf(1, { b: 1000 })] });
    await login();
    expect(use(100, 299)).toEqual({ u: 100, d: 299 });
    expect(left()).toEqual([]);
    const last = use(300, 700);
    expect((last?.u ?? 0) + (last?.d ?? 0)).toBe(601);
    expect(left()).toEqual(['quota']);
    expect(counters()).toEqual({ bytes: 1000, seconds: 0, first: { 1: now } });
    const ended = events('user').at(-1);
    expect(Number(ended?.u) + Number(ended?.d)).toBe(1000);
    expect(await login()).toBe('shutdown');
    gateway.world.reportTraffic();
    expect(sent('t/user')).toMatchObject([
      { c: ['acc', 'u', 'd', 'i', 'via', 's', 'pk'], v: [['crew', ended?.u, ended?.d, '6d', 'local', 0, 1]] },
    ]);
  });

  test('ends a session with exactly the last byte', async () => {
    const { login, use, left } = ship({ ph: [phaseOf(1, { b: 1000 })] });
    await login();
    expect(use(0, 1000)).toEqual({ u: 0, d: 1000 });
    expect(left()).toEqual(['quota']);
  });

  test('continues with the next package and an extra package', async () => {
    const ph = [phaseOf(1, { b: 100 }), phaseOf(2, { b: 250, x: true }), phaseOf(3, { b: 300 })];
    const { login, use, counters, left } = ship({ ph });
    await login();
    expect(use(0, 1000)).toEqual({ u: 0, d: 300 });
    expect(counters()?.first).toEqual({ 1: now, 2: now, 3: now });
    expect(left()).toEqual(['quota']);
  });

  test('is shared by all sessions of the account', async () => {
    const { login, use, left } = ship({ al: 3, ph: [phaseOf(1, { b: 100 })] });
    await login();
    await login();
    use(0, 5000);
    expect(left()).toEqual(['quota', 'quota']);
  });

  test('that is used up slows the session or sets no limit, as the account is configured', async () => {
    const seconds = 60;
    const slow = ship({ ph: [phaseOf(1, { b: 0 })], z: [1, 1, 2] });
    await slow.login();
    for (const s of slow.gateway.users.sessions) s.browses = true;
    for (let i = 0; i < 30; i++) slow.wait(seconds);
    const [session] = slow.gateway.users.sessions;
    expect(session?.d).toBeGreaterThan(0);
    expect(session?.u).toBeLessThanOrEqual(30 * seconds * 1024);
    expect(session?.d).toBeLessThanOrEqual(30 * seconds * 2048);
    const free = ship({ ph: [phaseOf(1, { b: 10 })], z: [0, 0, 0] });
    await free.login();
    expect(free.use(0, 1_000_000)).toEqual({ u: 0, d: 1_000_000 });
  });

  test('is renewed in the next cycle, also without the console', async () => {
    const { login, use, left, wait, counters } = ship({ ph: [phaseOf(1, { b: 1000, r: [now + day, now + 2 * day], q: 500 })] });
    await login();
    use(0, 1000);
    expect(left()).toEqual(['quota']);
    expect(await login()).toBe('shutdown');
    wait(day);
    expect(await login()).toBe('ok');
    expect(use(0, 9999)).toEqual({ u: 0, d: 500 });
    wait(day);
    expect(await login()).toBe('ok');
    use(0, 1);
    expect(counters()?.bytes).toBe(1501);
  });

  test('of time ends the session when its seconds are used', async () => {
    const { login, left, wait, counters } = ship({ ph: [phaseOf(1, { s: 150 })] });
    await login();
    wait(60);
    wait(60);
    expect(left()).toEqual([]);
    wait(60);
    expect(left()).toEqual(['session']);
    expect(counters()?.seconds).toBe(180);
  });
});

describe('a session', () => {
  test('stays within its speed, and a new speed of the console applies at once', async () => {
    const { login, gateway, wait, change } = ship({ ph: [phaseOf(1, { u: 1, d: 1 })] });
    await login();
    const [session] = gateway.users.sessions;
    if (session) session.browses = true;
    for (let i = 0; i < 20; i++) wait(60);
    expect(session?.d).toBeLessThanOrEqual(20 * 60 * 1024);
    const before = session?.d ?? 0;
    change({ ph: [phaseOf(1)] });
    for (let i = 0; i < 20; i++) wait(60);
    expect((session?.d ?? 0) - before).toBeGreaterThan(20 * 60 * 1024);
  });

  test('ends with the account, with the package, and after its duration from the first use', async () => {
    const cases: Partial<AccountEntry>[] = [{ ex: now + 90 }, { ph: [phaseOf(1, { til: now + 90 })] }, { ph: [phaseOf(1, { dur: 90 })] }];
    for (const entry of cases) {
      const { login, left, wait } = ship(entry);
      await login();
      wait(60);
      expect(left()).toEqual([]);
      wait(60);
      expect(left()).toEqual(['expired']);
    }
  });

  test('ends when it is idle, and traffic keeps it open', async () => {
    const { login, left, wait, use } = ship({ id: 120 });
    await login();
    wait(60);
    use(1, 1);
    wait(60);
    wait(59);
    expect(left()).toEqual([]);
    wait(1);
    expect(left()).toEqual(['idle']);
  });

  test('counts its seconds correctly when the clock is changed', async () => {
    const { login, gateway, wait, counters } = ship();
    await login();
    wait(60);
    gateway.faults.drift = day * 1000;
    wait(60);
    gateway.faults.drift = 0;
    wait(30);
    gateway.faults.drift = -day * 1000;
    gateway.users.signAllOut('user');
    expect(counters()?.seconds).toBe(150);
  });

  test.each<[string, Partial<AccountEntry>, string[]]>([
    ['blocks the account', { al: 2, st: 'frozen' }, ['kick', 'kick']],
    ['expires the account', { al: 2, ex: now }, ['expired', 'expired']],
    ['binds it to another terminal', { al: 2, mac: '02:00:00:00:00:99' }, ['kick', 'kick']],
    ['lowers the allowed logins', { al: 1 }, ['kick']],
    ['withdraws the package', { al: 2, ph: [] }, ['expired', 'expired']],
    ['changes the password', { al: 2, v: verifierOf('other') }, []],
  ])('ends at once or stays open as required when the console %s', async (_, entry, reasons) => {
    const { login, left, change, gateway } = ship({ al: 2 });
    await login();
    await login();
    const [oldest] = gateway.users.sessions;
    change(entry);
    expect(left()).toEqual(reasons);
    if (reasons.length === 1) expect(gateway.users.sessions).toEqual([oldest]);
  });

  test('ends when its account is removed, and sessions of other accounts stay', async () => {
    const { login, left, remove, gateway } = ship();
    await login();
    gateway.users.signIn('guest');
    remove();
    expect(left()).toEqual(['kick']);
    expect(gateway.users.sessions).toMatchObject([{ acc: 'guest' }]);
  });

  test('does not survive a reboot, but the counters do', async () => {
    const { login, left, use, counters, gateway } = ship({ ph: [phaseOf(1, { b: 1000 })] });
    await login();
    use(0, 600);
    gateway.reboot();
    expect(left()).toEqual(['lost']);
    await login();
    expect(use(0, 600)).toEqual({ u: 0, d: 400 });
    expect(counters()?.bytes).toBe(1000);
  });
});

test('a session that a power cut ended is not charged for the time without power', async () => {
  const { login, wait, gateway, counters, events, use } = ship();
  await login();
  wait(60);
  use(5, 5);
  gateway.power('cut');
  wait(hour);
  gateway.power('on');
  expect(events('user').at(-1)).toMatchObject({ in: false, why: 'lost', t: now + 60, u: 5, d: 5 });
  expect(counters()?.seconds).toBe(60);
  await login();
  wait(60);
  expect(counters()?.seconds).toBe(120);
});

test('no traffic passes without a link', async () => {
  const { login, use, gateway } = ship();
  await login();
  gateway.world.force('none');
  expect(use(1, 1)).toEqual({ u: 0, d: 0 });
});

describe('simulated users', () => {
  const names = Array.from({ length: 20 }, (_, i) => `crew${i}`);
  const passwords = Object.fromEntries(names.slice(0, 15).map((name) => [name, `pw-${name}`]));

  test('log in with their passwords, sometimes with a wrong one, and some go idle', { tags: 'all' }, async () => {
    const { gateway, receive, wait, events } = openGateway({ calm: false, accounts: names, passwords });
    receive(
      page(
        0,
        1,
        names.map((name) => entryOf(name, { id: 600 })),
        {},
      ),
    );
    gateway.users.signAllOut('lost');
    for (let minute = 0; minute < 3 * 1440; minute++) {
      wait(60);
      await new Promise(setImmediate);
    }
    const entered = new Set(
      events('user')
        .filter((e) => e.in === true && e.t !== now)
        .map((e) => String(e.acc)),
    );
    expect([...entered].every((name) => name in passwords)).toBe(true);
    expect(entered.size).toBeGreaterThan(10);
    const refusals = events('auth').filter((e) => Number(e.t) > now);
    expect(new Set(refusals.map((e) => e.why))).toEqual(new Set(['wrong_password']));
    expect(refusals.length / events('user').length).toBeLessThan(0.1);
    expect(new Set(events('user').flatMap((e) => (e.in === false && Number(e.t) > now ? [e.why] : [])))).toEqual(new Set(['user', 'idle']));
  });
});

describe('traffic of a link', () => {
  const sumsOf = (messages: ReturnType<ReturnType<typeof openGateway>['sent']>, stream: 'flow' | 'user' | 'mgt' | 'dpi' | 'mdpi') =>
    messages
      .flatMap((body) => batchOf(stream).read(body, '').rows)
      .reduce<Record<string, number>>((sums, { i = '', u, d }) => Object.assign(sums, { [i]: (sums[i] ?? 0) + Number(u) + Number(d) }), {});

  const dayAtSea = (options: Partial<GatewayOptions>) => {
    const { wait, sent, gateway } = openGateway({
      calm: false,
      links: ['6d', 'l_band', 'low_orbit'],
      accounts: Array.from({ length: 10 }, (_, i) => `crew${i}`),
      ...options,
    });
    gateway.own.add('mqtt', 5000, 4000);
    for (let minute = 0; minute < 1440; minute++) {
      if (minute % 100 === 0) gateway.own.add('file', 0, 777);
      wait(60);
    }
    gateway.world.reportTraffic();
    const flow = sumsOf(sent('t/flow'), 'flow');
    const user = sumsOf(sent('t/user'), 'user');
    const mgt = sumsOf(sent('t/mgt'), 'mgt');
    return { flow, user, mgt, gateway, sent };
  };

  test('is the sum of the traffic of users and of the gateway itself, on each link', () => {
    const { flow, user, mgt, gateway, sent } = dayAtSea({});
    expect(Object.keys(flow).length).toBeGreaterThan(1);
    for (const [link, bytes] of Object.entries(flow)) expect((user[link] ?? 0) + (mgt[link] ?? 0)).toBe(bytes);
    const { u, d } = gateway.world.bytesOf('6d');
    expect(u + d).toBe(flow['6d']);
    const services = sent('t/mgt').flatMap((body) =>
      batchOf('mgt')
        .read(body, '')
        .rows.map(({ svc }) => svc),
    );
    expect(new Set(services)).toEqual(new Set(['mqtt', 'file', 'ntp']));
  });

  test('has the applications of its users and services, to the byte, with sessions and peaks', () => {
    const { user, mgt, sent } = dayAtSea({});
    const total = (sums: Record<string, number>) => Object.values(sums).reduce((sum, bytes) => sum + bytes, 0);
    expect(total(sumsOf(sent('t/dpi'), 'dpi'))).toBe(total(user));
    expect(sumsOf(sent('t/mdpi'), 'mdpi')).toEqual(mgt);
    const rowsOf = (stream: 'user' | 'mgt' | 'dpi' | 'mdpi') => sent(`t/${stream}`).flatMap((body) => batchOf(stream).read(body, '').rows);
    const apps = rowsOf('dpi');
    expect(new Set(apps.map(({ app }) => app)).size).toBeGreaterThan(8);
    for (const { n } of [...apps, ...rowsOf('mdpi')]) expect(n).toBeGreaterThan(0);
    const unknown = apps.filter(({ app }) => app === '0').reduce((sum, { u, d }) => sum + Number(u) + Number(d), 0);
    expect(unknown / total(user)).toBeLessThan(0.02);
    for (const body of [...sent('t/user')])
      for (const { u, d, pk } of batchOf('user').read(body, '').rows)
        expect(Number(pk) * 1024 * Number(body.dt)).toBeGreaterThanOrEqual(Number(u) + Number(d));
    for (const { pk } of rowsOf('mgt')) expect(pk).toBeGreaterThanOrEqual(0);
  });

  test('exceeds the traffic of users with the fault "unattributed"', () => {
    const opened = openGateway();
    opened.gateway.faults.unattributed = 0.5;
    opened.gateway.users.signIn('crew').browses = false;
    opened.gateway.users.transfer('crew', { u: 1000, d: 3000 });
    opened.gateway.world.reportTraffic();
    const flow = sumsOf(opened.sent('t/flow'), 'flow');
    const mgt = sumsOf(opened.sent('t/mgt'), 'mgt');
    expect((flow['6d'] ?? 0) - (mgt['6d'] ?? 0)).toBe(6000);
  });

  test('of an older gateway has no links of users and no services of the gateway', () => {
    const { user, mgt, sent } = dayAtSea({ version: '02.11.00' });
    expect(Object.keys(user)).toEqual(['']);
    expect(mgt).toEqual({});
    expect([...sent('t/dpi'), ...sent('t/mdpi')]).toEqual([]);
    expect(sent('t/user')[0]?.c).toEqual(['acc', 'u', 'd']);
    expect(sent('e').filter((e) => e.via !== undefined)).toEqual([]);
  });
});

test('the time of sessions that are open together counts once', async () => {
  const { login, wait, gateway, counters } = ship({ al: 2 });
  await login();
  wait(hour);
  await login();
  wait(hour);
  gateway.users.signAllOut('user');
  expect(counters()?.seconds).toBe(2 * hour);
});
