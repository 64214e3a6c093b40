import { configCalls } from '@farlink/contract/config/config.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { document, parse } from '@farlink/gateway/protocol/shape.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { deviceOf, newGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { test } from './support/test.ts';
import { grantsOf, makeRole, makeStaff } from './support/world.ts';

const main = (page: Page) => page.locator('.config-main');
const status = (page: Page) => page.locator('.save-status');
const box = (at: Locator, label: string) => at.getByLabel(label, { exact: true });
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true });

/** Opens a configuration page of a new gateway. */
const openPageAs = async (page: Page, key: string) => {
  const gateway = await newGateway();
  const admin = await as('admin');
  await loginAt(page, admin, `/device/gateway-config/${gateway.deviceId}?page=${key}`);
  return { ...gateway, admin };
};

const read = '**/device/config/';

test('discards recent input, including a draft saved while the confirmation was open', { tag: '@all' }, async ({ page }) => {
  const { admin, deviceId } = await openPageAs(page, 'network_dns');
  const ttl = box(main(page), '最小缓存时间');
  await ttl.fill('600');
  await button(main(page), '放弃修改').click();
  await expect(status(page)).toHaveText('草稿已保存，尚未下发');
  await confirm(dialog(page), 'zh');
  await expect(ttl).toHaveValue('300');
  await expect(page.locator('.draft-line')).toHaveCount(0);
  expect((await admin.call(configCalls.page, { device_id: deviceId, page: 'network_dns' })).draft).toBeNull();
});

test('shows that a draft was not sent, and saves it after reconnect', async ({ page }) => {
  await openPageAs(page, 'network_dns');
  await page.route(`${read}draft`, (route) => route.abort());
  await box(main(page), '最小缓存时间').fill('600');
  await box(main(page), '最小缓存时间').blur();
  await expect(status(page)).toHaveText('连接中断，草稿未保存，将自动重试');
  await expect(main(page)).not.toContainText('需要修改');
  await page.unroute(`${read}draft`);
  await expect(status(page)).toHaveText('草稿已保存，尚未下发');
});

test('shows a failed load of page, review and history as an error with a retry', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'network_dns');
  await box(main(page), '最小缓存时间').fill('600');
  await box(main(page), '最小缓存时间').blur();
  await expect(status(page)).toHaveText('草稿已保存，尚未下发');

  await page.route(`${read}review*`, (route) => route.abort());
  await button(page, '核对并下发').click();
  await expect(dialog(page)).toContainText('加载失败');
  await page.unroute(`${read}review*`);
  await button(dialog(page), '重试').click();
  await expect(dialog(page).getByRole('row', { name: '最小缓存时间' })).toContainText('600 秒');

  // Discarding a draft needs confirmation.
  await button(dialog(page), '放弃 DNS设置').click();
  const question = dialog(page).filter({ hasText: '确定放弃“DNS设置”的草稿吗？' });
  await button(question, '取消').click();
  await expect(question).toHaveCount(0);
  await expect(dialog(page).getByRole('row', { name: '最小缓存时间' })).toBeVisible();
  await button(dialog(page), '取消').click();

  await page.route(`${read}revisions*`, (route) => route.abort());
  await button(main(page), '历史版本').click();
  await expect(dialog(page)).toContainText('加载失败');
  await page.unroute(`${read}revisions*`);
  await button(dialog(page), '重试').click();
  await expect(dialog(page)).toContainText('尚未下发过');
  await page.keyboard.press('Escape');

  await page.route(`${read}page*`, (route) => route.abort());
  await page.locator('.config-tree').getByRole('link', { name: '时间组' }).click();
  await expect(main(page)).toContainText('加载失败');
  await page.unroute(`${read}page*`);
  await button(main(page), '重试').click();
  await expect(button(main(page), '新增')).toBeVisible();
});

test('supports the keyboard in a wizard, focuses the first error, and keeps the input', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'guide_platform_binding');
  const host = box(main(page), '平台地址');
  await host.fill('console.example.com');
  await host.press('Enter');
  await expect(box(main(page), '商户编码')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(main(page), '生成草稿并核对')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(box(main(page), '商户编码')).toBeFocused();
  await expect(main(page)).toContainText('请输入商户编码');

  const tree = page.locator('.config-tree');
  await tree.getByRole('link', { name: '快速配置' }).click();
  await expect(box(main(page), '设备名称')).toBeVisible();
  await page.goBack();
  await expect(host).toHaveValue('console.example.com');

  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '设备组' }).click();
  await expect(dialog(page)).toContainText('有未保存的修改，确定放弃吗？');
  await button(dialog(page), '取消').click();
  await expect(toast(page)).toContainText('已取消');
  await expect(host).toHaveValue('console.example.com');
});

test('focuses a missing choice', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'diagnosis_speed_test');
  await button(main(page), '执行').click();
  await expect(box(main(page), '链路')).toBeFocused();
});

test('requests reported values from the gateway on every click', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'fence_area');
  const pendingCall: string[] = [];
  page.on('request', (request) => {
    if (/config\/watch\?.*ask=(1|true)/.test(request.url())) pendingCall.push(request.url());
  });
  await button(main(page), '读取网关状态').click();
  await expect.poll(() => pendingCall.length).toBe(1);
  await button(main(page), '读取网关状态').click();
  await expect.poll(() => pendingCall.length).toBe(2);
});

