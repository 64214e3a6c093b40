import { expect, type Locator, type Page } from '@playwright/test';

/** The table of the list; charts have a hidden table for screen readers. */
const table = (page: Page) => page.locator('main table:not(.visually-hidden)');
export const rows = (page: Page) => table(page).locator('tbody').getByRole('row');
export const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text });
export const heads = (page: Page) => table(page).getByRole('columnheader');
export const head = (page: Page, name: string) => heads(page).filter({ hasText: name });

/** The cell texts of one column, from top to bottom. */
export const column = async (page: Page, name: string): Promise<string[]> => {
  const titles = await heads(page).allInnerTexts();
  const at = titles.findIndex((title) => title.trim() === name);
  expect(at, `a column ${name} among ${titles.join(', ')}`).toBeGreaterThanOrEqual(0);
  return await rows(page)
    .locator(`td:nth-child(${at + 1})`)
    .allInnerTexts();
};

/** An item of the open menu; its group is opened first. */
export const menuItem = async (page: Page, name: string): Promise<Locator> => {
  const item = page.getByRole('menuitem', { name, exact: true });
  const groups = page.locator('[role=menuitem][aria-haspopup=menu]');
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  for (let i = 0; i < (await groups.count()); i++) {
    const plain = item.and(page.locator(':not([aria-haspopup])'));
    if ((await plain.count()) > 0) return plain;
    await groups.nth(i).click({ timeout: 5000 });
  }
  return item.and(page.locator(':not([aria-haspopup])'));
};

/** Runs a row action, from the row or its menu. */
export const runAction = async (row: Locator, action: string) => {
  const page = row.page();
  const inLine = row.locator('.row-actions').getByText(action, { exact: true });
  await expect(row.locator('.row-actions')).toBeVisible();
  // While the table adjusts its width, an action can move from the row into the menu.
  const patience = { timeout: 5000 };
  await expect(async () => {
    if ((await inLine.count()) > 0) return inLine.click(patience);
    await row.getByRole('button', { name: /^(更多|More) / }).click(patience);
    await (await menuItem(page, action)).click(patience);
  }).toPass();
};

/** Chooses from a dropdown; its list is at the end of the page, outside of the form. */
export const choose = async (scope: Page | Locator, label: string | RegExp, option: string) => {
  const page = 'page' in scope ? scope.page() : scope;
  const box = scope.getByRole('combobox', { name: label });
  await box.click();
  const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  await list.locator('.ant-select-item-option, .ant-select-tree-node-content-wrapper').filter({ hasText: option }).first().click();
  await expect(list).toHaveCount(0);
};

export const total = (page: Page) => page.locator('.pager > .muted');
export const pager = (page: Page) => page.locator('.pager').getByRole('list');
/** The page numbers in the pager. */
export const pageNumbers = async (page: Page) => (await pager(page).locator('.page-number').allInnerTexts()).map(Number);
export const toPage = (page: Page, n: number) => pager(page).getByTitle(String(n), { exact: true }).click();
