import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { callsTo, nextCall, queryOf } from './support/calls.ts';
import { freeze } from './support/clock.ts';
import { mainMenu } from './support/login.ts';
import { loginAs, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/violations.ts';

const group = (page: Page, name: string) => mainMenu(page).getByRole('button', { name, exact: true });
const item = (page: Page, name: string) => mainMenu(page).getByRole('link', { name, exact: true });
const banner = (page: Page) => page.getByRole('banner');
const accountMenu = (page: Page) => banner(page).getByRole('button', { name: /^(账号菜单|Account menu)/ });

/** The groups in the menu, each with its pages. */
const menuOf = async (page: Page): Promise<Record<string, string[]>> => {
  const menu: Record<string, string[]> = {};
  for (const button of await mainMenu(page).getByRole('button').all()) {
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
    const name = (await button.textContent()) ?? '';
    menu[name] = await mainMenu(page).getByRole('list', { name, exact: true }).getByRole('link').allInnerTexts();
  }
  return menu;
};

const vno: readonly Text[] = [
  ['VNO列表', 'VNO list'],
  ['VNO账号', 'VNO accounts'],
  ['VNO角色', 'VNO roles'],
  ['账号前缀', 'Account prefixes'],
  ['VNO拓扑', 'VNO topology'],
];
const permission: readonly Text[] = [
  ['子账号管理', 'Sub-accounts'],
  ['角色管理', 'Roles'],
];

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const names = (texts: readonly Text[]) => texts.map((text) => say(text, lang));

  test(`${lang}: shows menu, logo, breadcrumb, language, account and page area`, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/permission/role', { lang });
    await expect(page.getByRole('img', { name: '蓝海卫通 BlueSea Satcom' })).toBeVisible();
    await expect(mainMenu(page)).toBeVisible();
    const trail = page.getByRole('navigation', { name: t('当前位置', 'Breadcrumb') });
    await expect(trail.getByRole('listitem')).toHaveText([t('权限管理', 'Permissions'), t('角色管理', 'Roles')]);
    await expect(page).toHaveTitle(`${t('角色管理', 'Roles')} · 蓝海卫通 BlueSea Satcom`);
    await expect(item(page, t('角色管理', 'Roles'))).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('combobox', { name: t('语言', 'Language') })).toHaveValue(lang);
    await expect(page.getByRole('main').getByRole('region', { name: t('角色管理', 'Roles') })).toBeVisible();
    await accountMenu(page).click();
    for (const name of [t('修改密码', 'Change password'), t('修改手机号', 'Change phone'), t('退出登录', 'Log out')])
      await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(accountMenu(page)).toBeFocused();
  });

  test(`${lang}: shows VNO management, permissions, settings and logs to the platform and a VNO with children`, { tag: '@all' }, async ({
    page,
  }) => {
    await loginAt(page, await as('admin'), '/index', { lang });
    const menu = await menuOf(page);
    expect(menu[t('VNO管理', 'VNO management')]).toEqual(names(vno));
    expect(menu[t('权限管理', 'Permissions')]).toEqual(names(permission));
    const advanced = t('高级设置', 'Advanced settings');
    expect(menu[advanced]).toEqual(expect.arrayContaining([t('工号管理', 'Job numbers'), t('工号角色', 'Job number roles')]));
    expect(menu[advanced]).not.toContain(t('授权管理', 'Authorizations'));
    const logs = [t('操作日志', 'Operator log'), t('下级VNO日志', 'Lower-level VNO log')];
    expect(menu[t('日志管理', 'Logs')]).toEqual(expect.arrayContaining(logs));
  });

  for (const [username, name, mode] of [
    ['eastsea', '东海商船 East Sea Merchant', t('前置', 'Front')],
    ['highland', '远山通信 Highland Remote', t('集中', 'Central')],
    ['bluesea', '蓝海卫通 BlueSea Satcom', t('共存', 'Both')],
    ['silkroad', '丝路航运 Silkroad Shipping Net', 'UY'],
  ] as const)
    test(`${lang}: shows the name of ${username} and mode ${mode} in the header`, { tag: '@all' }, async ({ page }) => {
      await loginAt(page, await as(username), '/index', { lang });
      await expect(banner(page).getByTitle(name)).toHaveText(name);
      await expect(banner(page).getByText(mode, { exact: true })).toBeVisible();
    });

  test(`${lang}: shows that the operator acts as a VNO, and hides its password and phone actions`, { tag: '@all' }, async ({ page }) => {
    const { call } = await as('admin');
    const { list } = await call(vnoCalls.list, { username: 'highland' });
    const { remoteData } = await call(vnoCalls.login, { id: list[0]?.id });
    await loginAs(page, await as('admin'), { lang });
    await page.goto(`/login?remoteData=${encodeURIComponent(String(remoteData))}`);
    await expect(page.getByRole('note')).toHaveText(
      t(
        'admin 正在以 远山通信 Highland Remote / highland 的身份操作，所有操作均会同时记录双方身份',
        'admin is acting as 远山通信 Highland Remote / highland. All operations are logged with both identities.',
      ),
    );
    await accountMenu(page).click();
    await expect(page.getByRole('menuitem', { name: t('退出登录', 'Log out'), exact: true })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: t('修改', 'Change') })).toHaveCount(0);
  });

  test(`${lang}: switches the language with a toast, reloads the same page after a second and stores it`, async ({ page }) => {
    const other = lang === 'zh' ? 'en' : 'zh';
    const title = (spoken: typeof lang) => page.getByRole('heading', { level: 1, name: say(['操作日志', 'Operator log'], spoken) });
    await page.clock.install();
    await loginAt(page, await as('bluesea_audit'), '/log/system', { lang });
    await freeze(page);
    await banner(page).getByRole('combobox').selectOption(other);
    await expect(toast(page)).toHaveText(say(['语言已切换，页面即将刷新', 'Language changed. The page will reload.'], other));
    await page.clock.runFor(limits.languageReloadMs - 1);
    await expect(title(lang)).toBeVisible();
    const nextRequest = nextCall(page, logCalls.own);
    await page.clock.runFor(1);
    await page.clock.resume();
    await expect(title(other)).toBeVisible();
    expect(queryOf(await nextRequest).lang).toBe(other);
    await page.reload();
    await expect(title(other)).toBeVisible();
  });

  test(`${lang}: opens any page from the command palette by its name in either language`, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list', { lang });
    await page.keyboard.press('Control+k');
    const box = page.getByRole('dialog', { name: t('搜索页面', 'Search pages') });
    const typed = box.getByRole('combobox');
    await expect(typed).toBeFocused();
    await typed.fill('zzz');
    await expect(box).toContainText(t('没有匹配的页面', 'No page matches'));
    await typed.fill('拓扑');
    await expect(box.getByRole('option')).toHaveText([new RegExp(t('VNO拓扑', 'VNO topology'))]);
    await typed.fill('Operator log');
    await expect(box.getByRole('option', { selected: true })).toContainText(t('操作日志', 'Operator log'));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/log/system');
    await expect(box).toHaveCount(0);
    await banner(page)
      .getByRole('button', { name: t('搜索页面', 'Search pages') })
      .click();
    await expect(box.getByRole('option').first()).toContainText(t('最近', 'Recent'));
    await page.keyboard.press('Escape');
    await expect(box).toHaveCount(0);
  });
}

