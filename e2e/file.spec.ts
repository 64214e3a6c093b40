import { readFileSync, writeFileSync } from 'node:fs';
import { backupCalls } from '@farlink/contract/device/backup.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Caller } from './support/api.ts';
import { addressOf, callsTo, nextCall } from './support/calls.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** Uploads a small file through the API. */
const upload = async (by: Caller, name: string, size = 60_000) => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ batch: 'E2E', name, type: 'other', lang: 'zh' })) form.append(key, value);
  form.append('file', new Blob([new Uint8Array(size).fill(7)]), `${name}.bin`);
  const headers = { authorization: by.session.token };
  const response = await fetch(`${process.env.E2E_URL}/agt/v1/${fileCalls.create.path}`, { method: 'POST', headers, body: form });
  expect(await response.json()).toMatchObject({ code: 0 });
};

/** Moves a device to the chosen ones. */
const chooseDevice = async (form: Locator, label: string, search: string, sn: string) => {
  await line(form, label).getByPlaceholder(search).fill(sn);
  await line(form, label)
    .getByRole('button', { name: new RegExp(sn) })
    .click();
};

const openDevices = async (page: Page, row: Locator, action: string) => {
  await runAction(row, action);
  const panel = dialog(page, new RegExp(`^${action}`));
  // Placeholder rows are shown while it loads.
  await expect(panel.locator('tbody tr').first()).toContainText(/\S/);
  return panel;
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`refuses a large file by type, resumes its upload after a reload, and edits, downloads and deletes it (${lang})`, async ({
    page,
  }, info) => {
    // A real file, because a resumed upload is identified by name, size and modification time.
    const content = Buffer.alloc(9 * 1024 * 1024, 'farlink');
    const path = info.outputPath('镜像.bin');
    writeFileSync(path, content);
    const name = unique('镜像');
    await loginAt(page, await newVno(), '/file/list', { lang });
    const open = async () => {
      await page
        .getByRole('main')
        .getByRole('button', { name: t('上传文件', 'Upload'), exact: true })
        .click();
      const form = dialog(page, t('上传文件', 'Upload file'));
      await form.locator('input[type=file]').setInputFiles(path);
      await expect(input(form, t('文件名称', 'File name'))).toHaveValue('镜像.bin');
      await input(form, t('批次号', 'Batch')).fill('E2E-1');
      await input(form, t('文件名称', 'File name')).fill(name);
      return form;
    };
    const first = await open();
    const send = (form: Locator) => form.getByRole('button', { name: t('上传', 'Upload'), exact: true }).click();
    await send(first);
    await expect(refusal(first, t('文件', 'File'))).toContainText(t('配置文件须为文本', 'Configuration files must be text'));
    await expectAccessible(page, 'upload');
    await choose(first, t('文件类型', 'Type'), t('其他', 'Other'));
    await send(first);
    await expect(first.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[1-9]/);

    // The second chunk is never sent, so after a reload the server has one of three.
    await expect(rowOf(page, name)).toHaveCount(1);
    await runAction(rowOf(page, name), t('删除', 'Delete'));
    await confirm(dialog(page), lang);
    await expect(rows(page).filter({ hasText: name })).toHaveCount(0);
    let chunkRequests = 0;
    await page.route(addressOf(fileCalls.uploadChunk), async (route) => (++chunkRequests === 2 ? undefined : route.continue()));
    const second = await open();
    await choose(second, t('文件类型', 'Type'), t('其他', 'Other'));
    await send(second);
    await expect(second.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '44');
    page.once('dialog', (ask) => void ask.accept());
    await page.reload();
    await page.unroute(addressOf(fileCalls.uploadChunk));

    // The network loses one chunk, which is sent again.
    let tries = 0;
    const seen = Promise.withResolvers<void>();
    await page.route(addressOf(fileCalls.uploadChunk), async (route) => {
      if (++tries === 1) return route.abort();
      await seen.promise;
      return route.continue();
    });
    const sent = callsTo(page, fileCalls.uploadChunk);
    const third = await open();
    await choose(third, t('文件类型', 'Type'), t('其他', 'Other'));
    await send(third);
    await expect(third.getByText(t('从 4 MB 处继续', 'went on from 4 MB'))).toBeVisible();
    seen.resolve();
    await expect(toast(page)).toHaveText(t('文件已上传', 'File uploaded'));
    expect(sent).toHaveLength(3);

    const row = rowOf(page, name);
    await expect(row).toContainText('9 MB');
    const fetched = page.waitForEvent('download');
    await runAction(row, t('下载', 'Download'));
    const saved = await fetched;
    expect(saved.suggestedFilename()).toBe('镜像.bin');
    expect(readFileSync(await saved.path()).equals(content)).toBe(true);
    await runAction(row, t('编辑', 'Edit'));
    await input(dialog(page), t('备注', 'Remark')).fill('首航');
    await confirm(dialog(page), lang);
    await expect(row).toContainText('首航');
  });

  test(`sends a file, pauses and resumes it, stops it for an offline device, and deletes it on the device (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const near = await newGateway({ vno });
    const far = await newGateway({ vno });
    await far.power('off');
    await near.fault({ hold: 40 });
    const name = unique('chart');
    await upload(vno, name, 400_000);
    await loginAt(page, vno, '/file/list', { lang });
    await runAction(rowOf(page, name), t('下发', 'Send'));
    const form = dialog(page, t('下发文件', 'Send file'));
    await confirm(form, lang);
    await expect(refusal(form, t('下发设备', 'Devices'))).toBeVisible();
    for (const { sn } of [near, far]) await chooseDevice(form, t('下发设备', 'Devices'), t('搜索', 'Search'), sn);
    await expect(form.getByText(t('390.63 KB × 2 台', '390.63 KB × 2 devices'))).toBeVisible();
    await expect(form.getByText(t('1 台设备离线，上线后自动下发', 'Offline: 1; sent when they come online'))).toBeVisible();
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('下发任务已创建', 'Distribution started'));

    await page
      .getByRole('main')
      .getByRole('button', { name: t('下发任务', 'Distribution tasks') })
      .click();
    const task = rowOf(page, name);
    await expect(task).toContainText(t('下发中', 'Running'));
    const panel = await openDevices(page, task, t('设备明细', 'Device details'));
    const [loading, waiting] = [near, far].map(({ sn }) => panel.locator('tbody tr').filter({ hasText: sn }));
    await expect(loading ?? panel).toContainText(t('下载中', 'Downloading'));
    await expect(loading ?? panel).toContainText('40%');
    await expect(waiting ?? panel).toContainText(t('设备离线，上线后自动下发', 'Offline; sent when it comes online'));
    await expectAccessible(page);
    await panel.getByRole('button', { name: t('关闭', 'Close') }).click();

    await runAction(task, t('暂停', 'Pause'));
    await expect(task).toContainText(t('已暂停', 'Paused'));
    const again = await openDevices(page, task, t('设备明细', 'Device details'));
    await expect(again.locator('tbody tr').filter({ hasText: near.sn })).toContainText(t('已暂停', 'Paused'));
    await again.getByRole('button', { name: t('关闭', 'Close') }).click();
    await runAction(task, t('继续', 'Resume'));
    await near.fault({ hold: null });
    const last = await openDevices(page, task, t('设备明细', 'Device details'));
    const done = last.locator('tbody tr').filter({ hasText: near.sn });
    await expect(done).toContainText(t('下载完成', 'Download complete'));
    expect((await near.groundTruth()).files).toHaveLength(1);
    await done.getByRole('button', { name: t('删除文件', 'Delete file') }).click();
    await confirm(page.locator('body'), lang);
    await expect(done).toContainText(t('已删除', 'Deleted'));
    expect((await near.groundTruth()).files).toEqual([]);
    await last.getByRole('button', { name: t('关闭', 'Close') }).click();

    await runAction(task, t('停止任务', 'Stop'));
    await confirm(dialog(page), lang);
    await expect(task).toContainText(t('已停止', 'Stopped'));
    const [stopped] = (await vno.call(fileTaskCalls.list, { page: 1, limit: 10 })).list;
    expect(stopped).toMatchObject({ state: 'stopped', success_count: 1, fail_count: 1 });
  });

  test(`starts no bulk transfer on L-band, starts it on another link, and shows failures (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const gateway = await newGateway({ vno });
    await gateway.fault({ file: 'install' });
    await gateway.link('l_band');
    await expect.poll(async () => (await gateway.groundTruth()).link).toBe('l_band');
    const name = unique('固件包');
    await upload(vno, name);
    await loginAt(page, vno, '/file/list', { lang });
    await runAction(rowOf(page, name), t('下发', 'Send'));
    const form = dialog(page, t('下发文件', 'Send file'));
    await chooseDevice(form, t('下发设备', 'Devices'), t('搜索', 'Search'), gateway.sn);
    await expect(
      form.getByText(t('1 台设备处于L波段链路，切换到其他链路后下发', 'On the L-band link: 1; sent after switching to another link')),
    ).toBeVisible();
    await choose(form, t('下发后操作', 'After download'), t('安装', 'Install'));
    await confirm(form, lang);
    await page.goto('/file/log');
    const panel = await openDevices(page, rowOf(page, name), t('设备明细', 'Device details'));
    const row = panel.locator('tbody tr');
    await expect(row).toContainText(t('当前为L波段链路，切换到其他链路后下发', 'On L-band; sent after switching to another link'));
    await gateway.link('lte');
    await expect(row).toContainText(t('安装失败', 'Install failed'));
    await expect(row).toContainText('the package cannot be installed');
  });

  test(`backs up a device at once, shows the backup live, and downloads and exports it (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const gateway = await newGateway({ vno });
    await loginAt(page, vno, '/device/backup', { lang });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('立即备份', 'Back up now') })
      .click();
    const form = dialog(page, t('立即备份', 'Back up now'));
    await chooseDevice(form, t('设备', 'Devices'), t('搜索', 'Search'), gateway.sn);
    await input(form, t('备注', 'Remark')).fill('出港前');
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('已通知设备备份', 'Backup requested'));
    const row = rowOf(page, gateway.sn).filter({ hasText: t('手动备份', 'Manual') });
    await expect(row).toBeVisible();
    await expectAccessible(page);
    const fetched = page.waitForEvent('download');
    await runAction(row, t('下载', 'Download'));
    const saved = await fetched;
    expect(saved.suggestedFilename()).toMatch(new RegExp(`^${gateway.sn}-\\d{8}-\\d{6}\\.cfg\\.gz$`));
    expect(readFileSync(await saved.path()).toString('hex', 0, 2)).toBe('1f8b');

    await row.getByRole('checkbox').check();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('批量导出', 'Export backups') })
      .click();
    const panel = dialog(page);
    const pendingCall = nextCall(page, backupCalls.export);
    await panel.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    expect((await pendingCall).postDataJSON()).toMatchObject({ ids: [expect.any(Number)], format: 'csv' });
    const zip = page.waitForEvent('download');
    await panel
      .getByRole('button', { name: t('下载', 'Download') })
      .first()
      .click();
    expect((await zip).suggestedFilename()).toMatch(/\.zip$/);
  });
}
