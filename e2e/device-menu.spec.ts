import { configCalls } from '@farlink/contract/config/config.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { confirm, input } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { unique } from './support/world.ts';

const boxOf = async (at: Locator) => {
  const box = await at.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
};

const asBluesea = async () => ({ ...(await logIn('bluesea')), username: 'bluesea' });

/** The menu opens right above or below the button of its row. */
const expectAnchored = async (button: Locator, menu: Locator) => {
  const from = await boxOf(button);
  const box = await boxOf(menu);
  const gap = Math.min(Math.abs(box.y - from.y - from.height), Math.abs(from.y - box.y - box.height));
  expect(gap).toBeLessThanOrEqual(8);
};

const openMenu = async (page: Page, row: Locator) => {
  const button = row.getByRole('button', { name: /^(更多|More) / });
  await button.click();
  return { button, popup: page.locator('.popup:popover-open').first(), menu: page.getByRole('menu').first() };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`shows a short device menu with its name at its row, with keyboard support (${lang})`, async ({ page }) => {
    await loginAt(page, await asBluesea(), '/device/list', { lang });
    await expect(rows(page).nth(7)).toBeVisible();
    for (const at of [0, 5, 7]) {
      const row = rows(page).nth(at);
      const { button, popup, menu } = await openMenu(page, row);
      await expect(popup.locator('.menu-heading')).toHaveText((await row.locator('td a').first().textContent()) ?? '');
      expect(await menu.getByRole('menuitem').count()).toBeLessThanOrEqual(8);
      await expectAnchored(button, popup);
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
      await expect(button).toBeFocused();
    }

    const { button, menu } = await openMenu(page, rows(page).nth(5));
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    const remote = menu.getByRole('menuitem', { name: t('远程操作', 'Remote'), exact: true });
    await remote.focus();
    await expect(remote).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('ArrowRight');
    await expect(remote).toHaveAttribute('aria-expanded', 'true');
    const inner = page.getByRole('menu', { name: t('远程操作', 'Remote') });
    await expect(inner.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(inner.getByRole('menuitem').nth(1)).toBeFocused();
    await expectAccessible(page, 'row menu');
    await page.keyboard.press('Escape');
    await expect(inner).toHaveCount(0);
    await expect(remote).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(inner.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
  });

  test(`hides a tooltip together with its element (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await asBluesea(), '/device/list', { lang });
    await rows(page).first().locator('td a').first().click();
    await expect(page.locator('.detail-head')).toBeVisible();
    await page.locator('.fact-strip [data-tip]').first().hover();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await page.goBack();
    await expect(rows(page).first()).toBeVisible();
    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  test(`offers all device actions, and sets a rollback timer for a change that could disconnect the gateway (${lang})`, {
    tag: '@all',
  }, async ({ page }) => {
    const gateway = await newGateway({ vno: await asBluesea() });
    await loginAt(page, gateway.vno, `/device/detail/${gateway.deviceId}`, { lang });
    const head = page.locator('.detail-head');
    const named = (name: string) => head.getByRole('button', { name, exact: true });
    const first = [
      t('网关配置', 'Configuration'),
      t('远程路由器', 'Remote router'),
      t('远程AC', 'Remote AC'),
      t('远程天线', 'Remote antenna'),
      t('远程Telnet', 'Remote Telnet'),
      t('重启', 'Restart'),
    ];
    for (const name of first) await expect(named(name)).toBeEnabled();
    const shown = await head.locator('.device-actions > button').allInnerTexts();
    expect(shown.slice(0, first.length).map((text) => text.replace(/\s/g, ''))).toEqual(first.map((text) => text.replace(/\s/g, '')));
    expect(shown.indexOf(t('版本回退', 'Roll back'))).not.toBe(0);
    await expectAccessible(page);

    const router = page.waitForEvent('popup');
    await named(t('远程路由器', 'Remote router')).click();
    await expect((await router).getByLabel('Account')).toBeVisible();

    const remark = unique('note ');
    await named(t('编辑', 'Edit')).click();
    await input(dialog(page, t('编辑设备', 'Edit device')), t('备注', 'Remark')).fill(remark);
    await confirm(dialog(page, t('编辑设备', 'Edit device')), lang);
    await expect(toast(page)).toHaveText(t('编辑成功', 'Edit: done'));
    await expect(page.getByRole('tabpanel')).toContainText(remark);

    await named(t('重启', 'Restart')).click();
    await expect(page.locator('.config-main').getByRole('heading', { level: 2 }).first()).toHaveText(
      t('重启与关机', 'Restart and shut down'),
    );
    await page.goto(`/device/gateway-config/${gateway.deviceId}?page=network_cellular`);
    const mtu = page.locator('.config-main').getByLabel('MTU', { exact: true });
    await mtu.fill('1400');
    await mtu.blur();
    await page
      .locator('.draft-line')
      .getByRole('button', { name: t('核对并下发', 'Review and apply') })
      .click();
    const review = dialog(page, t('核对并下发', 'Review and apply'));
    await expect(review.getByLabel(t('失联自动回退', 'Roll back if lost'), { exact: true })).toHaveValue('180');
    await review.getByRole('button', { name: t('下发 1 页', 'Apply 1 page') }).click();
    await expect.poll(async () => (await gateway.groundTruth()).sections.network_cellular?.doc).toMatchObject({ mtu: 1400 });
    const { apply } = await gateway.vno.call(configCalls.tree, { device_id: gateway.deviceId });
    expect(apply?.keep).toBe(180);
  });
}
