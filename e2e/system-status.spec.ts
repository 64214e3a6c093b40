import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { langs, say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { mainMenu } from './support/login.ts';
import { loginAt } from './support/login-as.ts';
import { expectNoSideScroll, phone } from './support/phone.ts';
import { takeTurns } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeStaff, newVno } from './support/world.ts';

const shots = process.env.STATUS_SHOTS;
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  const t = (zh: string, en: string) => say([zh, en], lang);

  inTurn(test)(`shows the state of the installation to the platform (${lang})`, async ({ page }) => {
    const admin = await as('admin');
    await loginAt(page, admin, '/advanced/system-status', { lang });
    await expect(card(page, t('总体状态', 'Overall state'))).toContainText(t('秒刷新', 'every 10 s'));
    const nodes = card(page, t('进程', 'Processes'));
    await expect(nodes).toContainText(t('运行中', 'Running'));
    for (const role of ['api', 'worker', 'field']) await expect(nodes).toContainText(role);
    await expect(nodes).toContainText('%');
    await expect(card(page, t('网关接入', 'Gateway access'))).toContainText(t('内置接入', 'Built-in endpoint'));
    const backup = card(page, t('备份', 'Backup'));
    await expect(backup.getByText(t('无', 'None'), { exact: true })).toBeVisible();
    await expect(backup.getByText(t('正常', 'OK'), { exact: true })).toHaveCount(0);
    const database = card(page, t('数据库', 'Database'));
    await database.getByText(t('最大的表', 'Largest tables')).scrollIntoViewIfNeeded();
    const weekly = database
      .locator('details')
      .filter({ hasText: t('起', 'From') })
      .first();
    await weekly.locator('summary').click();
    await expect(weekly.getByText(t('起', 'From')).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'system status');
    if (shots) await page.screenshot({ path: `${shots}/status-${lang}.png`, fullPage: true });
    await card(page, t('审计证据', 'Audit evidence'))
      .getByRole('link', { name: t('证据', 'Evidence'), exact: true })
      .click();
    await expect(page).toHaveURL('/audit/evidence');
    await page.goBack();
    await page.setViewportSize(phone.viewport);
    await expect(card(page, t('总体状态', 'Overall state'))).toBeVisible();
    await expectNoSideScroll(page, 'system status');
    if (shots) await page.screenshot({ path: `${shots}/status-phone-${lang}.png`, fullPage: true });
  });

  inTurn(test)(`shows problems first with their solution, and refreshes automatically (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await as('admin');
    const status = await admin.call(systemStatusCalls.read);
    let level: 'ok' | 'critical' = 'critical';
    const finding = {
      name: 'seal_lag',
      level: 'critical' as const,
      reason: ['审计数据已等待封存 1小时', 'Audit data has waited 1 hour to be sealed'],
      todo: ['打开“证据”页', 'Open the page Evidence'],
    };
    await page.route('**/agt/v1/system/status**', (route) =>
      route.fulfill({
        json: {
          code: 0,
          msg: 'ok',
          data: {
            ...status,
            level,
            lag: { ...status.lag, level, findings: level === 'ok' ? [] : [finding] },
            backup: { level: 'ok', findings: [], figures: null },
          },
        },
      }),
    );
    await loginAt(page, admin, '/advanced/system-status', { lang });
    const head = card(page, t('总体状态', 'Overall state'));
    await expect(head.getByRole('alert')).toBeVisible();
    const problems = head.getByRole('list', { name: t('需要处理的问题', 'Problems to solve') });
    await expect(problems.getByRole('listitem').first()).toContainText(t('审计数据已等待封存', 'Audit data has waited'));
    await expect(problems).toContainText(t('打开“证据”页', 'Open the page Evidence'));
    await expect(card(page, t('备份', 'Backup'))).toContainText(t('无法读取', 'Could not be read'));
    await expectAccessibleInBothThemes(page);
    if (shots) await page.screenshot({ path: `${shots}/status-critical-${lang}.png` });
    level = 'ok';
    await expect(head.getByRole('alert')).toHaveCount(0, { timeout: 20_000 });
  });
}

test('hides the page from VNOs and from staff without permission', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const clerk = await makeStaff(await as('admin'), grantsOf(['system_log']));
  for (const caller of [vno, await logIn(clerk.username)]) {
    await loginAt(page, caller, '/log/system', { lang: 'en' });
    await expect(mainMenu(page).getByText('Logs')).toBeVisible();
    await expect(mainMenu(page).getByText('System status')).toHaveCount(0);
  }
});
