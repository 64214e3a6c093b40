import { announcementCalls, receivedAnnouncementCalls } from '@farlink/contract/advanced/announcement.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { type Caller, logIn } from './support/api.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { makeVno, newVno, unique } from './support/world.ts';

/** A VNO that publishes, and one below it that has read all notices of the platform. */
const twoVnos = async () => {
  const publisher = await newVno();
  const below = await makeVno(publisher);
  const receiver = { ...below, ...(await logIn(below.username)) };
  await receiver.call(receivedAnnouncementCalls.markRead);
  return { publisher, receiver };
};

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

const publish = async (by: Caller, title: string, more: Record<string, unknown> = {}) => {
  const { id } = await by.call(announcementCalls.create, {
    title,
    content: `Text ${title}`,
    target: 'vno',
    expire_at: inSeconds(3600),
    ...more,
  });
  await by.call(announcementCalls.send, { id });
  return id;
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const bell = (page: Page) => page.getByRole('button', { name: /^(公告|Notices)(，|,|$)/ });
  /** Expects the bell to show this number of unread notices. */
  const expectUnread = (page: Page, count: number) =>
    expect(bell(page)).toHaveAccessibleName(count === 0 ? t('公告', 'Notices') : t(`公告，${count} 条未读`, `Notices, ${count} unread`));

  test(`publishes a notice that appears at once in the bell of another VNO, in all its tabs (${lang})`, async ({ page, browser }) => {
    test.slow();
    const { publisher, receiver } = await twoVnos();
    const title = unique('维护');
    const there = await browser.newContext();
    const one = await there.newPage();
    const two = await there.newPage();
    for (const tab of [one, two]) {
      await loginAt(tab, receiver, '/log/system', { lang });
      await expectUnread(tab, 0);
    }

    await loginAt(page, publisher, '/advanced/notice', { lang });
    await page.getByRole('button', { name: t('新增公告', 'New notice') }).click();
    const made = dialog(page, t('新增公告', 'New notice'));
    await expect(made.getByRole('radio', { name: t('总平台', 'Admin platform') })).toHaveCount(0);
    const saveDraft = made.getByRole('button', { name: t('保存草稿', 'Save draft') });
    await made.getByRole('button', { name: t('保存并发布', 'Save and send') }).click();
    await expect(refusal(made, t('公告标题', 'Title'))).toBeVisible();
    await expect(refusal(made, t('过期时间', 'Expires at'))).toBeVisible();
    await input(made, t('公告标题', 'Title')).fill(title);
    await input(made, t('公告内容', 'Content')).fill('周日维护\nSunday');
    const expiry = line(made, t('过期时间', 'Expires at')).getByRole('textbox');
    await expiry.fill('2020-01-01 00:00:00');
    await expiry.press('Enter');
    await saveDraft.click();
    await expect(refusal(made, t('过期时间', 'Expires at'))).toHaveText(t('过期时间必须晚于当前时间', 'The expiry must be in the future'));
    await expiry.fill('2099-12-31 12:00:00');
    await expiry.press('Enter');
    await expectAccessible(page, 'form dialog');
    await saveDraft.click();
    await expect(toast(page)).toHaveText(t('草稿已保存，发布后才会显示', 'Draft saved. It is shown after you send it.'));
    const row = rowOf(page, title);
    await expect(row).toContainText('2099-12-31 12:00:00');
    await expect(row).toContainText(t('草稿', 'Draft'));

    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑公告', 'Edit notice'));
    await expect(input(edit, t('公告内容', 'Content'))).toHaveValue('周日维护\nSunday');
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await line(edit, t('指定VNO', 'VNOs')).getByText(receiver.name).click();
    await confirm(edit, lang);
    await expect(edit).toHaveCount(0);
    await expectUnread(one, 0);

    await runAction(row, t('发布', 'Send'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(toast(page)).toHaveText(t('公告已发布', 'Notice sent'));
    for (const tab of [one, two]) await expectUnread(tab, 1);

    await bell(one).click();
    const panel = dialog(one, t('公告', 'Notices'));
    const item = panel.getByRole('button', { name: title });
    await expect(item).toHaveAccessibleName(new RegExp(t('未读', 'Unread')));
    await expectAccessible(one, 'notice panel');
    await item.click();
    await expect(panel).toContainText('Sunday');
    for (const tab of [one, two]) await expectUnread(tab, 0);
    await expect(item).not.toHaveAccessibleName(new RegExp(t('未读', 'Unread')));

    await runAction(row, t('编辑', 'Edit'));
    const correction = dialog(page, t('编辑公告', 'Edit notice'));
    await input(correction, t('公告内容', 'Content')).fill('改为周一');
    await confirm(correction, lang);
    for (const tab of [one, two]) await expectUnread(tab, 1);
    await expect(panel).toContainText('改为周一');
    await runAction(row, t('停用', 'Disable'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(row).toContainText(t('已停用', 'Disabled'));
    for (const tab of [one, two]) await expectUnread(tab, 0);
    await expect(item).toHaveCount(0);

    await row.getByRole('button', { name: title, exact: true }).click();
    const view = dialog(page, t('公告管理 · 查看', 'Announcements · View'));
    await expect(view).toContainText(receiver.name);
    await view.getByRole('button', { name: /^(关闭|Close)$/ }).click();
    await runAction(row, t('删除', 'Delete'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(row).toHaveCount(0);

    await page.getByRole('button', { name: t('新增公告', 'New notice') }).click();
    await input(made, t('公告标题', 'Title')).fill(title);
    await input(made, t('公告内容', 'Content')).fill('再次');
    await expiry.fill('2099-12-31 12:00:00');
    await expiry.press('Enter');
    await made.getByRole('button', { name: t('保存并发布', 'Save and send') }).click();
    await expect(toast(page)).toHaveText(t('公告已发布', 'Notice sent'));
    await expect(row).toContainText(t('已发布', 'Sent'));
    for (const tab of [one, two]) await expectUnread(tab, 1);
    await there.close();
  });

  test(`removes a notice from the bell when it expires, and marks all as read (${lang})`, { tag: '@all' }, async ({ page }) => {
    const { publisher, receiver } = await twoVnos();
    await loginAt(page, receiver, '/log/system', { lang, theme: 'dark' });
    const short = unique('短');
    const long = unique('长');
    await publish(publisher, long);
    await publish(publisher, short, { expire_at: inSeconds(5) });
    await expectUnread(page, 2);
    await bell(page).click();
    const panel = dialog(page, t('公告', 'Notices'));
    await expect(panel.getByRole('button', { name: short })).toBeVisible();
    await expectAccessible(page);
    await expectUnread(page, 1);
    await expect(panel.getByRole('button', { name: short })).toHaveCount(0);
    await panel.getByRole('button', { name: t('全部标为已读', 'Mark all as read') }).click();
    await expectUnread(page, 0);
    await expect(panel).toContainText(t('全部已读', 'All read'));
    await page.reload();
    await expectUnread(page, 0);
  });

  test(`shows the bell without the management page in agent mode 2 (${lang})`, { tag: '@all' }, async ({ page }) => {
    const publisher = await newVno();
    const below = await makeVno(publisher, { agent_mode: 2, agent_child_enable: false });
    const receiver = await logIn(below.username);
    await receiver.call(receivedAnnouncementCalls.markRead);
    const title = unique('模式');
    await publish(publisher, title);
    await loginAt(page, receiver, '/log/system', { lang });
    await expectUnread(page, 1);
    await bell(page).click();
    await expect(dialog(page, t('公告', 'Notices'))).toContainText(title);
    await page.goto('/advanced/notice');
    await expect(page.getByRole('button', { name: t('新增公告', 'New notice') })).toHaveCount(0);
  });
}
