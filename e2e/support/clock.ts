import type { Page } from '@playwright/test';

/** Freezes the page clock; only `page.clock.runFor` advances it. The clock must be installed before. */
export const freeze = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);

/** Freezes the clock before the first page is opened. */
export const freezeFromStart = async (page: Page) => {
  await page.clock.install({ time: '2026-01-01T08:00:00Z' });
  await page.clock.pauseAt('2026-01-01T08:00:01Z');
};
