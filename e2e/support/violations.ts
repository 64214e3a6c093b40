import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The visible page must have no serious or critical violation of WCAG 2.2 AA. */
export const expectAccessible = async (page: Page) => {
  // Waits until requests and animations have ended. A live page always has an open request, so the timeout is short.
  await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined);
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
  // The dark theme changes only colors.
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  // The check cannot run in a frame without script.
  const axe = new AxeBuilder({ page }).exclude('iframe[sandbox]').options({ resultTypes: ['violations'] });
  const { violations } = await (dark ? axe.withRules('color-contrast') : axe.withTags(standards)).analyze();
  const grave = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  expect(grave.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? ''})`).join('; ')}`)).toEqual([]);
};
