import { say } from '@farlink/contract/kit/text.ts';
import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { expect, type Locator } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { makePackage } from './support/billing.ts';
import { nextCall } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeRole, makeStaff, unique } from './support/world.ts';

/** An action that is not available for this row is shown as disabled. */
const expectNotOffered = async (row: Locator, name: string) => {
  await row.getByRole('button', { name: /^(更多|More) / }).click();
  await expect(row.page().getByRole('menuitem', { name, exact: true })).toHaveAttribute('aria-disabled', 'true');
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    quota: t('每周期配额', 'Quota per cycle'),
    price: t('价格（元）', 'Price (yuan)'),
    guarantee: t('下行保障（kbps）', 'Guaranteed down (kbps)'),
    duration: t('时长', 'Duration'),
    name: t('套餐名称', 'Package name'),
  };
  const yes = (page: Parameters<typeof dialog>[0]) => confirm(dialog(page), lang);

  test(`refuses a package with contradictory values, then creates, edits, copies and deletes it (${lang})`, async ({ page }) => {
    const name = unique('Flow ');
    await loginAt(page, await as('bluesea'), '/package/net', { lang });
    await page.getByRole('button', { name: t('新增套餐', 'New package') }).click();
    const box = dialog(page, t('新增上网套餐', 'New online package'));
    const fill = (label: string, value: string) => input(box, label).fill(value);
    await fill(labels.name, name);
    await line(box, t('套餐类型', 'Package type'))
      .getByRole('radio', { name: t('时长+流量套餐', 'Time + flow') })
      .check();
    await fill(labels.duration, '60');
    await fill(t('流量', 'Flow'), '10');
    await line(box, t('周期重置', 'Cycle reset')).getByRole('switch').click();
    await fill(t('周期时长', 'Cycle length'), '1');
    await fill(labels.quota, '20');
    await fill(t('下行速率（kbps）', 'Down speed (kbps)'), '4096');
    await fill(labels.guarantee, '8192');
    await fill(labels.price, '98.5');
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await fill(t('有效期至', 'Expires at'), soon);
    await page.keyboard.press('Enter');
    await confirm(box, lang);
    await expect(refusal(box, labels.quota)).toHaveText(
      t('周期配额不能超过周期重置总量', 'The cycle quota may not exceed the cycle-reset total'),
    );
    await expect(refusal(box, labels.guarantee)).toHaveText(
      t('保障速率不能超过限速（限速为0时不限）', 'The guaranteed speed cannot exceed the speed limit (0 = no limit)'),
    );
    await expect(refusal(box, labels.duration)).toHaveText(t('套餐时长不能超过有效期', 'The duration may not exceed the expiry'));
    await expect(refusal(box, t('周期时长', 'Cycle length'))).toHaveText(
      t('重置时间不能超过套餐有效期', 'The reset time may not exceed the package expiry'),
    );
    await fill(labels.quota, '2');
    await fill(labels.guarantee, '2050');
    await confirm(box, lang);
    await expect(refusal(box, labels.guarantee)).toHaveText(t('请输入8的整数倍（kbps）', 'Enter a multiple of 8 kbps'));
    await fill(labels.guarantee, '2048');
    await fill(t('有效期至', 'Expires at'), '2099-12-31');
    await page.keyboard.press('Enter');
    await box.getByRole('button', { name: /蓝海之星/ }).click();
    const sent = nextCall(page, packageCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON()).toMatchObject({ name, flow_capacity: 10, cycle_quota: 2, price: '98.50', down_guarantee: 256 });
    await page.goto(`/package/net?name=${encodeURIComponent(name)}`);
    const row = rows(page).first();
    await expect(row).toContainText(/60 (天|days?) \+ 10 GB/i);
    await expect(row).toContainText('4.096 Mbps');

    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑上网套餐', 'Edit online package'));
    await input(edit, labels.price).fill('88');
    await confirm(edit, lang);
    await expect(row).toContainText('88.00');
    await page.reload();
    await expect(row).toContainText('88.00');
    await runAction(row, t('复制', 'Copy'));
    await fill(labels.name, `${name} B`);
    await confirm(box, lang);
    const copy = rowOf(page, `${name} B`);
    await expect(copy).toContainText('88.00');
    await runAction(copy, t('删除', 'Delete'));
    await yes(page);
    await expect(copy).toHaveCount(0);
    await expect(rows(page)).toHaveCount(1);
  });

  test(`creates and deletes an extra package, but not one in use (${lang})`, { tag: '@all' }, async ({ page }) => {
    const name = unique('Extra ');
    const by = await as('bluesea');
    await loginAt(page, by, '/package/extra?limit=100', { lang });
    await page.getByRole('button', { name: t('新增加油包', 'New extra package') }).click();
    const box = dialog(page, t('新增加油包', 'New extra package'));
    await confirm(box, lang);
    for (const label of [labels.name, t('流量', 'Flow'), labels.price]) await expect(refusal(box, label)).toBeVisible();
    await input(box, labels.name).fill(name);
    await input(box, t('流量', 'Flow')).fill('3');
    await input(box, labels.price).fill('0');
    await confirm(box, lang);
    await expect(refusal(box, labels.price)).toBeVisible();
    await input(box, labels.price).fill('9.9');
    await box.getByRole('button', { name: /蓝海之星/ }).click();
    const sent = nextCall(page, extraCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON()).toMatchObject({ name, package_type: 'flow', flow_capacity: 3, flow_unit: 'GB', price: '9.90' });
    const row = rowOf(page, name);
    await expect(row).toContainText('3 GB');
    await runAction(row, t('详情', 'Details'));
    const detail = dialog(page, new RegExp(t('详情', 'Details')));
    // Amount and unit are one text, shown once.
    await expect(detail.getByText('3 GB', { exact: true })).toHaveCount(1);
    await expect(detail.getByText(t('流量单位', 'Flow unit'), { exact: true })).toHaveCount(0);
    await detail.getByRole('button', { name: t('关闭', 'Close'), exact: true }).click();
    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑加油包', 'Edit extra package'));
    await expect(input(edit, t('流量', 'Flow'))).toHaveValue('3');
    await input(edit, t('流量', 'Flow')).fill('4');
    await confirm(edit, lang);
    await expect(row).toContainText('4 GB');
    expect((await by.call(extraCalls.list, { name })).list).toMatchObject([{ name, flow_capacity: '4 GB' }]);
    await runAction(row, t('删除', 'Delete'));
    await yes(page);
    await expect(toast(page)).toHaveText(t('删除成功', 'Delete: done'));
    await expect(row).toHaveCount(0);
    await expectNotOffered(rowOf(page, '蓝海卫通·加油包 Top-up 1GB'), t('删除', 'Delete'));
  });

  test(`accepts protocol categories in an application template, and requires at least one (${lang})`, { tag: '@all' }, async ({ page }) => {
    const name = unique('App');
    await loginAt(page, await as('bluesea'), '/package/app-temp', { lang });
    await page.getByRole('button', { name: t('新增模板', 'New template') }).click();
    const box = dialog(page, t('新增应用模板', 'New application template'));
    await input(box, t('模板名称', 'Template name')).fill(name);
    await confirm(box, lang);
    await expect(refusal(box, t('应用协议', 'Protocols'))).toBeVisible();
    const protocols = line(box, t('应用协议', 'Protocols')).getByRole('combobox');
    await protocols.click();
    await protocols.fill('YouTube');
    await page
      .locator('.ant-select-tree-treenode')
      .filter({ hasText: /YouTube (上传|upload)/ })
      .locator('.ant-select-tree-checkbox')
      .click();
    await page.keyboard.press('Escape');
    const sent = nextCall(page, applicationCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON().configure).toEqual(['26.136']);
    const row = rowOf(page, name);
    await expect(row).toContainText('YouTube');
    await runAction(row, t('删除', 'Delete'));
    await yes(page);
    await expect(row).toHaveCount(0);
    await expectNotOffered(rowOf(page, '禁止视频').first(), t('删除', 'Delete'));
  });

  test(`requires speeds for a credit control that slows down, and a message unless it stops (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const name = unique('Cr');
    await loginAt(page, await as('bluesea'), '/package/control-temp', { lang });
    await page.getByRole('button', { name: t('新增模板', 'New template') }).click();
    const box = dialog(page, t('新增信控模板', 'New credit control template'));
    const action = (label: string) => line(box, t('限额后动作', 'Post-limit action')).getByRole('radio', { name: label });
    const up = t('上行限速（kbps）', 'Up limit (kbps)');
    await input(box, t('模板名称', 'Template name')).fill(name);
    await expect(line(box, up)).toHaveCount(0);
    await action(t('限速', 'Slow down')).check();
    await input(box, t('提醒比例（%）', 'Reminder ratio (%)')).fill('101');
    await input(box, up).fill('');
    await confirm(box, lang);
    for (const label of [t('提醒比例（%）', 'Reminder ratio (%)'), t('提醒内容', 'Reminder message'), up])
      await expect(refusal(box, label)).toBeVisible();
    await input(box, t('提醒比例（%）', 'Reminder ratio (%)')).fill('75');
    await input(box, up).fill('128');
    await input(box, t('提醒内容', 'Reminder message')).fill(t('快用完了', 'Nearly used up'));
    const sent = nextCall(page, policyCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON()).toMatchObject({ name, ratio: 75, action: 1, limit_up: 16, limit_down: 0 });
    const row = rowOf(page, name);
    await expect(row).toContainText('128 kbps');
    await page.reload();
    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑信控模板', 'Edit credit control template'));
    await expect(input(edit, up)).toHaveValue('128');
    await line(edit, t('限额后动作', 'Post-limit action'))
      .getByRole('radio', { name: t('停机', 'Stop (shutdown)') })
      .check();
    await input(edit, t('提醒内容', 'Reminder message')).fill('');
    await confirm(edit, lang);
    await expect(row).toContainText(t('停机', 'Stop (shutdown)'));
    await expect(row).not.toContainText('128 kbps');
  });
}

test('shows a hidden package only with the right', { tag: '@all' }, async ({ page, context }) => {
  const admin = await as('admin');
  const hidden = await makePackage(admin, [1], { is_hide: true });
  const permissions = grantsOf(['net_package']);
  const role = await makeRole(admin, permissions, { view_hide_pkg: false });
  const blind = await makeStaff(admin, permissions, { role_id: role.id });
  const path = `/package/net?name=${encodeURIComponent(hidden.name)}`;
  await loginAt(page, admin, path);
  await expect(rowOf(page, hidden.name)).toHaveCount(1);
  const other = await context.newPage();
  await loginAt(other, await logIn(blind.username), path);
  await expect(other.getByText('没有符合条件的数据')).toBeVisible();
  await admin.call(staffRoles.calls.update, { id: role.id, version: 1, view_hide_pkg: true });
  const seeing = await context.newPage();
  await loginAt(seeing, await logIn(blind.username), path);
  await expect(rowOf(seeing, hidden.name)).toHaveCount(1);
});

test('the pages and forms of packages have no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/package/net');
  for (const [path, action] of [
    ['/package/net', '新增套餐'],
    ['/package/app-temp', '新增模板'],
  ] as const) {
    await page.goto(path);
    await expect(rows(page).first()).toBeVisible();
    await page.getByRole('button', { name: action }).click();
    await expect(dialog(page)).toBeVisible();
    await expectAccessible(page);
  }
  await page.goto('/package/user');
  await expect(rows(page).first()).toBeVisible();
  await expectAccessible(page);
});
