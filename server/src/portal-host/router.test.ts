import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { openRadiusWorld } from '../../test/radius.ts';
import { openMikrotik, openUamRouter, refreshOf, routerFormOf } from '../../test/router.ts';
import type { Radius } from '../radius/radius.ts';

let portal: PortalWorld;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  portal = await startPortalWorld();
  world = await openRadiusWorld(portal.api.deps, portal.eastId);
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await portal.close();
});
beforeEach(() => portal.advance(61));

const mac = '02-00-00-00-00-01';
const secret = 'uam-secret-1';

/** Follows the redirect of a router to the portal and logs in. Returns the page that leads back to the router. */
const connect = async (redirect: string, account: string, lang = 'en') => {
  const { location: here = '' } = await portal.get(redirect, { 'accept-language': lang });
  const { location = '' } = await portal.post(`${here}login`, { account, password: world.password });
  expect(location).toMatch(/\/s\/[\w-]{43}\/connect$/);
  return { home: location.replace(/connect$/, ''), page: await portal.get(location) };
};

describe.each([
  ['PAP', false, undefined],
  ['PAP and a UAM secret', false, secret],
  ['CHAP', true, undefined],
  ['CHAP and a UAM secret', true, secret],
] as const)('a client of a UAM router with %s', (_, chap, uamSecret) => {
  test('logs in at the portal, goes online once by the router, and logs out', async () => {
    const router = await openUamRouter({ portal, world, radius, nas: { chap }, ...(uamSecret && { secret: uamSecret }) });
    const { account } = await world.makeAccount({ allow_logins: 3 });
    const { home, page } = await connect(router.redirect(mac), account);
    expect(page.text).not.toContain(world.password);
    const logon = refreshOf(page);
    expect(new URL(logon).searchParams.has(chap ? 'response' : 'password')).toBe(true);
    expect(new URL(logon).searchParams.get('userurl')).toBe('http://example.com/a?b=c');
    expect(await router.logon(logon, '02-00-00-00-00-02')).toBeUndefined();
    const session = await router.logon(logon, mac);
    expect(session).toBeDefined();
    expect(await router.logon(logon, mac)).toBeUndefined();

    expect((await portal.get(home)).text).toContain('/connect"');
    await session?.start();
    expect((await portal.get(home)).text).not.toContain('/connect"');
    expect(JSON.parse((await portal.get(`${home}captive`)).text)).toMatchObject({ captive: false });
    expect((await portal.get(`${home}devices`)).text).toContain('This device');

    const out = await portal.post(`${home}logout`, {});
    expect(refreshOf(out)).toBe('http://10.1.0.1:3990/logoff');
    expect((await portal.get(home)).status).toBe(303);
    router.close();
  });
});

