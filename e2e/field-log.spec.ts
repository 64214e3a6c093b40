import { readFileSync } from 'node:fs';
import { fenceCalls } from '@farlink/contract/device/fence-status.ts';
import { apLinkLogCalls } from '@farlink/contract/log/ap-link-log.ts';
import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { wanChangeCalls } from '@farlink/contract/log/wan-change.ts';
import { expect, test } from '@playwright/test';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { choose, column, rowOf, rows, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno } from './support/world.ts';

const soon = { timeout: 15_000, intervals: [100, 200, 300] };
const paging = { page: 1, limit: 100 };

test('what a gateway goes through stands in the logs: links, switches, access points, fences, and orders that failed', async ({ page }) => {
  const vno = await newVno();
  const gateway = await freshGateway({ vno, links: ['lte', '6d', 'l_band'] });
  const { sn } = gateway;
  await gateway.ap('ap1', false);
  await gateway.changeLocally('fence', { fences: [{ name: '禁渔区', act: 'mute', circle: { lat: 20, lon: 115, r: 50_000 } }] });
  await gateway.link('lte');
  const told = async () => {
    const [links, switches, aps, fences] = await Promise.all([
      vno.call(linkLogCalls.list, paging),
      vno.call(wanChangeCalls.list, { ...paging, source: 'wan' }),
      vno.call(apLinkLogCalls.list, { ...paging, ap_state: 'offline' }),
      vno.call(fenceCalls.list, paging),
    ]);
    return [links.total >= 3, switches.total >= 1, aps.total, fences.total];
  };
  await expect.poll(told, soon).toEqual([true, true, 1, 1]);

  await sitAt(page, vno, `/log/wan-change?sn=${sn}`);
  await expect(rows(page).first()).toContainText('6DLTELTE已连接');
  await page.goto(`/log/ap-link?ap_name=ap1`);
  await expect(rowOf(page, '离线')).toContainText('ap1');
  await page.goto('/device/fence-status');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('禁渔区进入围栏115.0000020.00000关闭发射');
  await expectAccessible(page);

  await page.goto('/log/link');
  await choose(page, '网络', '6D');
  await page.getByRole('button', { name: '查询' }).click();
  await expect.poll(async () => new Set(await column(page, '链路'))).toEqual(new Set(['6D']));
  await page.getByRole('link', { name: sn }).first().click();
  await expect(page).toHaveURL(`/device/detail/${gateway.deviceId}`);

  // It has no second satellite to be locked to.
  await page.goto('/device/list');
  await take(rowOf(page, sn), '编辑');
  const form = dialog(page, '编辑设备');
  await form.getByRole('radio', { name: '锁定二星网' }).check();
  await confirm(form);
  await expect(form).toHaveCount(0);
  await expect.poll(async () => (await vno.call(wanChangeCalls.list, { ...paging, source: 'send' })).total, soon).toBe(1);
  await page.goto('/device/link-switch');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('设备没有该链路失败');
});

test('containers are asked for, their log is exported, and the export is found, fetched and removed', async ({ page }) => {
  const vno = await newVno();
  const [able, asleep] = await Promise.all([freshGateway({ vno, docker: 1 }), freshGateway({ vno, docker: 1 })]);
  await asleep.power('off');
  await sitAt(page, vno, '/log/docker', { lang: 'en', theme: 'dark' });
  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
  const drawer = dialog(page, 'Export · Docker log');
  await drawer.getByRole('button', { name: 'Start export' }).click();
  await expect(notice(page)).toHaveText('No data to export');
  await drawer.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('main').getByRole('button', { name: 'Collect Docker info' }).click();
  const form = dialog(page, 'Collect Docker info');
  await input(form, 'Container').fill('not a name');
  await confirm(form, 'en');
  await expect(refusal(form, 'Devices')).toHaveText('Please select devices');
  await expect(refusal(form, 'Container')).toHaveText('1-128 letters, digits, underscores or hyphens');
  await input(form, 'Container').fill('');
  await line(form, 'Devices').getByRole('button', { name: 'Select all' }).click();
  await expectAccessible(page);
  await confirm(form, 'en');
  const result = dialog(page, 'Collect Docker info: result');
  await expect(result.getByRole('row', { name: asleep.sn })).toContainText('The device is not online');
  await expect(result).toContainText('1 succeeded');
  await result.getByRole('button', { name: 'Close' }).last().click();

  await expect.poll(async () => (await vno.call(dockerCalls.list, paging)).total, soon).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(rowOf(page, 'farlink/portal')).toContainText(able.sn);

  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
  await drawer.getByRole('button', { name: 'Start export' }).click();
  await expect(drawer.getByText('Succeeded')).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Export log' }).click();
  await expect(page).toHaveURL('/log/docker-export');
  const row = rows(page).first();
  await expect(row).toContainText('Succeeded');
  const fetched = page.waitForEvent('download');
  await take(row, 'Download');
  expect(readFileSync(await (await fetched).path(), 'utf8')).toContain(`${able.sn},portal,farlink/portal`);
  await take(row, 'Delete');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(notice(page)).toHaveText('Delete: done');
  await expect(rows(page)).toHaveCount(0);
});
