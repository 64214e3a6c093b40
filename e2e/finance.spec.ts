import { readFileSync } from 'node:fs';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { callsTo, reply } from './support/calls.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { footOf, sumOf } from './support/sums.ts';
import { column, rowOf, rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, unique } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');
const day = 86_400;
/** Past days, in which no other test creates bills. */
const pastWeek = () => {
  const midnight = Math.floor((Date.now() / 1000 + 8 * 3600) / day) * day - 8 * 3600;
  return `create_at_start=${midnight - 7 * day}&create_at_end=${midnight - 1}`;
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`shows equal sums for rows and chart, and limits the range to twelve months (${lang})`, async ({ page }) => {
    await loginAt(page, await as('bluesea'), `/finance/counter?${pastWeek()}&limit=100`, { lang });
    await expect(rows(page).first()).toBeVisible();
    const panel = main(page).getByRole('region', { name: t('收入概览', 'Income overview') });
    for (const name of [t('收入', 'Income'), t('净收入', 'Net income')]) {
      const amounts = await column(page, name);
      expect(amounts.length).toBeGreaterThan(1);
      const shown = await footOf(page, name);
      expect(shown).toBe(sumOf(amounts));
      await expect(panel.locator('header')).toContainText(`${name} ${priceText(shown)}`);
    }
    await expect(panel.getByText(t('账目平衡', 'Books balanced'))).toBeVisible();
    await expect(panel.getByRole('figure')).toHaveCount(3);

    const fold = panel.getByRole('button', { name: t('收入概览', 'Income overview') });
    await fold.click();
    await expect(panel.getByRole('figure')).toHaveCount(0);
    await page.reload();
    await expect(fold).toHaveAttribute('aria-expanded', 'false');

    const pendingCall = callsTo(page, billCalls.counter);
    const start = page.locator('main form input[date-range=start]');
    const end = page.locator('main form input[date-range=end]');
    await start.click();
    await start.fill('2025-01-01');
    await start.press('Enter');
    await end.fill('2026-01-02');
    await end.press('Enter');
    await expect(page.locator('main form').getByRole('alert')).toHaveText(
      t('查询时间跨度不能超过12个月', 'The query range may not exceed 12 months'),
    );
    const before = pendingCall.length;
    await main(page)
      .getByRole('button', { name: t('查询', 'Search') })
      .click();
    expect(pendingCall.length).toBe(before);
  });

  test(`exports bills and lists the file in the log (${lang})`, { tag: '@all' }, async ({ page }) => {
    const billing = await makeBillingFixture();
    const { account } = await openAccount(billing);
    const name = unique('员工');
    const { username } = await makeStaff(billing.seller, grantsOf(['bill_counter', 'user_bill', 'bill_export_log']), { name });
    await loginAt(page, await logIn(username), '/finance/counter', { lang });
    for (const { path, kind } of [
      { path: '/finance/counter', kind: t('柜台账单', 'Counter bills') },
      { path: '/user/bill', kind: t('开户账单', 'Account-opening bills') },
    ]) {
      await page.goto(`${path}?account=${account}`);
      await expect(rows(page)).toHaveCount(1);
      await expect(page.locator('main tfoot')).toContainText('98.00');
      await main(page)
        .getByRole('button', { name: t('导出', 'Export'), exact: true })
        .click();
      await dialog(page)
        .getByRole('button', { name: t('开始导出', 'Start export') })
        .click();
      await expect(toast(page)).toHaveText(t('导出任务已创建', 'Export started'));
      await page.keyboard.press('Escape');
      await main(page)
        .getByRole('button', { name: t('导出记录', 'Export log'), exact: true })
        .click();
      await expect(page).toHaveURL(/\/log\/bill-export$/);
      const row = rowOf(page, name).filter({ hasText: kind });
      // The log polls until the file is ready.
      await expect(row).toContainText(t('导出成功', 'Succeeded'));
      const waiting = page.waitForEvent('download');
      await row.locator('.row-actions').getByText(t('下载', 'Download')).click();
      const [head, ...lines] = readFileSync(await (await waiting).path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(head).toContain(t('账单编号', 'Bill number'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(account);
    }
  });
}

test('shows an error when the ledger does not balance', { tag: '@all' }, async ({ page }) => {
  await reply(page, billCalls.check, { balanced: false, off: '12.50', accounts: 7 });
  await loginAt(page, await as('bluesea'), '/finance/card', { lang: 'en' });
  await expect(main(page).getByRole('alert')).toHaveText(/difference 12\.50 yuan.*administrator/);
});

test('the pages of bills have no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/finance/counter');
  await expect(main(page).getByRole('figure')).toHaveCount(3);
  await expect(rows(page).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto('/finance/online');
  await expect(rows(page).first()).toBeVisible();
  await expectAccessible(page);
});
