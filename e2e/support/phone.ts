import type { Lang } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Caller } from './api.ts';
import { loginAs } from './login-as.ts';
import { menuItem } from './table.ts';

/** The screen of a usual phone, held upright and touched. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const menuButton = (page: Page) => page.getByRole('button', { name: /^(打开菜单|Open the menu)$/ });

/** Opens a page of the console on a phone, where the menu is a drawer. */
export const phoneAt = async (page: Page, who: Caller, path: string, lang: Lang = 'zh') => {
  await loginAs(page, who, { lang });
  await page.goto(path);
  await expect(menuButton(page)).toBeVisible();
};

/** The card of a row. */
export const cardOf = (page: Page | Locator, text: string) => page.locator('.data-card').filter({ hasText: text });

/** Takes an action from the menu of a card, by touch. */
export const tapAction = async (card: Locator, action: string) => {
  await card.getByRole('button', { name: /^(更多|More) / }).tap();
  await (await menuItem(card.page(), action)).tap();
};

/** Nothing lies to the right of the screen: the document does not scroll sideways. */
export const expectNoSideScroll = async (page: Page, where: string) => {
  const [content, screen] = await page.evaluate(() => [
    Math.max(document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth ?? 0),
    innerWidth,
  ]);
  expect(content, `${where} is as wide as the screen`).toBeLessThanOrEqual(screen);
};

/** A finger can hit each of them. */
export const expectTargets = async (targets: Locator) => {
  await expect(targets.first()).toBeVisible();
  for (const target of await targets.all()) {
    const box = await target.boundingBox();
    if (!box) continue;
    expect(Math.min(box.width, box.height), (await target.textContent()) ?? '').toBeGreaterThanOrEqual(44);
  }
};
