import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { langs } from '@farlink/contract/kit/text.ts';
import { openHandover } from '@farlink/gateway/protocol/portal.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import { portalPolicy, siteOf } from '@farlink/portal/site.ts';
import { views } from '@farlink/portal/view.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../gateway-options.ts';
import { entryOf, now, openGateway, page, phaseOf } from '../sample-accounts.ts';
import { probePaths } from './captive-probes.ts';
import { ownLocation } from './forward-request.ts';
import { Phone } from './phone.ts';
import { testPhone } from './portal-server.ts';
import { readBundle, UnpackError } from './read-bundle.ts';
import { bundleEntries, sampleDocument, sampleKey, sectionMessage, zipOf } from './sample-portal.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type ConsoleReply = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A web server that replaces the console. */
const consoleWith = async (handler: ConsoleReply) => {
  const received: { method: string; url: string; client: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const client = request.headers['x-farlink-client'];
    received.push({ method: request.method ?? '', url: request.url ?? '', client: typeof client === 'string' ? client : undefined, body });
    handler(request, response, body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { received, base: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`, stop: () => server.close() };
};

/** A gateway without a broker that can be sent bundles, and is connected for its portal. */
const ship = async (options: Partial<GatewayOptions> = {}, handler?: ConsoleReply) => {
  const bundles = new Map<string, Buffer>();
  const web = await consoleWith((request, response, body) => {
    const bundle = bundles.get(request.url ?? '');
    if (bundle) return void response.end(bundle);
    if (handler) return handler(request, response, body);
    response.writeHead(404).end();
  });
  const opened = openGateway(options);
  const { gateway } = opened;
  Object.defineProperty(gateway.connection, 'state', { value: 'online', writable: true });
  const send = async (rev: number, zip: Buffer) => {
    bundles.set(`/bundle-${rev}`, zip);
    opened.deliver(downTopic(gateway.sn, 'cfg/portal'), sectionMessage(rev, zip, `${web.base}/bundle-${rev}`, `${web.base}/portal/`));
    await expect.poll(() => gateway.portal.installing).toBeUndefined();
  };
  const echoes = () => opened.sent('cfg/portal').filter((body) => body.pct === undefined);
  const fetchPath = async (path: string, init: RequestInit & { readonly mac?: string } = {}) => {
    const port = await gateway.portalServer.listen(0);
    const { mac = testPhone, headers, ...rest } = init;
    return fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...rest, headers: { ...headers, 'x-sim-mac': mac } });
  };
  closers.push(() => gateway.stop());
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  return { ...opened, web, send, echoes, fetchPath, form, cut: () => Object.assign(gateway.connection, { state: 'off' }) };
};

const zip = zipOf(bundleEntries());

describe('a bundle', () => {
  test('is unpacked file by file', () => {
    const { manifest, files } = readBundle(zip);
    expect(manifest).toMatchObject({ v: 1, portal: 7, rev: 1 });
    expect([...files.keys()].toSorted()).toEqual(Object.keys(manifest.files).toSorted());
  });

  const entries = bundleEntries();
  test.each([
    ['a path outside the folder', zipOf([...entries, { name: '../../etc/passwd', content: Buffer.from('x') }]), /not in the manifest/],
    ['an absolute path', zipOf([...entries, { name: '/etc/passwd', content: Buffer.from('x') }]), /not in the manifest/],
    ['a symbolic link', zipOf([...entries, { name: 'img/x', content: Buffer.from('/etc'), mode: 0o120777 }]), /symbolic link/],
    ['a file twice', zipOf([...entries, ...entries.slice(1, 2)]), /twice/],
    ['a changed file', zipOf(entries.with(1, { name: entries[1]?.name ?? '', content: Buffer.from('body{}') })), /another hash/],
    ['a missing file', zipOf(entries.slice(0, -1)), /missing/],
    ['no manifest', zipOf(entries.slice(1)), /manifest/],
    ['a ZIP bomb', zipOf([...entries, { name: 'img/x.png', content: Buffer.alloc(9_000_000) }]), /too large/],
    ['not a ZIP', Buffer.from('hello'), /not a ZIP/],
  ])('with %s is refused', (_, bytes, reason) => {
    expect(() => readBundle(bytes)).toThrow(reason);
  });

  test('with a changed byte is refused with an UnpackError, or has the same files', () => {
    const filesOf = (bytes: Buffer) => {
      try {
        return [...readBundle(bytes).files].map(([name, content]) => `${name} ${content}`);
      } catch (error) {
        expect(error).toBeInstanceOf(UnpackError);
        return undefined;
      }
    };
    const files = filesOf(zip);
    expect(files?.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.nat(255), (at, byte) => {
        const broken = Buffer.from(zip);
        broken[at] = byte;
        expect(filesOf(broken) ?? files).toEqual(files);
      }),
      { numRuns: 300 },
    );
  });
});

describe('installing', () => {
  test('reports progress, then the hash, and keeps the URL out of the section', async () => {
    const { send, sent, echoes, gateway } = await ship();
    await send(1, zip);
    expect(echoes()).toEqual([{ rev: 1, ok: true, h: gateway.sections.get('portal')?.hash }]);
    expect(sent('cfg/portal').filter((body) => body.pct !== undefined)).toContainEqual({ rev: 1, pct: 100, code: 100 });
    expect(gateway.sections.doc('portal')).not.toHaveProperty('url');
    expect(gateway.portal.served).toMatchObject({ section: { id: 7 } });
  });

  test('the same bundle again is not downloaded again', async () => {
    const { send, web, echoes } = await ship();
    await send(1, zip);
    await send(2, zip);
    expect(web.received.map(({ url }) => url).filter((url) => url.startsWith('/bundle'))).toEqual(['/bundle-1']);
    expect(echoes().at(-1)).toMatchObject({ rev: 2, ok: true });
  });

  test.each([
    ['probe', /^E_PROBE/],
    ['corrupt', /^E_CORRUPT/],
    ['unpack', /^E_UNPACK/],
  ] as const)('a bundle with the fault %s leaves the previous portal in place', async (fault, err) => {
    const { send, echoes, gateway, fetchPath } = await ship();
    await send(1, zip);
    gateway.faults.portal = fault;
    await send(2, zipOf(bundleEntries(sampleDocument('新门户'), 2)));
    expect(echoes().at(-1)).toMatchObject({ rev: 2, ok: false, err: expect.stringMatching(err), act: 1 });
    expect(await (await fetchPath('/')).text()).toContain('<title>船员网</title>');
    gateway.faults.portal = undefined;
    await send(3, zipOf(bundleEntries(sampleDocument('新门户'), 2)));
    expect(await (await fetchPath('/')).text()).toContain('<title>新门户</title>');
  });

  test('a missing file, an invalid ZIP and a wrong hash have separate errors', async () => {
    const { send, echoes, deliver, gateway, web } = await ship();
    deliver(downTopic(gateway.sn, 'cfg/portal'), sectionMessage(1, zip, `${web.base}/nothing`));
    await expect.poll(() => echoes().at(-1)).toMatchObject({ rev: 1, err: expect.stringMatching(/^E_MISSING/) });
    await send(2, Buffer.from('no archive'));
    expect(echoes().at(-1)).toMatchObject({ rev: 2, err: expect.stringMatching(/^E_UNPACK/) });
    const other = JSON.parse(sectionMessage(3, zip, `${web.base}/bundle-2`));
    deliver(downTopic(gateway.sn, 'cfg/portal'), JSON.stringify({ ...other, doc: { ...other.doc, h: '0'.repeat(64) } }));
    expect(echoes().at(-1)).toMatchObject({ rev: 3, err: expect.stringMatching(/^E_HASH/) });
  });

  test('a newer portal replaces one that is still downloading', async () => {
    const { send, deliver, gateway, echoes, web } = await ship();
    gateway.faults.hold = 10;
    deliver(downTopic(gateway.sn, 'cfg/portal'), sectionMessage(1, zip, `${web.base}/bundle-1`));
    gateway.faults.hold = undefined;
    await send(2, zipOf(bundleEntries(sampleDocument('第二'), 2)));
    expect(echoes()).toMatchObject([{ rev: 2, ok: true }]);
  });

  test('an empty section removes the portal', async () => {
    const { send, deliver, gateway, fetchPath } = await ship();
    await send(1, zip);
    deliver(downTopic(gateway.sn, 'cfg/portal'), JSON.stringify({ rev: 2, h: '44136fa355b3678a1146ad16f7e8649e', doc: {} }));
    expect((await fetchPath('/')).status).toBe(503);
  });

  test('an older firmware does not announce portals', () => {
    expect(openGateway({ version: '02.09.00' }).hello().caps).not.toContain('portal');
    expect(openGateway().hello().caps).toContain('portal');
  });
});

describe('the portal of a gateway', () => {
  test('serves the same bytes as the console for the same data, in all views', async () => {
    const { send, gateway } = await ship();
    await send(1, zip);
    const site = siteOf(sampleDocument());
    const data = {
      root: '/',
      here: '/zh/',
      other: '/en/',
      account: 'crew',
      packages: [{ id: '1', name: 'A', price: '¥1', detail: '1 GB' }],
    };
    for (const view of views)
      for (const lang of langs) expect(gateway.portal.served?.pages.page(view, lang, data)).toBe(site.page(view, lang, data));
  });

  test('serves its files and pages under a strict policy', async () => {
    const { send, fetchPath } = await ship();
    await send(1, zip);
    const home = await fetchPath('/', { headers: { 'accept-language': 'en' } });
    const html = await home.text();
    expect([home.status, home.headers.get('content-security-policy'), home.headers.get('cache-control')]).toEqual([
      200,
      portalPolicy,
      'no-store',
    ]);
    expect(html).toContain('action="/en/login"');
    const css = /href="(\/asset\/[^"]+)"/.exec(html)?.[1] ?? '';
    expect((await fetchPath(css)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await fetchPath('/zh/agreement')).status).toBe(200);
    expect([(await fetchPath('/manifest.json')).status, (await fetchPath('/page/out.zh.html')).status]).toEqual([302, 302]);
  });

  test.each(probePaths)('answers the probe %s like the internet only for a terminal with access', async (path) => {
    const { send, fetchPath, gateway } = await ship();
    await send(1, zip);
    const before = await fetchPath(path);
    expect([before.status, before.headers.get('location')]).toEqual([302, `${gateway.portalServer.origin}/`]);
    gateway.users.signIn('crew', { mac: testPhone });
    expect([200, 204]).toContain((await fetchPath(path)).status);
  });

  test('logs in with the accounts of the gateway, shows the remaining quota, and logs out', async () => {
    const { send, fetchPath, form, receive, events, gateway } = await ship();
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew', { ph: [phaseOf(1, { b: 4_294_967_296 })] })]));
    const wrong = await fetchPath('/zh/login', form({ account: 'crew', password: 'x' }));
    const text = await wrong.text();
    expect(wrong.status).toBe(403);
    expect(text).toContain(refusalTexts.wrong_password[0]);
    expect(text).toContain('value="crew"');
    const right = await fetchPath('/zh/login', form({ account: 'crew', password: 'pw-crew' }));
    expect([right.status, right.headers.get('location')]).toEqual([303, '/zh/']);
    expect(events('user')).toMatchObject([{ acc: 'crew', in: true, mac: testPhone }]);
    gateway.users.transfer('crew', { u: 0, d: 1_073_741_824 });
    const online = await (await fetchPath('/zh/')).text();
    expect(online).toContain('3 GB');
    expect(online).toContain('value="75"');
    expect((await fetchPath('/zh/logout', form({}))).status).toBe(303);
    expect(gateway.users.online).toBe(0);
    expect(await (await fetchPath('/zh/')).text()).toContain('action="/zh/login"');
  });

  test('shows the reminder of the last package once its share is used, by its own counters', async () => {
    const reminders = [{ ratio: 80, text: 'Almost used up', h: [1, 2] }];
    const { send, fetchPath, receive, gateway } = await ship({}, (_, response) => response.end(JSON.stringify({ reminders })));
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew', { ph: [phaseOf(1, { b: 1000 })] })]));
    gateway.users.signIn('crew', { mac: testPhone });
    const isShown = async () => (await (await fetchPath('/en/')).text()).includes('Almost used up');
    gateway.users.transfer('crew', { u: 0, d: 799 });
    expect(await isShown()).toBe(false);
    gateway.users.transfer('crew', { u: 0, d: 1 });
    expect(await isShown()).toBe(true);
    receive(page(1, 2, [entryOf('crew', { ph: [phaseOf(1, { b: 1000 }), phaseOf(2, { b: 2000 })] })]));
    expect(await isShown()).toBe(false);
  });

  test('shows all packages that are left, in the order of use', async () => {
    const { send, fetchPath, receive, gateway } = await ship();
    await send(1, zip);
    const gb = 1024 ** 3;
    receive(page(0, 1, [entryOf('crew', { ph: [phaseOf(1, { b: gb }), phaseOf(2, { b: 3 * gb }), phaseOf(3, { b: 4 * gb, x: true })] })]));
    gateway.users.signIn('crew', { mac: testPhone });
    gateway.users.transfer('crew', { u: 0, d: gb / 2 });
    const text = await (await fetchPath('/en/')).text();
    expect(text).toContain('3.5 GB <small>of 4 GB');
    expect(
      [...text.matchAll(/<li><span>([^<]+) <small>([^<]+)<\/small><\/span><strong>([^<]+)</g)].map((line) => line.slice(1, 4)),
    ).toEqual([
      ['Package 1', 'In use', '512 MB'],
      ['Package 2', 'Used next', '2 GB'],
      ['Package 3', 'Used next', '1 GB'],
    ]);
  });

  test('logs in without the console, and shows the offline page', async () => {
    const { send, fetchPath, form, receive, cut } = await ship();
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew')]));
    cut();
    const home = await (await fetchPath('/zh/')).text();
    expect(home).toContain('action="/zh/login"');
    expect((await fetchPath('/zh/login', form({ account: 'crew', password: 'pw-crew' }))).status).toBe(303);
    expect(await (await fetchPath('/zh/')).text()).toContain('crew');
    expect((await fetchPath('/zh/register')).status).toBe(503);
  });

  test('shows that a package is used up', async () => {
    const { send, fetchPath, receive, gateway } = await ship();
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew', { ph: [phaseOf(1, { b: 1000 })], z: [1, 8, 8] })]));
    gateway.users.signIn('crew', { mac: testPhone });
    gateway.users.transfer('crew', { u: 0, d: 1000 });
    expect(await (await fetchPath('/zh/')).text()).toContain(refusalTexts.shutdown[0]);
  });

  test('blocks a terminal after five wrong passwords, but no other terminal', async () => {
    const { send, fetchPath, form, receive, wait } = await ship();
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew')]));
    const wrong = form({ account: 'crew', password: 'x' });
    for (let n = 0; n < 5; n++) expect((await fetchPath('/zh/login', wrong)).status).toBe(403);
    const right = form({ account: 'crew', password: 'pw-crew' });
    expect((await fetchPath('/zh/login', right)).status).toBe(429);
    expect((await fetchPath('/zh/login', { ...right, mac: '02:00:00:00:00:aa' })).status).toBe(303);
    wait(300);
    expect((await fetchPath('/zh/login', wrong)).status).toBe(403);
  });
});

describe('requests that the console answers', () => {
  test('are forwarded with a signature and without cookies, and redirects are rewritten to the gateway', async () => {
    const { send, fetchPath, form, web, gateway } = await ship({}, (_, response) =>
      response.writeHead(303, { location: '/portal/zh/pay/123?x=1', 'set-cookie': 'a=b' }).end(),
    );
    await send(1, zip);
    const { session } = { session: gateway.users.signIn('crew', { mac: testPhone }) };
    const reply = await fetchPath('/zh/buy', {
      ...form({ package: '1' }),
      headers: { cookie: 'secret=1', 'x-farlink-client': 'forged.forged' },
    });
    expect([reply.status, reply.headers.get('location'), reply.headers.get('set-cookie')]).toEqual([303, '/zh/pay/123?x=1', null]);
    const passed = web.received.find(({ url }) => url === '/portal/zh/buy');
    expect(passed).toMatchObject({ method: 'POST', body: 'package=1' });
    expect(openHandover(sampleKey, passed?.client ?? '', now)).toMatchObject({ sn: 'ACC1', mac: testPhone, sid: session.sid, acc: 'crew' });
  });

  test('for a purchase open a temporary release', async () => {
    const { send, fetchPath, form, gateway, deliver } = await ship({}, (_, response) =>
      response.writeHead(303, { location: '/portal/zh/pay/123' }).end(),
    );
    await send(1, zip);
    const rule = { id: 5, t: 300, n: 3, lock: 600, refresh: 3600, up: 0, down: 0, max: 60 };
    const { hashOf } = await import('@farlink/gateway/protocol/shadow.ts');
    deliver(downTopic(gateway.sn, 'cfg/release'), JSON.stringify({ rev: 1, h: hashOf(rule), doc: rule }));
    await fetchPath('/zh/buy', form({ package: '1' }));
    expect(gateway.tempReleases.open).toMatchObject([{ mac: testPhone }]);
  });

  test('larger than the limit are refused, and a silent console gives the offline page', { tags: 'all' }, async () => {
    const { send, fetchPath, web } = await ship({ passTimeoutMs: 50 }, () => {});
    await send(1, zip);
    const big = await fetchPath('/zh/feedback', { method: 'POST', body: Buffer.alloc(8 * 1024 * 1024) });
    expect(big.status).toBe(413);
    const slow = await fetchPath('/zh/notices');
    expect([slow.status, await slow.text()]).toEqual([503, expect.stringContaining('<title>船员网</title>')]);
    expect(web.received.some(({ url }) => url === '/portal/zh/feedback')).toBe(false);
  });

  test.each([
    ['/portal/zh/pay/1', '/zh/pay/1'],
    ['https://pay.example/x', 'https://pay.example/x'],
    ['/console', undefined],
    ['javascript:alert(1)', undefined],
    ['//evil.example/', 'http://evil.example/'],
  ])('a redirect to %s becomes %s', (location, expected) => {
    expect(ownLocation('http://console/portal/', location)).toBe(expected);
  });

  test('provide data for the pages of the gateway', async () => {
    const { send, fetchPath, web } = await ship({}, (request, response) => {
      if (!request.url?.startsWith('/portal/gateway-data')) return void response.writeHead(404).end();
      response.end(
        JSON.stringify({ packages: [{ id: '1', name: 'Crew 5 GB', price: '¥30.00', detail: '30 d' }], notices: [], canRegister: true }),
      );
    });
    await send(1, zip);
    expect(await (await fetchPath('/zh/')).text()).toContain('Crew 5 GB');
    await fetchPath('/zh/');
    const calls = web.received.filter(({ url }) => url.includes('gateway-data') && url.includes('zh'));
    expect(calls.map(({ client }) => openHandover(sampleKey, client ?? '', now)?.sn)).toEqual(['ACC1']);
  });
});

describe('simulated users', () => {
  test('probe, log in at the portal and log out like phones', async () => {
    const { send, gateway, receive } = await ship();
    await send(1, zip);
    receive(page(0, 1, [entryOf('crew')]));
    await gateway.portalServer.listen(0);
    const phone = new Phone(gateway.portalServer.origin, testPhone, 'en');
    expect(await phone.hasAccess(2)).toBe(false);
    expect(await phone.login('crew', 'x')).toEqual({ why: 'unknown' });
    expect(await phone.login('crew', 'pw-crew')).toEqual({});
    expect([await phone.hasAccess(2), await phone.showQuota(), await phone.logout(), await phone.hasAccess(4)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('use the portal for a part of their logins', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
    const passwords = Object.fromEntries(names.map((name) => [name, `pw-${name}`]));
    const { send, gateway, receive, wait } = await ship({ calm: false, passwords, portalPort: 0 });
    await send(1, zip);
    receive(
      page(
        0,
        1,
        names.map((name) => entryOf(name)),
      ),
    );
    let requests = 0;
    let sessions = 0;
    const { respond } = gateway.portalServer;
    gateway.portalServer.respond = (request) => {
      requests++;
      return respond.call(gateway.portalServer, request);
    };
    await expect
      .poll(() => {
        wait(60);
        sessions = Math.max(sessions, gateway.users.online);
        return requests > 3 && sessions > 3;
      })
      .toBe(true);
  });
});

describe('hostile input', () => {
  test('does not crash the process', { tags: 'all' }, async () => {
    const { send, fetchPath, gateway } = await ship();
    await send(1, zip);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 60, unit: 'binary-ascii' }),
        fc.string({ maxLength: 300, unit: 'binary' }),
        async (path, body) => {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          const { Readable } = await import('node:stream');
          const reply = await gateway.portalServer.respond({
            method: 'POST',
            url: `/zh/${path}`,
            headers,
            body: Readable.from([body]),
            mac: testPhone,
          });
          expect(reply.status).toBeLessThan(600);
          const get = await gateway.portalServer.respond({ method: 'GET', url: path, headers: {}, body: undefined, mac: testPhone });
          expect(get.status).toBeLessThan(500);
        },
      ),
      { numRuns: 200 },
    );
    const port = await gateway.portalServer.listen();
    for (const raw of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n',
      'POST /zh/login HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\nx',
    ]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write(raw);
      await new Promise((next) => setImmediate(next));
      socket.destroy();
    }
    expect((await fetchPath('/')).status).toBe(200);
  });
});
