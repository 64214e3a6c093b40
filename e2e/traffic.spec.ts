import { deviceCalls } from '@farlink/contract/device/device.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { flowExportCalls } from '@farlink/contract/traffic/flow-export.ts';
import { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { inputOf, nextCall } from './support/calls.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff } from './support/world.ts';

const chart = (page: Page, lang: Lang) => page.getByRole('slider', { name: say(['流量趋势', 'Traffic trend'], lang) });

/** Cards above the tabs load later and move them, so a click can miss. */
const openTraffic = async (page: Page, lang: Lang) => {
  const tab = page.getByRole('tab', { name: say(['流量趋势', 'Traffic'], lang), exact: true });
  await expect(async () => {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
  }).toPass();
};

/** Drags over the middle of the chart. */
const drag = async (page: Page, lang: Lang) => {
  const box = await chart(page, lang).boundingBox();
  if (!box) throw new Error('the chart is not visible');
  const at = (share: number) => box.x + box.width * share;
  await page.mouse.move(at(0.3), box.y + 60);
  await page.mouse.down();
  await page.mouse.move(at(0.6), box.y + 60, { steps: 5 });
  await page.mouse.up();
};

const rangeOf = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return Number(searchParams.get('time_end')) - Number(searchParams.get('time_start'));
};

for (const lang of storyLangs(import.meta.url)) {
  const s = (text: Text) => say(text, lang);

  test(`zooms chart, list and URL by dragging, goes back, compares periods and exports the same rows (${lang})`, async ({ page }) => {
    const admin = await logIn('admin');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 1440, height: 900 });
    await loginAt(page, admin, '/flow/business?stat_by=day', { lang });
    await expect(rows(page).first()).toBeVisible();
    const nextRequest = nextCall(page, calls.flow_usr.trend);
    await drag(page, lang);
    const { time_start, time_end } = inputOf(await nextRequest);
    const zoomed = Number(time_end) - Number(time_start);
    expect(zoomed).toBeGreaterThan(86_400);
    expect(zoomed).toBeLessThan(6 * 86_400);
    await expect.poll(() => rangeOf(page)).toBe(zoomed);

    await chart(page, lang).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => rangeOf(page)).toBe(2 * 86_400 - 1);
    await page.goBack();
    await expect.poll(() => rangeOf(page)).toBe(zoomed);

    await page.getByRole('checkbox', { name: s(['对比上一周期', 'Compare with previous']) }).check();
    await expect(page.getByRole('button', { name: s(['上一周期', 'Previous period']) })).toContainText('%');
    const up = page.getByRole('button', { name: s(['上行', 'Up']) }).first();
    await up.click();
    await expect(up).toHaveAttribute('aria-pressed', 'false');
    const asOf = page.getByText(s(['数据截至', 'As of']));
    for (const selector of ['.traffic-head', '.pager'])
      await expect(page.locator(selector).getByText(s(['数据截至', 'As of']))).toBeVisible();
    await expect(asOf.first()).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);
    const copy = page.getByRole('button', { name: s(['复制为CSV', 'Copy as CSV']) }).first();
    await copy.focus();
    await page.keyboard.press('Enter');
    await expect(toast(page)).toContainText(s(['图表数据已复制', 'Chart data copied']));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [head = '', ...lines] = copied.trim().split('\r\n');
    expect(head.split(',')).toHaveLength(5);
    expect(lines.length).toBe(Math.round(zoomed / 86_400));
    await expectAccessible(page, 'traffic');

    await page
      .getByRole('main')
      .getByRole('button', { name: s(['导出', 'Export']), exact: true })
      .click();
    const start = nextCall(page, calls.flow_usr.export);
    await dialog(page)
      .getByRole('button', { name: s(['开始导出', 'Start export']) })
      .click();
    expect((await start).postDataJSON()).toMatchObject({ stat_by: 'day', time_end: expect.anything() });
    await expect(
      dialog(page)
        .getByText(s(['导出成功', 'Succeeded']))
        .first(),
    ).toBeVisible();
    const { list } = await admin.call(flowExportCalls.list, { page: 1, limit: 1 });
    await openPath(page, '/flow/export');
    await expect(rowOf(page, String(list[0]?.job_id)).first()).toContainText(s(['业务流量', 'Business traffic']));
  });

  test(`opens the users and devices of an application, and the applications of a user (${lang})`, { tag: '@all' }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await loginAt(page, await logIn('admin'), '/flow/business-dpi?stat_by=day', { lang });
    await page.getByRole('link', { name: 'YouTube' }).first().click();
    await expect(page).toHaveURL(/protocol_id=124/);
    const users = page.getByRole('list', { name: s(['用户排行', 'Users']) });
    await expect(page.getByRole('list', { name: s(['设备排行', 'Devices']) })).toBeVisible();
    await users.getByRole('link').first().click();
    await expect(page).toHaveURL(/stat_by=day&account=/);
    await expect(page.getByRole('list', { name: s(['应用流量排行', 'Traffic by application']) }).getByRole('listitem')).not.toHaveCount(1);
    await page.getByRole('link', { name: s(['返回全部应用', 'All applications']) }).click();
    await expect(page).toHaveURL(/business-dpi\?stat_by=day$/);
    await expectAccessible(page);
  });

  test(`shows the charts on the pages of a device and a user, as far as the role allows (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await logIn('admin');
    await page.setViewportSize({ width: 1440, height: 900 });
    const { list } = await admin.call(calls.dpi_usr.list, { stat_by: 'day', orderby: 'total_bytes desc', page: 1, limit: 50 });
    const row = list.find(({ account, sn }) => account && sn);
    const [device] = (await admin.call(deviceCalls.list, { sn: row?.sn, page: 1, limit: 1 })).list;
    const users = (await admin.call(userCalls.list, { account: row?.account, page: 1, limit: 10 })).list;
    const user = users.find(({ account }) => account?.toLowerCase() === row?.account?.toLowerCase());
    const applications = page.getByRole('list', { name: s(['应用流量排行', 'Traffic by application']) });
    const openTab = () => openTraffic(page, lang);

    await loginAt(page, admin, `/device/detail/${device?.id}`, { lang });
    await openTab();
    await expect(chart(page, lang)).toBeVisible();
    await expect(page.locator('.traffic-head')).toContainText(s(['数据截至', 'As of']));
    await expect(page.getByRole('list', { name: s(['用户排行', 'Users']) })).toBeVisible();
    await expectAccessible(page);
    await applications.getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`/flow/business-dpi\\?device_id=${device?.id}&protocol_id=\\d+`));
    await expect(rows(page).first()).toBeVisible();

    await openPath(page, `/user/detail/${user?.id}`);
    await openTab();
    await expect(chart(page, lang)).toBeVisible();
    await applications.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/flow\/business-dpi\?account=.+&protocol_id=\d+/);

    const { username } = await makeStaff(admin, grantsOf(['device_list', 'business_flow'], '10'));
    const staff = await page.context().newPage();
    await loginAt(staff, await logIn(username), `/device/detail/${device?.id}`, { lang });
    await openTraffic(staff, lang);
    await expect(chart(staff, lang)).toBeVisible();
    await expect(staff.getByRole('list', { name: s(['应用流量排行', 'Traffic by application']) })).toHaveCount(0);
  });
}
