import { say } from '@farlink/contract/kit/text.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as, logIn, password } from './support/api.ts';
import { confirm, input } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { makeStaff, unique } from './support/world.ts';

/** Roles of a VNO: saved, reloaded, assigned and used. */

// Each test opens several pages.
test.beforeEach(() => test.slow());

const main = (page: Page) => page.getByRole('main');
const states = (box: Locator, title: string) => box.getByRole('radiogroup', { name: title, exact: true });
const state = (box: Locator, title: string, label: string) => states(box, title).getByRole('radio', { name: label, exact: true });
const open = (box: Locator, title: string) => box.getByRole('button', { name: `展开 ${title}`, exact: true }).click();

/** Creates a role with all rights on sub-accounts. */
const saveRole = async (page: Page, route: string) => {
  const name = unique('R');
  await loginAt(page, await as('bluesea'), route);
  await main(page).getByRole('button', { name: '新增角色' }).click();
  const box = dialog(page, '新增角色');
  await input(box, '角色名称').fill(name);
  await open(box, '权限管理');
  await states(box, '子账号管理').getByText('可操作', { exact: true }).click();
  await confirm(box);
  await expect(toast(page)).toHaveText('新增角色成功');

  await page.reload();
  await runAction(rowOf(page, name), '编辑');
  const edit = dialog(page, '编辑角色');
  await open(edit, '权限管理');
  await expect(state(edit, '子账号管理', '可操作')).toBeChecked();
  await expect(state(edit, '角色管理', '不可见')).toBeChecked();
  await open(edit, '子账号管理');
  await expect(state(edit, '新增子账号或工号', '可操作')).toBeChecked();
  // A read call can only be shown or hidden.
  await expect(state(edit, '查询子账号或工号', '仅查看')).toBeChecked();
  await expect(states(edit, '查询子账号或工号').getByRole('radio')).toHaveCount(2);
  await edit.getByRole('button', { name: '取消', exact: true }).click();
  return name;
};

/** Uses the page with the role: disables an account. */
const disableOne = async (page: Page, username: string, of: string) => {
  const other = await page.context().newPage();
  await loginAt(other, await logIn(username), `/permission/customer?username=${of}`);
  await runAction(rowOf(other, of), '禁用');
  await confirm(dialog(other));
  await expect(rowOf(other, of).locator('.point').filter({ hasText: '禁用' })).toBeVisible();
  return other;
};

const fillAccount = async (box: Locator, role: string) => {
  const username = unique('acc_');
  await input(box, '登录账号').fill(username);
  await input(box, '员工姓名').fill('主管甲');
  await input(box, '登录密码').fill(password);
  await input(box, '确认密码').fill(password);
  await input(box, '手机号').fill('13900000061');
  await choose(box, /所属角色/, role);
  return username;
};

test('lets a sub-account use an operable page of a role that its VNO created', async ({ page }) => {
  const role = await saveRole(page, '/permission/role');
  await page.goto('/permission/customer');
  await main(page).getByRole('button', { name: '新增子账号' }).click();
  const box = dialog(page, '新增子账号');
  const username = await fillAccount(box, role);
  await confirm(box);
  await expect(toast(page)).toHaveText('新增子账号成功');
  const listedStaff = await makeStaff(await as('bluesea'), { customer_manage: '10' });
  const other = await disableOne(page, username, listedStaff.username);
  await expect(mainMenu(other).getByRole('link')).toHaveText(['子账号管理']);
});

test('lets a master job number log in with a role that its VNO created', { tag: '@all' }, async ({ page }) => {
  const role = await saveRole(page, '/advanced/job-role');
  await page.goto('/advanced/job-number');
  await main(page).getByRole('button', { name: '新增工号' }).click();
  const box = dialog(page, '新增工号');
  const username = await fillAccount(box, role);
  await box.getByRole('radio', { name: '主工号' }).check();
  await confirm(box);
  await expect(toast(page)).toHaveText('新增工号成功');
  await page.reload();
  await expect(rowOf(page, username)).toContainText(role);
  const other = await page.context().newPage();
  await loginAt(other, await logIn(username), '/permission/customer');
  await expect(main(other).getByRole('button', { name: '新增子账号' })).toBeEnabled();
});

