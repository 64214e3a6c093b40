import { createServer } from 'node:http';
import { say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { merchantCodeOf, newGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { unique } from './support/world.ts';

/** Login page of a router on this machine. It keeps what browsers send. */
const openRouter = async () => {
  const received: string[] = [];
  const server = createServer(async (request, reply) => {
    const body = await request.setEncoding('utf8').toArray();
    received.push(`${request.method} ${request.url} ${body.join('')}`);
    reply.setHeader('content-type', 'text/html').end('<h1>Router</h1>');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: String(address.port), received, close: () => server.close() };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`an operator sets up a router of another maker, and its users reach its login page from the portal (${lang})`, async ({
    page,
    browser,
  }) => {
    const { vno, deviceId, sn } = await newGateway({ bill: 2, version: '03.02.01' });
    const online = await makePackage(vno, [deviceId], { price: '9' });
    const { account } = await openAccount({ seller: vno, device: { id: deviceId, label: sn }, package: online });
    const portal = `/portal/${await merchantCodeOf(vno.username)}/`;
    const router = await openRouter();

    const nas = { uam: unique('uam-'), mikrotik: unique('mikrotik-') };
    await loginAt(page, vno, '/advanced/nas', { lang });
    page.setDefaultTimeout(15_000);
    for (const [identifier, protocol] of [
      [nas.uam, 'UAM'],
      [nas.mikrotik, t('MikroTik Hotspot', 'MikroTik hotspot')],
    ] as const) {
      await page.getByRole('button', { name: t('新增NAS', 'New NAS') }).click();
      const form = dialog(page);
      await choose(form, t('所属VNO', 'VNO'), vno.username);
      await input(form, t('名称', 'Name')).fill(identifier);
      await input(form, t('NAS标识', 'NAS identifier')).fill(identifier);
      await expect(line(form, t('路由器登录页地址', 'Hosts of the login page'))).toHaveCount(0);
      await form.getByRole('radio', { name: protocol }).click();
      await expect(line(form, t('UAM密钥', 'UAM secret'))).toHaveCount(identifier === nas.uam ? 1 : 0);
      await input(form, t('路由器登录页地址', 'Hosts of the login page')).fill('127.0.0.1');
      await confirm(form, lang);
      await expect(rowOf(page, identifier)).toBeVisible();
    }

    const challenge = 'ab'.repeat(16);
    const sent = { mac: '02-00-00-00-00-01', ip: '10.1.0.9' };
    const uam = new URLSearchParams({ ...sent, res: 'notyet', uamip: '127.0.0.1', uamport: router.port, challenge, nasid: nas.uam });
    const mikrotik = new URLSearchParams({ ...sent, nasid: nas.mikrotik, 'link-login-only': `http://127.0.0.1:${router.port}/login` });
    for (const javaScriptEnabled of [true, false]) {
      for (const query of [uam, mikrotik]) {
        const phone = await browser.newContext({
          javaScriptEnabled,
          viewport: { width: 360, height: 740 },
          locale: lang === 'zh' ? 'zh-CN' : 'en-US',
        });
        const client = await phone.newPage();
        await client.goto(`${portal}?${query}`);
        if (javaScriptEnabled) await expectAccessible(client, 'portal');
        await client.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
        await client.getByLabel(t('密码', 'Password'), { exact: true }).fill('sea1234');
        await client.getByRole('button', { name: t('登录上网', 'Log in') }).click();
        if (query === mikrotik && !javaScriptEnabled) {
          expect((await client.locator('html').boundingBox())?.width).toBeLessThanOrEqual(360);
          await client.getByRole('button', { name: t('开始上网', 'Go online') }).click();
        }
        await expect(client.getByRole('heading', { name: 'Router' })).toBeVisible();
        await phone.close();
      }
    }
    const logon = new RegExp(`^GET /logon\\?username=${account}&password=[0-9a-f]{32} $`);
    const login = new RegExp(`^POST /login username=${account}&password=[\\w-]{15}$`);
    expect(router.received.filter((line) => !line.includes('favicon'))).toEqual(
      [logon, login, logon, login].map((line) => expect.stringMatching(line)),
    );
    router.close();
  });
}
