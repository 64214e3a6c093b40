import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeRequest, newAuthenticator } from '@farlink/gateway/radius/authenticator.ts';
import { msChap2Response } from '@farlink/gateway/radius/mschap.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { chapResponse } from '@farlink/gateway/radius/password.ts';
import { attribute, intOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;
let other: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  world = await openRadiusWorld(service.deps, service.me.agent_id);
  [radius, other] = [await world.open(), await world.open()];
});
afterAll(async () => {
  await radius.close();
  await other.close();
  await service.close();
});

const mac = (n: number) => attribute('Calling-Station-Id', `AA-BB-CC-00-00-${n.toString(16).padStart(2, '0')}`);
const sid = (id: string) => attribute('Acct-Session-Id', id);
const at = (seconds: number) => attribute('Event-Timestamp', service.clock.now() + seconds);
const octets = (up: number, down: number) => [attribute('Acct-Input-Octets', up), attribute('Acct-Output-Octets', down)];
const time = (seconds: number) => attribute('Acct-Session-Time', seconds);
const classOf = (packet: Packet | undefined) => octetsOf(packet ?? { attributes: [] }, 'Class') ?? Buffer.alloc(0);

const client = async (more: Parameters<typeof world.makeNas>[0] = {}, server = radius) => {
  const nas = await world.makeNas(more);
  await Promise.all([radius.reload(), other.reload()]);
  const udp = await openUdpNas(server, nas.secret);
  const login = (account: string, password = world.password, attributes: Parameters<typeof pap>[3] = []) =>
    udp.request(udp.encode(pap(account, password, nas.secret, [nas.self, ...attributes])));
  const account = (status: Parameters<typeof accounting>[0], attributes: Parameters<typeof accounting>[1]) =>
    udp.request(udp.encode(accounting(status, [nas.self, ...attributes])));
  const row = async () => {
    await radius.tick();
    await other.tick();
    return service.deps.db.selectFrom('nas').selectAll().where('id', '=', nas.id).executeTakeFirstOrThrow();
  };
  return { ...udp, nas, login, account, row };
};

const rejections = (id: number) =>
  service.deps.db.selectFrom('login_rejection').select(['reason', 'mac']).where('subscriber_id', '=', id).orderBy('id').execute();

