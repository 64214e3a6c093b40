import { say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { freezeFromStart } from './support/clock.ts';
import { fillLogin, loginByForm, mainMenu } from './support/login.ts';
import { loginAs, loginAt } from './support/login-as.ts';
import { setLanguage } from './support/set-language.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { makeStaff } from './support/world.ts';

const alert = (page: Page) => page.getByRole('main').or(page.locator('#root')).getByRole('alert');
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('farlink-session'));
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('redirects the root to the login', { tag: '@all' }, async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await expect(page.locator('input[name=account]')).toBeVisible();
});

test('redirects every other path to the login without a token', { tag: '@all' }, async ({ page }) => {
  for (const path of ['/index', '/vno/list', '/notFound', '/timeout', '/no/such/page']) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
    await expect(mainMenu(page)).toHaveCount(0);
  }
});

for (const way of ['address', 'back button'] as const)
  test(`clears token, status and roles on opening the login by ${way}, and hides the navigation`, { tag: '@all' }, async ({ page }) => {
    const { username } = await makeStaff(await as('northfish'), { system_log: '11' });
    await loginByForm(page, username);
    const session = JSON.parse((await stored(page)) ?? '{}');
    expect(session).toMatchObject({ login_status: true, permissions: ['system_log'] });
    expect(session.token).toMatch(/\S{20,}/);
    if (way === 'address') await page.goto('/login');
    else {
      await page.evaluate(() => history.pushState(null, '', '/login'));
      await page.evaluate(() => history.pushState(null, '', '/log/system'));
      await page.goBack();
    }
    await expect(page.locator('input[name=account]')).toBeVisible();
    await expect(mainMenu(page)).toHaveCount(0);
    expect(await stored(page)).toBeNull();
    await page.goto('/log/system');
    await expect(page).toHaveURL('/login');
  });

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`${lang}: shows on /timeout that the request has expired, without actions`, { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'), { lang });
    await page.goto('/timeout');
    await expect(page.getByRole('alert')).toHaveText(t('请求已过期', 'request has expired'));
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('link')).toHaveCount(0);
  });

  test(`${lang}: shows that a page does not exist, and returns after 5 seconds`, { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'), { lang });
    await freezeFromStart(page);
    await page.goto('/no/such/page');
    await page.clock.runFor(limits.loadingMs);
    await expect(page).toHaveURL('/notFound?type=404');
    await expect(heading(page, t('页面不存在', 'Page not found'))).toBeVisible();
    await expect(mainMenu(page)).toBeVisible();
    await expect(page.getByText(t('5 秒后返回首页', 'Returning to the home page in 5 s'))).toBeVisible();
    await page.clock.runFor((limits.notFoundReturnS - 1) * 1000);
    await expect(page.getByText(t('1 秒后返回首页', 'Returning to the home page in 1 s'))).toBeVisible();
    await expect(page).toHaveURL('/notFound?type=404');
    await page.clock.runFor(1000);
    await page.clock.resume();
    await expect(page).toHaveURL('/home/dashboard');
  });

  test(`${lang}: warns an operator without any page, and ends the session on confirm`, { tag: '@all' }, async ({ page }) => {
    await setLanguage(page, lang);
    const { username } = await makeStaff(await as('northfish'), { get_syslog: '10' });
    await page.goto('/login');
    await fillLogin(page, username);
    await page.locator('input[name=lcode]').press('Enter');
    await expect(page).toHaveURL('/notFound');
    await expect(heading(page, t('无访问权限', 'Access denied'))).toBeVisible();
    const text = t('您没有访问权限，请联系管理员', 'You do not have permission to access, please contact the administrator');
    await expect(page.getByText(text)).toBeVisible();
    await expect(mainMenu(page)).toHaveCount(0);
    await page.goto('/vno/list');
    await expect(page).toHaveURL('/notFound');
    await page.evaluate(() => Object.assign(window, { before: true }));
    await page.getByRole('button', { name: t('确定', 'Confirm') }).click();
    await expect(page).toHaveURL('/login');
    expect(await page.evaluate(() => 'before' in window)).toBe(false);
    expect(await stored(page)).toBeNull();
  });
}

test('shows the missing-page box without a serious axe violation', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea_audit'), '/notFound?type=404');
  await expectAccessible(page);
});

test('returns from the missing-page box by its button', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea_audit'), '/notFound?type=404');
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL('/user/aaa-log');
});

for (const username of ['bluesea_audit', 'eastsea', 'admin'])
  test(`redirects ${username} from notFound to the first child of the first permitted group`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as(username), '/notFound');
    const first = mainMenu(page).getByRole('link').first();
    await expect(mainMenu(page).getByRole('button').first()).toHaveAttribute('aria-expanded', 'true');
    await expect(first).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveURL((await first.getAttribute('href')) ?? '');
  });

test('treats a page without permission as missing', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea_audit'), '/vno/list');
  await expect(page).toHaveURL('/notFound?type=404');
});