describe('a router of another maker', () => {
  test.each([
    ['zh', '您已上网', '路由器未接受登录，请重新登录'],
    ['en', 'You are online', 'The router did not accept the login. Please log in again.'],
  ])('reports what it did (%s)', async (lang, online, refused) => {
    const router = await openUamRouter({ portal, world, radius, secret });
    const headers = { 'accept-language': lang };
    const done = await portal.get(router.redirect(mac, { res: 'success', challenge: '' }), headers);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining(online)]);
    expect(done.text).not.toContain('example.com');
    const again = await portal.get(router.redirect(mac, { res: 'failed', reply: '<b>x</b>' }), headers);
    expect(again.text).toContain(refused);
    const here = /action="([^"]*\/s\/[\w-]{43}\/)login"/.exec(again.text)?.[1] ?? '';
    const { account } = await world.makeAccount();
    expect((await portal.post(`${here}login`, { account, password: world.password })).location).toMatch(/\/connect$/);
    router.close();
  });

  test('lets a subscriber in who has a package only after the purchase, and only of its own VNO', async () => {
    const router = await openUamRouter({ portal, world, radius });
    const { id, account } = await world.makeAccount({}, null);
    const { location: here = '' } = await portal.get(router.redirect(mac));
    const { location: home = '' } = await portal.post(`${here}login`, { account, password: world.password });
    expect(home).toMatch(/\/s\/[\w-]{43}\/$/);
    expect((await portal.get(`${home}connect`)).location).toBe(home);
    await world.grant(id, await world.makePackage());
    expect((await portal.get(home)).text).toContain(`href="${home}connect"`);
    expect(await router.logon(refreshOf(await portal.get(`${home}connect`)), mac)).toBeDefined();
    const vno = await world.makeVno();
    await portal.api.db.updateTable('subscriber').set({ agent_id: vno }).where('id', '=', id).execute();
    const { location = '' } = await portal.post(`${here}login`, { account, password: world.password });
    expect(location).not.toMatch(/connect$/);
    router.close();
  });

  test('gets a one-time password that no other router and no later request can use', async () => {
    const router = await openUamRouter({ portal, world, radius });
    const other = await openUamRouter({ portal, world, radius });
    const { account } = await world.makeAccount({ allow_logins: 3 });
    const { home, page } = await connect(router.redirect(mac), account);
    const password = (url: string, of: typeof router) => of.logon(url, mac);
    expect(await password(refreshOf(page), other)).toBeUndefined();
    await portal.advance(60);
    expect(await password(refreshOf(page), router)).toBeUndefined();
    expect(await password(refreshOf(await portal.get(`${home}connect`)), router)).toBeDefined();
    router.close();
    other.close();
  });

  test('is refused with another NAS, address or signature', async () => {
    const router = await openUamRouter({ portal, world, radius, nas: { router_hosts: 'hotspot.example' } });
    const signed = await openUamRouter({ portal, world, radius, secret });
    const off = await openUamRouter({ portal, world, radius, nas: { login_protocol: 'none' } });
    const west = await openUamRouter({ portal, world, radius, nas: { agent_id: portal.west.session?.agent_id ?? 0 } });
    const mikrotik = await openMikrotik({ portal, world, radius });
    const good = signed.redirect(mac);
    const refused = [
      off.redirect(mac),
      west.redirect(mac),
      router.redirect(mac, { nasid: 'unknown' }),
      router.redirect(mac, { nasid: mikrotik.nas.identifier }),
      router.redirect('not a mac'),
      router.redirect(mac, { challenge: 'short' }),
      ...['8.8.8.8', '127.0.0.1', '0x7f.1', '10.1.0.1@evil.example', 'evil.example', '::1', '10.1.0.1/'].map((uamip) =>
        router.redirect(mac, { uamip }),
      ),
      router.redirect(mac, { uamport: '99999' }),
      good.replace('02-00-00-00-00-01', '02-00-00-00-00-02'),
      good.replace(/&md=.*/, ''),
      `${good}&uamip=10.9.9.9`,
      ...['javascript:alert(1)', 'http://8.8.8.8/login', 'http://u:p@10.5.50.1/login', 'ftp://10.5.50.1/login', '//10.5.50.1/login'].map(
        (link) => mikrotik.redirect(mac, { 'link-login-only': link }),
      ),
    ];
    for (const url of refused) {
      const reply = await portal.get(url);
      expect([url, reply.status, reply.location]).toEqual([url, 403, undefined]);
      expect(reply.text).toContain('无法识别您所在的网络');
    }
    const accepted = [good, router.redirect(mac, { uamip: 'hotspot.example' }), router.redirect(mac, { uamip: '100.64.3.1' })];
    for (const url of accepted) expect((await portal.get(url)).location).toMatch(/\/s\/[\w-]{43}\/$/);
    for (const one of [router, signed, off, west, mikrotik]) one.close();
  });

  test('cannot send the client to anything but a web page', async () => {
    const router = await openUamRouter({ portal, world, radius });
    const { account } = await world.makeAccount();
    for (const userurl of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://u:p@example.com/',
      `http://example.com/${'x'.repeat(2000)}`,
    ]) {
      const { page } = await connect(router.redirect(mac, { userurl }), account);
      expect(new URL(refreshOf(page)).searchParams.has('userurl')).toBe(false);
    }
    router.close();
  });
});

describe.each([
  ['PAP', false],
  ['CHAP', true],
] as const)('a client of a MikroTik hotspot with %s', (_, chap) => {
  test('logs in at the portal and goes online once by a form to the router', async () => {
    const router = await openMikrotik({ portal, world, radius, nas: { chap } });
    const { account } = await world.makeAccount({ allow_logins: 3 });
    const { home, page } = await connect(router.redirect('02:00:00:00:00:01'), account);
    const form = routerFormOf(page);
    expect([...form.keys()]).toEqual(['action', 'username', 'password', 'dst']);
    expect(form.get('dst')).toBe('http://example.com/');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://10.5.50.1 http://example.com;");
    expect(await router.logon(form, '02:00:00:00:00:02', chap)).toBeUndefined();
    const session = await router.logon(form, '02:00:00:00:00:01', chap);
    expect(session).toBeDefined();
    expect(await router.logon(form, '02:00:00:00:00:01', chap)).toBeUndefined();
    await session?.start();
    expect(JSON.parse((await portal.get(`${home}captive`)).text)).toMatchObject({ captive: false });
    expect(refreshOf(await portal.post(`${home}logout`, {}))).toBe('http://10.5.50.1/logout');
    const refused = await portal.get(router.redirect('02:00:00:00:00:01', { error: 'invalid password' }));
    expect(refused.text).toContain('路由器未接受登录');
    router.close();
  });
});
