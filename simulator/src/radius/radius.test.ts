import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { batchOf } from '@farlink/gateway/protocol/stream.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { codes, statusTypes } from '@farlink/gateway/radius/attributes.ts';
import type { Attribute, Packet } from '@farlink/gateway/radius/packet.ts';
import { revealPassword } from '@farlink/gateway/radius/password.ts';
import { attribute, intOf, ipOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../gateway-options.ts';
import { entryOf, openGateway, page } from '../sample-accounts.ts';
import { rejectReasonOf } from './reject-reason.ts';
import { openRadsecPeer, openUdpPeer, type RequestHandler } from './sample-peer.ts';

const secret = 'a shared secret';
const MB = 1024 ** 2;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const accept = (...more: Attribute[]): RequestHandler => {
  const attributes = [attribute('Class', Buffer.from('class 1')), attribute('Acct-Interim-Interval', 300), ...more];
  return ({ code }) =>
    code === codes.accessRequest ? { code: codes.accessAccept, attributes } : { code: codes.accountingResponse, attributes: [] };
};

const ship = (options: Partial<GatewayOptions>, section: JsonObject | undefined) => {
  const opened = openGateway({ bill: 2, radiusRetryMs: 40, ...options });
  const { gateway, deliver } = opened;
  let rev = 0;
  const configure = (doc: JsonObject) => deliver(downTopic(gateway.sn, 'cfg/radius'), JSON.stringify({ rev: ++rev, h: hashOf(doc), doc }));
  if (section) configure(section);
  closing.push(() => gateway.stop(false));
  const login = async (more: { acc?: string; password?: string; mac?: string; ip?: string; vlan?: number } = {}) => {
    const result = await gateway.users.login({ acc: 'crew', password: 'pw-crew', ...more }, false);
    return 'why' in result ? result.why : result.session;
  };
  return { ...opened, configure, login };
};

/** For tests that count requests: a slow machine must not cause repetitions. */
const noRepeats = { radiusRetryMs: 20_000 };

/** A gateway in mode AAA with a peer over UDP. */
const onUdp = async (handler: RequestHandler, options: Partial<GatewayOptions> = {}, more: JsonObject = {}) => {
  const peer = await openUdpPeer(secret, handler);
  closing.push(() => peer.close());
  const section = { host: '127.0.0.1', auth: peer.port, acct: peer.port, id: 'ACC1', secret, interval: 600, ...more };
  return { peer, section, ...ship(options, section) };
};

const onRadsec = async (handler: RequestHandler, options: Partial<GatewayOptions> = {}) => {
  const peer = await openRadsecPeer('ACC1', secret, handler);
  closing.push(() => peer.close());
  // Without a host, the host of the console is used.
  return { peer, ...ship(options, { port: peer.port, id: 'ACC1', secret, interval: 600 }) };
};

const statusOf = (packet: Packet) => Object.entries(statusTypes).find(([, n]) => n === intOf(packet, 'Acct-Status-Type'))?.[0];
const accountingOf = (requests: readonly Packet[], ...statuses: string[]) =>
  requests.filter((p) => p.code === codes.accountingRequest && statuses.includes(statusOf(p) ?? ''));
const counters = (packet: Packet | undefined) => {
  if (!packet) return undefined;
  const wide = (low: 'Acct-Input-Octets' | 'Acct-Output-Octets', high: 'Acct-Input-Gigawords' | 'Acct-Output-Gigawords') =>
    (intOf(packet, low) ?? -1) + (intOf(packet, high) ?? -1) * 2 ** 32;
  return {
    u: wide('Acct-Input-Octets', 'Acct-Input-Gigawords'),
    d: wide('Acct-Output-Octets', 'Acct-Output-Gigawords'),
    s: intOf(packet, 'Acct-Session-Time'),
    cause: intOf(packet, 'Acct-Terminate-Cause'),
  };
};

describe('a login by RADIUS', () => {
  test.each(['udp', 'radsec'] as const)('over %s opens a session with its accounting', async (transport) => {
    const { peer, gateway, login, events, time } = await (transport === 'udp' ? onUdp : onRadsec)(accept(), noRepeats);
    const session = await login({ mac: '0200.0000.00AB', ip: '192.168.10.9', vlan: 7 });
    expect(session).toMatchObject({ via: 'aaa', ip: '192.168.10.9' });
    await expect.poll(() => accountingOf(peer.requests, 'on', 'start').length).toBe(2);
    const [on, request, start] = peer.requests;
    expect(on && statusOf(on)).toBe('on');
    if (!request || !start || typeof session === 'string') throw new Error('no request');
    const hidden = octetsOf(request, 'User-Password') ?? Buffer.alloc(0);
    expect(revealPassword(hidden, request.authenticator, transport === 'udp' ? secret : 'radsec')?.toString()).toBe('pw-crew');
    for (const packet of [request, start]) {
      expect(textOf(packet, 'NAS-Identifier')).toBe('ACC1');
      expect(textOf(packet, 'User-Name')).toBe('crew');
      expect(textOf(packet, 'Acct-Session-Id')).toBe(session.sid);
      expect(textOf(packet, 'Calling-Station-Id')).toBe('02-00-00-00-00-AB');
      expect(ipOf(packet, 'Framed-IP-Address')).toBe('192.168.10.9');
      expect(textOf(packet, 'Tunnel-Private-Group-Id')).toBe('7');
      expect(intOf(packet, 'Event-Timestamp')).toBe(time());
    }
    expect(octetsOf(start, 'Class')?.toString()).toBe('class 1');
    expect(events('user')).toMatchObject([{ acc: 'crew', in: true, via: 'aaa' }]);
    gateway.users.signAllOut('user');
    await expect.poll(() => counters(accountingOf(peer.requests, 'stop')[0])).toEqual({ u: 0, d: 0, s: 0, cause: 1 });
  });

  test('gets the address of the Accept when the terminal has none', async () => {
    const { login, peer } = await onUdp(accept(attribute('Framed-IP-Address', '10.9.8.7')));
    expect(await login()).toMatchObject({ ip: '10.9.8.7' });
    const request = peer.requests.find((p) => p.code === codes.accessRequest);
    expect(request && ipOf(request, 'Framed-IP-Address')).toBeUndefined();
  });

  test('is rejected with the reason from Reply-Message', async () => {
    const { login, events } = await onUdp(({ code }) =>
      code === codes.accessRequest
        ? { code: codes.accessReject, attributes: [attribute('Reply-Message', '密码错误')] }
        : { code: codes.accountingResponse, attributes: [] },
    );
    expect(await login()).toBe('wrong_password');
    expect(events('auth')).toMatchObject([{ acc: 'crew', ok: false, why: 'wrong_password', via: 'aaa' }]);
    expect(rejectReasonOf('Not the bound MAC')).toBe('wrong_mac');
    expect(rejectReasonOf('Come back tomorrow')).toBe('unknown');
    expect(rejectReasonOf(undefined)).toBe('unknown');
  });

  test('without an answer is repeated twice with the same identifier, and refused', async () => {
    const { login, events, peer } = await onUdp(({ code }) =>
      code === codes.accessRequest ? undefined : { code: codes.accountingResponse, attributes: [] },
    );
    expect(await login()).toBe('unknown');
    const sent = peer.requests.filter((p) => p.code === codes.accessRequest);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((p) => `${p.id} ${p.authenticator.toString('hex')}`)).size).toBe(1);
    expect(events('auth')).toEqual([expect.not.objectContaining({ via: 'aaa' })]);
  });

  test('ignores a reply with another secret', async () => {
    const { login, configure, section } = await onUdp(accept());
    expect(await login()).toMatchObject({ via: 'aaa' });
    const liar = await openUdpPeer(secret, accept(), 'another secret');
    closing.push(() => liar.close());
    configure({ ...section, auth: liar.port });
    expect(await login({ acc: 'other' })).toBe('unknown');
    expect(liar.requests).toHaveLength(3);
  });

  test('with a wrong PSK fails', async () => {
    const { login, configure, peer } = await onRadsec(accept());
    configure({ port: peer.port, id: 'ACC1', secret: 'another', interval: 600 });
    expect(await login()).toBe('unknown');
    expect(peer.requests).toEqual([]);
  });

  test('with a password that RADIUS cannot carry is rejected', async () => {
    const { login, peer } = await onUdp(accept());
    expect(await login({ password: '密'.repeat(43) })).toBe('wrong_password');
    expect(peer.requests).toEqual([]);
  });

  test('in mixed mode is used only for accounts that are not stored locally', async () => {
    const { login, receive, peer, gateway } = await onUdp(accept(), { bill: 3 });
    receive(page(0, 1, [entryOf('crew')]));
    expect(await login()).toMatchObject({ via: 'local' });
    expect(await login({ password: 'guess' })).toBe('wrong_password');
    expect(peer.requests.filter((p) => p.code === codes.accessRequest)).toEqual([]);
    expect(await login({ acc: 'guest' })).toMatchObject({ via: 'aaa' });
    receive(page(1, 2, [entryOf('guest')], { x: ['crew'] }));
    expect(gateway.users.sessions).toMatchObject([{ acc: 'guest', via: 'aaa' }]);
  });

  test('is not possible without the RADIUS section, in other modes, or with old firmware', async () => {
    expect(await ship({}, undefined).login()).toBe('unknown');
    const { peer, login } = await onUdp(accept(), { bill: 1 });
    expect(await login()).toBe('unknown');
    const old = await onUdp(accept(), { version: '02.11.00' });
    expect(await old.login()).toBe('unknown');
    expect([...peer.requests, ...old.peer.requests]).toEqual([]);
    expect([old.hello().caps.includes('radius'), ship({}, undefined).hello().caps.includes('radius')]).toEqual([false, true]);
  });
});

