import { bytesText } from '@farlink/contract/kit/units.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gigabyte } from '../../test/billing-fixture.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { uploadFile } from '../../test/upload.ts';
import { randomToken } from '../kit/session/secret.ts';

let w: PortalWorld;
beforeAll(async () => {
  w = await startPortalWorld();
});
afterAll(() => w.close());
// Failures of this address in one test must not count in the next.
beforeEach(async () => {
  await w.api.db.deleteFrom('attempt').execute();
  await w.advance(61);
});

/** Answer to a captcha that this client has requested. */
const newCaptcha = async (here: string) => {
  const captcha_id = randomToken(16);
  await w.get(`${here}captcha?id=${captcha_id}`);
  return { captcha_id, captcha: '8888' };
};

const texts = {
  zh: { wrong: '账号或密码错误', first: '请先登录' },
  en: { wrong: 'Wrong account or password', first: 'Please log in first' },
};

describe('the address of a portal', () => {
  test.each([
    ['en-US,en;q=0.9,zh;q=0.5', 'en'],
    ['zh-CN,zh;q=0.9', 'zh'],
    ['fr', 'zh'],
  ])('redirects a browser with Accept-Language %s to its language', async (acceptLanguage, lang) => {
    const reply = await w.get('', { 'accept-language': acceptLanguage });
    expect([reply.status, reply.location]).toEqual([303, `/portal/${w.code}/${lang}/`]);
  });

  test('serves a page with a strict security policy, and its files as immutable', async () => {
    const page = await w.get('en/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('VNO east');
    const of = (name: string) => page.headers.get(name);
    expect(of('content-security-policy')).toContain("default-src 'none'");
    expect([of('cache-control'), of('referrer-policy'), of('x-content-type-options'), of('cross-origin-opener-policy')]).toEqual([
      'no-store',
      'no-referrer',
      'nosniff',
      'same-origin',
    ]);
    expect(of('set-cookie')).toBeNull();
    const css = /href="([^"]+\.css)"/.exec(page.text)?.[1] ?? '';
    const file = await w.get(css);
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test('of an unknown VNO, page or file is not found', async () => {
    expect((await w.get('/portal/none/zh/')).status).toBe(404);
    expect((await w.get('zh/nothing')).status).toBe(404);
    expect((await w.get('asset/nothing.css')).status).toBe(404);
    expect((await w.get(`img/${'0'.repeat(64)}.png`)).status).toBe(404);
  });
});

describe.each(['zh', 'en'] as const)('a login (%s)', (lang) => {
  /** These rules do not depend on the language. */
  const again = lang === 'zh' ? [] : ['all'];

  test('shows the quota that the console shows', async () => {
    const account = await w.account();
    const pkg = await w.billing.makePackage({ ...w.billing.flow, name: `Flow ${lang}` });
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() - 10, used_flow: 3 * gigabyte + 12_345 });
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    expect(home).toMatch(new RegExp(`^/portal/${w.code}/${lang}/s/[\\w-]{43}/$`));
    const page = await w.get(home);
    const shown = await w.east.call(userDetailCalls.serviceStatus, { id: account.id });
    const left = shown.data.holdings[0]?.flow?.left ?? 0;
    expect(left).toBe(7 * gigabyte - 12_345);
    expect(page.text).toContain(bytesText(left));
    expect(page.text).toContain(`Flow ${lang}`);
    expect(page.text).toContain(account.account);
  });

  test('shows all that is left and the order of use, with an extra package after the package that it extends', async () => {
    const account = await w.account();
    const now = w.api.clock.now();
    const first = await w.billing.makePackage({ ...w.billing.flow, name: `VNO east · Day ${lang}`, flow_capacity: 1 });
    const extra = await w.billing.makePackage({ ...w.billing.flow, name: `More ${lang}`, kind: 'extra', flow_capacity: 2 });
    const later = await w.billing.makePackage({ ...w.billing.flow, name: `Later ${lang}` });
    await w.billing.grantHolding(account.id, extra);
    await w.billing.grantHolding(account.id, first, { activated_at: now - 10, used_flow: gigabyte / 2 });
    await w.billing.grantHolding(account.id, later, { start_at: now + 86_400 });
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    const { text } = await w.get(home);
    const lines = [...text.matchAll(/<li><span>([^<]+) <small>([^<]+)<\/small><\/span><strong>([^<]+)<\/strong>/g)].map((line) =>
      line.slice(1, 4),
    );
    expect(lines.map(([name, , left]) => [name, left])).toEqual([
      [`Day ${lang}`, '512 MB'],
      [`More ${lang}`, '2 GB'],
      [`Later ${lang}`, '10 GB'],
    ]);
    expect(lines.map(([, state]) => state?.split(/[0-9]/)[0]?.trim())).toEqual(
      lang === 'zh' ? ['使用中', '随后使用', ''] : ['In use', 'Used next', 'From'],
    );
    expect(text).toContain('2.5 GB <small>');
    expect(/<p class="status">.*?<\/p>/.exec(text)?.[0]).toContain('<strong>2.5 GB</strong>');
  });

  test('shows the reminder of the credit control once its share is used, until another package follows', async () => {
    const account = await w.account();
    const row = { agent_id: w.eastId, name: `R ${lang}`, ratio: 80, action: 1, limit_up: 64, limit_down: 128 } as const;
    const [own, plain] = await w.api.db
      .insertInto('policy')
      .values([
        { ...row, content: '流量即将用完 <1>', create_at: 1, update_at: 1 },
        { ...row, name: `S ${lang}`, content: null, create_at: 1, update_at: 1 },
      ])
      .returning('id')
      .execute();
    const pkg = await w.billing.makePackage({ ...w.billing.flow, name: `Near ${lang}`, policy_id: own?.id });
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() - 10, used_flow: 7 * gigabyte });
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    const shown = async () => /<p class="alert" role="status">([^<]*)</.exec((await w.get(home)).text)?.[1];
    expect(await shown()).toBeUndefined();
    for (const used_flow of [8 * gigabyte, 10 * gigabyte]) {
      await w.api.db.updateTable('holding').set({ used_flow }).where('subscriber_id', '=', account.id).execute();
      expect(await shown()).toBe('流量即将用完 &lt;1&gt;');
    }
    await w.api.db.updateTable('package').set({ policy_id: plain?.id }).where('id', '=', pkg.id).execute();
    expect(await shown()).toBe(lang === 'zh' ? '套餐“Near zh”已使用 80%' : '80% of the package &quot;Near en&quot; is used');
    await w.billing.grantHolding(account.id, await w.billing.makePackage({ ...w.billing.flow, kind: 'extra' }));
    expect(await shown()).toBeUndefined();
  });

  test('leads to all packages and extra packages by clicks, with the price as the button', async () => {
    const account = await w.account();
    const pkg = await w.billing.makePackage({ ...w.billing.flow, name: `Base ${lang}` });
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() - 10 });
    const extra = await w.billing.makePackage({ kind: 'extra', name: `Top ${lang}`, price: '5.55' });
    for (let i = 0; i < 8; i++) await w.billing.makePackage({ name: `Many ${lang} ${i}` });
    const home = await w.enter(account.account, crewPassword, `${lang}/`);
    const { text } = await w.get(home);
    expect(text).toContain(`href="${home}packages"`);
    const all = await w.get(`${home}packages`);
    for (let i = 0; i < 8; i++) expect(all.text).toContain(`Many ${lang} ${i}`);
    const [button] = new RegExp(`<a class="button price" href="${home}buy\\?package=${extra.id}"[^>]*>¥5.55</a>`).exec(all.text) ?? [];
    expect(button).toBeDefined();
    expect((await w.get(`${home}buy?package=${extra.id}`)).text).toMatch(lang === 'zh' ? />支付宝<\/button>/ : />Alipay<\/button>/);
    // A visitor sees prices, and no extra package without a package.
    const visitor = await w.get(`${lang}/packages`);
    expect([visitor.status, visitor.text.includes(`Many ${lang} 0`), visitor.text.includes('buy?package=')]).toEqual([200, true, false]);
    expect(visitor.text).not.toContain(`Top ${lang}`);
  });

  test('answers a wrong password, an unknown account and an account of another VNO in the same way', async () => {
    const own = await w.account();
    const other = await w.api.db
      .insertInto('subscriber')
      .values({ ...(await w.account()), id: undefined, account: `west${lang}`, agent_id: w.westId, device_id: null })
      .returningAll()
      .executeTakeFirstOrThrow();
    const tries = [
      [own.account, 'wrong-password'],
      [`absent${lang}`, crewPassword],
      [other.account, crewPassword],
    ] as const;
    const pages: string[] = [];
    for (const [account, password] of tries) {
      await w.api.db.deleteFrom('attempt').execute();
      const reply = await w.post(`${lang}/login`, { account, password });
      expect(reply.status).toBe(401);
      expect(reply.text).toContain(texts[lang].wrong);
      pages.push(reply.text.replaceAll(account, '-'));
    }
    expect(new Set(pages).size).toBe(1);
  });

  test('needs a captcha after three failures, and is locked after more, whether the account exists or not', { tags: again }, async () => {
    for (const account of [(await w.account()).account, `ghost_${lang}`]) {
      await w.api.db.deleteFrom('attempt').execute();
      const attempt = (more: Record<string, string> = {}) => w.post(`${lang}/login`, { account, password: 'guess', ...more });
      for (let i = 0; i < 2; i++) expect((await attempt()).text).not.toContain('captcha_id');
      let page = await attempt();
      expect(page.text).toContain('captcha_id');
      expect((await attempt()).status).toBe(422);
      const { lock_count } = { lock_count: w.api.deps.config.loginLock.count };
      for (let i = 3; i < lock_count; i++) page = await attempt(await w.captcha(page));
      const locked = await attempt(await w.captcha(page));
      expect(locked.status).toBe(429);
      const right = await w.post(`${lang}/login`, { account, password: crewPassword, ...(await w.captcha(locked)) });
      expect(right.status).toBe(429);
      const opened = await w.api.db
        .selectFrom('portal_session')
        .innerJoin('subscriber', 'subscriber.id', 'portal_session.subscriber_id')
        .select('portal_session.id')
        .where('account', '=', account)
        .execute();
      expect(opened).toEqual([]);
    }
  });

  test('is counted before it is checked: parallel guesses cannot pass the limit', { tags: again }, async () => {
    const { account } = await w.account();
    const client = (await w.get(`?gw=${await w.signed('02:00:00:00:07:00')}&lang=${lang}`)).location ?? '';
    const { count } = w.api.deps.config.loginLock;
    const guesses = Array.from({ length: 30 }, async () => ({ account, password: 'guess', ...(await newCaptcha(client)) }));
    const forms = await Promise.all(guesses);
    const replies = await Promise.all(forms.map((form) => w.post(`${client}login`, form)));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(count);
    const right = { account, password: crewPassword, ...(await newCaptcha(client)) };
    expect((await w.post(`${client}login`, right)).status).toBe(429);
    await w.advance(w.api.deps.config.loginLock.minutes * 60 + 1);
    expect((await w.post(`${client}login`, right)).status).toBe(303);
  });

  test('of a client that has logged in before is not locked by the guesses of strangers; a new client waits some seconds', {
    tags: again,
  }, async () => {
    const { account } = await w.account();
    const clientAt = async (mac: string) => (await w.get(`?gw=${await w.signed(mac)}&lang=${lang}`)).location ?? '';
    const known = '02:00:00:00:06:01';
    const fresh = '02:00:00:00:06:02';
    await w.enter(account, crewPassword, await clientAt(known));
    const { count } = w.api.deps.config.loginLock;
    for (let stranger = 0; stranger < 5; stranger++) {
      const at = await clientAt(`02:00:00:00:05:0${stranger}`);
      for (let n = 0; n < count; n++) await w.post(`${at}login`, { account, password: 'guess', ...(await newCaptcha(at)) });
    }
    const newAt = await clientAt(fresh);
    const attempt = async () => w.post(`${newAt}login`, { account, password: crewPassword, ...(await newCaptcha(newAt)) });
    expect((await attempt()).status).toBe(429);
    await w.advance(5);
    await w.enter(account, crewPassword, await clientAt(known));
    await w.advance(30);
    expect((await attempt()).status).toBe(303);
  });

  test('ends by logging out, by idling, and when the password is changed elsewhere', async () => {
    const account = await w.account();
    const first = await w.enter(account.account);
    const out = await w.post(`${first}logout`, {});
    expect(out.status).toBe(303);
    expect((await w.get(`${first}password`)).status).toBe(303);
    const second = await w.enter(account.account);
    await w.advance(1801);
    expect((await w.get(second)).location).toBe(`/portal/${w.code}/zh/`);
    const third = await w.enter(account.account);
    await w.api.db.updateTable('subscriber').set({ password: 'other' }).where('id', '=', account.id).execute();
    expect((await w.get(`${third}password`)).text).toContain('请先登录');
  });
});

