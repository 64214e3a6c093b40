import { authCalls } from '@farlink/contract/auth/auth.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { langs, say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { expect, type Page } from '@playwright/test';
import { freeze } from './support/clock.ts';
import { fillLogin, mainMenu } from './support/login.ts';
import { toast } from './support/login-as.ts';
import { lose, refuse } from './support/refuse.ts';
import { setLanguage } from './support/set-language.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { unique } from './support/world.ts';

const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);
const submit = (page: Page) => page.getByRole('button', { name: /^(登录|Log in)$/ });
const image = (page: Page) => page.locator('.login-captcha img');

for (const lang of langs) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  /** `npm test` runs these stories in one language. */
  const again = lang === 'zh' ? [] : '@all';

  test(`${lang}: shows fields, links and checkboxes on the login screen`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login');
    await expect(page).toHaveTitle(`${t('登录', 'Login')} · Farlink 远联`);
    await expect(page.locator('html')).toHaveAttribute('lang', t('zh-CN', 'en'));
    await expect(page.getByLabel(t('账号', 'Account'), { exact: true })).toHaveAttribute('maxlength', '32');
    await expect(page.getByLabel(t('密码', 'Password'), { exact: true })).toHaveAttribute('type', 'password');
    await expect(page.getByLabel(t('验证码', 'Captcha'), { exact: true })).toHaveAttribute('maxlength', '4');
    await expect(page.getByRole('checkbox', { name: t('记住密码', 'Remember password') })).not.toBeChecked();
    await expect(page.getByRole('checkbox', { name: t('我已阅读并同意', 'I have read and agree to') })).toBeChecked();
    await expect(page.getByRole('link', { name: t('忘记密码？', 'Forgot password?') })).toBeVisible();
    await expect(page.getByRole('link', { name: t('《服务协议》', 'Service Agreement') })).toBeVisible();
    await expect(page.getByRole('link', { name: t('《隐私政策》', 'Privacy Policy') })).toBeVisible();
    await expect(page.getByRole('button', { name: t('登录', 'Log in'), exact: true })).toBeEnabled();
    for (const name of ['中文', 'English']) await expect(page.getByRole('button', { name })).toBeVisible();
    await expect(mainMenu(page)).toHaveCount(0);
  });

  test(`${lang}: shows an error at every field`, { tag: again }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login');
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/agt/v1/login'))));
    await submit(page).click();
    await expect(field(page, 'account')).toHaveAccessibleDescription(t('请输入账号', 'Please enter account'));
    await expect(field(page, 'password')).toHaveAccessibleDescription(t('请输入密码', 'Please enter password'));
    await expect(field(page, 'lcode')).toHaveAccessibleDescription(t('请输入验证码', 'Please enter captcha'));

    const account: Text = [
      '4-32位，须含字母，仅限字母、数字、下划线',
      '4-32 characters, must contain a letter; letters, digits and underscore only',
    ];
    for (const wrong of ['abc', '12345', 'ab cd', 'ab-cd', '账号abcd', 'abcd!']) {
      await field(page, 'account').fill(wrong);
      await field(page, 'account').blur();
      await expect(field(page, 'account'), wrong).toHaveAccessibleDescription(say(account, lang));
      await expect(field(page, 'account')).toHaveAttribute('aria-invalid', 'true');
    }
    for (const right of ['abcd', 'a_1234', 'a'.repeat(32), ' admin ']) {
      await field(page, 'account').fill(right);
      await field(page, 'account').blur();
      await expect(field(page, 'account'), right).toHaveAccessibleDescription('');
    }
    await expect(field(page, 'account')).toHaveValue('admin');

    for (const wrong of ['123', '12_4', '验证码a']) {
      await field(page, 'lcode').fill(wrong);
      await field(page, 'lcode').blur();
      await expect(field(page, 'lcode'), wrong).toHaveAccessibleDescription(t('4位字母或数字', 'Exactly 4 letters or digits'));
    }
    await field(page, 'lcode').fill('');
    await field(page, 'lcode').pressSequentially('aB3dE');
    await expect(field(page, 'lcode')).toHaveValue('aB3d');
    expect(sent).toBe(0);
  });

  test(`${lang}: shows the agreement and the privacy policy in an alert`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login');
    await page.getByRole('link', { name: t('《服务协议》', 'Service Agreement') }).click();
    const paper = page.getByRole('alertdialog');
    await expect(paper).toHaveAccessibleName(t('服务协议', 'Service Agreement'));
    for (const subject of [
      t('实名认证', 'Real-name verification'),
      t('第三方服务', 'Third-party services'),
      t('责任限制', 'Limitation of liability'),
    ])
      await expect(paper.getByRole('heading', { name: subject })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(paper).toBeVisible();
    await paper.getByRole('button', { name: t('我知道了', 'Close') }).click();
    await expect(paper).toHaveCount(0);

    await page.getByRole('link', { name: t('《隐私政策》', 'Privacy Policy') }).click();
    await expect(paper).toHaveAccessibleName(t('隐私政策', 'Privacy Policy'));
    await expect(paper).toContainText(t('个人信息', 'personal information'));
    await expect(paper).toContainText(t('实名', 'real-name'));
    await expect(paper.getByRole('heading', { name: t('第三方服务', 'third-party services') })).toBeVisible();
    await page.goBack();
    await expect(paper).toHaveCount(0);
    await expect(page).toHaveURL('/login');
  });

  test(`${lang}: counts wrong passwords down to a lock`, { tag: again }, async ({ page, request }) => {
    await setLanguage(page, lang);
    const username = unique('nobody_');
    const attempt = async () => {
      await request.get('/agt/v1/captcha');
      await request.post('/agt/v1/login', { data: { username, password: toBase64('Wrong123'), verifycode: '8888' } });
    };
    await page.goto('/login');
    const wrong = async (output: string) => {
      await fillLogin(page, username, 'Wrong123');
      await submit(page).click();
      await expect(toast(page)).toHaveText(output);
      await expect(field(page, 'lcode')).toHaveValue('');
    };
    await wrong(t('账号或密码错误，还可尝试4次', 'Wrong account or password, 4 attempts left'));
    await attempt();
    await attempt();
    await wrong(t('账号或密码错误，还可尝试1次', 'Wrong account or password, 1 attempt left'));
    await wrong(t('账号或密码错误，账号已锁定10分钟', 'Wrong account or password, the account is locked for 10 minutes'));
    await wrong(t('密码输入错误超过5次，请等待10分钟后解锁', 'Password input error exceeds 5 times, wait 10 minutes to unlock'));
  });

  test(`${lang}: opens the reset form for a password that must be reset`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    const msg = t('请先重置密码', 'Reset your password first');
    await refuse(page, authCalls.login, { code: 10112, msg });
    await page.goto('/login');
    await fillLogin(page, 'admin');
    await submit(page).click();
    await expect(page.getByRole('heading', { name: t('重置密码', 'Reset password') })).toBeVisible();
    await expect(toast(page)).toHaveText(msg);
  });

  test(`${lang}: shows a success message and opens the first permitted page after 0.8 s`, { tag: again }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.clock.install();
    await page.goto('/login');
    await fillLogin(page, 'bluesea_audit');
    await freeze(page);
    await field(page, 'lcode').press('Enter');
    await expect(toast(page)).toHaveText(t('登录成功', 'Logged in'));
    await expect(submit(page)).toBeDisabled();
    await page.clock.runFor(limits.loginRedirectMs - 1);
    await expect(page).toHaveURL('/login');
    await page.clock.runFor(1);
    await page.clock.resume();
    await expect(page).toHaveURL('/user/aaa-log');
    await expect(mainMenu(page)).toBeVisible();
  });

  test(`${lang}: reloads the captcha and clears the input 0.5 s after a failure`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await page.clock.install();
    await page.goto('/login');
    const drawn = await image(page).getAttribute('src');
    await fillLogin(page, unique('nobody_'));
    await field(page, 'lcode').fill('0000');
    await freeze(page);
    await submit(page).click();
    await expect(toast(page)).toHaveText(t('验证码错误或已过期', 'The captcha is wrong or has expired'));
    await expect(image(page)).not.toHaveAttribute('src', drawn ?? '');
    await page.clock.runFor(limits.captchaClearMs - 1);
    await expect(field(page, 'lcode')).toHaveValue('0000');
    await page.clock.runFor(1);
    await expect(field(page, 'lcode')).toHaveValue('');
    await expect(field(page, 'lcode')).toBeFocused();
    await expect(field(page, 'lcode')).toHaveAccessibleDescription(t('验证码错误或已过期', 'The captcha is wrong or has expired'));
  });

  test(`${lang}: reports an unreachable server as a failed request`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    await lose(page, authCalls.login);
    await page.goto('/login');
    const drawn = await image(page).getAttribute('src');
    await fillLogin(page, 'admin');
    await submit(page).click();
    await expect(toast(page)).toHaveText(t('请求失败', 'Request failed'));
    await expect(image(page)).not.toHaveAttribute('src', drawn ?? '');
    await expect(field(page, 'lcode')).toHaveValue('');
    await expect(submit(page)).toBeEnabled();
  });
}

