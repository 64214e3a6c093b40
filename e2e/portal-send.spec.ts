import { say } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { newGateway } from './support/field.ts';
import { confirm, line } from './support/form.ts';
import { dialog, loginAt, question, toast } from './support/login-as.ts';
import { makePortal } from './support/portal.ts';
import { storyLangs } from './support/story-langs.ts';
import { runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const chooseDevice = async (form: Locator, label: string, search: string, sn: string) => {
  const list = line(form, label);
  await list.getByPlaceholder(search).fill(sn);
  await list.getByRole('button', { name: sn }).click();
};

const rowOf = (page: Page | Locator, text: string) => page.locator('tbody tr').filter({ hasText: text }).first();

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`sends a portal, shows the send records and stops one (${lang})`, async ({ page }) => {
    const near = await newGateway({ bill: 1 });
    const far = await newGateway({ vno: near.vno, bill: 1 });
    const aaa = await newGateway({ vno: near.vno, bill: 2 });
    const portal = await makePortal(near.vno);
    await far.power('off');
    await loginAt(page, near.vno, '/market/advert-temp', { lang });
    await runAction(rowOf(page, portal.name), t('下发', 'Send'));
    const form = dialog(page, t('下发门户', 'Send portal'));
    for (const { sn } of [near, far, aaa]) await chooseDevice(form, t('下发设备', 'Devices'), t('搜索', 'Search'), sn);
    const notes = form.getByRole('status');
    await expect(notes).toContainText(t('设备离线，上线后自动下发：1 台', 'Offline, sent when they come online: 1'));
    await expect(notes).toContainText(
      t('计费模式与该门户不匹配，将失败：1 台', 'Will fail because the billing mode does not match this portal: 1'),
    );
    await expectAccessible(page);
    await confirm(form, lang);
    const result = dialog(page, t('下发结果', 'Send: result'));
    await expect(result).toContainText(t('计费模式与门户的计费类型不匹配', 'does not match the billing type'));
    await result
      .getByRole('button', { name: t('关闭', 'Close') })
      .last()
      .click();
    await expect(result).toHaveCount(0);

    await page.getByRole('button', { name: t('下发记录', 'Send records') }).click();
    const records = dialog(page, t('下发记录', 'Send records'));
    await expect(rowOf(records, near.sn)).toContainText(t('已安装', 'Installed'));
    await expect(rowOf(records, far.sn)).toContainText(t('设备离线，上线后自动下发', 'Offline; sent when it comes online'));
    await expectAccessible(page);
    await runAction(rowOf(records, far.sn), t('停止', 'Stop'));
    await confirm(question(page, lang), lang);
    await expect(rowOf(records, far.sn)).toContainText(t('已中止', 'Aborted'));
    await expect(rowOf(records, far.sn)).toContainText(t('已由操作员停止', 'Stopped by an operator'));
    await page.keyboard.press('Escape');
    await expect(rowOf(page, portal.name)).toContainText('1');
    expect((await near.groundTruth()).portal).toMatchObject({ id: portal.id, rev: 1 });
    expect((await far.groundTruth()).portal).toMatchObject({ id: null });

    const { name, template_id, billing_type, version } = await near.vno.call(portalCalls.read, { id: portal.id });
    await near.vno.call(portalCalls.update, { id: portal.id, name, template_id, billing_type, version, title: 'Newer' });
    await page.goto(`/market/advert-edit/${portal.id}`);
    const outdated = page.locator('.callout', { hasText: t('1台设备仍在使用旧版本', '1 device serves an older revision') });
    await outdated.getByRole('button', { name: t('下发', 'Send') }).click();
    await expect(notes).toContainText(
      t('正在使用该门户的旧版本，将更新到版本 2：1 台', 'Serve an older revision, updated to revision 2: 1'),
    );
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('下发任务已创建', 'Sending started'));
    await expect(outdated).toHaveCount(0);
  });
}
