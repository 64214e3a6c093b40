import { readFileSync } from 'node:fs';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator } from '@playwright/test';
import { type Caller, logIn } from './support/api.ts';
import { nextCall } from './support/calls.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno } from './support/world.ts';

/** Only the portal creates feedback, so each language uses that of another demo VNO. */
const vnoOf = { zh: 'northfish', en: 'eastsea' } as const;

const pendingOf = async (by: Caller, images: number) => {
  const { list } = await by.call(feedbackCalls.list, { status: 0, page: 1, limit: 50 });
  const found = list.find((row) => row.attach?.length === images);
  if (!found?.account) throw new Error(`the demo has no pending feedback with ${images} images`);
  return { id: found.id, account: found.account };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  /** By name, because the icon of the close button is an image too. */
  const picture = (box: Locator) => box.getByRole('img', { name: t('附件', 'Attachments') });

  test(`filters feedback, shows the device at that time, and gives a final answer (${lang})`, async ({ page }) => {
    test.slow();
    const vno = await logIn(vnoOf[lang]);
    const { id, account } = await pendingOf(vno, 2);
    await loginAt(page, vno, `/feedback/list?account=${account}&type=network&status=0`, { lang });
    await expect(rows(page)).toHaveCount(1);
    const row = rows(page).first();
    await expect(row).toContainText(t('紧急', 'Urgent'));
    await expectAccessible(page);

    await runAction(row, t('详情', 'Details'));
    const panel = dialog(page, t('反馈详情', 'Feedback details'));
    await expect(panel).toContainText('No network since a minute ago.');
    const around = panel.getByRole('region', { name: t('当时的设备状态', 'Device at that time') });
    await expect(around.getByRole('img', { name: new RegExp(`^${t('设备', 'Device')}:`) })).toBeVisible();
    await expect(around.getByRole('img', { name: new RegExp(`^${t('账号会话', 'Account session')}:`) })).toBeVisible();
    // The demo feedback is about a link failure, so one link is off or abnormal at that time.
    await expect(around.getByRole('img', { name: new RegExp(t('已断开|异常', 'Off|Abnormal')) }).first()).toBeVisible();
    const second = panel.getByRole('button', { name: t('放大附件 2', 'Enlarge attachment 2') });
    await expect(second.locator('img')).toBeVisible();
    await expectAccessible(page);
    await second.click();
    const enlarged = dialog(page, t('附件', 'Attachments'));
    await expect(picture(enlarged)).toBeVisible();
    await enlarged.getByRole('button', { name: /^(关闭|Close)$/ }).click();

    await panel.getByRole('button', { name: t('处理', 'Handle'), exact: true }).click();
    const form = dialog(page, t('处理反馈', 'Handle feedback'));
    await expect(form.getByRole('radio', { name: t('已处理', 'Finished') })).toBeChecked();
    await confirm(form, lang);
    await expect(refusal(form, t('处理备注', 'Remark'))).toBeVisible();
    await form.getByRole('radio', { name: t('中等', 'Medium') }).check();
    await input(form, t('处理备注', 'Remark')).fill('链路已恢复 link is back');
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('处理成功', 'Handle: done'));
    await expect(panel).toContainText('link is back');
    await expect(panel.getByRole('button', { name: t('处理', 'Handle'), exact: true })).toHaveCount(0);
    await panel.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    await expect(rows(page).filter({ hasText: account })).toHaveCount(0);

    await page.goto(`/feedback/list?account=${account}&type=network&status=1`);
    await expect(row).toContainText('link is back');
    await expect(row).toContainText(t('中等', 'Medium'));
    expect(await vno.call(feedbackCalls.info, { id })).toMatchObject({ status: 1, level: 'middle', remark: '链路已恢复 link is back' });
    await expect(vno.call(feedbackCalls.edit, { id, version: 2, status: 0, remark: 'x' })).rejects.toThrow(/21501/);
  });

  test(`previews and downloads attachments (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await logIn(vnoOf[lang]);
    const { account } = await pendingOf(vno, 1);
    await loginAt(page, vno, `/feedback/list?account=${account}&status=0`, { lang, theme: 'dark' });
    const row = rows(page).first();
    await row.getByRole('button', { name: t('查看 附件', 'View Attachments') }).click();
    const shown = dialog(page, t('附件', 'Attachments'));
    await expect(picture(shown)).toBeVisible();
    await expectAccessible(page);
    await shown.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    await runAction(row, t('预览附件', 'Preview attachment'));
    await expect(picture(shown)).toBeVisible();
    await shown.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    const waiting = page.waitForEvent('download');
    await runAction(row, t('下载附件', 'Download attachment'));
    const file = await waiting;
    expect(file.suggestedFilename()).toMatch(/^feedback-\d+-1\.png$/);
    expect(
      readFileSync(await file.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  test(`exports the filtered feedback (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await logIn(vnoOf[lang]);
    await loginAt(page, vno, '/feedback/list?type=suggestion', { lang });
    await expect(rows(page)).toHaveCount(1);
    const toolbar = page.getByRole('main');
    await toolbar.getByRole('button', { name: t('导出', 'Export'), exact: true }).click();
    const drawer = dialog(page, t('导出 · 问题反馈列表', 'Export · Problem feedback list'));
    const sent = nextCall(page, feedbackCalls.export);
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    expect((await sent).postDataJSON()).toMatchObject({ type: 'suggestion', format: 'csv' });
    await expect(drawer.getByText(t('导出成功', 'Succeeded')).first()).toBeVisible();
    const waiting = page.waitForEvent('download');
    await drawer
      .getByRole('button', { name: t('下载', 'Download') })
      .first()
      .click();
    const [head, line, ...others] = readFileSync(await (await waiting).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head?.split(',')).toHaveLength(14);
    expect(line).toContain('A package for families would be welcome.');
    expect(others).toEqual([]);
    await drawer.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    await toolbar.getByRole('button', { name: t('导出记录', 'Export jobs') }).click();
    await expect(dialog(page, t('导出记录', 'Export jobs'))).toContainText(t('导出成功', 'Succeeded'));
  });

  test(`reports that there is nothing to export (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await newVno(), '/feedback/list', { lang });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('导出', 'Export'), exact: true })
      .click();
    const drawer = dialog(page, t('导出 · 问题反馈列表', 'Export · Problem feedback list'));
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    await expect(toast(page)).toHaveText(t('没有可导出的数据', 'No data to export'));
  });
}
