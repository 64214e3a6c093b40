import { readFileSync } from 'node:fs';
import { exportCalls, exportState } from '@farlink/contract/export/export.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { logCalls, operatorLog } from '@farlink/contract/log/operator-log.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { addressOf, nextCall } from './support/calls.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { readXlsx } from './support/read-xlsx.ts';
import { storyLangs } from './support/story-langs.ts';
import { rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { makeStaff, newVno } from './support/world.ts';

const openDrawer = async (page: Page, lang: 'zh' | 'en' = 'zh') => {
  await page
    .getByRole('main')
    .getByRole('button', { name: say(['导出', 'Export'], lang), exact: true })
    .click();
  const drawer = dialog(page, say(['导出 · 操作日志', 'Export · Operator log'], lang));
  await expect(drawer).toBeVisible();
  return drawer;
};
const start = (drawer: Locator, lang: 'zh' | 'en' = 'zh') =>
  drawer.getByRole('button', { name: say(['开始导出', 'Start export'], lang) }).click();

const fetchFile = async (page: Page, drawer: Locator, lang: 'zh' | 'en') => {
  const waiting = page.waitForEvent('download');
  await drawer.getByRole('button', { name: say(['下载', 'Download'], lang) }).click();
  return waiting;
};

const header = (lang: 'zh' | 'en') =>
  operatorLog.columns.map((name) => {
    const field = Object.entries(operatorLog.fields).find(([key]) => key === name)?.[1];
    const label = say(field?.label ?? ['', ''], lang);
    return field?.kind === 'time' ? `${label}${say(['（UTC+8）', ' (UTC+8)'], lang)}` : label;
  });

for (const lang of storyLangs(import.meta.url)) {
  test(`exports the filtered rows as CSV with a byte order mark and a localized header (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const { username } = await makeStaff(vno);
    await loginAt(page, vno, `/log/system?action=create&content=${username}`, { lang });
    await expect(rows(page)).toHaveCount(1);
    const drawer = await openDrawer(page, lang);
    await expect(drawer).toContainText(say(['还没有导出任务', 'No exports yet'], lang));
    const pendingCall = nextCall(page, logCalls.export);
    await start(drawer, lang);
    expect((await pendingCall).postDataJSON()).toMatchObject({ action: 'create', content: username, format: 'csv', lang });
    await expect(toast(page)).toHaveText(say(['导出任务已创建', 'Export started'], lang));
    await expect(drawer.getByText(say(['导出成功', 'Succeeded'], lang))).toBeVisible();
    await expect(drawer).toContainText(say(['1 行', '1 rows'], lang));

    const file = await fetchFile(page, drawer, lang);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text.startsWith('\ufeff')).toBe(true);
    const [first, ...lines] = text.slice(1).trimEnd().split('\r\n');
    expect(first).toBe(header(lang).join(','));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(vno.username);
    expect(lines[0]).toContain(say(['新增', 'Create'], lang));

    await drawer.getByRole('button', { name: say(['删除', 'Remove'], lang) }).click();
    await expect(drawer).toContainText(say(['还没有导出任务', 'No exports yet'], lang));
  });

  test(`exports the filtered rows as XLSX (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    await makeStaff(vno);
    await loginAt(page, vno, '/log/system?action=create', { lang });
    await expect(rows(page)).toHaveCount(2);
    const drawer = await openDrawer(page, lang);
    await drawer.getByRole('radio', { name: /XLSX/ }).check();
    await start(drawer, lang);
    await expect(drawer.getByText(say(['导出成功', 'Succeeded'], lang))).toBeVisible();
    const file = await fetchFile(page, drawer, lang);
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
    const sheet = readXlsx(await file.path());
    expect(sheet[0]).toEqual(header(lang));
    expect(sheet).toHaveLength(3);
    for (const row of sheet.slice(1)) expect(row).toContain(vno.username);
  });

  test(`shows the progress of a running export and can cancel it (${lang})`, async ({ page }) => {
    const vno = await newVno();
    await loginAt(page, vno, '/log/system', { lang });
    // The state is faked, because an export of a few rows ends too fast.
    await page.route(addressOf(exportCalls.list), async (route) => {
      const reply = await (await route.fetch()).json();
      const list = reply.data.list.map((job: object) => ({ ...job, state: exportState.id('generating'), progress: 40, file_size: null }));
      await route.fulfill({ json: { ...reply, data: { ...reply.data, list } } });
    });
    const drawer = await openDrawer(page, lang);
    await start(drawer, lang);
    await expect(drawer.getByText(say(['文件生成中', 'Generating file'], lang))).toBeVisible();
    // An ended export is deleted; a running one would stay in the list as cancelled.
    await expect
      .poll(async () => (await vno.call(exportCalls.list, { page: 1, limit: 10 })).list[0]?.state)
      .toBe(exportState.id('succeeded'));
    await expect(drawer.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    await expect(drawer.getByRole('button', { name: say(['下载', 'Download'], lang) })).toHaveCount(0);
    const pendingCall = nextCall(page, exportCalls.remove);
    await drawer.getByRole('button', { name: say(['取消', 'Cancel'], lang) }).click();
    await pendingCall;
    await expect(drawer).toContainText(say(['还没有导出任务', 'No exports yet'], lang));
    expect((await vno.call(exportCalls.list, { page: 1, limit: 10 })).list).toEqual([]);
  });

  test(`reports that there is nothing to export (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    await loginAt(page, vno, '/log/system?content=nowhere', { lang });
    const drawer = await openDrawer(page, lang);
    await start(drawer, lang);
    await expect(toast(page)).toHaveText(say(['没有可导出的数据', 'No data to export'], lang));
    await expect(drawer.getByRole('button', { name: say(['下载', 'Download'], lang) })).toHaveCount(0);
  });
}

test('shows operators only their own exports', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const staff = await makeStaff(vno);
  await vno.call(logCalls.export, { format: 'csv' });
  await loginAt(page, await logIn(staff.username), '/log/system');
  await expect(await openDrawer(page)).toContainText('还没有导出任务');
});

test('the export drawer has no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  await vno.call(logCalls.export, { format: 'csv' });
  await loginAt(page, vno, '/log/system');
  const drawer = await openDrawer(page);
  await expect(drawer.getByText('导出成功')).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
