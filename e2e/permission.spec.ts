import { langs, say } from '@farlink/contract/kit/text.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { confirm } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAs, loginAt, toast } from './support/login-as.ts';
import { takeTurns } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { grantsOf, makeStaff, sharedVno } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  inTurn(test)(`disables buttons with a reason for show-only rights, and the server refuses the calls (${lang})`, async ({ page }) => {
    const vno = await sharedVno();
    const listedStaff = await makeStaff(vno);
    const { username } = await makeStaff(vno, grantsOf(['customer_manage'], '10'));
    const viewer = await logIn(username);
    const why = say(['您仅有查看权限', 'You have view-only permission'], lang);
    await loginAt(page, viewer, `/permission/customer?username=${listedStaff.username}`, { lang });
    await expect(main(page).getByRole('button', { name: say(['新增子账号', 'New sub-account'], lang) })).toBeDisabled();
    const edit = rowOf(page, listedStaff.username).getByRole('button', { name: new RegExp(`^${say(['编辑', 'Edit'], lang)} `) });
    await expect(edit).toHaveAttribute('aria-disabled', 'true');
    await expect(edit).toHaveAccessibleDescription(why);
    await edit.hover({ force: true });
    await expect(page.getByRole('tooltip')).toHaveText(why);
    await edit.click({ force: true });
    await expect(dialog(page)).toHaveCount(0);
    await rowOf(page, listedStaff.username)
      .getByRole('button', { name: /^(更多|More) / })
      .click();
    for (const item of await page.getByRole('menuitem').all()) await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(viewer.call(staffCalls.remove, { id: listedStaff.id })).rejects.toThrow('10006');
  });

  inTurn(test)(
    `hides a page without permission from the menu, and shows the missing-page box for its URL (${lang})`,
    { tag: '@all' },
    async ({ page }) => {
      const vno = await sharedVno();
      const { username } = await makeStaff(vno, grantsOf(['system_log'], '10'));
      await loginAt(page, await logIn(username), '/log/system', { lang });
      await expect(rows(page).first()).toBeVisible();
      await expect(mainMenu(page).getByRole('link')).toHaveText([say(['操作日志', 'Operator log'], lang)]);
      await expect(main(page).getByRole('button', { name: say(['导出', 'Export'], lang) })).toBeDisabled();
      await page.goto('/permission/customer');
      await expect(page.getByRole('alert')).toContainText(say(['页面不存在', 'Page not found'], lang));
      await page
        .getByRole('alert')
        .getByRole('button', { name: say(['确定', 'Confirm'], lang) })
        .click();
      await expect(page).toHaveURL(/\/log\/system$/);
    },
  );

  inTurn(test)(`opens no form with show-only rights, neither by button nor by URL (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const { username } = await makeStaff(vno, grantsOf(['user_list', 'user_account', 'card_manage'], '10'));
    await loginAt(page, await logIn(username), '/user/list', { lang });
    const button = (zh: string, en: string) => main(page).getByRole('button', { name: say([zh, en], lang), exact: true });
    await expect(button('开户', 'New account')).toBeDisabled();
    await expect(button('批量开户', 'Batch opening')).toBeDisabled();
    await page.goto('/card/manage');
    await expect(button('制卡', 'Make cards')).toBeDisabled();
    for (const path of ['/user/create', '/user/batch', '/card/make']) {
      await page.goto(path);
      await expect(page.getByRole('alert')).toContainText(say(['页面不存在', 'Page not found'], lang));
    }
  });
}

test('does not render invisible items', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const listedStaff = await makeStaff(vno);
  const { username } = await makeStaff(vno, { ...grantsOf(['customer_manage'], '10'), post_customer: '00', delete_customer: '00' });
  await loginAt(page, await logIn(username), `/permission/customer?username=${listedStaff.username}`);
  await expect(rowOf(page, listedStaff.username)).toBeVisible();
  await expect(main(page).getByRole('button', { name: '新增子账号' })).toHaveCount(0);
  await rowOf(page, listedStaff.username)
    .getByRole('button', { name: /^更多 / })
    .click();
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveCount(0);
  await expect(page.getByRole('menuitem', { name: '禁用' })).toHaveAttribute('aria-disabled', 'true');
});

test('ignores rights that the VNO does not have: agent mode 1, and no children', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('eastsea_ops'));
  await page.goto('/index');
  await expect(mainMenu(page).getByRole('button', { name: /权限管理/ })).toBeVisible();
  await expect(mainMenu(page).getByText('VNO管理')).toHaveCount(0);
  await page.goto('/vno/list');
  await expect(page.getByRole('alert')).toContainText('页面不存在');
});

test('shows VNOs read-only to the demo support staff of the platform', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('farlink_care'), '/vno/list?username=bluesea');
  await expect(main(page).getByRole('button', { name: '新增VNO' })).toBeDisabled();
  const row = rowOf(page, 'bluesea');
  await row.getByRole('button', { name: /^更多 / }).click();
  await expect(page.getByRole('menuitem', { name: '进入VNO平台' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^详情 / }).click();
  await expect(page.getByRole('dialog')).toContainText('BLUESEA8');
});

test('logs in as a sub-account in a new tab with the rights of that account', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const { username } = await makeStaff(vno, grantsOf(['system_log'], '10'));
  await loginAt(page, vno, `/permission/customer?username=${username}`);
  await runAction(rowOf(page, username), '登录该账号');
  const popup = page.context().waitForEvent('page');
  await confirm(dialog(page));
  const other = await popup;
  await expect(other.getByRole('note')).toContainText(`${vno.username} 正在以`);
  await expect(mainMenu(other).getByRole('link')).toHaveText(['操作日志']);
  await expect(page.getByRole('note')).toHaveCount(0);
});

test('logs a disabled account out at once, and admits it again when enabled', { tag: '@all' }, async ({ page, browser }) => {
  const vno = await sharedVno();
  const { username } = await makeStaff(vno, grantsOf(['system_log'], '10'));
  const other = await (await browser.newContext()).newPage();
  await loginAt(other, await logIn(username), '/log/system');
  await expect(rows(other).first()).toBeVisible();
  await loginAt(page, vno, `/permission/customer?username=${username}`);
  await runAction(rowOf(page, username), '禁用');
  await confirm(dialog(page));
  await expect(toast(page)).toHaveText('禁用成功');
  await expect(other).toHaveURL(/\/login$/);
  await expect(toast(other)).toHaveText('请重新登录');
  await runAction(rowOf(page, username), '启用');
  await confirm(dialog(page));
  await expect(toast(page)).toHaveText('启用成功');
  expect((await logIn(username)).session.uid).toBeGreaterThan(0);
  await other.context().close();
});
