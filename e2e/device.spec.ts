import { expect, type Page, test } from '@playwright/test';
import { logIn } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { choose, rowOf, rows, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const showColumns = async (page: Page, button: string, names: readonly string[]) => {
  await page.getByRole('button', { name: button }).click();
  for (const name of names) await page.getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
};

test('a gateway is renamed, locked to a link, replaced and deleted, and the list follows it without a reload', async ({ page }) => {
  const vno = await newVno();
  const [gateway, other] = await Promise.all([freshGateway({ vno }), freshGateway({ vno })]);
  const name = unique('探索者');
  await sitAt(page, vno, '/device/list');
  await showColumns(page, '列设置', ['链路锁定', 'WAN链路', 'LAN口状态', '设备密钥']);
  const row = rowOf(page, gateway.sn);
  await expect(row).toContainText('在线');
  await expect(row).toContainText('••••');
  await expectAccessible(page);

  await take(row, '编辑');
  const form = dialog(page, '编辑设备');
  await confirm(form);
  await expect(notice(page)).toHaveText('您未做任何修改');
  await input(form, '设备名称').fill(name);
  await input(form, '代理地址').fill('10.0.0.300');
  await form.getByRole('radio', { name: '锁定全球网' }).check();
  await confirm(form);
  await expect(refusal(form, '代理地址')).toHaveText('IPv4地址格式不正确');
  await expect(refusal(form, '代理端口')).toHaveText('请输入代理端口');
  await input(form, '代理地址').fill('10.0.0.30');
  await input(form, '代理端口').fill('8080');
  await confirm(form);
  await expect(notice(page)).toHaveText('编辑成功');
  // The record says so when the gateway has taken it, and the page when the record does.
  await expect(row).toContainText(name);
  await expect(row).toContainText('锁定全球网');
  expect(await gateway.truth()).toMatchObject({ lock: 'global', sections: { proxy: { doc: { addr: '10.0.0.30', port: 8080 } } } });

  // Another link is another connection: it has gone over when the power goes.
  await expect.poll(() => gateway.truth()).toMatchObject({ link: '6d', state: 'online' });
  await row.getByRole('button', { name: /^更多/ }).click();
  await expect(page.getByRole('menuitem', { name: '更换设备' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await gateway.power('off');
  await expect(row).toContainText('离线');
  await take(row, '更换设备');
  const box = dialog(page, '更换设备');
  await input(box, '新设备SN').fill(other.sn);
  await confirm(box);
  await expect(refusal(box, '新设备SN')).toHaveText('新设备SN已被绑定');
  const spare = `${gateway.sn}B`;
  await input(box, '新设备SN').fill(spare);
  await confirm(box);
  await expect(notice(page)).toHaveText('更换设备成功');
  await expect(rowOf(page, spare)).toContainText(name);

  await take(rowOf(page, spare), '删除');
  await dialog(page).getByRole('button', { name: '确定' }).click();
  await expect(notice(page)).toHaveText('删除成功');
  await expect(rowOf(page, spare)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
});

test('devices are grouped and authorized together; a portal waits for a better link; who is suspended is sent away', async ({ page }) => {
  const vno = { ...(await logIn('bluesea')), username: 'bluesea' };
  const [first, second] = await Promise.all([freshGateway({ vno, bill: 1 }), freshGateway({ vno, bill: 2 })]);
  const group = unique('Fleet ');
  await sitAt(page, vno, '/device/group', { lang: 'en' });
  await page.getByRole('main').getByRole('button', { name: 'New group' }).click();
  const form = dialog(page, 'New group');
  await input(form, 'Group name').fill(group);
  await line(form, 'Devices').getByPlaceholder('Search').fill(first.sn);
  await line(form, 'Devices').getByRole('button', { name: first.sn }).click();
  await expectAccessible(page);
  await confirm(form, 'en');
  await expect(notice(page)).toHaveText('New group: done');
  await take(rowOf(page, group), 'Edit');
  await expect(line(dialog(page, 'Edit group'), 'Devices')).toContainText('Chosen 1');
  await dialog(page, 'Edit group').getByRole('button', { name: 'Cancel' }).click();

  await page.goto('/device/list');
  await showColumns(page, 'Columns', ['Group', 'Portal']);
  const [one, two] = [rowOf(page, first.sn), rowOf(page, second.sn)];
  await expect(one).toContainText(group);
  await two.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Set group' }).click();
  await choose(dialog(page, 'Set group'), 'Group', group);
  await confirm(dialog(page, 'Set group'), 'en');
  await expect(two).toContainText(group);

  await first.link('l_band');
  await expect(one).toContainText('L-band');
  await one.getByRole('checkbox').check();
  await two.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Set portal' }).click();
  const portal = dialog(page, 'Set portal');
  await choose(portal, 'Portal', 'Crew');
  await expect(line(portal, 'Billing type')).toContainText('Charged');
  await expect(portal.getByRole('status')).toContainText('On the L-band link, will wait for another link (at most 24 hours): 1');
  await expect(portal.getByRole('status')).toContainText('Will fail, the billing mode does not match this portal: 1');
  await expectAccessible(page);
  await confirm(portal, 'en');
  const result = dialog(page, 'Set portal: result');
  await expect(result).toContainText('The billing mode of the device does not match the billing type of the portal');
  await result.getByRole('button', { name: 'Close' }).last().click();
  await first.link('lte');
  await expect(one).toContainText('Crew');

  await take(one, 'Authorize');
  const auth = dialog(page, 'Modify authorization');
  await auth.getByRole('radio', { name: 'Suspended' }).check();
  await line(auth, 'Authorized until').getByRole('textbox').fill('2099-12-31');
  await page.keyboard.press('Enter');
  await confirm(auth, 'en');
  await expect(one).toContainText('Suspended');
  await expect(one).toContainText('Offline');
  await one.getByRole('button', { name: /^More/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Authorize' })).toBeDisabled();
});

test('the platform chooses the colours of links', async ({ page }) => {
  await sitAt(page, await logIn('admin'), '/device/link-status-color?network=unknown&link_state=abnormal', { theme: 'dark' });
  await take(rows(page).first(), '修改颜色');
  const form = dialog(page, '修改链路颜色');
  const hex = form.getByRole('textbox', { name: '显示颜色' });
  await hex.fill('red');
  await confirm(form);
  await expect(refusal(form, '显示颜色')).toHaveText('颜色格式为 #RRGGBB');
  await form.getByLabel('选取颜色').fill('#aa3311');
  await expect(hex).toHaveValue('#AA3311');
  await expectAccessible(page);
  await confirm(form);
  await expect(rows(page).first()).toContainText('#AA3311');
  await expect(rows(page).first()).toContainText('系统管理员');
});