describe('a hostile visitor', () => {
  test('cannot use pages of a subscriber without a login', async () => {
    for (const page of ['password', 'devices', 'buy?package=1', 'pay/P20261117ABCDEFGHJK'])
      expect((await w.get(`en/${page}`)).text).toContain(texts.en.first);
    for (const form of ['password', 'logout', 'buy', 'pay/P20261117ABCDEFGHJK/cancel'])
      expect((await w.post(`en/${form}`, { package: '1', channel: 'wechat' })).status).toBe(401);
  });

  test('of another site cannot send forms', async () => {
    const account = await w.account();
    const form = { account: account.account, password: crewPassword };
    expect((await w.post('zh/login', form, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await w.post('zh/login', form, { origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await w.post('zh/login', form, { origin: new URL(w.base).origin })).status).toBe(303);
  });

  test('with a guessed token is not logged in', async () => {
    expect((await w.get(`zh/s/${'A'.repeat(43)}/devices`)).location).toBe(`/portal/${w.code}/zh/`);
    expect((await w.post(`zh/s/${'A'.repeat(43)}/password`, {})).status).toBe(401);
  });

  test('cannot use a session of one VNO in the portal of another', async () => {
    const home = await w.enter((await w.account()).account);
    const { code } = await w.api.db.selectFrom('agent').select('code').where('id', '=', w.westId).executeTakeFirstOrThrow();
    const reply = await w.get(home.replace(`/portal/${w.code}/`, `/portal/${code}/`));
    expect([reply.status, reply.location]).toEqual([303, `/portal/${code}/zh/`]);
  });

  test('is rate-limited', async () => {
    const home = await w.enter((await w.account()).account);
    const replies = await Promise.all(Array.from({ length: 62 }, () => w.post(`${home}password`, {})));
    expect(replies.some(({ status }) => status === 429)).toBe(true);
  });
});

describe('a client redirected by a gateway', () => {
  test('gets one session for each signed handover, and its login sends user.login to the gateway', async () => {
    const account = await w.account();
    await w.billing.grantHolding(account.id, await w.billing.makePackage());
    const gw = await w.signed('02:00:00:00:00:11');
    const entry = await w.get(`?gw=${gw}`, { 'accept-language': 'en' });
    expect(entry.location).toMatch(/\/en\/s\/[\w-]{43}\/$/);
    expect((await w.get(`?gw=${gw}`, { 'accept-language': 'en' })).location).toBe(`/portal/${w.code}/en/`);
    const home = await w.enter(account.account, crewPassword, entry.location);
    expect(home).not.toBe(entry.location);
    // The token from before the login is no longer valid.
    expect((await w.get(entry.location ?? '')).status).toBe(303);
    const [command] = (await w.commands('user.login')).slice(-1);
    expect(command?.args).toEqual({ acc: account.account, mac: '02:00:00:00:00:11', ip: '192.168.1.9' });
    expect((await w.get(home)).text).toContain('Connecting you to the internet');
    await w.post(`${home}logout`, {});
    for (const again of [gw, `${gw}=`, `${gw}.x`])
      expect((await w.get(`?gw=${again}`, { 'accept-language': 'en' })).location).toBe(`/portal/${w.code}/en/`);
  });

  test('gets no session if the handover is changed, old or of another VNO; other parameters are ignored', async () => {
    const gw = await w.signed();
    const { code } = await w.api.db.selectFrom('agent').select('code').where('id', '=', w.westId).executeTakeFirstOrThrow();
    expect((await w.get(`?gw=${gw.slice(0, -2)}xx`)).location).toBe(`/portal/${w.code}/zh/`);
    expect((await w.get(`/portal/${code}/?gw=${gw}`)).location).toBe(`/portal/${code}/zh/`);
    await w.advance(301);
    expect((await w.get(`?gw=${gw}`)).location).toBe(`/portal/${w.code}/zh/`);
    expect((await w.get('?mac=02:00:00:00:00:01&ip=1.2.3.4&sn=x')).location).toBe(`/portal/${w.code}/zh/`);
  });

  test('needs no token if the gateway signs each request, and links stay on the gateway', async () => {
    const account = await w.account();
    const header = async () => ({ 'x-farlink-client': await w.signed('02:00:00:00:00:22') });
    const page = await w.get('en/', await header());
    expect(page.text).toContain('action="/en/login"');
    expect(page.text).toContain('href="/asset/');
    const reply = await w.post(
      'en/login',
      { account: account.account, password: crewPassword },
      { ...(await header()), origin: 'http://192.168.8.1' },
    );
    expect(reply.location).toBe(`/portal/${w.code}/en/`);
    expect((await w.get('en/devices', await header())).status).toBe(200);
    expect((await w.get('en/devices', { 'x-farlink-client': await w.signed('02:00:00:00:00:23') })).status).toBe(401);
    expect((await w.get('en/devices', { 'x-farlink-client': 'forged.forged' })).status).toBe(401);
  });

  test('is logged in by the session that the gateway reported', async () => {
    const account = await w.account();
    const session = { subscriber_id: account.id, agent_id: w.eastId, device_id: w.billing.device_id, session_id: 'b-1' };
    await w.api.db
      .insertInto('online_session')
      .values({ ...session, mac: '02:00:00:00:00:33', ip: '192.168.1.7', login_at: 1 })
      .execute();
    const gw = await w.signed('02:00:00:00:00:33', { sid: 'b-1', acc: account.account });
    const home = (await w.get(`?gw=${gw}`)).location ?? '';
    const devices = await w.get(`${home}devices`);
    expect(devices.text).toContain('02:00:00:00:00:33');
    expect(devices.text).toContain('本机');
    const forged = await w.signed('02:00:00:00:00:34', { sid: 'b-2', acc: account.account });
    expect((await w.get(`${(await w.get(`?gw=${forged}`)).location}devices`)).status).toBe(401);
  });

  test('sees that its gateway is offline', async () => {
    const entry = (await w.get(`?gw=${await w.signed()}`)).location ?? '';
    await w.api.db.updateTable('device').set({ online_state: 0 }).where('id', '=', w.billing.device_id).execute();
    expect((await w.get(entry)).text).toContain('卫星链路暂时中断');
    await w.api.db.updateTable('device').set({ online_state: 1 }).where('id', '=', w.billing.device_id).execute();
  });
});

describe('the captive portal API', () => {
  const read = async (headers: Record<string, string>) => {
    const reply = await w.get('captive', headers);
    expect(reply.headers.get('content-type')).toContain('application/captive+json');
    return JSON.parse(reply.text);
  };

  test('reports a client without a session as captive, and the remaining quota of one with a session', async () => {
    const mac = '02:00:00:00:00:44';
    const account = await w.account({ expire_at: w.api.clock.now() + 100_000 });
    const pkg = await w.billing.makePackage({ ...w.billing.flow });
    await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now(), used_flow: gigabyte + 7 });
    const header = async () => ({ 'x-farlink-client': await w.signed(mac) });
    expect(await read(await header())).toEqual({
      captive: true,
      'user-portal-url': `${w.base}`,
      'can-extend-session': false,
    });
    const session = { subscriber_id: account.id, agent_id: w.eastId, device_id: w.billing.device_id, session_id: 'c-1' };
    await w.api.db
      .insertInto('online_session')
      .values({ ...session, mac: mac.toUpperCase(), ip: '192.168.1.7', login_at: 1 })
      .execute();
    const shown = await w.east.call(userDetailCalls.serviceStatus, { id: account.id });
    expect(await read(await header())).toEqual({
      captive: false,
      'user-portal-url': `${w.base}`,
      'seconds-remaining': 100_000,
      'bytes-remaining': shown.data.holdings[0]?.flow?.left,
      'can-extend-session': true,
    });
  });

  test('reports an unidentified client as captive', async () => {
    expect(await read({})).toMatchObject({ captive: true, 'can-extend-session': false });
  });
});

test('a header without a logo shows that of the VNO, and no other logo is served', async () => {
  const bytes = await sharp({ create: { width: 190, height: 60, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  const { agent_logo } = (await uploadFile(w.api, w.east, infoCalls.agentLogo, bytes, 'logo.png')).data;
  await w.advance(6);
  const [, src = ''] = /<img class="logo" src="([^"]+)"/.exec((await w.get('zh/')).text) ?? [];
  expect(agent_logo?.endsWith(src.split('/').at(-1) ?? '-')).toBe(true);
  const file = await w.get(src);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await w.get(`logo/${'0'.repeat(32)}.png`)).status).toBe(404);
});

