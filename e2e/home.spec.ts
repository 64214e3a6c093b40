import { homeCalls } from '@farlink/contract/home/home.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { storyLangs } from './support/story-langs.ts';
import { total } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeStaff, newVno } from './support/world.ts';

const heading = (page: Page, lang: Lang) => page.getByRole('heading', { level: 1, name: say(['首页概览', 'Dashboard'], lang) });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const numberIn = async (text: Promise<string | null>) => Number(((await text) ?? '').replace(/\D/g, ''));

/** Opens the page behind a figure and compares its total with the figure. Other stories change the fleet at the same time. */
const follow = (page: Page, figure: Locator) =>
  expect(async () => {
    await openPath(page, '/home/dashboard');
    const shown = await numberIn(figure.locator('b').textContent());
    await figure.click({ timeout: 5000 });
    await expect(page).toHaveURL(/device\/list\?/);
    await expect.poll(() => numberIn(total(page).textContent()), { timeout: 5000 }).toBe(shown);
  }).toPass({ timeout: 40_000 });

for (const lang of storyLangs(import.meta.url)) {
  const s = (text: Text) => say(text, lang);

  test(`shows figures that equal the totals of the linked pages, on a screen and on a phone (${lang})`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await loginAt(page, await logIn('admin'), '/index', { lang });
    await expect(page).toHaveURL('/home/dashboard');
    await expect(heading(page, lang)).toBeVisible();
    await expect(page.getByRole('application', { name: s(['设备地图', 'Map of devices']) })).toBeVisible();
    for (const name of [
      ['设备分布', 'Fleet'],
      ['近7天业务流量趋势', 'Business traffic, last 7 days'],
      ['应用流量TOP10', 'Top 10 applications by traffic'],
      ['设备授权分布', 'Devices by authorization'],
      ['待处理反馈', 'Pending feedback'],
      ['最新公告', 'Latest notices'],
    ] as const)
      await expect(card(page, s(name))).toBeVisible();
    await expectAccessibleInBothThemes(page, 'dashboard');

    const chart = page.getByRole('slider', { name: s(['每日流量', 'Traffic by day']) });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(chart).toHaveAttribute('aria-valuetext', /\d{2}-\d{2}/);

    const lines = card(page, s(['需要关注的设备', 'Devices that need attention']));
    await follow(page, lines.getByRole('link', { name: s(['在L波段上', 'On L-band']) }));
    await follow(page, lines.getByRole('link', { name: s(['授权30天内到期', 'Authorization expires within 30 days']) }));
    const auth = card(page, s(['设备授权分布', 'Devices by authorization']));
    await follow(page, auth.getByRole('link', { name: s(['正式授权', 'Licensed']) }));

    await openPath(page, '/home/dashboard');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(heading(page, lang)).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await follow(page, auth.getByRole('link', { name: s(['正式授权', 'Licensed']) }));
  });

  test(`shows only permitted cards, and shows the first steps to a new VNO (${lang})`, { tag: '@all' }, async ({ page, browser }) => {
    const northfish = await as('northfish');
    const { username } = await makeStaff(northfish, grantsOf(['home_dashboard'], '10'));
    const reader = await logIn(username);
    expect(Object.keys(await reader.call(homeCalls.summary)).sort()).toEqual(['at', 'notices']);
    await loginAt(page, reader, '/index', { lang });
    await expect(page).toHaveURL('/home/dashboard');
    const notices = card(page, s(['最新公告', 'Latest notices']));
    await expect(notices).toBeVisible();
    await expect(card(page, s(['设备分布', 'Fleet']))).toHaveCount(0);
    await expect(mainMenu(page).getByRole('link')).toHaveCount(1);
    const first = notices.getByRole('button').first();
    if ((await first.count()) > 0) {
      const title = await first.textContent();
      await first.click();
      await expect(dialog(page)).toContainText(title ?? '');
    }

    const tab = await browser.newPage();
    await loginAt(tab, await newVno(), '/index', { lang });
    await expect(card(tab, s(['从这里开始', 'Get started']))).toBeVisible();
    await expectAccessible(tab);
    await tab.getByRole('link', { name: s(['创建上网套餐', 'Create a package']) }).click();
    await expect(tab).toHaveURL('/package/net');
    await openPath(tab, '/home/dashboard');
    await expect(heading(tab, lang)).toBeVisible();
    await tab.close();
  });
}
