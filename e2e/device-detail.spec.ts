import { expect, type Page, test } from '@playwright/test';
import { openAccount } from './support/account.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { type FreshGateway, freshGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { makePackage } from './support/shop.ts';
import { rowOf, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, sharedVno } from './support/world.ts';

const patience = { timeout: 30_000 };
const head = (page: Page) => page.locator('.detail-head');
const strip = (page: Page) => page.locator('.fact-strip');
const panel = (page: Page) => page.getByRole('tabpanel');
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

/** A deed of the page, from the line or from its menu. */
const deed = async (page: Page, name: string) => {
  const inLine = head(page).getByRole('button', { name, exact: true });
  await expect(head(page)).toBeVisible();
  if ((await inLine.count()) > 0) return inLine.click();
  await head(page)
    .getByRole('button', { name: /^(更多|More)/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

/** Somebody who may go online behind this gateway. */
const makeSailor = async ({ vno, deviceId }: FreshGateway) => {
  const sold = await makePackage(vno, [deviceId]);
  return openAccount({ seller: vno, device: { id: deviceId, label: '' }, package: sold });
};

test('the page of a device shows how its gateway is, and follows it without a reload or a foreign request', async ({ page }) => {
  const gateway = await freshGateway({ at: [30.5, 123.5] });
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(process.env.E2E_URL ?? '').origin) foreign.push(request.url());
  });
  await sitAt(page, gateway.vno, `/device/detail/${gateway.deviceId}`);
  await expect(head(page)).toContainText(gateway.sn);
  await expect(head(page)).toContainText('在线');
  const links = page.getByRole('region', { name: 'WAN链路' });
  await expect(links.getByRole('row', { name: /使用中/ })).toContainText('已连接');
  await expect(links.getByRole('list', { name: 'LAN口' })).toContainText('LAN1');
  await expect(page.getByRole('region', { name: '位置与航迹' }).first()).toContainText('30.5000°N 123.5000°E');
  await expect(page.locator('.world-map canvas').first()).toBeVisible();
  await expect(panel(page)).toContainText('设备型号');
  await expectAccessible(page);

  await gateway.link('6d');
  await expect(strip(page)).toContainText('6D', patience);
  await expect(links.getByRole('row', { name: /使用中/ })).toContainText('6D');
  await tab(page, '事件');
  await expect(panel(page)).toContainText(/→ 6D/);
  await gateway.power('off');
  await expect(head(page)).toContainText('离线', patience);
  await expect(panel(page)).toContainText('离线：网关主动断开');
  await expect(links).toContainText('设备离线');
  await gateway.power('on');
  await expect(head(page)).toContainText('在线', patience);
  expect(foreign).toEqual([]);

  const stranger = await newVno();
  const other = await page.context().newPage();
  await sitAt(other, stranger, `/device/detail/${gateway.deviceId}`);
  await expect(other.getByRole('main')).toContainText('数据不存在');
});

test('users are kicked, the sampling interval and the camera are set, and each says how far the gateway has got', async ({ page }) => {
  const gateway = await freshGateway();
  const { account } = await makeSailor(gateway);
  await sitAt(page, gateway.vno, `/device/detail/${gateway.deviceId}?tab=users`, { lang: 'en' });
  await expect(head(page)).toContainText('Online');
  await gateway.signIn(account);
  const row = panel(page).getByRole('row').filter({ hasText: account });
  await expect(row).toContainText('Online', patience);
  await take(row, 'Kick offline');
  await confirm(dialog(page), 'en');
  await expect(notice(page)).toContainText('The gateway has been told');
  await expect(row).toHaveCount(0, patience);
  expect((await gateway.truth()).users).toEqual([]);
  await tab(page, 'Commands');
  await expect(panel(page).getByRole('row').filter({ hasText: 'Kick user' })).toContainText('Done');

  await tab(page, 'Load');
  await panel(page).getByRole('button', { name: 'Change' }).click();
  const form = dialog(page, 'Load sampling interval');
  await confirm(form, 'en');
  await expect(notice(page)).toHaveText("You haven't made any changes");
  await input(form, 'Interval (s)').fill('30');
  await confirm(form, 'en');
  await expect(panel(page)).toContainText('Sampled every 30 s');
  await expect(panel(page)).toContainText('Applied', patience);
  expect((await gateway.truth()).sections.report?.doc).toEqual({ load: 30 });
  await gateway.changeLocally('report', { load: 5 });
  await expect(panel(page)).toContainText('Changed at the gateway', patience);
  await panel(page).getByRole('button', { name: 'Send again' }).click();
  await expect(panel(page)).toContainText('Applied', patience);

  await deed(page, 'Video settings');
  const camera = dialog(page, 'Video settings');
  await line(camera, 'Enable video').getByText('On', { exact: true }).click();
  await input(camera, 'Stream address').fill('video.example.com');
  await confirm(camera, 'en');
  await expect(notice(page)).toContainText('The settings have been sent');
  await tab(page, 'Video');
  await expect(panel(page)).toContainText('video.example.com');
  await expect(panel(page)).toContainText('Applied', patience);
  await tab(page, 'Operator log');
  await expect(panel(page)).toContainText('Changed the video settings of device');
});

test('the list shows who is online, the load and the gateway accounts of a device beside it', async ({ page }) => {
  const gateway = await freshGateway({ vno: await sharedVno() });
  const { account } = await makeSailor(gateway);
  await gateway.signIn(account);
  await sitAt(page, gateway.vno, `/device/list?sn=${gateway.sn}`, { theme: 'dark' });
  const row = rowOf(page, gateway.sn);
  const close = async (title: RegExp) =>
    dialog(page, title)
      .getByRole('button', { name: /close|关闭/i })
      .click();
  await take(row, '在线用户');
  await expect(dialog(page, /在线用户/)).toContainText(account);
  await close(/在线用户/);
  await take(row, '设备负载');
  await expect(dialog(page, /设备负载/)).toContainText(/使用率|该时间段没有采样/);
  await expectAccessible(page);
  await close(/设备负载/);
  await take(row, '网关账号');
  await expect(dialog(page, /网关账号/)).toContainText('权限角色');
});
