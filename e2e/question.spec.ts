import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { makePrefixes, sharedVno, unique } from './support/world.ts';

const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

/** Creates a row that can be deleted, and returns its button. */
const makeRow = async (page: Page) => {
  const vno = await sharedVno();
  const prefix = unique('p');
  await makePrefixes(vno, [prefix]);
  await loginAt(page, vno, `/vno/prefix?prefix=${prefix}`);
  return { prefix, remove: rowOf(page, prefix).locator('.row-actions').getByText('删除', { exact: true }) };
};

test('cancels a destructive confirmation on Enter, and restores the focus to the button', async ({ page }) => {
  const { prefix, remove } = await makeRow(page);
  await remove.click();
  await expect(button(page, '取消')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page)).toHaveText('已取消');
  await expect(dialog(page)).toHaveCount(0);
  await expect(rowOf(page, prefix)).toBeVisible();
  await expect(remove).toBeFocused();
});

test('confirms a harmless confirmation on Enter', { tag: '@all' }, async ({ page }) => {
  // The session ends here, so other stories use another one.
  await loginAt(page, await logIn((await sharedVno()).username), '/vno/prefix');
  await page.getByRole('button', { name: /^账号菜单/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(button(page, '确定')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
});

test('shows one confirmation for a double click', { tag: '@all' }, async ({ page }) => {
  const { prefix, remove } = await makeRow(page);
  await remove.dblclick();
  await button(page, '确定').click();
  await expect(toast(page)).toHaveText('删除成功');
  await expect(rowOf(page, prefix)).toHaveCount(0);
  await expect(dialog(page)).toHaveCount(0);
});