test('disables the login button while the agreement is unchecked', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login');
  await fillLogin(page, 'admin');
  const agree = page.getByRole('checkbox', { name: '我已阅读并同意' });
  await agree.uncheck();
  await expect(submit(page)).toBeDisabled();
  await field(page, 'lcode').press('Enter');
  await expect(toast(page)).toHaveCount(0);
  await agree.check();
  await expect(submit(page)).toBeEnabled();
});

test('loads a new captcha on click', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login');
  await expect.poll(() => image(page).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const drawn = await image(page).getAttribute('src');
  await page.getByRole('button', { name: '看不清？换一张验证码' }).click();
  await expect(image(page)).not.toHaveAttribute('src', drawn ?? '');
  await expect.poll(() => image(page).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
});

test('shows and hides the password', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login');
  await field(page, 'password').fill('Secret1');
  await page.getByRole('button', { name: '显示密码' }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: '隐藏密码' }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'password');
});

test('switches the language with a toast, reloads after a second and stores it', { tag: '@all' }, async ({ page }) => {
  await page.clock.install();
  await page.goto('/login');
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
  await freeze(page);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(toast(page)).toHaveText('Language changed. The page will reload.');
  await page.clock.runFor(limits.languageReloadMs - 1);
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
  await page.clock.runFor(1);
  await page.clock.resume();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await page.getByRole('button', { name: '中文' }).click();
  await expect(toast(page)).toHaveText('语言已切换，页面即将刷新');
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
});

test('stores the theme chosen on the login page', { tag: '@all' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/login');
  await page.getByRole('button', { name: '主题：跟随系统' }).click();
  await page.getByRole('button', { name: '主题：浅色' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.getByRole('button', { name: '主题：深色' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('has no serious axe violation on the login screen', async ({ page }) => {
  await page.goto('/login');
  await submit(page).click();
  await expect(field(page, 'account')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessibleInBothThemes(page, 'login');
  await page.getByRole('link', { name: '《服务协议》' }).click();
  await expect(page.getByRole('alertdialog').getByRole('heading', { name: '实名认证' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test('submits the form on Enter in the first field', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login');
  await fillLogin(page, 'bluesea_audit');
  await field(page, 'account').press('Enter');
  await expect(mainMenu(page)).toBeVisible();
});
