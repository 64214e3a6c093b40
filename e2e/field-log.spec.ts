import { readFileSync } from 'node:fs';
import { fenceStatusSendCalls } from '@farlink/contract/device/fence-status-send.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { apLinkLogCalls } from '@farlink/contract/log/ap-link-log.ts';
import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { wanChangeLogCalls } from '@farlink/contract/log/wan-change-log.ts';
import { expect } from '@playwright/test';
import { deviceOf, newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, column, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno } from './support/world.ts';

const soon = { intervals: [100, 200, 300] };
const paging = { page: 1, limit: 100 };

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`logs link changes, access points, fences and failed commands of a gateway (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const gateway = await newGateway({ vno, links: ['lte', '6d', 'l_band'] });
    const { sn } = gateway;
    await gateway.ap('ap1', false);
    await gateway.changeLocally('fence', { fences: [{ name: '禁渔区', act: 'mute', circle: { lat: 20, lon: 115, r: 50_000 } }] });
    await gateway.link('lte');
    const logRows = async () => {
      const [links, switches, aps, fences] = await Promise.all([
        vno.call(linkLogCalls.list, paging),
        vno.call(wanChangeLogCalls.list, { ...paging, source: 'wan' }),
        vno.call(apLinkLogCalls.list, { ...paging, ap_state: 'offline' }),
        vno.call(fenceStatusSendCalls.list, paging),
      ]);
      return [links.total >= 3, switches.total >= 1, aps.total, fences.total];
    };
    await expect.poll(logRows, soon).toEqual([true, true, 1, 1]);

    await loginAt(page, vno, `/log/wan-change?sn=${sn}`, { lang });
    await expect(rows(page).first()).toContainText(t('6DLTELTE已连接', '6DLTELTEOn'));
    await page.goto(`/log/ap-link?ap_name=ap1`);
    await expect(rowOf(page, t('离线', 'Offline'))).toContainText('ap1');
    await page.goto('/device/fence-status');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(
      t('禁渔区进入围栏115.0000020.00000关闭发射', '禁渔区Entered115.0000020.00000Stop transmitting'),
    );
    await expectAccessible(page);

    await page.goto('/log/link');
    await choose(page, t('网络', 'Network'), '6D');
    await page.getByRole('button', { name: t('查询', 'Search'), exact: true }).click();
    await expect.poll(async () => new Set(await column(page, t('链路', 'Link')))).toEqual(new Set(['6D']));
    await page.getByRole('link', { name: sn }).first().click();
    await expect(page).toHaveURL(`/device/detail/${gateway.deviceId}`);

    // This gateway has no second satellite link.
    await page.goto('/device/list');
    await runAction(rowOf(page, sn), t('编辑', 'Edit'));
    const form = dialog(page, t('编辑设备', 'Edit device'));
    await form.getByRole('radio', { name: t('锁定二星网', 'Second satellite network') }).check();
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
    await expect.poll(async () => (await vno.call(wanChangeLogCalls.list, { ...paging, source: 'send' })).total, soon).toBe(1);
    await page.goto('/device/link-switch');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(t('设备没有该链路失败', 'The device does not have this linkFailed'));
  });

  test(`collects container data, exports the log, and downloads and deletes the export (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const [able, offline] = await Promise.all([newGateway({ vno, docker: 1 }), newGateway({ vno, docker: 1 })]);
    await loginAt(page, vno, '/log/docker', { lang, theme: lang === 'en' ? 'dark' : 'light' });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('导出', 'Export'), exact: true })
      .click();
    const drawer = dialog(page, t('导出 · Docker日志', 'Export · Docker log'));
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    await expect(toast(page)).toHaveText(t('没有可导出的数据', 'No data to export'));
    await drawer.getByRole('button', { name: t('关闭', 'Close') }).click();

    await page
      .getByRole('main')
      .getByRole('button', { name: t('采集Docker信息', 'Collect Docker info') })
      .click();
    const form = dialog(page, t('采集Docker信息', 'Collect Docker info'));
    await input(form, t('容器名称', 'Container')).fill('not a name');
    await confirm(form, lang);
    await expect(refusal(form, t('设备', 'Devices'))).toHaveText(t('请选择设备', 'Please select devices'));
    await expect(refusal(form, t('容器名称', 'Container'))).toHaveText(
      t('1-128位字母、数字、下划线、连字符', '1-128 letters, digits, underscores or hyphens'),
    );
    await input(form, t('容器名称', 'Container')).fill('');
    await line(form, t('设备', 'Devices'))
      .getByRole('button', { name: t('全选', 'Select all') })
      .click();
    await expectAccessible(page);
    // Only online devices are offered; this one goes offline after the selection.
    await offline.power('off');
    await expect.poll(async () => (await deviceOf(vno, offline.sn))?.online_state).toBe(0);
    await confirm(form, lang);
    const result = dialog(page, t('采集Docker信息结果', 'Collect Docker info: result'));
    await expect(result.getByRole('row', { name: offline.sn })).toContainText(t('设备当前不在线', 'The device is not online'));
    await expect(result).toContainText(t('成功 1 条', '1 succeeded'));
    await result
      .getByRole('button', { name: t('关闭', 'Close') })
      .last()
      .click();

    await expect.poll(async () => (await vno.call(dockerCalls.list, paging)).total, soon).toBeGreaterThan(1);
    await page.getByRole('button', { name: t('刷新', 'Refresh') }).click();
    await expect(rowOf(page, 'farlink/portal')).toContainText(able.sn);

    await page
      .getByRole('main')
      .getByRole('button', { name: t('导出', 'Export'), exact: true })
      .click();
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    await expect(drawer.getByText(t('导出成功', 'Succeeded'))).toBeVisible();
    await drawer.getByRole('button', { name: t('关闭', 'Close') }).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('导出记录', 'Export log') })
      .click();
    await expect(page).toHaveURL('/log/docker-export');
    const row = rows(page).first();
    await expect(row).toContainText(t('导出成功', 'Succeeded'));
    const fetched = page.waitForEvent('download');
    await runAction(row, t('下载', 'Download'));
    expect(readFileSync(await (await fetched).path(), 'utf8')).toContain(`${able.sn},portal,farlink/portal`);
    await runAction(row, t('删除', 'Delete'));
    await confirm(dialog(page), lang);
    await expect(toast(page)).toHaveText(t('删除成功', 'Delete: done'));
    await expect(rows(page)).toHaveCount(0);
  });
}
