import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Frame, type Page } from '@playwright/test';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Waits for lists that load, and for animations. Requests do not count: a live page always has an open one. */
const settle = async (page: Page) => {
  await expect(page.locator('[aria-busy=true]:visible')).toHaveCount(0);
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
};

/** The minified axe, in the version of AxeBuilder. */
const axeSource = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

const loadAxe = async (frame: Frame) => {
  if (!(await frame.evaluate(`typeof axe === 'object'`))) await frame.evaluate(axeSource);
};

/** AxeBuilder sends 1.4 MB of script twice per check. So axe is loaded once per document, and AxeBuilder gets an empty script. */
const loadAxeOnce = async (page: Page) => {
  await loadAxe(page.mainFrame());
  for (const frame of page.frames().filter((f) => f.parentFrame() !== null)) {
    const element = await frame.frameElement();
    if ((await element.getAttribute('sandbox')) === null) await loadAxe(frame);
  }
};

/** The visible page must have no serious or critical violation of WCAG 2.2 AA. */
export const expectAccessible = async (page: Page) => {
  await settle(page);
  // The dark theme changes only colors.
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await loadAxeOnce(page);
  // The check cannot run in a frame without script. Legacy mode saves a second page per check, which only frames of other sites need.
  const axe = new AxeBuilder({ page, axeSource: ';' })
    .setLegacyMode()
    .exclude('iframe[sandbox]')
    .options({ resultTypes: ['violations'] });
  const { violations } = await (dark ? axe.withRules('color-contrast') : axe.withTags(standards)).analyze();
  const grave = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  expect(grave.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? ''})`).join('; ')}`)).toEqual([]);
};

/** The page follows the theme of the system, so one load is checked in both. */
export const expectAccessibleInBothThemes = async (page: Page) => {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark');
};