describe('a session of RADIUS', () => {
  test('ends at its quota to the byte', async () => {
    const { peer, login, gateway, events } = await onUdp(
      accept(attribute('ChilliSpot-Max-Total-Octets', MB), attribute('ChilliSpot-Max-Total-Gigawords', 1)),
    );
    await login();
    gateway.users.transfer('crew', { u: 2 ** 32, d: 0 });
    gateway.users.transfer('crew', { u: 0, d: 3 * MB });
    expect(gateway.users.sessions).toEqual([]);
    expect(events('user').at(-1)).toMatchObject({ in: false, why: 'quota', via: 'aaa', u: 2 ** 32, d: MB });
    await expect.poll(() => counters(accountingOf(peer.requests, 'stop')[0])).toMatchObject({ u: 2 ** 32, d: MB, cause: 10 });
  });

  test('ends after its time, and when it is idle', async () => {
    const { login, wait, events } = await onUdp(accept(attribute('Session-Timeout', 900), attribute('Idle-Timeout', 600)));
    await login();
    wait(500);
    wait(200);
    expect(events('user').at(-1)).toMatchObject({ in: false, why: 'idle' });
    const { login: again, wait: pass, events: sessionEvents, gateway } = await onUdp(accept(attribute('Session-Timeout', 900)));
    await again();
    for (let i = 0; i < 8; i++) {
      gateway.users.transfer('crew', { u: 1, d: 1 });
      pass(100);
    }
    expect(gateway.users.online).toBe(1);
    pass(100);
    expect(sessionEvents('user').at(-1)).toMatchObject({ in: false, why: 'session', u: 8, d: 8 });
  });

  test('is limited by its speeds', async () => {
    const speeds = [attribute('WISPr-Bandwidth-Max-Up', 8 * 1000), attribute('WISPr-Bandwidth-Max-Down', 8 * 2000)];
    const { login, gateway, wait } = await onUdp(accept(...speeds));
    const session = await login();
    if (typeof session === 'string') throw new Error(session);
    session.browses = true;
    for (let i = 0; i < 50; i++) wait(60);
    expect(session.u).toBeLessThanOrEqual(50 * 60 * 1000);
    expect(session.d).toBeLessThanOrEqual(50 * 60 * 2000);
    expect(session.d).toBeGreaterThan(50 * 60 * 400);
    expect(gateway.accounts.counters()).toEqual({});
  });

  test('reports its counters at the interval of the Accept, and its traffic as aaa', async () => {
    const { login, gateway, wait, peer, sent } = await onUdp(accept());
    await login();
    gateway.users.transfer('crew', { u: 10, d: 2 ** 33 + 5 });
    wait(200);
    expect(accountingOf(peer.requests, 'interim')).toEqual([]);
    wait(100);
    await expect.poll(() => accountingOf(peer.requests, 'interim').map(counters)).toMatchObject([{ u: 10, d: 2 ** 33 + 5, s: 300 }]);
    gateway.world.reportTraffic();
    const rows = sent('t/user').flatMap((body) => batchOf('user').read(body, '').rows);
    expect(new Set(rows.map(({ acc, via }) => `${acc} ${via}`))).toEqual(new Set(['crew aaa']));
    expect(rows.reduce((sum, { d }) => sum + Number(d), 0)).toBe(2 ** 33 + 5);
    const own = sent('t/mgt').flatMap((body) => batchOf('mgt').read(body, '').rows);
    const bytes = own.filter(({ svc }) => svc === 'radius').reduce((sum, { u, d }) => sum + Number(u) + Number(d), 0);
    expect(bytes).toBeGreaterThan(200);
  });
});

