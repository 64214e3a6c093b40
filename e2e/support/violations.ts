import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { isQuick } from './story-langs.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Waits for lists that load, and for animations. Requests do not count: a live page always has an open one. */
const waitUntilIdle = async (page: Page) => {
  await expect(page.locator('[aria-busy=true]:visible')).toHaveCount(0);
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
};

/** Serious and critical violations of WCAG 2.2 AA on the visible page. */
const findViolations = async (page: Page): Promise<readonly string[]> => {
  await waitUntilIdle(page);
  // The dark theme changes only colors.
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  // The check cannot run in a frame without script. Legacy mode saves a second page per check, which only frames of other sites need.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .exclude('iframe[sandbox]')
    .options({ resultTypes: ['violations'] });
  const { violations } = await (dark ? axe.withRules('color-contrast') : axe.withTags(standards)).analyze();
  const severe = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  return severe.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? ''})`).join('; ')}`);
};

/** A check takes a second, and a live list that loads again meanwhile is dimmed. A violation counts if it is found three times. */
const maxChecks = 3;

/** Kinds of pages and dialogs that `npm test` checks once each. `npm test -- --all` checks each place. */
export type Template =
  | 'cards'
  | 'configuration page'
  | 'dashboard'
  | 'detail page'
  | 'device page'
  | 'filter sheet'
  | 'form dialog'
  | 'form dialog on a phone'
  | 'form page'
  | 'list'
  | 'login'
  | 'masked rows'
  | 'menu drawer'
  | 'notice panel'
  | 'portal'
  | 'portal editor'
  | 'portal of a gateway'
  | 'portal payment'
  | 'receipt'
  | 'review'
  | 'row menu'
  | 'search dialog'
  | 'service of an account'
  | 'system status'
  | 'template tasks'
  | 'terminal'
  | 'traffic'
  | 'upgrade'
  | 'upload'
  | 'wizard';

const isSkipped = (template: Template | undefined) => isQuick && template === undefined;

export const expectAccessible = async (page: Page, template?: Template) => {
  if (isSkipped(template)) return waitUntilIdle(page);
  let found = await findViolations(page);
  for (let checks = 1; found.length > 0 && checks < maxChecks; checks++) found = await findViolations(page);
  expect(found).toEqual([]);
};

/** The page follows the theme of the system, so one load is checked in both. */
export const expectAccessibleInBothThemes = async (page: Page, template?: Template) => {
  if (isSkipped(template)) return waitUntilIdle(page);
  await expectAccessible(page, template);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page, template);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark');
};
