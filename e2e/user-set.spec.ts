import { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { passwordHint } from '@farlink/contract/kit/password-rule.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, column, head, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');

for (const lang of storyLangs(import.meta.url)) {
  const t = (...text: Text) => say(text, lang);
  const bar = (page: Page, ...text: Text) => main(page).getByRole('button', { name: say(text, lang), exact: true });

  test(`changes settings of a VNO by group and one by one, and shows their scope (${lang})`, async ({ page }) => {
    const vno = await newVno();
    await loginAt(page, vno, '/user/set', { lang });
    await bar(page, '登录设置', 'Login settings').click();
    const group = dialog(page, t('登录设置', 'Login settings'));
    // Platform settings are read-only.
    await expect(line(group, t('密码错误锁定次数', 'Failures before lock')).getByRole('textbox')).toHaveCount(0);
    await confirm(group, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    const logins = t('默认允许登录数', 'Default allowed logins');
    await input(group, logins).fill('256');
    await confirm(group, lang);
    await expect(refusal(group, logins)).toHaveText(t('数值范围为1-255', 'Between 1 and 255'));
    await input(group, logins).fill('7');
    await input(group, t('空闲下线（分钟）', 'Idle timeout (minutes)')).fill('45');
    await confirm(group, lang);
    await expect(toast(page)).toHaveText(t('登录设置成功', 'Login settings: done'));
    expect(await vno.call(settingCalls.values)).toMatchObject({ allow_logins: 7, idle_timeout: 45 });

    await page.goto('/user/set');
    await expect(rows(page)).toHaveCount(14);
    await expect(page.locator('.pager')).toHaveCount(0);
    await expect(rowOf(page, logins)).toContainText('7');
    await page.goto('/user/set?setting_group=remind');
    const row = rowOf(page, t('到期前提醒（天）', 'Remind before expiry (days)'));
    await expect(row).toContainText(t('系统默认值，本VNO及下级VNO', 'System default, for this VNO and its child VNOs'));
    await runAction(row, t('修改', 'Edit'));
    const item = dialog(page, t('修改设置项', 'Edit setting'));
    await input(item, t('设置值', 'Value')).fill('91');
    await confirm(item, lang);
    await expect(refusal(item, t('设置值', 'Value'))).toHaveText(t('数值范围为0-90', 'Between 0 and 90'));
    await input(item, t('设置值', 'Value')).fill('15');
    await confirm(item, lang);
    await expect(toast(page)).toHaveText(t('修改成功', 'Changed'));
    await expect(row).toContainText('15');
    await expect(row).toContainText(t('本VNO及未单独设置的下级VNO', 'This VNO and child VNOs without their own setting'));
    await expect(row).toContainText(vno.username);
  });

  test(`shows the platform password rule to a VNO, and refuses its change (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const refused: Text = errors.platform_setting.text;
    await loginAt(page, vno, '/user/set?setting_group=password', { lang });
    await expect(rows(page)).toHaveCount(3);
    expect(new Set(await column(page, t('生效范围', 'Scope')))).toEqual(new Set([t('全平台', 'The whole platform')]));
    const edit = rows(page).first().getByText(t('修改', 'Edit'), { exact: true });
    await expect(edit).toHaveAttribute('aria-disabled', 'true');
    await bar(page, '密码规则', 'Password rule').click();
    await expect(toast(page)).toHaveText(say(refused, lang));
    const box = dialog(page, t('查看密码规则说明', 'Password rule text'));
    await expect(box).toContainText(say(passwordHint(await vno.call(authCalls.passwordRule)), lang));
    await box
      .getByRole('button', { name: t('关闭', 'Close'), exact: true })
      .last()
      .click();
    await expectAccessible(page);
    await expect(vno.call(settingCalls.update, { password_rule_range: '8-20' })).rejects.toThrow(refused[0]);
  });

  test(`refuses a contradictory rule in the platform form, and keeps the old one (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await as('admin');
    const before = await admin.call(authCalls.passwordRule);
    await loginAt(page, admin, '/user/set', { lang });
    await bar(page, '密码规则', 'Password rule').click();
    const box = dialog(page, t('密码规则', 'Password rule'));
    await input(box, t('密码长度范围', 'Length range')).fill('18-6');
    await input(box, t('允许的特殊字符', 'Allowed special characters')).fill('');
    await choose(box, new RegExp(t('复杂度', 'Complexity')), t('字母+特殊字符', 'Letters with special characters'));
    await confirm(box, lang);
    await expect(refusal(box, t('密码长度范围', 'Length range'))).toHaveText(
      t('格式如 6-18，下限须小于上限，上限不超过32', 'Such as 6-18; the lower bound must be less than the upper, the upper at most 32'),
    );
    await expect(refusal(box, t('允许的特殊字符', 'Allowed special characters'))).toHaveText(
      t('请输入允许的特殊字符', 'Please enter allowed special characters'),
    );
    expect(await admin.call(authCalls.passwordRule)).toEqual(before);
  });
}

test('shows an undelivered policy change in the console language', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing);
  await billing.seller.call(userCalls.policy, { ids: [id], custom_policy: 1 });
  await loginAt(page, billing.seller, '/log/account-sync');
  for (const lang of storyLangs(import.meta.url)) {
    const t = (...text: Text) => say(text, lang);
    await page.evaluate((next) => localStorage.setItem('farlink-lang', next), lang);
    await page.goto(`/log/user-app?account=${account}`);
    const row = rowOf(page, account).first();
    await expect(row).toContainText(billing.device.label.split(' (')[0] ?? '?');
    await expect(row).toContainText(t('待下发', 'Not yet delivered'));
    await expect(head(page, t('策略来源', 'Policy source'))).toBeVisible();
    await expectAccessible(page);

    await page.goto('/log/account-sync');
    await expect(head(page, t('同步结果', 'Result'))).toBeVisible();
    await expectAccessible(page);
  }
});
