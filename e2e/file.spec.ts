import { readFileSync, writeFileSync } from 'node:fs';
import { backupCalls } from '@farlink/contract/device/backup.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-task.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { Caller } from './support/api.ts';
import { addressOf, callsTo, nextCall } from './support/calls.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { choose, rowOf, rows, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** As the page sends a small one, without the page. */
const upload = async (by: Caller, name: string, size = 60_000) => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ batch: 'E2E', name, type: 'other', lang: 'zh' })) form.append(key, value);
  form.append('file', new Blob([new Uint8Array(size).fill(7)]), `${name}.bin`);
  const headers = { authorization: by.session.token };
  const response = await fetch(`${process.env.E2E_URL}/agt/v1/${fileCalls.create.path}`, { method: 'POST', headers, body: form });
  expect(await response.json()).toMatchObject({ code: 0 });
};

/** Moves a device of the form to the chosen ones. */
const pick = async (form: Locator, label: string, search: string, sn: string) => {
  await line(form, label).getByPlaceholder(search).fill(sn);
  await line(form, label)
    .getByRole('button', { name: new RegExp(sn) })
    .click();
};

const openDevices = async (page: Page, row: Locator, action: string) => {
  await take(row, action);
  const panel = dialog(page, new RegExp(`^${action}`));
  // Empty ones stand there while it loads.
  await expect(panel.locator('tbody tr').first()).toContainText(/\S/);
  return panel;
};

test('a large file is refused by its type, breaks off, goes on after a reload, and is changed, fetched and deleted', async ({
  page,
}, info) => {
  // A file on disk, as a person has it: it is known again by its name, its length and its age.
  const [content, path] = [Buffer.alloc(9 * 1024 * 1024, 'farlink'), info.outputPath('镜像.bin')];
  writeFileSync(path, content);
  const name = unique('镜像');
  await sitAt(page, await newVno(), '/file/list');
  const open = async () => {
    await page.getByRole('main').getByRole('button', { name: '上传文件' }).click();
    const form = dialog(page, '上传文件');
    await form.locator('input[type=file]').setInputFiles(path);
    await expect(input(form, '文件名称')).toHaveValue('镜像.bin');
    await input(form, '批次号').fill('E2E-1');
    await input(form, '文件名称').fill(name);
    return form;
  };
  const first = await open();
  const send = (form: Locator) => form.getByRole('button', { name: '上传', exact: true }).click();
  await send(first);
  await expect(refusal(first, '文件')).toContainText('配置文件须为文本');
  await expectAccessible(page);
  await choose(first, '文件类型', '其他');
  await send(first);
  await expect(first.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[1-9]/);

  // The second part never leaves; whoever reloads then has one of three at the server.
  await expect(rowOf(page, name)).toHaveCount(1);
  await take(rowOf(page, name), '删除');
  await confirm(dialog(page));
  await expect(rows(page).filter({ hasText: name })).toHaveCount(0);
  let parts = 0;
  await page.route(addressOf(fileCalls.part), async (route) => (++parts === 2 ? undefined : route.continue()));
  const second = await open();
  await choose(second, '文件类型', '其他');
  await send(second);
  await expect(second.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '44');
  page.once('dialog', (ask) => void ask.accept());
  await page.reload();
  await page.unroute(addressOf(fileCalls.part));

  // The network loses one part on the way; it is sent again.
  let tries = 0;
  const seen = Promise.withResolvers<void>();
  await page.route(addressOf(fileCalls.part), async (route) => {
    if (++tries === 1) return route.abort();
    await seen.promise;
    return route.continue();
  });
  const sent = callsTo(page, fileCalls.part);
  const third = await open();
  await choose(third, '文件类型', '其他');
  await send(third);
  await expect(third.getByText('从 4 MB 处继续')).toBeVisible();
  seen.resolve();
  await expect(notice(page)).toHaveText('文件已上传');
  expect(sent).toHaveLength(3);

  const row = rowOf(page, name);
  await expect(row).toContainText('9 MB');
  const fetched = page.waitForEvent('download');
  await take(row, '下载');
  const saved = await fetched;
  expect(saved.suggestedFilename()).toBe('镜像.bin');
  expect(readFileSync(await saved.path()).equals(content)).toBe(true);
  await take(row, '编辑');
  await input(dialog(page), '备注').fill('首航');
  await confirm(dialog(page));
  await expect(row).toContainText('首航');
});

