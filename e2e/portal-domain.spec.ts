import { langs, say } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { expect } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { expectNoSideScroll } from './support/phone.ts';
import { authority, makePortalDomain } from './support/portal-domain.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const MB = 1024 ** 2;
const password = 'sea1234';

/** A ship of a new VNO, and an account that has used 3 of 10 MB. */
const makeCrew = async () => {
  const vno = await newVno();
  const gateway = await newGateway({ vno, bill: 1, version: '03.02.01' });
  const flow = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB' };
  const online = await makePackage(vno, [gateway.deviceId], { ...flow, flow_capacity: 10, price: '9' });
  const { account } = await openAccount({ seller: vno, device: { id: gateway.deviceId, label: gateway.sn }, package: online });
  await expect.poll(async () => (await gateway.logIn(account, password)).ok).toBe(true);
  await gateway.browse(account, 3 * MB);
  return { vno, account, online };
};

test('a phone opens the portal on the HTTPS domain of a VNO, logs in and shows the remaining quota', async ({
  playwright,
  launchOptions,
}) => {
  const { vno, account, online } = await makeCrew();
  const domain = `${unique('wifi')}.example.org`;
  const { url, keyHash } = await makePortalDomain(vno, domain);
  // Chromium cannot be given a CA by an option. It accepts this certificate by its key; makePortalDomain has verified the chain and the name.
  const trust = [`--ignore-certificate-errors-spki-list=${keyHash}`, `--host-resolver-rules=MAP ${domain} 127.0.0.1`];
  const browser = await playwright.chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), ...trust] });
  try {
    for (const lang of langs) {
      const t = (zh: string, en: string) => say([zh, en], lang);
      const locale = lang === 'zh' ? 'zh-CN' : 'en-US';
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const first = await page.goto(url);
      await expect(page).toHaveURL(`${url}${lang}/`);
      expect(await first?.securityDetails()).toMatchObject({ issuer: authority, subjectName: domain });
      expect(await page.title()).toContain(vno.name);
      await expectNoSideScroll(page, `first page (${lang})`);
      await expectAccessible(page);

      const form = page.locator('form', { has: page.getByRole('button', { name: t('登录上网', 'Log in'), exact: true }) });
      await form.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
      await form.getByLabel(t('密码', 'Password'), { exact: true }).fill(password);
      await form.getByRole('button').click();
      await expect(page).toHaveURL(new RegExp(`^${url}${lang}/s/[\\w-]{43}/$`));
      await expect(page.getByRole('heading', { name: t('剩余用量', 'Remaining quota') })).toBeVisible();
      await expect(async () => {
        await page.reload();
        await expect(page.getByText(bytesText(7 * MB)).first()).toBeVisible({ timeout: 500 });
      }).toPass();
      await expect(page.locator('#b-quota')).toContainText(online.name);
      await expectNoSideScroll(page, `home page (${lang})`);
      await expectAccessible(page);
      expect(await context.cookies()).toEqual([]);
      await page
        .getByRole('button', { name: t('下线', 'Log out'), exact: true })
        .first()
        .click();
      await expect(form).toBeVisible();
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
