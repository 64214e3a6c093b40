import { authCalls } from '@farlink/contract/auth/auth.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { nextCall, queryOf } from './support/calls.ts';
import { freeze } from './support/clock.ts';
import { loginByForm, mainMenu } from './support/login.ts';
import { dialog, loginAs, loginAt, toast } from './support/login-as.ts';
import { lose } from './support/refuse.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { makeStaff } from './support/world.ts';

const minutes = 60_000;
const accountMenu = (page: Page) => page.getByRole('button', { name: /^(账号菜单|Account menu)/ });
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('farlink-session'));
const lastActivity = (page: Page) => page.evaluate(() => localStorage.getItem('farlink-last-activity'));
const accountInput = (page: Page) => page.locator('input[name=account]');
const log = (page: Page) => page.getByRole('heading', { level: 1, name: /^(操作日志|Operator log)$/ });

/** A new account, so that its session can end without effect on other tests. */
const newcomer = async () => {
  const { username, id, role } = await makeStaff(await as('northfish'), { system_log: '11' });
  return { username, id, role, ...(await logIn(username)) };
};

const choose = async (page: Page, item: string) => {
  await accountMenu(page).click();
  await page.getByRole('menuitem', { name: item }).click();
};

const typed = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const leave = t('退出登录', 'Log out');
  const confirm = t('确定', 'Confirm');

  test(`${lang}: asks before logout, and shows a toast on cancel`, { tag: '@all' }, async ({ page }) => {
    const me = await newcomer();
    await loginAt(page, me, '/log/system', { lang });
    await choose(page, leave);
    await expect(dialog(page, leave)).toContainText(t('确定要退出登录吗？', 'Are you sure you want to log out?'));
    await dialog(page)
      .getByRole('button', { name: t('取消', 'Cancel') })
      .click();
    await expect(toast(page)).toHaveText(t('已取消', 'Cancelled'));
    await expect(page).toHaveURL('/log/system');

    await choose(page, leave);
    const loggedOut = nextCall(page, authCalls.logout);
    await dialog(page).getByRole('button', { name: confirm }).click();
    expect((await loggedOut).postDataJSON()).toMatchObject({ uid: me.session.uid });
    await expect(accountInput(page)).toBeVisible();
    expect(await stored(page)).toBeNull();
    await expect(me.call(authCalls.profile)).rejects.toThrow('10021');
  });

  test(`${lang}: logs out after 15 minutes without a click or navigation, with the timeout message`, async ({ page }) => {
    await page.clock.install();
    await loginAt(page, await newcomer(), '/log/system', { lang });
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await freeze(page);
    await page.clock.runFor(14 * minutes);
    await page.mouse.click(700, 5);
    await page.clock.runFor(limits.inactivityMs);
    await expect(log(page)).toBeVisible();
    expect(await stored(page)).not.toBeNull();
    await page.clock.runFor(limits.inactivityCheckMs);
    await page.clock.resume();
    await expect(accountInput(page)).toBeVisible();
    await expect(toast(page)).toHaveText(t('登录超时，请重新登录', 'The login timeout, please login again'));
    expect(await stored(page)).toBeNull();
  });

  test(`${lang}: redirects an ended session (10021) to the login, with its message`, { tag: '@all' }, async ({ page }) => {
    const me = await newcomer();
    await loginAt(page, me, '/log/system', { lang });
    await me.call(authCalls.logout);
    await expect(accountInput(page)).toBeVisible();
    await expect(toast(page)).toHaveText(t('请重新登录', 'please login again'));
    expect(await stored(page)).toBeNull();
  });

  test(`${lang}: logs out after a password change, and accepts only the new password`, async ({ page }) => {
    const me = await newcomer();
    await loginAt(page, me, '/log/system', { lang });
    await choose(page, t('修改密码', 'Change password'));
    const old = t('原密码', 'Old password');
    const newPassword = t('新密码', 'New password');
    const again = t('确认密码', 'Confirm password');
    const send = () => dialog(page).getByRole('button', { name: confirm }).click();
    await expect(dialog(page)).toContainText(t('长度为6-18个字符', '6-18 characters'));
    await send();
    for (const label of [old, newPassword])
      await expect(typed(page, label)).toHaveAccessibleDescription(t(`请输入${label}`, `Please enter ${label.toLowerCase()}`));
    await expect(typed(page, again)).toHaveAccessibleDescription(t('请输入确认密码', 'Please confirm password'));

    await typed(page, old).fill('Farlink2026');
    await typed(page, newPassword).fill('Farlink2026');
    await typed(page, again).fill('Farlink2027');
    await send();
    await expect(typed(page, newPassword)).toHaveAccessibleDescription(
      t('新密码不能与原密码相同', 'The new password must differ from the old one'),
    );
    await expect(typed(page, again)).toHaveAccessibleDescription(t('两次输入的密码不一致', 'The two passwords are different'));

    await typed(page, old).fill('Wrong2026');
    await typed(page, newPassword).fill('Fresh2026');
    await typed(page, again).fill('Fresh2026');
    await send();
    await expect(typed(page, old)).toHaveAccessibleDescription(t('原密码错误', 'The old password is wrong'));
    await typed(page, old).fill('Farlink2026');
    await send();
    await expect(accountInput(page)).toBeVisible();
    await expect(toast(page)).toHaveText(t('密码修改成功，请重新登录', 'Password changed, please log in again'));
    await expect(logIn(me.username)).rejects.toThrow('10008');
    await loginByForm(page, me.username, 'Fresh2026');
  });

  test(`${lang}: requires a changed phone to differ from the old one`, { tag: '@all' }, async ({ page }) => {
    const me = await newcomer();
    const { phone: before } = await me.call(authCalls.profile);
    await loginAt(page, me, '/log/system', { lang });
    await choose(page, t('修改手机号', 'Change phone'));
    const phone = typed(page, t('新手机号', 'New phone'));
    const send = () => dialog(page).getByRole('button', { name: confirm }).click();
    await expect(dialog(page)).toContainText(before);
    await phone.fill(before);
    await send();
    await expect(phone).toHaveAccessibleDescription(t('新手机号不能与原手机号相同', 'The new phone must differ from the old one'));
    await phone.fill('12a');
    await send();
    await expect(phone).toHaveAccessibleDescription(t('仅限数字、加号、连字符，最多32位', 'Digits, plus and hyphen only, at most 32'));
    expect(await me.call(authCalls.profile)).toMatchObject({ phone: before });
  });
}

