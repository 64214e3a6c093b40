import { nasCalls } from '@farlink/contract/advanced/nas.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { expectNoSideScroll, phone } from './support/phone.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const MB = 1024 ** 2;
const password = 'sea1234';

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`shows a login by RADIUS, kicks it, and charges it to the byte (${lang})`, async ({ page }) => {
    const gateway = await newGateway({ bill: 2, version: '03.02.01' });
    const { vno, deviceId } = gateway;
    const flow = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB' };
    const online = await makePackage(vno, [deviceId], { ...flow, flow_capacity: 10, price: '9' });
    const { id, account } = await openAccount({ seller: vno, device: { id: deviceId, label: gateway.sn }, package: online });
    await loginAt(page, vno, '/user/aaa-online', { lang });

    // The gateway gets its secret over MQTT first.
    await expect.poll(async () => (await gateway.logIn(account, password)).ok).toBe(true);
    await page.reload();
    const row = rowOf(page, account);
    await expect(row).toContainText(gateway.sn);
    await expectAccessible(page);
    expect(await gateway.browse(account, 2 * MB, 5)).toEqual({ up: 5, down: 2 * MB });

    await runAction(row, t('强制下线', 'Kick offline'));
    // The account is named, with its ship.
    await expect(dialog(page)).toContainText(`${account} · ${gateway.sn}`);
    await dialog(page)
      .getByRole('button', { name: t('确定', 'Confirm'), exact: true })
      .click();
    await expect.poll(async () => (await gateway.groundTruth()).users.length).toBe(0);
    await expect(async () => {
      await page.reload();
      await expect(row).toHaveCount(0, { timeout: 2000 });
    }).toPass();

    // The page of the NAS: the gateway was seen, and its login has ended.
    await page.goto(`/advanced/nas?identifier=${gateway.sn}&lang=${lang}`);
    await rowOf(page, gateway.sn).getByRole('link', { name: gateway.sn }).first().click();
    await expect(page).toHaveURL(/\/advanced\/nas\/\d+/);
    const checks = page.getByRole('region', { name: t('接入检查', 'Check list') });
    await expect(checks.getByRole('listitem').filter({ hasText: t('登录', 'Login') })).toContainText(t('正常', 'OK'));
    await expect(page.getByRole('tabpanel', { name: t('在线用户', 'Online users') })).toBeVisible();
    await expectAccessible(page);

    await page.goto(`/user/aaa-log?lang=${lang}`);
    const ended = rowOf(page, account);
    await expect(ended).toContainText(t('强制下线', 'Kicked off'));
    await expect(ended).toContainText('2 MB');
    await expectAccessible(page);

    await page.goto(`/user/detail/${id}`);
    const usage = page.getByRole('region', { name: t('套餐用量', 'Package usage') });
    const used = t('已用 2,097,157 / 10,485,760 字节', '2,097,157 of 10,485,760 bytes used');
    await expect(usage.locator(`[data-tip="${used}"]`)).toBeVisible();
  });

  test(`shows the set-up script of a router, with its secret after a click, also on a phone (${lang})`, async ({ page }) => {
    const { vno } = await newGateway();
    const identifier = `hotel-${Date.now()}`;
    const secret = `Pass"word$1?${identifier}`;
    const nas = { vno_id: vno.session.agent_id, name: identifier, identifier, transport: 'udp', vendor: 'mikrotik', secret } as const;
    const { id } = await vno.call(nasCalls.create, { ...nas, interval_s: 300, coa_port: 3799, language: lang });
    await loginAt(page, vno, `/advanced/nas/${id}`, { lang });
    const card = page.getByRole('region', { name: t('设置脚本', 'Set-up script') });
    const script = card.getByRole('textbox');
    await expect(script).toHaveValue(/secret="<SECRET>"/);
    await card.getByRole('button', { name: t('填入密钥', 'Insert the secret') }).press('Enter');
    await expect.poll(() => script.inputValue()).toContain(`secret="Pass\\"word\\$1\\?${identifier}" `);
    await card.getByRole('combobox', { name: t('厂商', 'Maker') }).selectOption('uspot');
    await expect.poll(() => script.inputValue()).toContain(`uspot.captive.nasid='${identifier}'\n`);
    await expect(card.getByRole('status').filter({ hasText: 'CoovaChilli' })).toBeVisible();
    await page.setViewportSize(phone.viewport);
    await expectNoSideScroll(page, 'page of a NAS');
    await expectAccessible(page);
  });
}
