import { randomInt } from 'node:crypto';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { langs, say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { delayCall } from './support/calls.ts';
import { freeze } from './support/clock.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAs, loginAt, toast } from './support/login-as.ts';
import { lose, refuse } from './support/refuse.ts';
import { codeTo } from './support/sms-stand-in.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { makeStaff } from './support/world.ts';

/** A form whose responses are mocked, so it changes nothing. */
const openPhone = async (page: Page) => {
  await page.getByRole('button', { name: /^(账号菜单|Account menu)/ }).click();
  await page.getByRole('menuitem', { name: /^(修改手机号|Change phone)$/ }).click();
  await dialog(page)
    .getByLabel(/^(新手机号|New phone)$/)
    .fill('13700002222');
  await dialog(page)
    .getByLabel(/^(当前密码|Current password)$/)
    .fill('Farlink2026');
  await dialog(page)
    .getByLabel(/^(短信验证码|SMS code)$/)
    .fill('000000');
};
const send = (page: Page) =>
  dialog(page)
    .getByRole('button', { name: /^(确定|Confirm)$/ })
    .click();

for (const lang of langs) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`${lang}: shows the message of an error with the detail, message or text of its data`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea_audit'), '/log/system', { lang });
    await openPhone(page);
    const msg = t('当前状态不允许此操作', 'The current state does not allow this');
    for (const [data, more] of [
      [null, ''],
      [{ detail: 'detail' }, ', detail'],
      [{ msg: 'message' }, ', message'],
      ['text', ', text'],
      [{ other: 1 }, ''],
    ] as const) {
      await refuse(page, authCalls.change, { code: 20105, msg, data });
      await send(page);
      await expect(toast(page)).toHaveText(`${msg}${more}`);
    }
    await lose(page, authCalls.change);
    await send(page);
    await expect(toast(page)).toHaveText(t('请求失败', 'Request failed'));
    await expect(dialog(page)).toBeVisible();
  });
}

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`${lang}: shows the overlay while a request is pending`, { tag: '@all' }, async ({ page }) => {
    const { username } = await makeStaff(await as('northfish'), { system_log: '11' });
    await loginAt(page, await logIn(username), '/log/system', { lang });
    await openPhone(page);
    // A phone number can be verified by one account only.
    const phone = `137${String(randomInt(10 ** 8)).padStart(8, '0')}`;
    await dialog(page)
      .getByLabel(/^(新手机号|New phone)$/)
      .fill(phone);
    await dialog(page)
      .getByRole('button', { name: t('发送验证码', 'Send code') })
      .click();
    await dialog(page)
      .getByLabel(/^(短信验证码|SMS code)$/)
      .fill(await codeTo(phone));
    const release = await delayCall(page, authCalls.change);
    const overlay = page.getByRole('status', { name: t('加载中', 'Loading') });
    await expect(overlay).toHaveCount(0);
    await send(page);
    await expect(overlay).toBeVisible();
    await release();
    await expect(toast(page)).toHaveText(t('手机号修改成功', 'Phone changed'));
    await expect(overlay).toHaveCount(0);
  });
}

test('shows a notification 65 px from the top for 3 seconds, and the next replaces it', { tag: '@all' }, async ({ page }) => {
  await page.clock.install();
  await loginAt(page, await as('bluesea_audit'), '/log/system');
  await openPhone(page);
  await freeze(page);
  await refuse(page, authCalls.change, { code: 20105, msg: '第一' });
  await send(page);
  await expect(toast(page)).toHaveText('第一');
  await expect(toast(page)).toHaveRole('alert');
  await expect.poll(async () => (await toast(page).boundingBox())?.y).toBe(limits.notificationOffset);
  await page.clock.runFor(limits.notificationMs - 1);
  await refuse(page, authCalls.change, { code: 20105, msg: '第二' });
  await send(page);
  await expect(toast(page)).toHaveText(['第二']);
  await page.clock.runFor(limits.notificationMs - 1);
  await expect(toast(page)).toHaveText(['第二']);
  await page.clock.runFor(1);
  await expect(toast(page)).toHaveCount(0);
});

test('shows no notification for a failed table load, and offers a retry', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('bluesea_audit'));
  await lose(page, logCalls.own);
  await page.goto('/log/system');
  await expect(page.getByRole('main').getByRole('button', { name: '重试' })).toBeVisible();
  await expect(toast(page)).toHaveCount(0);
  await page.unrouteAll();
  await page.getByRole('main').getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('row', { name: /bluesea_audit/ }).first()).toBeVisible();
});

test('shows a dialog 500 px wide, 15vh from the top, that closes only by its buttons', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea_audit'), '/log/system');
  await openPhone(page);
  const box = dialog(page);
  await expect.poll(async () => (await box.boundingBox())?.width).toBe(limits.dialogWidth);
  await expect.poll(async () => Math.round((await box.boundingBox())?.y ?? 0)).toBe(Math.round((page.viewportSize()?.height ?? 0) * 0.15));
  await page.keyboard.press('Escape');
  await page.mouse.click(20, 780);
  await expect(box).toBeVisible();
  await box.getByRole('button', { name: '取消' }).click();
  await expect(dialog(page, '提示')).toContainText('有未保存的修改，确定放弃吗？');
  await dialog(page, '提示').getByRole('button', { name: '确定' }).click();
  await expect(box).toHaveCount(0);
  await expect(mainMenu(page)).toBeVisible();
});