test('stores the session for one tab only, with the nickname encoded', { tag: '@all' }, async ({ page }) => {
  await loginByForm(page, 'bluesea_ops');
  const session = JSON.parse((await stored(page)) ?? '{}');
  expect(session).toMatchObject({
    login_status: true,
    is_admin: false,
    agent_level: 1,
    agent_mode: 3,
    agent_name: '蓝海卫通 BlueSea Satcom',
  });
  for (const name of ['token', 'uid', 'agent_id', 'permissions', 'nickname', 'agent_logo', 'agent_child_enable', 'view_hide_pkg'])
    expect(session).toHaveProperty(name);
  const name = (await accountMenu(page).textContent()) ?? '';
  expect(JSON.stringify(session)).not.toContain(name);
  const shared = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(shared).not.toContain(session.token);
  expect(shared).toContain('farlink-last-activity');
});

test('sends token, language and user with every call', { tag: '@all' }, async ({ page }) => {
  const me = await as('bluesea_audit');
  await loginAs(page, me, { lang: 'en' });
  const pendingCall = nextCall(page, logCalls.own);
  await page.goto('/log/system');
  const request = await pendingCall;
  expect(request.headers().authorization).toBe(me.session.token);
  const { uid, agent_id } = me.session;
  expect(queryOf(request)).toMatchObject({ lang: 'en', uid: String(uid), agent_id: String(agent_id), page: '1', limit: '10' });
});

test('clears the session on logout even when the call fails', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await newcomer(), '/log/system');
  await lose(page, authCalls.logout);
  await choose(page, '退出登录');
  await page.evaluate(() => Object.assign(window, { before: true }));
  await dialog(page).getByRole('button', { name: '确定' }).click();
  await expect(accountInput(page)).toBeVisible();
  expect(await stored(page)).toBeNull();
  expect(await page.evaluate(() => 'before' in window)).toBe(false);
});

test('counts a navigation as activity', { tag: '@all' }, async ({ page }) => {
  await page.clock.install();
  await loginAt(page, await as('bluesea_audit'), '/log/system');
  await mainMenu(page).getByRole('link', { name: '下级VNO日志' }).click();
  await expect(page).toHaveURL('/log/sub-account');
  await freeze(page);
  await page.clock.runFor(10 * minutes);
  await page.goBack();
  await expect(log(page)).toBeVisible();
  await page.clock.runFor(14 * minutes);
  await expect(log(page)).toBeVisible();
  expect(await stored(page)).not.toBeNull();
});