describe('requests of the console', () => {
  test.each(['udp', 'radsec'] as const)('over %s end and change sessions', async (transport) => {
    const free = await openUdpPeer(secret, () => undefined);
    const listen = free.port;
    free.close();
    const udp = transport === 'udp' ? await onUdp(accept(), {}, { coa: listen }) : undefined;
    const radsec = transport === 'radsec' ? await onRadsec(accept()) : undefined;
    const { gateway, login, wait, peer } = udp ?? radsec ?? (await onUdp(accept()));
    const sendRequest = (code: number, attributes: Attribute[], times?: number) => {
      if (udp) return udp.peer.request({ code, attributes }, listen, times);
      return radsec?.peer.request({ code, attributes }, times);
    };
    const session = await login();
    if (typeof session === 'string') throw new Error(session);
    wait(60);
    const target = [attribute('User-Name', 'crew'), attribute('Acct-Session-Id', session.sid)];
    const changed = await sendRequest(codes.coaRequest, [
      ...target,
      attribute('WISPr-Bandwidth-Max-Down', 80_000),
      attribute('ChilliSpot-Max-Total-Octets', 500),
    ]);
    expect(changed?.code).toBe(codes.coaAck);
    expect(session.grant).toMatchObject({ up: undefined, down: 10_000, bytes: 500, interim: 300 });
    const unknown = await sendRequest(codes.disconnectRequest, [attribute('Acct-Session-Id', 'none')]);
    expect(unknown && [unknown.code, intOf(unknown, 'Error-Cause')]).toEqual([codes.disconnectNak, 503]);
    const lost = await sendRequest(codes.coaRequest, [attribute('Acct-Session-Id', session.sid), attribute('User-Name', 'other')]);
    expect(lost && [lost.code, intOf(lost, 'Error-Cause')]).toEqual([codes.coaNak, 503]);
    // The repetition gets the same answer.
    expect((await sendRequest(codes.disconnectRequest, target, 2))?.code).toBe(codes.disconnectAck);
    expect(gateway.users.sessions).toEqual([]);
    await expect.poll(() => counters(accountingOf(peer.requests, 'stop')[0])).toMatchObject({ cause: 6 });
  });

  test('end a session whose new quota is used up', async () => {
    const { login, gateway, peer, events } = await onRadsec(accept());
    const session = await login();
    if (typeof session === 'string') throw new Error(session);
    gateway.users.transfer('crew', { u: 0, d: 700 });
    await peer.request({
      code: codes.coaRequest,
      attributes: [attribute('Acct-Session-Id', session.sid), attribute('ChilliSpot-Max-Total-Octets', 500)],
    });
    expect(events('user').at(-1)).toMatchObject({ in: false, why: 'quota' });
  });
});