test('shows coexist for an unknown mode', { tag: '@all' }, async ({ page }) => {
  const { session, call } = await as('bluesea');
  await loginAt(page, { call, session: { ...session, agent_mode: 7 } }, '/index');
  await expect(banner(page).getByText('共存', { exact: true })).toBeVisible();
});

test('hides VNO management and the log of lower levels without agent_child_enable', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('eastsea'), '/index');
  const menu = await menuOf(page);
  expect(menu).not.toHaveProperty('VNO管理');
  expect(menu.日志管理).not.toContain('下级VNO日志');
  expect(menu.权限管理).toEqual(['子账号管理', '角色管理']);
  expect(menu.高级设置).toContain('授权管理');
  await page.goto('/vno/list');
  await expect(page).toHaveURL('/notFound?type=404');
});

test('shows only home, user, device, market, audit, advanced and log groups in agent mode 2', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('highland'), '/index');
  const menu = await menuOf(page);
  for (const name of Object.keys(menu))
    expect(['首页', '用户管理', '设备管理', '市场配置', '审计数据', '高级设置', '日志管理']).toContain(name);
  expect(menu.高级设置).toContain('工号管理');
  expect(menu.日志管理).toContain('操作日志');
  for (const gone of ['/vno/list', '/permission/customer', '/permission/role']) {
    await page.goto(gone);
    await expect(page).toHaveURL('/notFound?type=404');
  }
});

