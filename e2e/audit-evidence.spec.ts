import { say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { as } from './support/api.ts';
import { confirm, input } from './support/form.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { expectNoSideScroll, phone } from './support/phone.ts';
import { storyLangs } from './support/story-langs.ts';
import { rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';

// One verification runs at a time.
test.describe.configure({ mode: 'serial' });

const shots = process.env.AUDIT_SHOTS;
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`the platform sees the checkpoint and verifies a day (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await as('admin');
    await loginAt(page, admin, '/audit/evidence', { lang });
    const checkpoint = page.getByRole('region', { name: t('检查点', 'Checkpoint') });
    await expect(checkpoint).toContainText(/farlink-audit-[0-9a-f]{16}/, { timeout: 90_000 });
    const download = page.waitForEvent('download');
    await checkpoint.getByRole('button', { name: t('下载', 'Download') }).click();
    expect((await download).suggestedFilename()).toBe('checkpoint.txt');
    await page.getByRole('button', { name: t('核验', 'Verify'), exact: true }).click();
    const form = dialog(page, t('核验审计数据', 'Verify audit data'));
    for (const label of [t('数据起始日期', 'Data from'), t('数据截止日期', 'Data to')]) {
      await input(form, label).fill(today());
      await page.keyboard.press('Enter');
    }
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
    await expect(rows(page).first()).toContainText(t('完成', 'Done'), { timeout: 60_000 });
    await expectAccessibleInBothThemes(page);
    if (shots) await page.screenshot({ path: `${shots}/evidence-${lang}.png`, fullPage: true });
    await page.setViewportSize(phone.viewport);
    await expectNoSideScroll(page, 'evidence');
    if (shots) await page.screenshot({ path: `${shots}/evidence-phone-${lang}.png` });
  });
}