test('counts activity in one tab for the other', { tag: '@all' }, async ({ page, context }) => {
  // The fake clock applies to the whole browser context, including both tabs.
  await page.clock.install();
  const me = await newcomer();
  await loginAt(page, me, '/log/system');
  const other = await context.newPage();
  await loginAt(other, me, '/log/system');
  await freeze(page);
  for (let turn = 0; turn < 3; turn++) {
    await page.clock.runFor(10 * minutes);
    await other.mouse.click(700, 5);
    // Storage changes reach the other tab with a delay.
    await expect.poll(() => lastActivity(page)).toBe(await lastActivity(other));
  }
  await expect(log(page)).toBeVisible();
  expect(await stored(page)).not.toBeNull();
  await page.clock.runFor(limits.inactivityMs + limits.inactivityCheckMs);
  await page.clock.resume();
  // The timeout affects both tabs, so the other tab shows the same message.
  await expect(toast(other)).toHaveText('登录超时，请重新登录');
  await expect(accountInput(page)).toBeVisible();
  await expect(accountInput(other)).toBeVisible();
});

const openTab = async (context: BrowserContext, path: string) => {
  const tab = await context.newPage();
  await tab.goto(path);
  return tab;
};

test('copies the session to a new tab and opens its deep link', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await as('bluesea_audit'), '/log/system');
  const tab = await openTab(context, '/log/sub-account?limit=20');
  await expect(tab.getByRole('heading', { level: 1, name: '下级VNO日志' })).toBeVisible();
  await expect(tab).toHaveURL('/log/sub-account?limit=20');
});

test('copies the session of the most recently used tab to a new tab', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await as('bluesea_audit'), '/log/system');
  const second = await context.newPage();
  await loginAt(second, await as('highland'), '/log/system');
  await page.bringToFront();
  await page.mouse.click(700, 5);
  await expect(accountMenu(await openTab(context, '/log/system'))).toHaveText((await accountMenu(page).textContent()) ?? '');
  await second.bringToFront();
  await second.mouse.click(700, 5);
  await expect(accountMenu(await openTab(context, '/log/system'))).toHaveText((await accountMenu(second).textContent()) ?? '');
});

test('logs out the other tabs of the same session only', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await newcomer(), '/log/system');
  const otherTab = await openTab(context, '/log/system');
  await expect(log(otherTab)).toBeVisible();
  const stranger = await context.newPage();
  await loginAt(stranger, await as('bluesea_audit'), '/log/system');
  await choose(page, '退出登录');
  await dialog(page).getByRole('button', { name: '确定' }).click();
  await expect(accountInput(page)).toBeVisible();
  await expect(accountInput(otherTab)).toBeVisible();
  await expect(toast(otherTab)).toHaveText('您已在其他标签页退出登录');
  expect(await stored(otherTab)).toBeNull();
  await expect(log(stranger)).toBeVisible();
  await stranger.reload();
  await expect(log(stranger)).toBeVisible();
});

test('opens a tab with a separate identity when acting as a VNO', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await as('admin'), '/vno/list?username=eastsea');
  const opened = context.waitForEvent('page');
  await runAction(rowOf(page, 'eastsea'), '进入VNO平台');
  await dialog(page).getByRole('button', { name: '确定' }).click();
  const tab = await opened;
  await expect(tab.getByRole('note')).toContainText('admin 正在以 东海商船 East Sea Merchant / eastsea 的身份操作');
  await expectAccessible(tab);
  await page.reload();
  await expect(page.getByRole('banner')).toContainText('Farlink 远联');
  await expect(tab.getByRole('banner')).toContainText('东海商船 East Sea Merchant');
});

test('ends the sessions of a role that changes', { tag: '@all' }, async ({ page }) => {
  const me = await newcomer();
  await loginAt(page, me, '/log/system');
  const { call } = await as('northfish');
  const { version } = await call(staffRoles.calls.read, { id: me.role.id });
  await call(staffRoles.calls.update, { id: me.role.id, version, permissions: { customer_manage: '10' } });
  // The open stream of the bell ends with the session.
  await expect(toast(page)).toHaveText('请重新登录');
  await expect(accountInput(page)).toBeVisible();
});

test('offers a retry when the server is unreachable at the start', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('bluesea_audit'));
  await lose(page, authCalls.profile);
  await page.goto('/log/system');
  await expect(page.getByRole('alert')).toContainText('无法连接服务器');
  await page.unrouteAll();
  await page.getByRole('button', { name: '重试' }).click();
  await expect(log(page)).toBeVisible();
});
