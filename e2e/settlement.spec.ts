import { settlementCalls } from '@farlink/contract/finance/settlement.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { confirm, input } from './support/form.ts';
import { dialog, loginAt, question } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

/** A month of the demo data in which a VNO collected for another one. */
const openMonth = async () => {
  const admin = await as('admin');
  const [month] = (await admin.call(settlementCalls.list, { state: 'open', page: 1, limit: 10 })).list;
  const { list } = await admin.call(vnoCalls.list, { page: 1, limit: 100 });
  const owner = list.find(({ name }) => name === month?.agent_name);
  if (!month || !owner?.username) throw new Error('the demo data has no month to settle');
  return { admin, month, owner: await as(owner.username) };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`a month is marked as settled, which both VNOs see, and the mark is withdrawn (${lang})`, async ({ page }) => {
    const { admin, month, owner } = await openMonth();
    const path = `/finance/settlement?period=${month.period}&limit=100`;
    const row = (on: Page) => rowOf(on, String(month.agent_name)).filter({ hasText: String(month.collector_name) });
    await loginAt(page, admin, path, { lang });
    await expect(row(page)).toContainText(t('待结算', 'To be settled'));
    await expectAccessible(page);
    await runAction(row(page), t('标记已结算', 'Mark as settled'));
    const box = dialog(page, t('标记为已结算', 'Mark as settled'));
    await input(box, t('结算备注', 'Note')).fill('T-20260701');
    await confirm(box, lang);
    await expect(row(page)).toContainText(t('已结算', 'Settled'));

    const other = await page.context().newPage();
    await loginAt(other, owner, path, { lang });
    for (const text of [t('已结算', 'Settled'), 'T-20260701', t('上级运营商', 'An operator above')])
      await expect(row(other)).toContainText(text);

    await runAction(row(page), t('撤销结算', 'Withdraw the mark'));
    await confirm(question(page, lang), lang);
    await expect(row(page)).toContainText(t('待结算', 'To be settled'));
  });
}
