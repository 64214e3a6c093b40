import { readFileSync } from 'node:fs';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { langs, say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, refusal } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt, question, toast } from './support/login-as.ts';
import { cardOf, expectNoSideScroll, phone, phoneAt, tapAction } from './support/phone.ts';
import { takeTurns } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeStaff, newVno } from './support/world.ts';

const soon = { intervals: [100, 200, 300] };

/** A subscriber of a new VNO who logs in and out at a gateway, so that there is audit data. */
const makeShip = async () => {
  const vno = await newVno();
  const gateway = await newGateway({ vno, version: '03.02.01', bill: 1 });
  const billing = await makeBillingFixture(vno);
  const { account } = await openAccount(billing, { name: '欧阳海生', phone: '13912345678' });
  await gateway.signIn(account);
  await gateway.browse(account, 1024);
  await vno.call(auditAccessLogCalls.giveReason, { page: 'authAccount', reason: '故事准备数据' });
  const total = async () => (await vno.call(auditAuthCalls.list, { account })).total;
  await expect.poll(total, soon).toBeGreaterThan(0);
  // A new login, because the reason is required once per session.
  return { vno: { ...vno, session: (await logIn(vno.username)).session }, account, gateway };
};

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  const t = (zh: string, en: string) => say([zh, en], lang);
  const reasonText = t('公安协查函 17 号', 'Police request no. 17');
  const labels = {
    why: t('填写查看原因', 'Give the reason to look at audit data'),
    reason: t('查看原因', 'Reason'),
    reveal: t('查看明文', 'Reveal'),
  };
  const enterReason = async (page: Page) => {
    const form = page.getByRole('region', { name: labels.why });
    await input(form, labels.reason).fill(reasonText);
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
  };

  inTurn(test)(`requires a reason, shows masked values, reveals a row and exports masked values (${lang})`, async ({ page }) => {
    const { vno, account } = await makeShip();
    await loginAt(page, vno, '/audit/auth-account', { lang });
    const why = page.getByRole('region', { name: labels.why });
    await input(why, labels.reason).fill('abc');
    await confirm(why, lang);
    await expect(refusal(why, labels.reason)).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await enterReason(page);
    await expect(rowOf(page, account)).toContainText('欧**');
    await expect(page.getByRole('main')).not.toContainText('欧阳海生');
    await expectAccessible(page, 'masked rows');

    await runAction(rowOf(page, account).first(), labels.reveal);
    const clear = dialog(page, t('认证账号 · 明文', 'Auth accounts · Values in clear'));
    await expect(clear).toContainText('欧阳海生');
    await expect(clear).toContainText('13912345678');
    await clear.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    await expect(clear).toHaveCount(0);

    await page
      .getByRole('main')
      .getByRole('button', { name: t('导出', 'Export'), exact: true })
      .click();
    const drawer = dialog(page, t('导出 · 认证账号', 'Export · Auth accounts'));
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    await expect(drawer.getByText(t('导出成功', 'Succeeded'))).toBeVisible();
    const waiting = page.waitForEvent('download');
    await drawer.getByRole('button', { name: t('下载', 'Download') }).click();
    const text = readFileSync(await (await waiting).path(), 'utf8');
    expect(text).toContain(account);
    expect(text).toContain('欧**');
    expect(text).not.toContain('欧阳海生');

    // The reason is not required again in this session; the filter is in the URL.
    await page.goto(`/audit/auth-account?account=${account}x`);
    await expect(page.getByRole('main')).toContainText(t('没有符合条件的数据', 'No record matches'));
    await page.goto('/audit/look');
    await expect(rowOf(page, t('查看明文', 'Reveal'))).toContainText(reasonText);
    await expect(rowOf(page, `${account}x`)).toContainText(t('认证账号', 'Auth accounts'));
    await expectAccessible(page);
  });

  inTurn(test)(`a legal hold prevents the erasure of a user until it is released (${lang})`, { tag: '@all' }, async ({ page }) => {
    const { vno, account } = await makeShip();
    await loginAt(page, vno, '/audit/hold', { lang });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('新增', 'New'), exact: true })
      .click();
    const form = dialog(page, t('新增保全', 'New legal hold'));
    await input(form, t('上网账号', 'Online account')).fill(account);
    await input(form, t('起始日期', 'From')).fill('2026-01-01');
    await page.keyboard.press('Enter');
    await input(form, labels.reason).fill(reasonText);
    await confirm(form, lang);
    await expect(rowOf(page, account)).toContainText(t('保全中', 'Held'));
    await expectAccessible(page);

    const erase = async () => {
      await runAction(rowOf(page, account).first(), t('清除', 'Erase'));
      const erasing = dialog(page, `${t('清除用户信息', 'Erase a user')} · ${account}`);
      await input(erasing, labels.reason).fill(reasonText);
      await confirm(erasing, lang);
      await confirm(question(page, lang), lang);
      return erasing;
    };
    await page.goto('/audit/auth-account');
    await enterReason(page);
    const erasing = await erase();
    await expect(toast(page)).toContainText(
      t(`数据处于保全中，不能清除：${reasonText}`, `under a legal hold and cannot be erased: ${reasonText}`),
    );
    await erasing.getByRole('button', { name: t('取消', 'Cancel') }).click();
    await confirm(question(page, lang), lang);

    await page.goto('/audit/hold');
    await runAction(rowOf(page, account), t('导出', 'Export'));
    const exporting = dialog(page, t('导出保全数据', 'Export the data of the hold'));
    await input(exporting, labels.reason).fill(reasonText);
    await confirm(exporting, lang);
    await expect(toast(page)).toContainText(t('已开始导出', 'Export started'));
    await page
      .getByRole('main')
      .getByRole('button', { name: t('我的导出', 'My exports') })
      .click();
    const mine = dialog(page, t('我的导出', 'My exports'));
    await expect(mine.getByText(t('导出成功', 'Succeeded'))).toBeVisible();
    const waiting = page.waitForEvent('download');
    await mine.getByRole('button', { name: t('下载', 'Download') }).click();
    const archive = readFileSync(await (await waiting).path());
    expect(archive.subarray(0, 2).toString()).toBe('PK');
    await page.keyboard.press('Escape');
    await expect(mine).toHaveCount(0);
    await runAction(rowOf(page, account), t('解除', 'Release'));
    const release = dialog(page, t('解除保全', 'Release the hold'));
    await input(release, labels.reason).fill(reasonText);
    await confirm(release, lang);
    await expect(rowOf(page, account)).toContainText(t('已解除', 'Released'));
    await page.goto('/audit/auth-account');
    await erase();
    await expect(rowOf(page, account).first()).toContainText(t('已清除', 'Erased'));
    await page.goto('/audit/reveal');
    await expect(rowOf(page, account)).toContainText(reasonText);
  });

  inTurn(test)(
    `shows terminals without identities to staff with only the right for terminals (${lang})`,
    { tag: '@all' },
    async ({ page }) => {
      const { vno, account } = await makeShip();
      const { username } = await makeStaff(vno, grantsOf(['terminal_acquisition']));
      await loginAt(page, await logIn(username), '/audit/terminal', { lang });
      await enterReason(page);
      await expect(rowOf(page, account)).toHaveCount(1);
      await expect(page.getByRole('main')).not.toContainText('欧');
      const menu = mainMenu(page);
      await expect(menu.getByText(t('终端采集', 'Terminal acquisition'))).toBeVisible();
      await expect(menu.getByText(t('认证账号', 'Auth accounts'))).toHaveCount(0);
      await page.goto('/audit/auth-account');
      await expect(page.getByRole('main')).not.toContainText(account);
    },
  );

  inTurn(test)(`the platform adds visited sites to the dangerous sites (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await logIn('admin'), '/audit/network-url', { lang, theme: 'dark' });
    await enterReason(page);
    await expect(rows(page).first()).toBeVisible();
    const first = rows(page).first();
    await first.getByRole('checkbox').check();
    const cell = first.getByRole('cell').nth(4);
    await expect(cell).toContainText('.');
    const host = (await cell.textContent())?.trim() ?? '';
    await page
      .getByRole('main')
      .getByRole('button', { name: t('加入危险网站', 'Add to dangerous sites') })
      .click();
    const form = dialog(page, t('加入危险网站', 'Add to dangerous sites'));
    await expect(input(form, t('网址', 'Domain'))).toHaveValue(host);
    const domain = `${lang}-${Date.now()}.example`;
    await input(form, t('网址', 'Domain')).fill(domain);
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
    await page.goto(`/advanced/danger-site?domain=${domain}`);
    await expect(rowOf(page, domain)).toHaveCount(1);
  });

  test.describe('on a phone', () => {
    test.use(phone);
    inTurn(test)(`shows rows as cards and reveals one (${lang})`, async ({ page }) => {
      const { vno, account } = await makeShip();
      await phoneAt(page, vno, '/audit/auth-account', lang);
      await page.emulateMedia({ colorScheme: 'dark' });
      await enterReason(page);
      await expectNoSideScroll(page, 'the list');
      await expect(cardOf(page, account).first()).toContainText('欧**');
      await tapAction(cardOf(page, account).first(), labels.reveal);
      await expect(dialog(page)).toContainText('欧阳海生');
    });
  });
}
