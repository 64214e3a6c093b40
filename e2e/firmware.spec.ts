import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { expect, type Page, test } from '@playwright/test';
import { type Caller, logIn } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { choose, rowOf, rows, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** The beginning of an image for a boot loader, and enough of it to take a moment. */
const image = (bytes = 4096) => Buffer.concat([Buffer.from('27051956', 'hex'), Buffer.alloc(bytes)]);
const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** As the page sends it, without the page. */
const upload = async (by: Caller, version: string, model: string) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ version, model, remark: 'e2e', display_rule: 'all', lang: 'zh' })) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(image())]), `${model}.bin`);
  const response = await fetch(`${process.env.E2E_URL}/agt/v1/${firmwareCalls.create.path}`, {
    method: 'POST',
    headers: { authorization: by.session.token },
    body: form,
  });
  expect(await response.json()).toMatchObject({ code: 0 });
};

/** The campaigns of whoever sits here, with the newest in sight. */
const openCampaigns = async (page: Page, name: string) => {
  await page.goto('/firmware/list');
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
  const panel = dialog(page, name);
  await expect(panel.locator('tbody tr').first()).toBeVisible();
  return panel;
};

test('a version is uploaded, shown to one VNO alone, fetched by it, changed and deleted', async ({ page, browser }) => {
  const model = unique('FG');
  const [vno, stranger] = [await newVno(), await newVno()];
  await sitAt(page, await logIn('admin'), '/firmware/list');
  await page.getByRole('button', { name: '上传固件' }).click();
  const form = dialog(page, '上传固件');
  await confirm(form);
  await expect(refusal(form, '固件文件')).toHaveText('请选择固件文件');
  await expect(refusal(form, '版本号')).toHaveText('请输入版本号');
  await form.locator('input[type=file]').setInputFiles(fileOf('说明.txt', Buffer.from('no')));
  await expect(line(form, '固件文件')).toContainText('说明.txt: 支持.bin');
  await expectAccessible(page);

  // What its name promises is looked at where it arrives.
  await form.locator('input[type=file]').setInputFiles(fileOf('gateway.bin', Buffer.from('only a text')));
  await input(form, '版本号').fill('1.2.3');
  await form.getByRole('combobox', { name: '适用型号' }).fill(model);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await input(form, '更新说明').fill('修复链路切换');
  await form.getByRole('radio', { name: '按VNO显示' }).check();
  await line(form, '可见VNO').getByPlaceholder('搜索').fill(vno.name);
  await line(form, '可见VNO').getByRole('button', { name: vno.name }).click();
  await confirm(form);
  await expect(refusal(form, '固件文件')).toContainText('支持.bin');
  // Over a line on which it takes a moment.
  const browserLine = await page.context().newCDPSession(page);
  const thin = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
  await browserLine.send('Network.emulateNetworkConditions', thin);
  await form.locator('input[type=file]').setInputFiles(fileOf('gateway.bin', image(1_500_000)));
  await confirm(form);
  await expect(form.getByRole('progressbar', { name: '上传进度' })).toBeVisible();
  await expect(notice(page)).toHaveText('上传固件成功');
  await browserLine.detach();
  await expect(rowOf(page, model)).toContainText('01.02.03');
  await expect(rowOf(page, model)).toContainText('按VNO显示');

  const seat = async (who: Caller) => {
    const other = await (await browser.newContext()).newPage();
    await sitAt(other, who, `/firmware/list?model=${model}`, { lang: 'en' });
    return other;
  };
  const owner = await seat(vno);
  await expect(rows(owner)).toHaveCount(1);
  await expect(owner.getByRole('button', { name: 'Upload firmware' })).toHaveCount(0);
  const [download] = await Promise.all([owner.waitForEvent('download'), take(rowOf(owner, model), 'Download')]);
  expect(download.suggestedFilename()).toBe('gateway.bin');
  await owner.goto('/firmware/download-log');
  await expect(rowOf(owner, model)).toContainText('Success');
  const outsider = await seat(stranger);
  await expect(outsider.getByRole('main')).toContainText('No record matches');

  await take(rowOf(page, model), '编辑');
  const edit = dialog(page, '编辑固件');
  await confirm(edit);
  await expect(notice(page)).toHaveText('您未做任何修改');
  await edit.getByRole('radio', { name: '全部可见' }).check();
  await confirm(edit);
  await expect(rowOf(page, model)).toContainText('全部可见');
  await outsider.reload();
  await expect(rows(outsider)).toHaveCount(1);

  await take(rowOf(page, model), '删除');
  await confirm(dialog(page));
  await expect(rowOf(page, model)).toHaveCount(0);
});

