import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { type Caller, logIn } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, question, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** A boot-loader image header, with enough data to take some time. */
const image = (bytes = 4096) => Buffer.concat([Buffer.from('27051956', 'hex'), Buffer.alloc(bytes)]);
const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** Uploads a firmware through the API. */
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

/** Opens the campaign by the link in the notification. */
const followToast = async (page: Page, name: string) => {
  await toast(page).getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/firmware\/campaign\/\d+$/);
  return page.locator('.detail-page');
};

/** Each wave can wait 15 seconds for the job that starts it. */
const patience = { timeout: 100_000 };

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`uploads a version, shows it to one VNO only, which downloads it, then edits and deletes it (${lang})`, { tag: '@all' }, async ({
    page,
    browser,
  }) => {
    const model = unique('FG');
    const vno = await newVno();
    const stranger = await newVno();
    await loginAt(page, await logIn('admin'), '/firmware/list', { lang });
    await page.getByRole('button', { name: t('上传固件', 'Upload firmware') }).click();
    const form = dialog(page, t('上传固件', 'Upload firmware'));
    await confirm(form, lang);
    await expect(refusal(form, t('固件文件', 'Firmware file'))).toHaveText(t('请选择固件文件', 'Please select firmware file'));
    await expect(refusal(form, t('版本号', 'Version'))).toHaveText(t('请输入版本号', 'Please enter version'));
    await form.locator('input[type=file]').setInputFiles(fileOf('说明.txt', Buffer.from('no')));
    await expect(line(form, t('固件文件', 'Firmware file'))).toContainText(t('说明.txt: 支持.bin', '说明.txt: .bin, .img'));
    await expectAccessible(page);

    // The server checks the content, not only the file name.
    await form.locator('input[type=file]').setInputFiles(fileOf('gateway.bin', Buffer.from('only a text')));
    await input(form, t('版本号', 'Version')).fill('1.2.3');
    await form.getByRole('combobox', { name: t('适用型号', 'Models') }).fill(model);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await input(form, t('更新说明', 'Update description')).fill('修复链路切换');
    await form.getByRole('radio', { name: t('按VNO显示', 'By VNO') }).check();
    await line(form, t('可见VNO', 'VNOs')).getByPlaceholder(t('搜索', 'Search')).fill(vno.name);
    await line(form, t('可见VNO', 'VNOs')).getByRole('button', { name: vno.name }).click();
    await confirm(form, lang);
    await expect(refusal(form, t('固件文件', 'Firmware file'))).toContainText(t('支持.bin', '.bin, .img'));
    // Limits the bandwidth, so that the upload takes some time.
    const browserLine = await page.context().newCDPSession(page);
    const thin = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
    await browserLine.send('Network.emulateNetworkConditions', thin);
    await form.locator('input[type=file]').setInputFiles(fileOf('gateway.bin', image(1_500_000)));
    await confirm(form, lang);
    await expect(form.getByRole('progressbar', { name: t('上传进度', 'Upload progress') })).toBeVisible();
    await expect(toast(page)).toHaveText(t('上传固件成功', 'Upload firmware: done'));
    await browserLine.detach();
    await expect(rowOf(page, model)).toContainText('01.02.03');
    await expect(rowOf(page, model)).toContainText(t('按VNO显示', 'By VNO'));

    const openAs = async (caller: Caller) => {
      const other = await (await browser.newContext()).newPage();
      await loginAt(other, caller, `/firmware/list?model=${model}`, { lang });
      return other;
    };
    const owner = await openAs(vno);
    await expect(rows(owner)).toHaveCount(1);
    await expect(owner.getByRole('button', { name: t('上传固件', 'Upload firmware') })).toHaveCount(0);
    const [download] = await Promise.all([owner.waitForEvent('download'), runAction(rowOf(owner, model), t('下载', 'Download'))]);
    expect(download.suggestedFilename()).toBe('gateway.bin');
    await owner.goto('/firmware/download-log');
    await expect(rowOf(owner, model)).toContainText(t('成功', 'Success'));
    const outsider = await openAs(stranger);
    await expect(outsider.getByRole('main')).toContainText(t('没有符合条件的数据', 'No record matches'));

    await runAction(rowOf(page, model), t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑固件', 'Edit firmware'));
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await edit.getByRole('radio', { name: t('全部可见', 'Visible to all') }).check();
    await confirm(edit, lang);
    await expect(rowOf(page, model)).toContainText(t('全部可见', 'Visible to all'));
    await outsider.reload();
    await expect(rows(outsider)).toHaveCount(1);

    await runAction(rowOf(page, model), t('删除', 'Delete'));
    await confirm(dialog(page), lang);
    await expect(rowOf(page, model)).toHaveCount(0);
    for (const other of [owner, outsider]) await other.context().close();
  });

  test(`upgrades a gateway and rolls it back, with size and time before and the result after (${lang})`, async ({ page }) => {
    const model = unique('FG');
    const vno = await newVno();
    await upload(await logIn('admin'), '4.0.0', model);
    const gateway = await newGateway({ vno, model, version: '03.02.01', previous: '03.01.00' });
    await loginAt(page, vno, '/device/list', { lang });
    await rowOf(page, gateway.sn).getByRole('checkbox').check();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('升级', 'Upgrade'), exact: true })
      .click();
    const form = dialog(page, t('设备升级', 'Upgrade device'));
    await choose(form, t('目标版本', 'Target version'), '04.00.00');
    await expect(form.getByRole('status')).toContainText(t('下载 4 KB', '4 KB to download'));
    await expect(form.getByRole('status')).toContainText(t('每台约 1秒', 'about 1s each'));
    await expectAccessible(page, 'upgrade');
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('升级任务已创建', 'Upgrade started'));

    const campaign = await followToast(page, t('查看进度', 'View progress'));
    await expect(campaign.getByRole('heading', { level: 2 })).toHaveText('04.00.00');
    await expect(campaign.locator('.detail-head')).toContainText(t('已完成', 'Finished'), patience);
    expect(await gateway.groundTruth()).toMatchObject({ version: '04.00.00', previous: '03.02.01' });
    await expect(campaign.locator('tbody tr')).toContainText([t('成功', 'Succeeded')]);
    await expectAccessible(page);
    // The URL is that of the campaign: a reload shows it again, and its device is a link.
    await page.reload();
    await campaign.locator('tbody').getByRole('link', { name: gateway.sn }).click();
    await expect(page).toHaveURL(new RegExp(`/device/detail/${gateway.deviceId}$`));

    await page.goto('/device/list');
    await runAction(rowOf(page, gateway.sn), t('版本回退', 'Roll back'));
    const back = dialog(page, t('版本回退', 'Roll back'));
    await choose(back, t('回退版本', 'Roll back to'), t('网关上保留，无需下载', 'still on the gateway'));
    await expect(back.getByRole('status')).toContainText(t('无需下载', 'no download needed'));
    await confirm(back, lang);
    await expect(toast(page)).toContainText(t('回退任务已创建', 'Rollback started'));
    await expect.poll(async () => (await gateway.groundTruth()).version).toBe('03.02.01');
  });

  test(`pauses the campaign after a version does not boot, and lets the operator continue or end it (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const model = unique('FG');
    const vno = await newVno();
    await upload(await logIn('admin'), '4.0.0', model);
    const fleet = [await newGateway({ vno, model }), await newGateway({ vno, model }), await newGateway({ vno, model })];
    for (const gateway of fleet.slice(0, 2)) await gateway.fault({ upgrade: 'boot' });
    await loginAt(page, vno, '/device/list', { lang });
    for (const { sn } of fleet) await rowOf(page, sn).getByRole('checkbox').check();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('升级', 'Upgrade'), exact: true })
      .click();
    const form = dialog(page, t('设备升级', 'Upgrade device'));
    await choose(form, t('目标版本', 'Target version'), '04.00.00');
    await expect(form.getByRole('status')).toContainText(t('分批进行：1 + 1 + 1 台', 'In waves of 1 + 1 + 1;'));
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('升级任务已创建', 'Upgrade started'));

    const devices = await followToast(page, t('查看进度', 'View progress'));
    await expect(devices).toContainText(t('第1批 1 台中有 1 台失败，已自动暂停', '1 of 1 in wave 1 failed; paused automatically'));
    await expect(devices.locator('tbody tr').filter({ hasText: fleet[0]?.sn ?? '' })).toContainText(
      t('新版本启动失败，已回到', 'The new version did not boot; back on'),
    );
    await expect(devices.locator('tbody tr').filter({ hasText: t('任务已暂停', 'The campaign is paused') })).toHaveCount(2);
    // While the campaign is paused, the device list shows that and links to it.
    await page.goto('/device/list');
    await rowOf(page, fleet[2]?.sn ?? '')
      .getByRole('link', { name: t('等待中', 'Waiting') })
      .click();
    await expect(page).toHaveURL(/\/firmware\/campaign\/\d+$/);
    await devices.getByRole('button', { name: t('继续', 'Continue') }).click();
    const confirmation = question(page, lang);
    await expect(confirmation).toContainText('04.00.00');
    await expect(confirmation).toContainText(t('继续后将开始升级其余设备', 'The remaining devices start their upgrade'));
    await confirm(confirmation, lang);
    await expect(devices).toContainText(
      t('第2批 1 台中有 1 台失败，已自动暂停', '1 of 1 in wave 2 failed; paused automatically'),
      patience,
    );
    await devices.getByRole('button', { name: t('终止', 'End'), exact: true }).click();
    await expect(confirmation).toContainText(t('终止后未开始的设备将不再升级', 'Devices that have not started are not upgraded'));
    await confirm(confirmation, lang);
    await expect(devices.locator('.detail-head')).toContainText(t('已终止', 'Ended'));
    await expect(devices.locator('tbody tr').filter({ hasText: fleet[2]?.sn ?? '' })).toContainText(
      t('任务已终止', 'The campaign was ended'),
    );
    const { list } = await vno.call(campaignCalls.list, { page: 1, limit: 10 });
    expect(list).toMatchObject([{ success_count: 0, fail_count: 2, state: 'ended' }]);
    expect((await fleet[2]?.groundTruth())?.version).not.toBe('04.00.00');
  });

  test(`upgrades the matching devices of several models, and lists the skipped devices with the reason (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const model = unique('FG');
    const other = unique('FG');
    const vno = { ...(await logIn('bluesea')), username: 'bluesea' };
    await upload(await logIn('admin'), '4.0.0', model);
    const fits = await newGateway({ vno, model });
    const alien = await newGateway({ vno, model: other });
    const offline = await newGateway({ vno, model });
    await offline.power('off');
    await loginAt(page, vno, '/device/list', { lang });
    await expect(rowOf(page, offline.sn)).toContainText(t('离线', 'Offline'));
    for (const { sn } of [fits, alien, offline]) await rowOf(page, sn).getByRole('checkbox').check();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('升级', 'Upgrade'), exact: true })
      .click();
    const form = dialog(page, t('设备升级', 'Upgrade device'));
    await expect(form.locator('.object-list')).toContainText(fits.sn);
    const skipped = form.getByRole('list', { name: t('跳过（2）', 'Skipped (2)') });
    const line = (sn: string) => skipped.getByRole('listitem').filter({ hasText: sn });
    await expect(line(alien.sn)).toContainText(`${t('没有适用于型号', 'No version for model')} ${other}`);
    await expect(line(offline.sn)).toContainText(t('设备离线', 'The device is offline'));
    await expectAccessible(page);
    await choose(form, t('目标版本', 'Target version'), '04.00.00');
    await confirm(form, lang);
    const campaign = await followToast(page, t('查看进度', 'View progress'));
    await expect(campaign.locator('tbody tr')).toHaveCount(1);
    await expect.poll(async () => (await fits.groundTruth()).version).toBe('04.00.00');
  });
}
