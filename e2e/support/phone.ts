import type { Lang } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Caller } from './api.ts';
import { loginAs } from './login-as.ts';
import { menuItem } from './table.ts';

/** A typical phone: portrait, with touch. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const menuButton = (page: Page) => page.getByRole('button', { name: /^(打开菜单|Open the menu)$/ });

/** Opens a console page on a phone, where the menu is a drawer. */
export const phoneAt = async (page: Page, caller: Caller, path: string, lang: Lang = 'zh') => {
  await loginAs(page, caller, { lang });
  await page.goto(path);
  await expect(menuButton(page)).toBeVisible();
};

/** The card of a row. */
export const cardOf = (page: Page | Locator, text: string) => page.locator('.data-card').filter({ hasText: text });

/** Runs an action from the menu of a card, by touch. */
export const tapAction = async (card: Locator, action: string) => {
  await card.getByRole('button', { name: /^(更多|More) / }).tap();
  await (await menuItem(card.page(), action)).tap();
};

/** The document must not scroll sideways. */
export const expectNoSideScroll = async (page: Page, where: string) => {
  const [content, screen] = await page.evaluate(() => [
    Math.max(document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth ?? 0),
    innerWidth,
  ]);
  expect(content, `${where} is as wide as the screen`).toBeLessThanOrEqual(screen);
};

/** Every target must be large enough for touch. */
export const expectTargets = async (targets: Locator) => {
  await expect(targets.first()).toBeVisible();
  for (const target of await targets.all()) {
    const box = await target.boundingBox();
    if (!box) continue;
    expect(Math.min(box.width, box.height), (await target.textContent()) ?? '').toBeGreaterThanOrEqual(44);
  }
};