describe('accounting', () => {
  test('waits without a link, and is sent later with its original times', async () => {
    const { login, gateway, wait, peer, time } = await onRadsec(accept());
    await login();
    await expect.poll(() => accountingOf(peer.requests, 'start').length).toBe(1);
    const began = time();
    gateway.users.transfer('crew', { u: 100, d: 200 });
    gateway.world.force('none');
    for (let i = 0; i < 10; i++) wait(60);
    gateway.users.signAllOut('user');
    expect(accountingOf(peer.requests, 'interim', 'stop')).toEqual([]);
    wait(1000);
    gateway.world.force(undefined);
    await expect.poll(() => accountingOf(peer.requests, 'stop').length).toBe(1);
    const [stop] = accountingOf(peer.requests, 'stop');
    expect(counters(stop)).toEqual({ u: 100, d: 200, s: 600, cause: 1 });
    expect(stop && [intOf(stop, 'Event-Timestamp'), intOf(stop, 'Acct-Delay-Time')]).toEqual([began + 600, time() - began - 600]);
    expect(peer.connections()).toBe(2);
  });

  test('is repeated until the console confirms, over a broken connection too', async () => {
    let isDeaf = false;
    const kind = accept();
    const { login, gateway, wait, peer } = await onRadsec((packet, n) => (isDeaf ? undefined : kind(packet, n)));
    await login();
    await expect.poll(() => accountingOf(peer.requests, 'start').length).toBe(1);
    isDeaf = true;
    gateway.users.signAllOut('user');
    await expect.poll(() => accountingOf(peer.requests, 'stop').length).toBe(1);
    peer.cut();
    await expect.poll(() => accountingOf(peer.requests, 'stop').length).toBe(2);
    isDeaf = false;
    await expect
      .poll(() => {
        wait(60);
        return accountingOf(peer.requests, 'stop').length;
      })
      .toBe(3);
    const ids = accountingOf(peer.requests, 'stop').map((p) => p.authenticator.toString('hex'));
    expect(new Set(ids.slice(0, 2)).size).toBe(1);
  });

  test('of sessions that a reboot ended is sent before Accounting-On', async () => {
    const { login, gateway, wait, peer } = await onUdp(accept(), noRepeats);
    await login();
    await expect.poll(() => accountingOf(peer.requests, 'start').length).toBe(1);
    gateway.users.transfer('crew', { u: 0, d: 50 });
    wait(120);
    gateway.power('cut');
    wait(600);
    gateway.power('on');
    wait(60);
    await expect.poll(() => accountingOf(peer.requests, 'on').length).toBe(2);
    expect(peer.requests.map(statusOf).filter(Boolean)).toEqual(['on', 'start', 'stop', 'on']);
    const [stop] = accountingOf(peer.requests, 'stop');
    expect(counters(stop)).toEqual({ u: 0, d: 50, s: 120, cause: 2 });
    expect(stop && intOf(stop, 'Acct-Delay-Time')).toBeGreaterThanOrEqual(600);
  });
});

test('simulated users log in by RADIUS with their passwords', async () => {
  const passwords = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`crew${i}`, `pw-${i}`]));
  const { gateway, wait, events, peer } = await onUdp(accept(), { calm: false, passwords, accounts: ['someone'], seed: 3 });
  await expect
    .poll(() => {
      wait(60);
      return gateway.users.sessions.filter((s) => s.via === 'aaa').length;
    })
    .toBeGreaterThan(2);
  expect(events('user').every(({ acc }) => String(acc).startsWith('crew'))).toBe(true);
  expect(peer.requests.length).toBeGreaterThan(3);
});