test('a gateway is upgraded and rolled back; the form tells bytes and time before, the campaign what became of it', async ({ page }) => {
  const model = unique('FG');
  const vno = await newVno();
  await upload(await logIn('admin'), '4.0.0', model);
  const gateway = await freshGateway({ vno, model, version: '03.02.01', previous: '03.01.00' });
  await sitAt(page, vno, '/device/list', { lang: 'en' });
  await rowOf(page, gateway.sn).getByRole('checkbox').check();
  await page.getByRole('main').getByRole('button', { name: 'Upgrade', exact: true }).click();
  const form = dialog(page, 'Upgrade device');
  await choose(form, 'Target version', '04.00.00');
  await expect(form.getByRole('status')).toContainText('4 KB to download');
  await expect(form.getByRole('status')).toContainText('about 1s each');
  await expectAccessible(page);
  await confirm(form, 'en');
  await expect(notice(page)).toContainText('The upgrade has been ordered');

  const panel = await openCampaigns(page, 'Campaigns');
  await expect(panel.locator('tbody tr')).toContainText(['04.00.00']);
  await expect(panel.locator('tbody tr')).toContainText(['Finished'], { timeout: 40_000 });
  expect(await gateway.truth()).toMatchObject({ version: '04.00.00', previous: '03.02.01' });
  await take(panel.locator('tbody tr'), 'Devices');
  await expect(dialog(page, /Devices/).locator('tbody tr')).toContainText(['Succeeded']);
  await expectAccessible(page);

  await page.goto('/device/list');
  await take(rowOf(page, gateway.sn), 'Roll back');
  const back = dialog(page, 'Roll back');
  await choose(back, /Roll back to/, 'still on the gateway');
  await expect(back.getByRole('status')).toContainText('nothing is downloaded');
  await confirm(back, 'en');
  await expect(notice(page)).toContainText('The roll-back has been ordered');
  await expect.poll(async () => (await gateway.truth()).version, { timeout: 40_000 }).toBe('03.02.01');
});

test('a version that does not boot stops the campaign after the first device; an operator goes on or ends it', async ({ page }) => {
  const model = unique('FG');
  const vno = await newVno();
  await upload(await logIn('admin'), '4.0.0', model);
  const fleet = [await freshGateway({ vno, model }), await freshGateway({ vno, model }), await freshGateway({ vno, model })];
  await fleet[0]?.fault({ upgrade: 'boot' });
  await sitAt(page, vno, '/device/list');
  for (const { sn } of fleet) await rowOf(page, sn).getByRole('checkbox').check();
  await page.getByRole('main').getByRole('button', { name: '升级', exact: true }).click();
  const form = dialog(page, '设备升级');
  await choose(form, '目标版本', '04.00.00');
  await expect(form.getByRole('status')).toContainText('分批进行：1 + 1 + 1 台');
  await confirm(form);
  await expect(notice(page)).toContainText('升级任务已创建');

  const panel = await openCampaigns(page, '升级任务');
  const row = panel.locator('tbody tr');
  await expect(row).toContainText(['第1批 1 台中有 1 台失败，已自动暂停'], { timeout: 40_000 });
  await take(row, '设备明细');
  const devices = dialog(page, /设备明细/);
  await expect(devices.locator('tbody tr').filter({ hasText: fleet[0]?.sn ?? '' })).toContainText('新版本启动失败，已回到');
  await expect(devices.locator('tbody tr').filter({ hasText: '任务已暂停' })).toHaveCount(2);
  await devices.getByRole('button', { name: /关闭|Close/ }).click();

  await take(row, '继续');
  await confirm(dialog(page, /提示|确认|确定/).last());
  await expect(row).toContainText(['已完成'], { timeout: 40_000 });
  const { list } = await vno.call(campaignCalls.list, { page: 1, limit: 10 });
  expect(list).toMatchObject([{ success_count: 2, fail_count: 1, state: 'done' }]);
});