describe('a login', () => {
  it('is accepted with the right password, with limits, Class and interim interval', async () => {
    const nas = await client();
    const pkg = await world.makePackage({ up_speed: 128, down_speed: 512 });
    const { account } = await world.makeAccount({}, pkg);
    const reply = await nas.login(account.toUpperCase());
    expect(reply?.code).toBe(codes.accessAccept);
    expect(reply && intOf(reply, 'Session-Timeout')).toBe(30 * 86_400);
    expect(reply && intOf(reply, 'Acct-Interim-Interval')).toBe(300);
    expect(reply && intOf(reply, 'WISPr-Bandwidth-Max-Up')).toBe(128 * 8192);
    expect(reply && intOf(reply, 'WISPr-Bandwidth-Max-Down')).toBe(512 * 8192);
    expect(classOf(reply).toString()).toMatch(/^fl1\.\d+\./);
    expect(await nas.row()).toMatchObject({ last_at: service.clock.now(), ma_seen_at: service.clock.now(), ma_missing_at: null });
    nas.close();
  });

  it('is rejected with a text in the language of the NAS and nothing else', async () => {
    const zh = await client();
    const en = await client({ language: 'en' });
    const { id, account } = await world.makeAccount();
    const reply = await zh.login(account, 'wrong', [mac(1)]);
    expect(reply?.code).toBe(codes.accessReject);
    expect(reply?.attributes.map((a) => a.type)).toEqual([80, 18]);
    expect(reply && textOf(reply, 'Reply-Message')).toBe('密码错误');
    const foreign = await en.login('no-such-name');
    expect(foreign && textOf(foreign, 'Reply-Message')).toBe('Wrong password');
    expect(await rejections(id)).toEqual([{ reason: 'wrong_password', mac: 'aa:bb:cc:00:00:01' }]);
    zh.close();
    en.close();
  });

  it('is rejected for each state of the account', async () => {
    const nas = await client();
    const states = ['disabled', 'frozen', 'expired', 'reserved_shutdown'] as const;
    for (const status of states) {
      const { id, account } = await world.makeAccount({ status });
      expect((await nas.login(account))?.code).toBe(codes.accessReject);
      expect(await rejections(id)).toEqual([{ reason: status, mac: null }]);
    }
    const late = await world.makeAccount({ expire_at: service.clock.now() });
    await nas.login(late.account);
    const none = await world.makeAccount({}, null);
    await nas.login(none.account);
    expect([await rejections(late.id), await rejections(none.id)]).toMatchObject([[{ reason: 'expired' }], [{ reason: 'no_package' }]]);
    nas.close();
  });

  it('is rejected at a NAS of another VNO as if the account did not exist', async () => {
    const agent_id = await world.makeVno();
    const nas = await client({ agent_id });
    const { id, account } = await world.makeAccount();
    const reply = await nas.login(account);
    expect(reply && textOf(reply, 'Reply-Message')).toBe('密码错误');
    expect(await rejections(id)).toEqual([]);
    nas.close();
  });

  it('compares MAC and VLAN in any spelling, and returns a bound IP address', async () => {
    const nas = await client();
    const bound = await world.makeAccount({ bind_mac: 'AA:BB:CC:00:00:07', vlan_id: 12, bind_ip: '10.9.8.7' });
    const vlan = attribute('NAS-Port-Id', 'eth0.12');
    for (const spelling of ['aabb.cc00.0007', 'AA-BB-CC-00-00-07:Ship', 'aabbcc000007']) {
      const reply = await nas.login(bound.account, world.password, [attribute('Calling-Station-Id', spelling), vlan]);
      expect(reply?.code, spelling).toBe(codes.accessAccept);
      expect(reply && octetsOf(reply, 'Framed-IP-Address')).toEqual(Buffer.from([10, 9, 8, 7]));
      service.clock.advance(61);
    }
    await nas.login(bound.account, world.password, [mac(8), vlan]);
    await nas.login(bound.account, world.password, [mac(7), attribute('Tunnel-Private-Group-Id', '13')]);
    await nas.login(bound.account, world.password, [mac(7), vlan, attribute('Framed-IP-Address', '10.9.8.6')]);
    expect((await rejections(bound.id)).map((r) => r.reason)).toEqual(['wrong_mac', 'wrong_vlan', 'wrong_ip']);
    nas.close();
  });

  it('by CHAP or MS-CHAPv2 must be enabled for the NAS', async () => {
    const off = await client();
    const on = await client({ chap: true, mschap: true });
    const { id, account } = await world.makeAccount({ allow_logins: 9 });
    const challenge = newAuthenticator();
    const chap = (password: string) => [
      attribute('CHAP-Password', chapResponse(3, challenge, password)),
      attribute('CHAP-Challenge', challenge),
    ];
    const mschap = (password: string) => [
      attribute('MS-CHAP-Challenge', challenge),
      attribute('MS-CHAP2-Response', msChap2Response(1, challenge, newAuthenticator(), account, password)),
    ];
    const loginBy = (nas: typeof on, proof: typeof challenge extends never ? never : ReturnType<typeof chap>) =>
      nas.request(nas.encode({ code: codes.accessRequest, attributes: [nas.nas.self, attribute('User-Name', account), ...proof] }));
    expect((await loginBy(on, chap(world.password)))?.code).toBe(codes.accessAccept);
    expect((await loginBy(on, chap('wrong')))?.code).toBe(codes.accessReject);
    const accepted = await loginBy(on, mschap(world.password));
    expect(accepted?.code).toBe(codes.accessAccept);
    expect(accepted && octetsOf(accepted, 'MS-CHAP2-Success')?.subarray(1).toString()).toMatch(/^S=[0-9A-F]{40}$/);
    expect((await loginBy(on, mschap('wrong')))?.code).toBe(codes.accessReject);
    expect((await loginBy(off, chap(world.password)))?.code).toBe(codes.accessReject);
    expect((await rejections(id)).map((r) => r.reason)).toEqual(['wrong_password', 'wrong_password', 'method_off']);
    off.close();
    on.close();
  });

  it('with a quota gets the remaining quota, or a slice if several logins are allowed', async () => {
    const mikrotik = await client({ vendor: 'mikrotik' });
    const chilli = await client({ vendor: 'chillispot' });
    const { id: policy_id } = await service.deps.db
      .insertInto('policy')
      .values({ agent_id: service.me.agent_id, name: 'Stop', ratio: 80, action: 2, limit_up: 0, limit_down: 0, create_at: 1, update_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const flow = {
      package_type: 'flow',
      time_capacity: null,
      time_unit: null,
      flow_capacity: 10,
      flow_unit: 'GB',
      up_speed: 256,
      policy_id,
    } as const;
    const one = await world.makeAccount({}, await world.makePackage(flow));
    const reply = await mikrotik.login(one.account);
    expect(reply && textOf(reply, 'Mikrotik-Rate-Limit')).toBe('2097152/4000000000');
    expect(reply && [intOf(reply, 'Mikrotik-Total-Limit'), intOf(reply, 'Mikrotik-Total-Limit-Gigawords')]).toEqual([2 * 1024 ** 3, 2]);
    const five = await world.makeAccount({ allow_logins: 5 }, await world.makePackage(flow));
    const slice = await chilli.login(five.account);
    expect(slice && intOf(slice, 'ChilliSpot-Max-Total-Octets')).toBe(2 * 1024 ** 3);
    mikrotik.close();
    chilli.close();
  });
});

describe('a client', () => {
  it('without Message-Authenticator is dropped and counted, unless the NAS has the exception', async () => {
    const strict = await client();
    const legacy = await client({ require_ma: false });
    const { account } = await world.makeAccount({ allow_logins: 9 });
    const bare = (nas: typeof strict, more: Parameters<typeof pap>[3] = []) =>
      nas.request(nas.encode({ ...pap(account, world.password, nas.nas.secret, [nas.nas.self, ...more]), isSigned: false }), 300);
    expect(await bare(strict)).toBeUndefined();
    expect(await strict.row()).toMatchObject({ drops: 1, ma_seen_at: null, ma_missing_at: service.clock.now() });
    expect((await bare(legacy))?.code).toBe(codes.accessAccept);
    expect(await legacy.row()).toMatchObject({ drops: 0, ma_missing_at: service.clock.now() });
    expect(await bare(legacy, [attribute('Proxy-State', Buffer.from('x'))])).toBeUndefined();
    strict.close();
    legacy.close();
  });

  it('with a wrong secret, or unknown, gets no reply', async () => {
    const nas = await client();
    const { account } = await world.makeAccount();
    const wrong = await openUdpNas(radius, 'other');
    const requests = [
      wrong.encode(pap(account, world.password, 'other', [nas.nas.self])),
      wrong.encode(accounting('start', [nas.nas.self, sid('x'), attribute('User-Name', account)])),
    ];
    for (const bytes of requests) expect(await wrong.request(bytes, 200)).toBeUndefined();
    expect(await nas.row()).toMatchObject({ wrong_secret: 2, last_at: null });
    const before = radius.refused.unknown_nas ?? 0;
    expect(await wrong.request(wrong.encode(pap(account, 'x', 'other', [attribute('NAS-Identifier', 'stranger')])), 200)).toBeUndefined();
    expect(radius.refused.unknown_nas).toBe(before + 1);
    nas.close();
    wrong.close();
  });

  it('with the identifier of a NAS of another VNO is found by its secret', async () => {
    const first = await client();
    const second = await client({ agent_id: await world.makeVno(), identifier: first.nas.identifier });
    const { account } = await world.makeAccount();
    expect((await first.login(account))?.code).toBe(codes.accessAccept);
    expect((await second.login(account))?.code).toBe(codes.accessReject);
    expect(await first.row()).toMatchObject({ wrong_secret: 0 });
    first.close();
    second.close();
  });

  it('that repeats a request gets the same reply, also from another port', async () => {
    const nas = await client();
    const again = await openUdpNas(radius, nas.nas.secret);
    const { id, account } = await world.makeAccount();
    const bytes = nas.encode(pap(account, world.password, nas.nas.secret, [nas.nas.self]));
    const first = await nas.request(bytes);
    const second = await again.request(bytes);
    expect(first?.code).toBe(codes.accessAccept);
    expect(second).toEqual(first);
    expect(await nas.row()).toMatchObject({ duplicates: 1 });
    const { length } = await service.deps.db.selectFrom('radius_reserve').selectAll().where('subscriber_id', '=', id).execute();
    expect(length).toBe(1);
    nas.close();
    again.close();
  });

  it('gets its Proxy-State back in order, and a reply to Status-Server', async () => {
    const nas = await client();
    const { account } = await world.makeAccount();
    const states = ['one', 'two'].map((text) => attribute('Proxy-State', Buffer.from(text)));
    const reply = await nas.login(account, world.password, states);
    expect(reply?.attributes.filter((a) => a.type === 33).map((a) => a.value.toString())).toEqual(['one', 'two']);
    const status = await nas.request(nas.encode({ code: codes.statusServer, attributes: [nas.nas.self] }));
    expect(status?.code).toBe(codes.accessAccept);
    nas.close();
  });
});

describe('what a NAS does', () => {
  it('is stored: its logins and accounting, the returned Class and its clock', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    expect(await nas.row()).toMatchObject({ login_seen_at: null, accounting_seen_at: null, class_returned: null, clock_offset_s: null });
    const accept = await nas.login(account);
    const loginAt = service.clock.now();
    const own = [sid('seen'), attribute('User-Name', account), attribute('Class', classOf(accept))];
    await nas.account('on', [at(0)]);
    expect(await nas.row()).toMatchObject({ login_seen_at: loginAt, accounting_seen_at: loginAt, class_returned: null, clock_offset_s: 0 });
    service.clock.advance(30);
    await nas.account('start', [...own, at(-600), attribute('Acct-Delay-Time', 60)]);
    expect(await nas.row()).toMatchObject({
      login_seen_at: loginAt,
      accounting_seen_at: service.clock.now(),
      class_returned: true,
      clock_offset_s: -540,
    });
    await nas.account('interim', [...own, time(10)]);
    await nas.account('interim', [sid('other'), attribute('User-Name', account)]);
    expect(await nas.row()).toMatchObject({ class_returned: false, clock_offset_s: -540 });
    await nas.login(account, 'wrong');
    const refused = await service.deps.db.selectFrom('login_rejection').select('nas_id').where('subscriber_id', '=', id).execute();
    expect(refused).toEqual([{ nas_id: nas.nas.id }]);
    nas.close();
  });
});

describe('simultaneous logins', () => {
  it('on two servers at once get one Accept if one login is allowed', async () => {
    const nas = await client();
    const second = await openUdpNas(other, nas.nas.secret);
    for (let round = 0; round < 10; round++) {
      const { account } = await world.makeAccount();
      const login = (on: typeof nas | typeof second, n: number) =>
        on.request(on.encode(pap(account, world.password, nas.nas.secret, [nas.nas.self, mac(n)])));
      const replies = await Promise.all([login(nas, 1), login(second, 2), login(nas, 3), login(second, 4)]);
      expect(replies.map((r) => r?.code).toSorted()).toEqual([codes.accessAccept, ...Array(3).fill(codes.accessReject)]);
    }
    nas.close();
    second.close();
  });

  it('on a NAS that does not return Class count once, and keep their limits', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount({ allow_logins: 2 }, await world.makePackage({ up_speed: 128, down_speed: 512 }));
    for (const n of [1, 2]) {
      expect((await nas.login(account, world.password, [mac(n)]))?.code).toBe(codes.accessAccept);
      await nas.account('start', [sid(`bare${n}`), attribute('User-Name', account), mac(n)]);
    }
    expect(await world.sessions(id)).toMatchObject([{ grant_down: 512 }, { grant_down: 512 }]);
    expect((await nas.login(account, world.password, [mac(3)]))?.code).toBe(codes.accessReject);
    nas.close();
  });

  it('are free again 60 seconds after an Accept without a start', async () => {
    const nas = await client();
    const { account } = await world.makeAccount();
    expect((await nas.login(account, world.password, [mac(1)]))?.code).toBe(codes.accessAccept);
    service.clock.advance(59);
    expect((await nas.login(account, world.password, [mac(2)]))?.code).toBe(codes.accessReject);
    service.clock.advance(1);
    expect((await nas.login(account, world.password, [mac(2)]))?.code).toBe(codes.accessAccept);
    nas.close();
  });

  it('count open sessions, except one of the same terminal and a lost one', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const first = await nas.login(account, world.password, [mac(1)]);
    const own = [sid('s1'), attribute('User-Name', account), mac(1), attribute('Class', classOf(first))];
    expect((await nas.account('start', own))?.code).toBe(codes.accountingResponse);
    service.clock.advance(120);
    expect((await nas.login(account, world.password, [mac(2)]))?.code).toBe(codes.accessReject);
    expect((await nas.login(account, world.password, [mac(1)]))?.code).toBe(codes.accessAccept);
    expect(await world.sessions(id)).toMatchObject([{ terminate_cause: 'lost', end_reason: 'stale' }]);
    await nas.account('interim', [...own, time(130), ...octets(5, 6)]);
    expect(await world.account(id)).toMatchObject({ online_count: 1 });
    service.clock.advance(901);
    expect((await nas.login(account, world.password, [mac(2)]))?.code).toBe(codes.accessAccept);
    nas.close();
  });
});