test('lets a child VNO use a page of a role that its parent VNO created', { tag: '@all' }, async ({ page }) => {
  const role = await saveRole(page, '/vno/role');
  const bluesea = await as('bluesea');
  await page.goto('/vno/list');
  await main(page).getByRole('button', { name: '新增VNO' }).click();
  const box = dialog(page, '新增VNO');
  const username = unique('vno_');
  const name = `湾区 ${username}`;
  await input(box, '登录账号').fill(username);
  await input(box, '登录密码').fill(password);
  await input(box, '确认密码').fill(password);
  await input(box, 'VNO名称').fill(name);
  await choose(box, /上级VNO/, bluesea.session.agent_name);
  await choose(box, /VNO角色/, role);
  await input(box, '联系人').fill('林港生');
  await input(box, '联系电话').fill('13900000062');
  await choose(box, /运营模式/, '共存');
  await confirm(box);
  await expect(toast(page)).toHaveText('新增VNO成功');
  await page.goto(`/vno/list?username=${username}`);
  await expect(rowOf(page, username)).toContainText(name);

  await page.goto('/vno/account');
  await main(page).getByRole('button', { name: '新增账号' }).click();
  const account = dialog(page, '新增VNO账号');
  await choose(account, /所属VNO/, name);
  const second = await fillAccount(account, role);
  await confirm(account);
  await expect(toast(page)).toHaveText('新增账号成功');

  const other = await page.context().newPage();
  await loginAt(other, await logIn(second), '/permission/customer');
  await expect(main(other).getByRole('button', { name: '新增子账号' })).toBeEnabled();
});

test('lets a demo VNO create a child VNO, a VNO account and a manager with the offered roles', { tag: '@all' }, async ({ page }) => {
  const bluesea = await as('bluesea');
  await loginAt(page, bluesea, '/vno/list');
  await main(page).getByRole('button', { name: '新增VNO' }).click();
  const box = dialog(page, '新增VNO');
  const username = unique('vno_');
  const name = `新湾 ${username}`;
  await input(box, '登录账号').fill(username);
  await input(box, '登录密码').fill(password);
  await input(box, '确认密码').fill(password);
  await input(box, 'VNO名称').fill(name);
  await choose(box, /上级VNO/, bluesea.session.agent_name);
  await choose(box, /VNO角色/, '下级标准');
  await input(box, '联系人').fill('林港生');
  await input(box, '联系电话').fill('13900000063');
  await choose(box, /运营模式/, '共存');
  await confirm(box);
  await expect(toast(page)).toHaveText('新增VNO成功');
  expect((await logIn(username)).session.agent_name).toBe(name);

  await page.goto('/vno/account');
  await main(page).getByRole('button', { name: '新增账号' }).click();
  const account = dialog(page, '新增VNO账号');
  await choose(account, /所属VNO/, name);
  const second = await fillAccount(account, '下级标准');
  await confirm(account);
  await expect(toast(page)).toHaveText('新增账号成功');
  await page.reload();
  expect((await logIn(second)).session.agent_name).toBe(name);

  await page.goto('/permission/customer');
  await main(page).getByRole('button', { name: '新增子账号' }).click();
  const staff = dialog(page, '新增子账号');
  const manager = await fillAccount(staff, '运营主管');
  await confirm(staff);
  await expect(toast(page)).toHaveText('新增子账号成功');
  await page.goto(`/permission/customer?username=${manager}`);
  await expect(rowOf(page, manager)).toContainText('运营主管');
  await expect((await logIn(manager)).call(staffCalls.list, { kind: 'sub' })).resolves.toBeDefined();
});

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  test(`saves and loads write-all as write-all (${lang})`, { tag: '@all' }, async ({ page }) => {
    const name = unique('R');
    await loginAt(page, await as('bluesea'), '/permission/role', { lang });
    await main(page)
      .getByRole('button', { name: t('新增角色', 'New role') })
      .click();
    const box = dialog(page, t('新增角色', 'New role'));
    await input(box, t('角色名称', 'Role name')).fill(name);
    await expect(states(box, t('权限管理', 'Permissions'))).toBeVisible();
    await box.getByRole('switch', { name: t('全部可操作', 'Write all') }).click();
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('新增角色成功', 'New role: done'));
    await page.reload();
    await runAction(rowOf(page, name), t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑角色', 'Edit role'));
    await expect(edit.getByRole('switch', { name: t('全部可操作', 'Write all') })).toBeChecked();
    await expect(state(edit, t('用户管理', 'User management'), t('可操作', 'Operable'))).toBeChecked();
  });
}

test('does not offer disable and delete for the main account of a VNO', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('admin'), '/vno/account?username=bluesea');
  await rowOf(page, 'bluesea')
    .first()
    .getByRole('button', { name: /^更多 / })
    .click();
  for (const name of ['禁用', '删除'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('aria-disabled', 'true');
});
