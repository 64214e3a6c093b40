import { randomInt } from 'node:crypto';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { logIn, password } from './support/api.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { codeTo } from './support/sms-stand-in.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { makeStaff, newVno } from './support/world.ts';

const newPhone = () => `137${String(randomInt(10 ** 8)).padStart(8, '0')}`;

const openMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /^(账号菜单|Account menu)/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`verifies the phone of VNO staff, then changes it with password and code (${lang})`, { tag: '@all' }, async ({ page }) => {
    const phone = newPhone();
    const { username } = await makeStaff(await newVno(), { system_log: '10' }, { phone });
    const staff = await logIn(username);
    const profile = () => staff.call(authCalls.profile);
    await loginAt(page, staff, '/log/system', { lang });
    const verify = t('验证手机号', 'Verify phone');
    const change = t('修改手机号', 'Change phone');
    const secret = t('当前密码', 'Current password');
    const code = t('短信验证码', 'SMS code');
    const send = t('发送验证码', 'Send code');
    await openMenu(page, verify);
    const first = dialog(page, verify);
    await expect(first).toContainText(phone);
    await input(first, secret).fill(password);
    await first.getByRole('button', { name: send }).click();
    await input(first, code).fill(await codeTo(phone));
    await confirm(first, lang);
    await expect(toast(page)).toHaveText(t('手机号已验证', 'Phone verified'));
    expect(await profile()).toMatchObject({ phone, phone_verified: true });

    await openMenu(page, change);
    const box = dialog(page, change);
    const label = t('新手机号', 'New phone');
    await input(box, label).fill(phone);
    await box.getByRole('button', { name: send }).click();
    await expect(refusal(box, label)).toHaveText(t('新手机号不能与原手机号相同', 'The new phone must differ from the old one'));
    const next = newPhone();
    await input(box, label).fill(next);
    await input(box, secret).fill('Wrong111');
    await box.getByRole('button', { name: send }).click();
    await input(box, code).fill(await codeTo(next));
    await confirm(box, lang);
    await expect(refusal(box, secret)).toHaveText(t('原密码错误', 'The old password is wrong'));
    await input(box, secret).fill(password);
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('手机号修改成功', 'Phone changed'));
    await page.reload();
    await openMenu(page, change);
    await expect(dialog(page, change)).toContainText(next);
    expect(await profile()).toMatchObject({ phone: next, phone_verified: true });
  });
}
