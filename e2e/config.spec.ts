import { configCalls } from '@farlink/contract/config/config.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { type FreshGateway, freshGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeRole, makeStaff } from './support/world.ts';

const patience = { timeout: 30_000 };
const main = (page: Page) => page.locator('.config-main');
const bar = (page: Page) => page.locator('.draft-line');
const strip = (page: Page) => page.locator('.apply-strip');
const box = (at: Locator, label: string) => at.getByLabel(label, { exact: true });
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });

/** By the search above the tree: typed, and the first that is found. */
const open = async (page: Page, typed: string, title: string) => {
  const search = page.locator('#config-search');
  await search.fill(typed);
  await search.press('Enter');
  await expect(main(page).getByRole('heading', { level: 2 }).first()).toHaveText(title);
};

const docOf = async ({ deviceId }: FreshGateway, page: string) =>
  (await (await as('admin')).call(configCalls.page, { device_id: deviceId, page })).doc;

test('two pages are changed, looked over and applied together; a change at the gateway is taken over; an old revision comes back', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const gateway = await freshGateway();
  const admin = await as('admin');
  await sitAt(page, admin, `/device/detail/${gateway.deviceId}`);
  const head = page.locator('.detail-head');
  await expect(head).toContainText(gateway.sn);
  const entry = button(head, '网关配置菜单');
  if ((await entry.count()) === 0) await button(head, /^更多/).click();
  await entry.or(page.getByRole('menuitem', { name: '网关配置菜单' })).click();
  await expect(main(page)).toContainText('没有待下发的草稿');

  await open(page, 'dns', 'DNS设置');
  await expect(page).toHaveURL(/page=network_dns/);
  const ttl = box(main(page), '最小缓存时间');
  await ttl.fill('9000');
  await ttl.blur();
  await expect(main(page)).toContainText('应为0到3600之间的整数');
  await expect(main(page)).toContainText('草稿尚未保存');
  await ttl.fill('600');
  await ttl.blur();
  await expect(main(page)).toContainText('草稿已保存，尚未下发');
  await expectAccessible(page);

  await open(page, 'WAN设置', 'WAN设置');
  await button(main(page), '编辑 wan_6d').click();
  await box(dialog(page), 'MTU').fill('1400');
  await expectAccessible(page);
  await confirm(dialog(page));
  await expect(main(page)).toContainText('草稿已保存，尚未下发');
  await expect(bar(page)).toContainText('2 页有草稿');
  await page.goBack();
  await expect(ttl).toHaveValue('600');

  await button(bar(page), '核对并下发').click();
  const review = dialog(page, /核对并下发/);
  await expect(review.getByRole('row', { name: /最小缓存时间/ })).toContainText('300 秒');
  await expect(review.getByRole('row', { name: /最小缓存时间/ })).toContainText('600 秒');
  await expect(review.getByRole('row', { name: /wan_6d · MTU/ })).toContainText('1,400 B');
  await box(review, '失联自动回退').fill('10');
  await expect(button(review, '下发 2 页')).toBeDisabled();
  await box(review, '失联自动回退').fill('60');
  await box(review, '说明（可选）').fill('调整DNS与MTU');
  await expectAccessible(page);
  await button(review, '下发 2 页').click();
  await expect(strip(page).locator('li[data-is=done]')).toHaveCount(4, patience);
  await expect(bar(page)).toHaveCount(0);
  await expect(main(page)).toContainText('已生效', patience);
  const { sections } = await gateway.truth();
  expect(sections.network_dns?.doc).toMatchObject({ min_ttl: 600 });
  expect(sections.network_wan?.doc).toEqual(await docOf(gateway, 'network_wan'));

  await gateway.changeLocally('network_dns', { ...sections.network_dns?.doc, min_ttl: 60 });
  await expect(main(page)).toContainText('有人在网关上修改了本页', patience);
  await button(main(page), '查看两个版本').click();
  const drift = dialog(page, /网关上的修改/);
  await expect(drift.getByRole('row', { name: /最小缓存时间/ })).toContainText('600 秒');
  await expect(drift.getByRole('row', { name: /最小缓存时间/ })).toContainText('60 秒');
  await button(drift, '采用网关版本').click();
  await expect(ttl).toHaveValue('60', patience);
  await expect(main(page)).toContainText('已生效', patience);

  await button(main(page), '历史版本').click();
  const history = dialog(page, /历史版本/);
  await button(history, /^版本 1/).click();
  await expect(history.getByRole('row', { name: /最小缓存时间/ })).toContainText('600 秒');
  await button(history, '恢复为草稿').click();
  await expect(ttl).toHaveValue('600');
  await button(bar(page), '核对并下发').click();
  await button(dialog(page, /核对并下发/), '下发 1 页').click();
  await expect.poll(async () => (await gateway.truth()).sections.network_dns?.doc, patience).toMatchObject({ min_ttl: 600 });
  await expect(main(page)).toContainText('已生效', patience);
});

