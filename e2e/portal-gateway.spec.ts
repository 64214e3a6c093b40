import { say } from '@farlink/contract/kit/text.ts';
import { portalSendCalls } from '@farlink/contract/market/portal-send.ts';
import { expect } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { makePortal } from './support/portal.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const password = 'sea1234';

/** A gateway with a portal, and an account with 10 MB. */
const makeShip = async () => {
  const gateway = await newGateway({ bill: 1, version: '03.02.01' });
  const { vno, deviceId } = gateway;
  const flow = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB' };
  const online = await makePackage(vno, [deviceId], { ...flow, flow_capacity: 10, price: '9' });
  const { account } = await openAccount({ seller: vno, device: { id: deviceId, label: gateway.sn }, package: online });
  const portal = await makePortal(vno);
  await vno.call(portalSendCalls.send, { id: portal.id, target: 'device', device_ids: [deviceId], send_mode: 'immediate' });
  await expect.poll(async () => (await gateway.groundTruth()).portal.id).toBe(portal.id);
  return { gateway, account, online, address: await gateway.servePortal() };
};

for (const lang of storyLangs(import.meta.url))
  for (const javaScriptEnabled of [true, false]) {
    const t = (zh: string, en: string) => say([zh, en], lang);

    test.describe(`the portal of a gateway, script ${javaScriptEnabled ? 'on' : 'off'} (${lang})`, () => {
      test.use({ viewport: { width: 360, height: 740 }, javaScriptEnabled, locale: lang === 'zh' ? 'zh-CN' : 'en-US' });

      test('redirects a phone, logs it in, shows the remaining quota and logs it out', async ({ page }) => {
        const { gateway, account, online, address } = await makeShip();
        const broken: string[] = [];
        page.on('console', (message) => message.text().includes('Content Security Policy') && broken.push(message.text()));
        await page.goto(`${address}generate_204`);
        await expect(page).toHaveURL(address);
        const logIn = async (secret: string) => {
          await page.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
          await page.getByLabel(t('密码', 'Password'), { exact: true }).fill(secret);
          await page.getByRole('button', { name: t('登录上网', 'Log in') }).click();
        };
        await logIn('wrong-one');
        await expect(page.getByText(t('账号或密码错误', 'Wrong account or password'))).toBeVisible();
        if (javaScriptEnabled) await expectAccessible(page, 'portal of a gateway');
        await logIn(password);
        await expect(page.getByText(account)).toBeVisible();
        await expect(page.getByText('10 MB').first()).toBeVisible();
        await gateway.browse(account, 4 * 1024 ** 2);
        await page.reload();
        await expect(page.getByText('6 MB').first()).toBeVisible();
        await expect(page.getByText(online.name).first()).toBeVisible();
        expect((await gateway.groundTruth()).users.map(({ acc }) => acc)).toEqual([account]);
        const width = javaScriptEnabled ? await page.evaluate(() => document.documentElement.scrollWidth) : 360;
        expect(width).toBeLessThanOrEqual(360);
        // The gateway signs this request and the console answers it.
        await page.getByRole('link', { name: t('我的终端', 'My devices') }).click();
        await expect(page.getByText(t('本机', 'This device'))).toBeVisible();
        await page.goto(`${address}${lang}/`);
        await page.getByRole('button', { name: t('下线', 'Log out'), exact: true }).click();
        await expect(page.getByRole('button', { name: t('登录上网', 'Log in') })).toBeVisible();
        expect((await gateway.groundTruth()).users).toEqual([]);
        expect(broken).toEqual([]);
      });
    });
  }
