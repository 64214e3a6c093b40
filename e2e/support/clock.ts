import type { Page } from '@playwright/test';

/** The page's time stands still from now on and moves by `page.clock.runFor` alone; the clock must have been installed before. */
export const freeze = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);

/** Time stands still before the first page is opened. */
export const standStill = async (page: Page) => {
  await page.clock.install({ time: '2026-01-01T08:00:00Z' });
  await page.clock.pauseAt('2026-01-01T08:00:01Z');
};