test('keeps the edited row when its list is loaded again', { tag: '@all' }, async ({ page }) => {
  const { admin, deviceId } = await openPageAs(page, 'network_wan');
  await button(main(page), '编辑 wan_6d').click();
  await box(dialog(page), 'MTU').fill('1400');
  // The same operator changes the row order in another session.
  const rowsNow = async () => {
    const { draft, doc } = await admin.call(configCalls.page, { device_id: deviceId, page: 'network_wan' });
    const known = parse(document, draft?.doc ?? doc);
    return 'value' in known ? rowsOf(known.value) : [];
  };
  const rows = (await rowsNow()).toReversed().map((row) => ({ ...row, remark: '换序' }));
  await admin.call(configCalls.draft, { device_id: deviceId, page: 'network_wan', base_rev: 0, doc: { rows } });
  await expect(page.locator('.draft-line')).toBeVisible();
  await expect(main(page).locator('tbody tr').first()).toContainText('wan_lband');
  await confirm(dialog(page), 'zh');
  await expect.poll(async () => (await rowsNow()).find(({ name }) => name === 'wan_6d')?.mtu).toBe(1400);
  expect(await rowsNow()).toHaveLength(rows.length);
});

test('asks before row input is lost by the back button or by opening another page', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'network_dns');
  await page.locator('.config-tree').getByRole('link', { name: 'DHCP服务' }).click();
  await button(main(page), '新增').click();
  await box(dialog(page), '名称').fill('甲板');
  const question = dialog(page).filter({ hasText: '有未保存的修改，确定放弃吗？' });
  for (const leave of [() => page.goBack(), () => dialog(page).getByRole('link').first().click()]) {
    await leave();
    await button(question, '取消').click();
    await expect(question).toHaveCount(0);
    await expect(box(dialog(page), '名称')).toHaveValue('甲板');
  }
  await page.goBack();
  await confirm(question, 'zh');
  await expect(box(main(page), '最小缓存时间')).toBeVisible();
});

test('shows a pasted polygon on the map', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'fence_area');
  await button(main(page), '新增').click();
  const scale = dialog(page).locator('.ol-scale-line-inner');
  await expect(scale).toHaveText(/^\d{4} NM$/);
  await button(dialog(page), '粘贴坐标').click();
  await box(dialog(page), '每行一个点：经度, 纬度').fill('113.5, 22.1\n114.2, 22.1\n114.0, 21.5');
  await button(dialog(page), '采用').click();
  await expect(scale).toHaveText(/^\d{1,2} NM$/);
});

test('offers no add or delete action with show-only rights', { tag: '@all' }, async ({ page }) => {
  const [admin, gateway] = await Promise.all([as('admin'), newGateway()]);
  const role = await makeRole(admin, grantsOf(), { gateway_permissions: { gw_network_dns: '10' } });
  const reader = await logIn((await makeStaff(admin, grantsOf(), { role_id: role.id })).username);
  await loginAt(page, reader, `/device/gateway-config/${gateway.deviceId}?page=network_dns`);
  await expect(main(page)).toContainText('您仅有查看权限');
  await expect(box(main(page), '第1行 服务器')).toHaveValue('223.5.5.5');
  await expect(button(main(page), '添加')).toHaveCount(0);
  await expect(button(main(page), '删除第1行')).toHaveCount(0);
});

test('asks before unsaved permissions are lost by choosing another gateway account', { tag: '@all' }, async ({ page }) => {
  const admin = await as('admin');
  // A gateway of the demo data, which has two accounts.
  const ship = await deviceOf(admin, 'FL24002000');
  await loginAt(page, admin, `/device/gateway-config/${ship?.id}`);
  await button(page.locator('.config-head'), '账号权限').click();
  const form = dialog(page, '网关账号权限');
  const all = form.getByRole('switch', { name: '全部可操作' });
  await all.click();
  await expect(all).toBeChecked();
  const question = dialog(page).filter({ hasText: '有未保存的修改，确定放弃吗？' });
  await form.getByRole('radio', { name: 'engineer' }).click();
  await button(question, '取消').click();
  await expect(question).toHaveCount(0);
  await expect(all).toBeChecked();
  await form.getByRole('radio', { name: 'engineer' }).click();
  await confirm(question, 'zh');
  await expect(form.getByRole('radio', { name: 'engineer' })).toBeChecked();
  await expect(all).not.toBeChecked();
});

test('shows a disconnected page as not live, and as live again after reconnect', { tag: '@all' }, async ({ page }) => {
  await openPageAs(page, 'status_overview');
  const state = main(page).locator('.live-badge');
  await expect(state).toContainText('实时');
  await expect(state).not.toContainText('非实时');
  await page.context().setOffline(true);
  await button(main(page), '立即刷新').click();
  await expect(state).toContainText('非实时');
  await expect(main(page)).toContainText('读取失败，请检查网络后重试');
  await page.context().setOffline(false);
  await expect(state).not.toContainText('非实时');
  await expect(main(page)).not.toContainText('读取失败');
});