describe('accounting', () => {
  it('turns a reservation into a session and charges its usage once', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const accept = await nas.login(account, world.password, [mac(1)]);
    const own = [
      sid('a1'),
      attribute('User-Name', account),
      mac(1),
      attribute('Class', classOf(accept)),
      attribute('Framed-IP-Address', '10.0.0.9'),
    ];
    const begin = service.clock.now();
    await nas.account('start', [...own, at(0)]);
    expect(await service.deps.db.selectFrom('radius_reserve').select('token').where('subscriber_id', '=', id).execute()).toEqual([]);
    service.clock.advance(300);
    const interim = nas.encode(accounting('interim', [nas.nas.self, ...own, at(0), time(300), ...octets(1000, 50_000)]));
    for (let i = 0; i < 3; i++) await nas.request(interim);
    const elsewhere = await openUdpNas(other, nas.nas.secret);
    await elsewhere.request(interim);
    service.clock.advance(10);
    await nas.account('stop', [...own, at(0), time(310), ...octets(1500, 60_000), attribute('Acct-Terminate-Cause', 1)]);
    expect(await world.sessions(id)).toMatchObject([
      {
        source: 'aaa',
        session_id: 'a1',
        nas_id: nas.nas.id,
        ip: '10.0.0.9',
        mac: 'aa:bb:cc:00:00:01',
        login_at: begin,
        logout_at: begin + 310,
        terminate_cause: 'user',
        up_bytes: 1500,
        down_bytes: 60_000,
      },
    ]);
    expect(await world.usage(id)).toEqual({ up: 1500, down: 60_000, seconds: 310 });
    expect(await world.account(id)).toMatchObject({ online_count: 0, first_use_at: begin });
    nas.close();
    elsewhere.close();
  });

  it('keeps the last octets when a stop has none, and counts beyond 4 GiB with and without gigawords', async () => {
    const wide = await client();
    const narrow = await client({ no_gigawords: true });
    const a = await world.makeAccount();
    const b = await world.makeAccount();
    const big = [attribute('Acct-Output-Gigawords', 2), ...octets(1, 5)];
    await wide.account('interim', [sid('w'), attribute('User-Name', a.account), time(600), ...big]);
    await wide.account('stop', [sid('w'), attribute('User-Name', a.account), time(700)]);
    expect(await world.usage(a.id)).toEqual({ up: 1, down: 2 * 2 ** 32 + 5, seconds: 700 });
    const name = attribute('User-Name', b.account);
    for (const [seconds, down] of [
      [300, 4_000_000_000],
      [600, 3_000_000_000],
      [900, 10],
      [600, 3_000_000_000],
    ] as const)
      await narrow.account('interim', [sid('n'), name, time(seconds), ...octets(0, down)]);
    expect(await world.usage(b.id)).toEqual({ up: 0, down: 2 * 2 ** 32 + 10, seconds: 900 });
    wide.close();
    narrow.close();
  });

  it('ignores a counter that no session can reach', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const own = [sid('h1'), attribute('User-Name', account)];
    const huge = [attribute('Acct-Input-Octets', 100), attribute('Acct-Input-Gigawords', 0x20_0000)];
    expect((await nas.account('interim', [...own, time(100), ...huge]))?.code).toBe(codes.accountingResponse);
    expect((await nas.account('interim', [...own, time(200), ...octets(1000, 2000)]))?.code).toBe(codes.accountingResponse);
    expect(await world.sessions(id)).toMatchObject([{ up_bytes: 1000, down_bytes: 2000, logout_at: null }]);
    expect(await world.usage(id)).toEqual({ up: 1000, down: 2000, seconds: 200 });
    nas.close();
  });

  it('creates a session from an interim, and does not reopen one after its stop', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const own = [sid('i1'), attribute('User-Name', account)];
    await nas.account('interim', [...own, at(0), time(100), ...octets(1, 1)]);
    expect(await world.sessions(id)).toMatchObject([{ login_at: service.clock.now() - 100, logout_at: null }]);
    await nas.account('stop', [...own, at(0), time(101), ...octets(2, 2), attribute('Acct-Terminate-Cause', 4)]);
    await nas.account('interim', [...own, at(0), time(100), ...octets(1, 1)]);
    await nas.account('start', [...own]);
    expect(await world.sessions(id)).toMatchObject([{ logout_at: service.clock.now(), terminate_cause: 'idle' }]);
    expect(await world.usage(id)).toEqual({ up: 2, down: 2, seconds: 101 });
    nas.close();
  });

  it('makes another session when the NAS uses a session id again', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const own = [sid('r1'), attribute('User-Name', account)];
    await nas.account('start', [...own, at(0)]);
    await nas.account('stop', [...own, at(0), time(0), ...octets(7, 7)]);
    service.clock.advance(3600);
    await nas.account('start', [...own, at(0)]);
    await nas.account('interim', [...own, at(0), time(60), ...octets(3, 3)]);
    expect(await world.sessions(id)).toMatchObject([
      { session_id: 'r1', up_bytes: 7, logout_at: service.clock.now() - 3600 },
      { session_id: `r1@${service.clock.now()}`, up_bytes: 3, logout_at: null },
    ]);
    nas.close();
  });

  it('closes with Accounting-On exactly the sessions of that NAS that began before it', async () => {
    const nas = await client();
    const neighbour = await client();
    const accounts = await Promise.all([1, 2, 3].map(() => world.makeAccount()));
    const [old, young, far] = accounts.map(({ account, id }) => ({ id, own: [sid(`o${id}`), attribute('User-Name', account)] }));
    if (!old || !young || !far) throw new Error('three accounts');
    await nas.account('start', [...old.own, at(-100)]);
    await neighbour.account('start', [...far.own, at(-100)]);
    await nas.account('start', [...young.own, at(0)]);
    await nas.account('on', [at(-50)]);
    expect(await world.sessions(old.id)).toMatchObject([{ logout_at: service.clock.now() - 50, terminate_cause: 'lost' }]);
    expect(await world.sessions(young.id)).toMatchObject([{ logout_at: null }]);
    expect(await world.sessions(far.id)).toMatchObject([{ logout_at: null }]);
    expect(await nas.row()).toMatchObject({ boot_at: service.clock.now() - 50 });
    nas.close();
    neighbour.close();
  });

  it('of an expired account is stored, and that of an unknown account gets a reply', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount({ status: 'expired' });
    await nas.account('stop', [sid('e1'), attribute('User-Name', account), time(5), ...octets(1, 2)]);
    expect(await world.usage(id)).toMatchObject({ up: 1, down: 2 });
    expect((await nas.account('start', [sid('e2'), attribute('User-Name', 'unknown')]))?.code).toBe(codes.accountingResponse);
    nas.close();
  });

  it('ends sessions that are silent for three intervals, and opens them again when they report', async () => {
    const nas = await client();
    const { id, account } = await world.makeAccount();
    const own = [sid('q1'), attribute('User-Name', account)];
    await nas.account('start', [...own, at(0)]);
    service.clock.advance(900);
    await radius.sweep();
    expect(await world.sessions(id)).toMatchObject([{ logout_at: null }]);
    service.clock.advance(1);
    await radius.sweep();
    expect(await world.sessions(id)).toMatchObject([{ terminate_cause: 'lost' }]);
    await nas.account('interim', [...own, at(0), time(901), ...octets(4, 4)]);
    expect(await world.sessions(id)).toMatchObject([{ logout_at: null, terminate_cause: null, up_bytes: 4 }]);
    nas.close();
  });

  it('gets no reply if it cannot be stored', async () => {
    const nas = await client();
    const { account } = await world.makeAccount();
    const bytes = encodeRequest({ code: 4, id: 1, attributes: [nas.nas.self, sid('z'), attribute('User-Name', account)] }, nas.nas.secret);
    expect(await nas.request(bytes, 200)).toBeUndefined();
    expect(await nas.row()).toMatchObject({ drops: 1 });
    nas.close();
  });
});