test('a file is sent, followed, paused, resumed, stopped for who is away, and deleted on the device (en)', async ({ page }) => {
  const vno = await newVno();
  const [near, far] = [await freshGateway({ vno }), await freshGateway({ vno })];
  await far.power('off');
  await near.fault({ hold: 40 });
  const name = unique('chart');
  await upload(vno, name, 400_000);
  await sitAt(page, vno, '/file/list', { lang: 'en' });
  await take(rowOf(page, name), 'Send');
  const form = dialog(page, 'Send file');
  await confirm(form, 'en');
  await expect(refusal(form, 'Devices')).toBeVisible();
  for (const { sn } of [near, far]) await pick(form, 'Devices', 'Search', sn);
  await expect(form.getByText(/390\.63 KB × 2 devices/)).toBeVisible();
  await expect(form.getByText('Offline: 1; sent when they return')).toBeVisible();
  await expectAccessible(page);
  await confirm(form, 'en');
  await expect(notice(page)).toContainText('The task has been created');

  await page.getByRole('main').getByRole('button', { name: 'Distribution tasks' }).click();
  const task = rowOf(page, name);
  await expect(task).toContainText('Running');
  const panel = await openDevices(page, task, 'Device details');
  const [loading, waiting] = [near, far].map(({ sn }) => panel.locator('tbody tr').filter({ hasText: sn }));
  await expect(loading ?? panel).toContainText('Downloading');
  await expect(loading ?? panel).toContainText('40%');
  await expect(waiting ?? panel).toContainText('Offline; sent when it returns');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Close' }).click();

  await take(task, 'Pause');
  await expect(task).toContainText('Paused');
  const again = await openDevices(page, task, 'Device details');
  await expect(again.locator('tbody tr').filter({ hasText: near.sn })).toContainText('Paused');
  await again.getByRole('button', { name: 'Close' }).click();
  await take(task, 'Resume');
  await near.fault({ hold: null });
  const last = await openDevices(page, task, 'Device details');
  const done = last.locator('tbody tr').filter({ hasText: near.sn });
  await expect(done).toContainText('Download complete');
  expect((await near.truth()).files).toHaveLength(1);
  await done.getByRole('button', { name: 'Delete file' }).click();
  await confirm(page.locator('body'), 'en');
  await expect(done).toContainText('Deleted');
  expect((await near.truth()).files).toEqual([]);
  await last.getByRole('button', { name: 'Close' }).click();

  await take(task, 'Stop');
  await confirm(dialog(page), 'en');
  await expect(task).toContainText('Stopped');
  const [stopped] = (await vno.call(fileTaskCalls.list, { page: 1, limit: 10 })).list;
  expect(stopped).toMatchObject({ state: 'stopped', success_count: 1, fail_count: 1 });
});

test('on L-band nothing heavy begins; with another link it does, and what goes wrong is said', async ({ page }) => {
  const vno = await newVno();
  const gateway = await freshGateway({ vno });
  await gateway.fault({ file: 'install' });
  await gateway.link('l_band');
  await expect.poll(async () => (await gateway.truth()).link).toBe('l_band');
  const name = unique('固件包');
  await upload(vno, name);
  await sitAt(page, vno, '/file/list');
  await take(rowOf(page, name), '下发');
  const form = dialog(page, '下发文件');
  await pick(form, '下发设备', '搜索', gateway.sn);
  await expect(form.getByText('1 台设备处于L波段链路，切换到其他链路后下发')).toBeVisible();
  await choose(form, '下发后操作', '安装');
  await confirm(form);
  await page.goto('/file/log');
  const panel = await openDevices(page, rowOf(page, name), '设备明细');
  const row = panel.locator('tbody tr');
  await expect(row).toContainText('当前为L波段链路，切换到其他链路后下发');
  await gateway.link('lte');
  await expect(row).toContainText('安装失败');
  await expect(row).toContainText('the package cannot be installed');
});

test('a device is backed up at once; the backup appears by itself, is fetched and exported with its list', async ({ page }) => {
  const vno = await newVno();
  const gateway = await freshGateway({ vno });
  await sitAt(page, vno, '/device/backup');
  await page.getByRole('main').getByRole('button', { name: '立即备份' }).click();
  const form = dialog(page, '立即备份');
  await pick(form, '设备', '搜索', gateway.sn);
  await input(form, '备注').fill('出港前');
  await confirm(form);
  await expect(notice(page)).toContainText('已通知设备备份');
  const row = rowOf(page, gateway.sn).filter({ hasText: '手动备份' });
  await expect(row).toBeVisible();
  await expectAccessible(page);
  const fetched = page.waitForEvent('download');
  await take(row, '下载');
  const saved = await fetched;
  expect(saved.suggestedFilename()).toMatch(new RegExp(`^${gateway.sn}-\\d{8}-\\d{6}\\.cfg\\.gz$`));
  expect(readFileSync(await saved.path()).toString('hex', 0, 2)).toBe('1f8b');

  await row.getByRole('checkbox').check();
  await page.getByRole('main').getByRole('button', { name: '批量导出' }).click();
  const panel = dialog(page);
  const asked = nextCall(page, backupCalls.export);
  await panel.getByRole('button', { name: '开始导出' }).click();
  expect((await asked).postDataJSON()).toMatchObject({ ids: [expect.any(Number)], format: 'csv' });
  const zip = page.waitForEvent('download');
  await panel.getByRole('button', { name: '下载' }).first().click();
  expect((await zip).suggestedFilename()).toMatch(/\.zip$/);
});
