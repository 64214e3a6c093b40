import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import { type Lang, langs, say } from '@farlink/contract/kit/text.ts';
import { groups } from '@farlink/contract/menu.ts';
import { pages } from '@farlink/contract/pages.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { loginAt } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { takeTurns } from './support/story-langs.ts';
import { test } from './support/test.ts';

/** Field kinds that must be shown in full, because a clipped number is wrong. */
const exact = ['int', 'money', 'time', 'date', 'bytes', 'speed', 'duration', 'progress'];

/** The table of the page. Some earlier pages stay in the document, hidden, to return to them fast. */
const frameOf = (page: Page) => page.locator('main .table-frame:visible').first();

/** Cells with numbers, times and bill numbers that are clipped or partly covered by the pinned actions. */
const unreadable = (page: Page) =>
  frameOf(page).evaluate((frame, kinds) => {
    const edge = frame.querySelector('.pinned')?.getBoundingClientRect().left ?? frame.getBoundingClientRect().right;
    const cells = [...frame.querySelectorAll<HTMLElement>('tbody td[data-kind], tfoot td.num')];
    return cells.flatMap((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      const isExact =
        cell.dataset.kind === undefined ||
        kinds.includes(cell.dataset.kind) ||
        cell.dataset.noTruncate !== undefined ||
        cell.querySelector('.no-truncate') !== null;
      if (!isExact || cell.textContent === '') return [];
      const code = cell.dataset.noTruncate === undefined ? null : cell.querySelector('.mono');
      if (code && code.getClientRects().length > 1) return [`broken: ${cell.textContent}`];
      if (cell.scrollWidth > cell.clientWidth) return [`cut: ${cell.textContent} (${cell.scrollWidth} > ${cell.clientWidth})`];
      return left < edge - 1 && right > edge + 1 ? [`covered: ${cell.textContent}`] : [];
    });
  }, exact);

/** Pages that are a form instead of a table. */
const forms: readonly string[] = ['/advanced/mail-server', '/market/info'];

/** Pages with a table. */
const lists = pages.filter((p) => p.list && !p.route.includes(':') && p.platform !== 'vno' && !forms.includes(p.route));

/** Audit pages show nothing before the session has a reason. */
const enterReasons = async () => {
  const admin = await as('admin');
  for (const { id } of auditPage) await admin.call(auditAccessLogCalls.giveReason, { page: id, reason: 'widths of columns' });
};

const widths = [1536, 1440, 1280];

/** Faults of the open page at the current width. */
const faultsOf = async (page: Page) => {
  const faults = await unreadable(page);
  // If more columns continue below the actions, a shadow shows that.
  const { isWider, hasShadow } = await frameOf(page).evaluate((frame) => ({
    isWider: frame.scrollWidth > frame.clientWidth,
    hasShadow: frame.hasAttribute('data-more'),
  }));
  if (isWider !== hasShadow) faults.push(`${isWider ? 'no shadow' : 'a shadow'} although it is ${isWider ? '' : 'not '}wider`);
  return faults;
};

const walk = async (page: Page, lang: Lang, group: string) => {
  const routes = groups.find((g) => g.key === group)?.pages.map((p) => p.route) ?? [];
  const faults: string[] = [];
  if (group === 'auditData') await enterReasons();
  for (const { route, title } of lists.filter((p) => routes.includes(p.route))) {
    if (page.url() === 'about:blank') await loginAt(page, await as('admin'), route, { lang });
    else await openPath(page, route);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say(title, lang));
    await expect(frameOf(page).locator('table[aria-busy=false]')).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      // The shadow follows the size at the next frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      faults.push(...(await faultsOf(page)).map((fault) => `${route} at ${width} px: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
};

/** The group with the widest lists. */
const widest = 'userManage';

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  for (const { key } of groups) {
    const title = `shows numbers and times in the lists of ${key} in full at ${widths.join(' and ')} px (${lang})`;
    inTurn(test)(title, { tag: key === widest ? [] : '@all' }, ({ page }) => walk(page, lang, key));
  }
}