test('a gateway reads the packages, payment channels and settings for its own pages, in both languages', async () => {
  await w.billing.makePackage({ name: 'On sale', price: '12.30', weight: 99 });
  await w.billing.makePackage({ name: 'Secret', is_hide: true });
  const policy = { agent_id: w.eastId, ratio: 70, action: 0, limit_up: 0, limit_down: 0, create_at: 1, update_at: 1 } as const;
  const [written, empty] = await w.api.db
    .insertInto('policy')
    .values([
      { ...policy, name: 'Written', content: 'Nearly used' },
      { ...policy, name: 'Empty', content: ' ' },
    ])
    .returning('id')
    .execute();
  const held: number[] = [];
  for (const policy_id of [written?.id, empty?.id]) {
    const pkg = await w.billing.makePackage({ ...w.billing.flow, policy_id });
    const { id } = await w.account();
    await w.billing.grantHolding(id, pkg);
    held.push(...(await w.billing.holdings(id)).map((holding) => holding.id));
  }
  await w.advance(10);
  const header = { 'x-farlink-client': await w.signed('02:00:00:00:00:55') };
  for (const [lang, wechat, alipay] of [
    ['en', 'WeChat Pay', 'Alipay'],
    ['zh', '微信支付', '支付宝'],
  ]) {
    const data = JSON.parse((await w.get(`gateway-data?lang=${lang}`, header)).text);
    const names = data.packages.map(({ name }: { name: string }) => name);
    expect(names).toContain('On sale');
    expect(names).not.toContain('Secret');
    expect(data.reminders).toEqual(
      expect.arrayContaining([
        { ratio: 70, text: 'Nearly used', h: [held[0]] },
        { ratio: 70, text: lang === 'en' ? '70% of the package is used' : '套餐已使用 70%', h: [held[1]] },
      ]),
    );
    expect(data.channels).toEqual([
      { id: 'wechat', name: wechat },
      { id: 'alipay', name: alipay },
    ]);
    expect(data.canRegister).toBe(true);
  }
  expect((await w.get('gateway-data')).status).toBe(403);
});
