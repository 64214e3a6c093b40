import { userCalls } from '@farlink/contract/user/user.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { expect, type Page } from '@playwright/test';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { nextCall } from './support/calls.ts';
import { input } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt, question } from './support/login-as.ts';
import { test } from './support/test.ts';
import { sharedVno } from './support/world.ts';

const reply = (page: Page, name: '确定' | '取消') => question(page).getByRole('button', { name, exact: true }).click();

test('asks before the back button closes a filled dialog', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/vno/prefix');
  await mainMenu(page).getByRole('link', { name: 'VNO列表' }).click();
  await page.getByRole('button', { name: '新增VNO' }).click();
  const name = input(dialog(page, '新增VNO'), 'VNO名称');
  await name.fill('远洋');
  await page.goBack();
  await expect(question(page)).toContainText('有未保存的修改');
  await expect(question(page).getByRole('button', { name: '取消', exact: true })).toBeFocused();
  await reply(page, '取消');
  await expect(question(page)).toHaveCount(0);
  await expect(name).toHaveValue('远洋');
  await expect(page).toHaveURL('/vno/list');
  await page.goBack();
  await reply(page, '确定');
  await expect(page).toHaveURL('/vno/prefix');
  await expect(dialog(page)).toHaveCount(0);
});

test('does not reopen an abandoned form in a kept-alive list', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/vno/list');
  await mainMenu(page).getByRole('button', { name: '设备管理' }).click();
  await mainMenu(page).getByRole('link', { name: '设备列表' }).click();
  await page.getByRole('region', { name: '设备列表' }).getByRole('button', { name: '设备密码' }).click();
  await dialog(page).getByRole('textbox').last().fill('Sea12345');
  await page.goBack();
  await reply(page, '确定');
  await expect(page).toHaveURL('/vno/list');
  await page.goForward();
  await expect(page.getByRole('region', { name: '设备列表' })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

test('asks before the current menu item resets the page', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/advanced/mail-server');
  const host = page.getByRole('textbox', { name: '服务器地址', exact: true });
  await host.fill('mail.example.com');
  await mainMenu(page).getByRole('link', { name: '邮件服务器' }).click();
  await reply(page, '取消');
  await expect(question(page)).toHaveCount(0);
  await expect(host).toHaveValue('mail.example.com');
});

test('asks before a chosen file is lost', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/file/list');
  await page.getByRole('button', { name: '上传文件' }).click();
  const box = dialog(page, '上传文件');
  await box.locator('input[type=file]').setInputFiles({ name: 'chart.txt', mimeType: 'text/plain', buffer: Buffer.from('sea') });
  await box.getByRole('button', { name: '取消', exact: true }).click();
  await reply(page, '取消');
  await expect(box).toBeVisible();
});

test('keeps the input when the record is loaded again after a change by another operator', { tag: '@all' }, async ({ page, context }) => {
  const billing = await makeBillingFixture();
  const { id } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/mod/${id}`);
  const form = page.getByRole('form', { name: '编辑用户' });
  await input(form, '姓名').fill('林大海');
  await billing.seller.call(userCalls.update, { ...(await billing.seller.call(userCalls.read, { id })), remark: '柜台' });
  await context.setOffline(true);
  const again = nextCall(page, userCalls.read);
  await context.setOffline(false);
  await (await again).response();
  await expect(input(form, '姓名')).toHaveValue('林大海');
  // The change of the other operator is not overwritten.
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.locator('.toast')).toContainText('已被他人修改');
  await expect(input(form, '姓名')).toHaveValue('林大海');
});

test('leaves a form that only an opening configuration has filled in without a question', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const { list } = await vno.call(openConfigCalls.list, { account_type: 'maritime_crew' });
  await loginAt(page, vno, `/user/create?config_id=${list[0]?.id}`);
  await expect(input(page.getByRole('form', { name: '用户开户' }), '允许登录数')).toHaveValue(String(list[0]?.allow_logins));
  await expect(page.getByRole('form', { name: '用户开户' })).toContainText('海事船员');
  await mainMenu(page).getByRole('link', { name: '用户列表' }).click();
  await expect(page.getByRole('region', { name: '用户列表' })).toBeVisible();
  await expect(question(page)).toHaveCount(0);
});
