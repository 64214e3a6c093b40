import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { Page } from '@playwright/test';
import { heads } from './table.ts';

export const plain = (amount: string) => amount.replaceAll(',', '').trim();
export const sumOf = (amounts: readonly string[]) => yuan(amounts.reduce((sum, amount) => sum + cents(plain(amount)), 0n));

/** The sum under a column of the list. */
export const footOf = async (page: Page, name: string) => {
  const titles = (await heads(page).allInnerTexts()).map((title) => title.trim());
  return plain((await page.locator('main tfoot td').nth(titles.indexOf(name)).textContent()) ?? '').replace('¥', '');
};
