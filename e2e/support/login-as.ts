import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import type { Caller } from './api.ts';
import { mainMenu } from './login.ts';
import { setLanguage } from './set-language.ts';

interface View {
  readonly lang?: Lang;
  readonly theme?: 'light' | 'dark';
}

/** Logs an operator in on this page without the login form. */
export const loginAs = async (page: Page, { session }: Caller, { lang = 'zh', theme = 'light' }: View = {}) => {
  await setLanguage(page, lang);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.addInitScript((loggedIn) => {
    if (sessionStorage.getItem('e2e-logged-in') !== null) return;
    sessionStorage.setItem('e2e-logged-in', '1');
    sessionStorage.setItem('farlink-session', JSON.stringify({ ...loggedIn, login_status: true }));
  }, session);
};

export const loginAt = async (page: Page, caller: Caller, path: string, view: View = {}) => {
  await loginAs(page, caller, view);
  await page.goto(path);
  await expect(mainMenu(page)).toBeVisible();
};

export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });

/** The confirmation before an action, also over another dialog. */
export const question = (page: Page, lang: Lang = 'zh') => dialog(page, say(['提示', 'Please confirm'], lang));

/** The notification (spec §8). */
export const toast = (page: Page) => page.locator('.toast');

/** Checks the texts and the bill number of a receipt, then closes it. */
export const readReceipt = async (page: Page, texts: readonly string[]) => {
  const receipt = dialog(page, /^(收据|Receipt)$/);
  await expect(receipt).toContainText(/B\d{8}-\d+-\d{6}/);
  for (const text of texts) await expect(receipt).toContainText(text);
  await expect(receipt.getByRole('button', { name: /^(打印收据|Print receipt)$/ })).toBeVisible();
  await receipt
    .getByRole('button', { name: /^(关闭|Close)$/ })
    .last()
    .click();
  await expect(receipt).toHaveCount(0);
};