test('redirects each group to its first child', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/index');
  const first = { '/home': '/home/dashboard', '/vno': '/vno/list', '/permission': '/permission/customer', '/log': '/log/system' };
  for (const [group, child] of Object.entries(first)) {
    await page.goto(group);
    await expect(page).toHaveURL(child);
  }
  await page.getByRole('navigation', { name: '当前位置' }).getByRole('link', { name: '日志管理' }).click();
  await expect(page).toHaveURL('/log/system');
});

test('opens /index at the first load of a session, and keeps the path later', { tag: '@all' }, async ({ page }) => {
  const { session } = await as('bluesea');
  await page.addInitScript((storedSession) => {
    if (sessionStorage.getItem('farlink-session') === null) sessionStorage.setItem('farlink-session', JSON.stringify(storedSession));
  }, session);
  await page.goto('/log/system');
  await expect(page).toHaveURL('/home/dashboard');
  expect(JSON.parse((await stored(page)) ?? '{}').login_status).toBe(true);
  await page.goto('/log/system?limit=20');
  await expect(heading(page, '操作日志')).toBeVisible();
  await expect(page).toHaveURL('/log/system?limit=20');
});

test('shows the same pages by reload, deep link and back button', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/permission/role?limit=20');
  await expect(heading(page, '角色管理')).toBeVisible();
  await page.reload();
  await expect(heading(page, '角色管理')).toBeVisible();
  await expect(page).toHaveURL('/permission/role?limit=20');
  await mainMenu(page).getByRole('link', { name: '子账号管理' }).click();
  await expect(heading(page, '子账号管理')).toBeVisible();
  await page.goBack();
  await expect(heading(page, '角色管理')).toBeVisible();
  await expect(page).toHaveURL('/permission/role?limit=20');
  await page.goForward();
  await expect(page).toHaveURL('/permission/customer');
});

test('opens the requested page after the login, if permitted', async ({ page }) => {
  await page.goto('/log/system?limit=20');
  await expect(page).toHaveURL('/login');
  await fillLogin(page, 'bluesea_audit');
  await page.locator('input[name=lcode]').press('Enter');
  await expect(page).toHaveURL('/log/system?limit=20');

  await page.goto('/login');
  await page.goto('/vno/list');
  await expect(page).toHaveURL('/login');
  await fillLogin(page, 'bluesea_audit');
  await page.locator('input[name=lcode]').press('Enter');
  await expect(page).toHaveURL('/user/aaa-log');
});

test('loads a failed chunk again', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/index');
  let failures = 0;
  await page.route(/assets\/role-.*\.js/, (route) => (failures++ === 0 ? route.abort() : route.continue()));
  await mainMenu(page).getByRole('button', { name: '权限管理' }).click();
  await mainMenu(page).getByRole('link', { name: '角色管理' }).click();
  await expect(page.getByRole('region', { name: '角色管理' })).toBeVisible();
  await expect(page).toHaveURL('/permission/role');
  expect(failures).toBeGreaterThan(1);
});

test('shows a chunk that cannot be loaded, with a retry button', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/index');
  await page.route(/assets\/role-.*\.js/, (route) => route.abort());
  await page.goto('/permission/role');
  await expect(page.getByRole('alert')).toContainText('页面加载失败');
  await expect(mainMenu(page)).toBeVisible();
  await page.unroute(/assets\/role-.*\.js/);
  await page.getByRole('button', { name: '重新加载' }).click();
  await expect(page.getByRole('region', { name: '角色管理' })).toBeVisible();
});

test('shows the loading screen for 200 ms', { tag: '@all' }, async ({ page }) => {
  await freezeFromStart(page);
  await page.goto('/login');
  const splash = page.getByRole('status', { name: '加载中 Loading' });
  await expect(splash).toBeVisible();
  await page.clock.runFor(limits.loadingMs - 1);
  await expect(splash).toBeVisible();
  await expect(page.locator('input[name=account]')).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(page.locator('input[name=account]')).toBeVisible();
  await expect(splash).toHaveCount(0);
});

test('accepts remote data once, and removes it from the URL', { tag: '@all' }, async ({ page }) => {
  const { call } = await as('admin');
  const { list } = await call(vnoCalls.list, { username: 'eastsea' });
  const { remoteData } = await call(vnoCalls.login, { id: list[0]?.id });
  const link = `/login?remoteData=${encodeURIComponent(String(remoteData))}`;
  await page.goto(link);
  await expect(mainMenu(page)).toBeVisible();
  expect(page.url()).not.toContain('remoteData');
  await expect(page.getByRole('note')).toHaveText(
    'admin 正在以 东海商船 East Sea Merchant / eastsea 的身份操作，所有操作均会同时记录双方身份',
  );
  await page.goto(link);
  await expect(alert(page).or(page.locator('.toast'))).toHaveText('远程登录链接无效或已过期');
  await expect(page).toHaveURL('/login');
  expect(await stored(page)).toBeNull();
});
