import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { expect } from '@playwright/test';
import { as } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { lose } from './support/refuse.ts';
import { column, rows, toPage, total } from './support/table.ts';
import { test } from './support/test.ts';
import { sharedVno } from './support/world.ts';

// Code that the browser has in its cache could be loaded offline.
test.use({ ownPage: true });

const retry = '重试';

test('does not show the rows of another page while offline', async ({ page, context }) => {
  await loginAt(page, await as('admin'), '/user/list');
  await expect(rows(page)).toHaveCount(10);
  const first = await column(page, '上网账号');
  await context.setOffline(true);
  await toPage(page, 2);
  await expect(page.getByText('数据加载失败')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await context.setOffline(false);
  await expect.poll(() => column(page, '上网账号')).not.toEqual(first);
  await expect(rows(page)).toHaveCount(10);
});

test('shows no total before the rows', { tag: '@all' }, async ({ page }) => {
  const answer = Promise.withResolvers<void>();
  await page.route('**/agt/v1/user?*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await loginAt(page, await as('admin'), '/user/list');
  await expect(page.locator('main table[aria-busy=true]')).toBeVisible();
  await expect(total(page)).toHaveText('');
  answer.resolve();
  await expect(rows(page)).toHaveCount(10);
  await expect(total(page)).toContainText('共');
});

test('shows a filter that the server refuses, and can clear it', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('admin'), '/user/list?status=bogus');
  await expect(page.getByText('数据加载失败')).toBeVisible();
  await expect(page.getByText('输入有误，请检查')).toBeVisible();
  await expect(total(page)).toHaveText('');
  await page.getByRole('button', { name: '清空筛选' }).click();
  await expect(rows(page)).toHaveCount(10);
});

test('keeps the console when a page cannot be loaded, and loads it after reconnect', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await as('admin'), '/user/list');
  await expect(rows(page)).toHaveCount(10);
  await context.setOffline(true);
  await mainMenu(page).getByRole('button', { name: '权限管理' }).click();
  await mainMenu(page).getByRole('link', { name: '角色管理' }).click();
  await expect(page.getByRole('alert')).toContainText('页面加载失败');
  await expect(mainMenu(page)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('region', { name: '角色管理' })).toBeVisible();
});

test('reports a form that cannot be loaded, and keeps the list', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await sharedVno(), '/vno/list');
  const create = page.getByRole('button', { name: '新增VNO' });
  await expect(create).toBeVisible();
  await context.setOffline(true);
  await create.click();
  await expect(toast(page)).toHaveText('请求失败');
  await expect(create).toBeVisible();
  await context.setOffline(false);
  await create.click();
  await expect(dialog(page, '新增VNO')).toBeVisible();
});

test('reports a confirmation that cannot be loaded, and runs no action', { tag: '@all' }, async ({ page, context }) => {
  await loginAt(page, await sharedVno(), '/vno/list');
  await page.getByRole('button', { name: /^账号菜单/ }).click();
  await context.setOffline(true);
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(toast(page)).toHaveText('请求失败');
  await context.setOffline(false);
  await expect(mainMenu(page)).toBeVisible();
});

test('shows no account status when it could not be loaded', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id } = await openAccount(billing);
  await lose(page, userDetailCalls.serviceStatus);
  await lose(page, userDetailCalls.policy);
  await loginAt(page, billing.seller, `/user/detail/${id}`);
  const region = (name: string) => page.getByRole('region', { name });
  await expect(region('套餐用量').getByRole('alert')).toContainText('数据加载失败');
  await expect(region('生效策略').getByRole('alert')).toContainText('数据加载失败');
  const rejection = region('服务状态').locator('dl > div').filter({ hasText: '最近被拒' }).getByRole('definition');
  await expect(rejection).toHaveText('-');
  await page.unrouteAll();
  // A change that is reported at this moment loads the data too.
  const loaded = region('套餐用量').getByText(billing.package.name);
  await region('套餐用量').getByRole('button', { name: retry }).or(loaded).first().click();
  await expect(rejection).toHaveText('无');
  await expect(loaded).toBeVisible();
});

test('does not show links that failed to load as empty', { tag: '@all' }, async ({ page }) => {
  const admin = await as('admin');
  const billing = await makeBillingFixture(admin);
  await lose(page, deviceDetailCalls.now);
  await loginAt(page, admin, `/device/detail/${billing.device.id}`);
  await expect(page.getByRole('region', { name: 'WAN链路' }).getByRole('alert')).toContainText('数据加载失败');
});

test('does not show VNO details and tree that failed to load as empty', { tag: '@all' }, async ({ page }) => {
  await lose(page, vnoCalls.read);
  await loginAt(page, await as('bluesea'), '/vno/topology');
  await page.locator('.topology-canvas').getByText('东海商船').click();
  const panel = dialog(page, /^东海商船/);
  await expect(panel.getByRole('alert')).toContainText('数据加载失败');
  await expect(panel.getByText('联系电话')).toHaveCount(0);

  await lose(page, vnoAccountCalls.topology);
  await page.goto('/vno/account');
  const tree = page.getByRole('complementary', { name: 'VNO账号拓扑' });
  await expect(tree.getByRole('alert')).toContainText('数据加载失败');
  await page.unrouteAll();
  await tree.getByRole('button', { name: retry }).click();
  await expect(tree.getByRole('button', { name: /^蓝海卫通/ })).toBeVisible();
});
