import { randomInt } from 'node:crypto';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { delayCall, reply } from './support/calls.ts';
import { freeze } from './support/clock.ts';
import { fillLogin, loginByForm, mainMenu } from './support/login.ts';
import { toast } from './support/login-as.ts';
import { lose, refuse } from './support/refuse.ts';
import { setLanguage } from './support/set-language.ts';
import { codeTo } from './support/sms-stand-in.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { makeStaff } from './support/world.ts';

const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);
const send = (page: Page) => page.locator('button.login-sms');
const submit = (page: Page) => page.getByRole('button', { name: /^(重置密码|Reset password)$/ });

const newPhone = () => `137${String(randomInt(10 ** 8)).padStart(8, '0')}`;

const fillReset = async (page: Page, password: string, phone: string) => {
  await field(page, 'newpass').fill(password);
  await field(page, 'confirmpass').fill(password);
  await field(page, 'phone').fill(phone);
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const hint = t(
    '长度为6-18个字符，须由字母和数字组成，大写字母、小写字母、数字至少包含两类',
    '6-18 characters, letters and digits, with at least two of upper case, lower case and digits',
  );

  test(`${lang}: shows the fields of the reset screen and a link back`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login');
    await page.getByRole('link', { name: t('忘记密码？', 'Forgot password?') }).click();
    await expect(page.getByRole('heading', { name: t('重置密码', 'Reset password') })).toBeVisible();
    await expect(page).toHaveTitle(`${t('重置密码', 'Reset password')} · Farlink 远联`);
    await expect(page.getByLabel(t('新密码', 'New password'), { exact: true })).toHaveAccessibleDescription(hint);
    await expect(page.getByLabel(t('确认密码', 'Confirm password'), { exact: true })).toHaveAttribute('type', 'password');
    await expect(page.getByLabel(t('手机号', 'Phone'), { exact: true })).toHaveAttribute('maxlength', '32');
    await expect(page.getByLabel(t('短信验证码', 'SMS code'), { exact: true })).toHaveAttribute('maxlength', '6');
    await expect(page.getByRole('button', { name: t('发送验证码', 'Send code') })).toBeEnabled();
    await expect(page.getByRole('button', { name: t('重置密码', 'Reset password') })).toBeEnabled();
    await page.getByRole('link', { name: t('返回登录', 'Back to login') }).click();
    await expect(field(page, 'account')).toBeVisible();
  });

  test(`${lang}: shows an error at every field of the reset form`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login#reset');
    let sent = 0;
    page.on('request', (request) => (sent += Number(/forgetpwd|send\/sms/.test(request.url()))));
    await submit(page).click();
    await expect(field(page, 'newpass')).toHaveAccessibleDescription(t('请输入新密码', 'Please enter new password'));
    await expect(field(page, 'confirmpass')).toHaveAccessibleDescription(t('请输入确认密码', 'Please confirm password'));
    await expect(field(page, 'phone')).toHaveAccessibleDescription(t('请输入手机号', 'Please enter phone'));
    await expect(field(page, 'rcode')).toHaveAccessibleDescription(t('请输入短信验证码', 'Please enter SMS code'));

    const refused = async (name: string, typed: readonly string[], output: string) => {
      for (const text of typed) {
        await field(page, name).fill(text);
        await field(page, name).blur();
        await expect(field(page, name), text).toHaveAttribute('aria-invalid', 'true');
        await expect(field(page, name), text).toHaveAccessibleDescription(output);
      }
    };
    const because = (zh: string, en: string) => t(`${zh}（${hint}）`, `${en} (${hint})`);
    await refused('newpass', ['Ab1', `Ab1${'x'.repeat(16)}`], because('长度须为6-18个字符', 'Use 6-18 characters'));
    await refused('newpass', ['1234567'], because('不能为纯数字', 'Not only digits'));
    await refused('newpass', ['Abc123!'], because('不能包含 !', 'Do not use !'));
    await refused('phone', ['12a', '+86 138', '（86）'], t('仅限数字、加号、连字符，最多32位', 'Digits, plus and hyphen only, at most 32'));
    await refused('rcode', ['12345', '12-456'], t('6位字母或数字', 'Exactly 6 letters or digits'));
    await field(page, 'newpass').fill('Fresh2026');
    await refused('confirmpass', ['Fresh2027'], t('两次输入的密码不一致', 'The two passwords are different'));

    await fillReset(page, 'Fresh2026', '+86-138');
    await field(page, 'rcode').fill('a1B2c3');
    await field(page, 'rcode').blur();
    for (const name of ['newpass', 'confirmpass', 'phone', 'rcode'])
      await expect(field(page, name)).toHaveAttribute('aria-invalid', 'false');
    expect(sent).toBe(0);
  });

  test(`${lang}: shows loading on the SMS button, counts down 60 seconds and enables it again`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.clock.install();
    await page.goto('/login#reset');
    await send(page).click();
    await expect(field(page, 'phone')).toHaveAccessibleDescription(t('请输入手机号', 'Please enter phone'));
    await expect(field(page, 'newpass')).toHaveAttribute('aria-invalid', 'false');

    const release = await delayCall(page, authCalls.sms);
    await field(page, 'phone').fill(newPhone());
    await freeze(page);
    await send(page).click();
    await expect(send(page)).toHaveText(t('发送中…', 'Sending…'));
    await expect(send(page)).toBeDisabled();
    await release();
    await expect(send(page)).toHaveText(t('60秒后重发', 'Resend in 60 s'));
    await expect(toast(page)).toHaveText(t('验证码已发送', 'Code sent'));
    await expect(field(page, 'rcode')).toHaveValue('');
    await page.clock.runFor(1000);
    await expect(send(page)).toHaveText(t('59秒后重发', 'Resend in 59 s'));
    await page.clock.runFor((limits.smsCountdownS - 2) * 1000);
    await expect(send(page)).toHaveText(t('1秒后重发', 'Resend in 1 s'));
    await expect(send(page)).toBeDisabled();
    await page.clock.runFor(1000);
    await expect(send(page)).toHaveText(t('发送验证码', 'Send code'));
    await expect(send(page)).toBeEnabled();
  });

  test(`${lang}: keeps the SMS button enabled when the code was not sent`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login#reset');
    await field(page, 'phone').fill(newPhone());
    const msg = t('短信发送过于频繁，请稍后再试', 'Too many SMS requests, please try again later');
    await refuse(page, authCalls.sms, { code: 10041, msg });
    await send(page).click();
    await expect(toast(page)).toHaveText(msg);
    await expect(send(page)).toHaveText(t('发送验证码', 'Send code'));
    await expect(send(page)).toBeEnabled();
    await lose(page, authCalls.sms);
    await send(page).click();
    await expect(toast(page)).toHaveText(t('请求失败', 'Request failed'));
    await expect(send(page)).toBeEnabled();
  });

  test(`${lang}: fills in the code that a server without an SMS service replies to this machine`, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login#reset');
    await reply(page, authCalls.sms, '246810');
    await field(page, 'phone').fill(newPhone());
    await send(page).click();
    await expect(field(page, 'rcode')).toHaveValue('246810');
  });

  test(`${lang}: returns to the login after a reset, deletes the remembered login, and accepts the new password`, async ({
    page,
    context,
  }) => {
    await setLanguage(page, lang);
    const phone = newPhone();
    const { username } = await makeStaff(await as('northfish'), { system_log: '11' }, { phone });
    await page.goto('/login');
    await page.getByRole('checkbox', { name: t('记住密码', 'Remember password') }).check();
    await fillLogin(page, username);
    await page.getByRole('button', { name: t('登录', 'Log in'), exact: true }).click();
    await expect(mainMenu(page)).toBeVisible();
    await page.goto('/login');
    await expect(field(page, 'account')).toHaveValue(username);

    await page.getByRole('link', { name: t('忘记密码？', 'Forgot password?') }).click();
    await fillReset(page, 'Fresh2026', phone);
    await send(page).click();
    const code = await codeTo(phone);
    await field(page, 'rcode').fill(code === '000000' ? '000001' : '000000');
    await submit(page).click();
    await expect(field(page, 'rcode')).toHaveAccessibleDescription(t('短信验证码错误或已过期', 'The SMS code is wrong or has expired'));
    await field(page, 'rcode').fill(code);
    await submit(page).click();
    await expect(toast(page)).toHaveText(t('密码重置成功，请登录', 'Password reset, please log in'));
    await expect(field(page, 'account')).toHaveValue('');
    const cookies = await context.cookies(new URL('/login', page.url()).href);
    expect(cookies.filter(({ name }) => /^farlink_(account|token|remember)/.test(name))).toEqual([]);
    await loginByForm(page, username, 'Fresh2026');
  });
}

test('refuses an unknown phone', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login#reset');
  const phone = newPhone();
  await fillReset(page, 'Fresh2026', phone);
  await send(page).click();
  await field(page, 'rcode').fill(await codeTo(phone));
  await submit(page).click();
  await expect(toast(page)).toHaveText('该手机号未绑定账号');
});

test('shows the request overlay until the last request is done', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login#reset');
  const releaseSms = await delayCall(page, authCalls.sms);
  const releaseReset = await delayCall(page, authCalls.forget);
  await fillReset(page, 'Fresh2026', newPhone());
  await field(page, 'rcode').fill('123456');
  await send(page).click();
  const overlay = page.getByRole('status', { name: '加载中' });
  await expect(overlay).toBeVisible();
  await field(page, 'rcode').press('Enter');
  await releaseSms();
  await expect(send(page)).toHaveText('60秒后重发');
  await expect(overlay).toBeVisible();
  await releaseReset();
  await expect(overlay).toHaveCount(0);
});

test('has no serious axe violation on the reset screen', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login#reset');
  await submit(page).click();
  await expect(field(page, 'phone')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessibleInBothThemes(page);
});