test('shows only the pages of the role', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea_audit'), '/index');
  const menu = await menuOf(page);
  expect(Object.keys(menu)).toEqual(['用户管理', '设备管理', '固件管理', '审计数据', '日志管理']);
  expect(menu.日志管理).toEqual(expect.arrayContaining(['操作日志', '下级VNO日志']));
});

test('collapses the menu, shows its groups as flyouts, and stores that', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await banner(page).getByRole('button', { name: '收起菜单' }).click();
  await expect(item(page, 'VNO列表')).toHaveCount(0);
  await group(page, '权限管理').hover();
  await expect(item(page, '角色管理')).toBeVisible();
  await item(page, '角色管理').click();
  await expect(page).toHaveURL('/permission/role');
  await expect(item(page, '角色管理')).toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await expect(banner(page).getByRole('button', { name: '展开菜单' })).toBeVisible();
  await group(page, 'VNO管理').focus();
  await page.keyboard.press('Enter');
  await expect(item(page, 'VNO列表')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(item(page, 'VNO列表')).toHaveCount(0);
  await banner(page).getByRole('button', { name: '展开菜单' }).click();
  await expect(item(page, '角色管理')).toBeVisible();
});

test('opens and closes a group, and opens the group of the current page', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/log/system');
  await expect(group(page, '日志管理')).toHaveAttribute('aria-expanded', 'true');
  await expect(group(page, 'VNO管理')).toHaveAttribute('aria-expanded', 'false');
  await group(page, 'VNO管理').click();
  await item(page, 'VNO账号').click();
  await expect(page.getByRole('main').getByRole('region', { name: 'VNO账号' })).toBeVisible();
  await group(page, 'VNO管理').click();
  await expect(item(page, 'VNO账号')).toHaveCount(0);
});

test('resets the scroll position on navigation', { tag: '@all' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 420 });
  await loginAt(page, await as('bluesea'), '/permission/customer');
  const scrolled = () => page.getByRole('main').evaluate((main) => main.scrollTop);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 40));
  expect(await scrolled()).toBeGreaterThan(0);
  await item(page, '角色管理').click();
  await expect(page.getByRole('main').getByRole('region', { name: '角色管理' })).toBeVisible();
  expect(await scrolled()).toBe(0);
});

test('reloads the view without filters on a click on the current item', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('bluesea'));
  const calls = callsTo(page, logCalls.own);
  await page.goto('/log/system?result=fail');
  await expect(page.getByRole('row', { name: /失败/ })).toHaveCount(limits.limit);
  await item(page, '操作日志').click();
  await expect(page).toHaveURL('/log/system');
  await expect.poll(() => calls.map((call) => queryOf(call).result)).toEqual(['fail', undefined]);
  // A click during the load would send no new request.
  await expect(page.getByRole('row', { name: /成功/ }).first()).toBeVisible();
  await item(page, '操作日志').click();
  await expect.poll(() => calls.length).toBe(3);
});

test('opens a menu item in a new tab as a link', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  const opened = context.waitForEvent('page');
  await item(page, 'VNO角色').click({ modifiers: ['ControlOrMeta'] });
  const tab = await opened;
  await expect(tab.getByRole('heading', { level: 1, name: 'VNO角色' })).toBeVisible();
  await expect(page).toHaveURL('/vno/list');
});

test('follows the system theme until one is chosen, and stores it', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list', { theme: 'dark' });
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await banner(page).getByRole('button', { name: '主题：跟随系统' }).click();
  await banner(page).getByRole('button', { name: '主题：浅色' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(banner(page).getByRole('button', { name: '主题：深色' })).toBeVisible();
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test('skips to the content by keyboard', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: '跳到主要内容' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('main').getByRole('region', { name: 'VNO列表' })).toBeVisible();
});

test('has no serious axe violation in the shell', async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/log/system');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: '搜索页面' })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'search dialog');
  await page.keyboard.press('Escape');
  await accountMenu(page).click();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('menuitem', { name: '修改密码' }).click();
  await expect(page.getByRole('dialog', { name: '修改密码' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