test('an offline gateway lets an application wait and be withdrawn; who was faster is named; refusals and secrets show where they belong', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const [admin, gateway] = await Promise.all([as('admin'), freshGateway()]);
  const role = await makeRole(admin, grantsOf(), { gateway_permissions: { gw_network_cellular: '11', gw_network_wan: '10' } });
  const other = await logIn((await makeStaff(admin, grantsOf(), { role_id: role.id })).username);
  await gateway.power('off');
  await sitAt(page, admin, `/device/gateway-config/${gateway.deviceId}?page=network_cellular`, { lang: 'en', theme: 'dark' });
  await expect(page.locator('.config-head')).toContainText('Offline', patience);
  await box(main(page), 'APN').fill('cmnet');
  const secret = box(main(page), 'APN password');
  await secret.fill('tide-table-9');
  await secret.blur();
  await expect(main(page)).toContainText('Draft saved, not applied yet');
  await button(bar(page), 'Review and apply').click();
  const review = dialog(page, /Review and apply/);
  await expect(review).toContainText('The device is offline; it is sent when it comes back');
  await expect(review.getByRole('row', { name: /APN password/ })).toContainText('Changed');
  await expect(review).not.toContainText('tide-table-9');
  await expectAccessible(page);
  await button(review, 'Apply 1 page').click();
  await expect(strip(page)).toContainText('The device is offline');
  await page.reload();
  await expect(main(page).locator('.secret-set')).toContainText('Set');
  expect(await page.content()).not.toContain('tide-table-9');
  await button(strip(page), 'Withdraw').click();
  await confirm(dialog(page), 'en');
  await expect(strip(page)).toContainText('Withdrawn');
  await expect(box(main(page), 'APN')).toHaveValue('');

  await gateway.power('on');
  await expect(page.locator('.config-head')).toContainText('Online', patience);
  await box(main(page), 'MTU').fill('1400');
  await box(main(page), 'MTU').blur();
  await expect(main(page)).toContainText('Draft saved, not applied yet');
  const faster = { device_id: gateway.deviceId, page: 'network_cellular' };
  const { doc, rev } = await other.call(configCalls.page, faster);
  await other.call(configCalls.draft, { ...faster, base_rev: rev, doc: { ...doc, redial_limit: 9 } });
  await expect(main(page)).toContainText('also has a draft of this page', patience);
  await other.call(configCalls.apply, { device_id: gateway.deviceId, pages: ['network_cellular'], keep: 0 });
  await expect(main(page)).toContainText('Applied', patience);
  await button(bar(page), 'Review and apply').click();
  await expect(review).toContainText('applied revision');
  await gateway.fault({ reject: ['network_cellular'] });
  await button(review, 'Write over and apply').click();
  await expect(strip(page)).toContainText('Refused', patience);
  await expect(main(page)).toContainText('The gateway did not take it');
  await gateway.fault({ clear: true });

  await button(page, 'Account permissions').click();
  const grants = dialog(page, 'Gateway account permissions');
  await grants.getByRole('radiogroup', { name: 'Network', exact: true }).getByText('Operable').click();
  await button(grants, 'Save').click();
  await expect(notice(page)).toContainText('The permissions have been saved');

  const theirs = await page.context().newPage();
  await sitAt(theirs, other, `/device/gateway-config/${gateway.deviceId}?page=network_wan`);
  await expect(main(theirs)).toContainText('You may only view this page');
  await expect(button(main(theirs), 'Add')).toHaveCount(0);
  await expect(theirs.getByRole('navigation', { name: 'Configuration pages' }).getByRole('link')).toHaveText(['WAN', 'Cellular']);
});

test('rows are pasted from a sheet, put in order and filtered; a fence is drawn on the map, also across the date line', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const [admin, gateway] = await Promise.all([as('admin'), freshGateway()]);
  await sitAt(page, admin, `/device/gateway-config/${gateway.deviceId}?page=network_policy_route`, { lang: 'en' });
  await button(main(page), 'Paste many').click();
  const sheet = dialog(page, /Paste many/);
  await box(sheet, 'Paste many').fill('Name\tOrder\tLink\nvoice\t10\tVSAT\nbulk\tlast\twan_leo\nlogs\t20\twan_leo');
  await expect(sheet).toContainText('Line 3: Order: Not a valid value');
  await box(sheet, 'Paste many').fill('Name\tOrder\tLink\nvoice\t10\twan_6d\nbulk\t30\twan_leo\nlogs\t20\twan_leo');
  await button(sheet, 'Take 3 rows').click();
  const names = main(page).locator('.row-key > button');
  await expect(names).toHaveText(['voice', 'logs', 'bulk']);
  await button(main(page), 'Move up bulk').click();
  await expect(names).toHaveText(['voice', 'bulk', 'logs']);
  await box(main(page), 'Filter').fill('LEO');
  await expect(names).toHaveText(['bulk', 'logs']);
  await expect(main(page)).toContainText('Draft saved, not applied yet');

  await open(page, 'fence_area', 'Fence areas');
  await button(main(page), 'Add').click();
  const form = dialog(page, /Add · Fence areas/);
  await box(form, 'Name').fill('Harbour');
  await button(form, 'Confirm').click();
  await expect(form).toContainText('Please select polygon');
  await button(form, 'Draw on the map').click();
  const map = form.locator('.world-map');
  await map.scrollIntoViewIfNeeded();
  const corners = [
    [200, 80],
    [320, 80],
    [260, 180],
  ] as const;
  for (const [x, y] of corners) await map.click({ position: { x, y } });
  await map.click({ position: { x: 200, y: 80 } });
  await expect(form).toContainText('3 corners');
  await expectAccessible(page);
  await button(form, 'Paste coordinates').click();
  await box(form, 'One corner a line: longitude, latitude').fill('175, 10\n-175, 10\n-175, -10\n175, -10');
  await button(form, 'Use these').click();
  await expect(form).toContainText('4 corners');
  await box(form, 'Corner 1 Longitude').fill('176');
  await box(form, 'Corner 1 Longitude').blur();
  await button(form, 'Confirm').click();
  await expect(main(page)).toContainText('Draft saved, not applied yet');
  const { draft } = await admin.call(configCalls.page, { device_id: gateway.deviceId, page: 'fence_area' });
  expect(draft?.doc).toMatchObject({
    rows: [
      {
        name: 'Harbour',
        polygon: [
          [176, 10],
          [-175, 10],
          [-175, -10],
          [175, -10],
        ],
      },
    ],
  });
});
