import { gzipSync } from 'node:zlib';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { type Browser, expect, type Page, type Response } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { loginAs } from './support/login-as.ts';
import { rows } from './support/table.ts';
import { test } from './support/test.ts';

/** A live stream does not end, and has no content at first. */
const gzipSize = async (response: Response) =>
  response.url().includes('/live?') ? 0 : gzipSync(await response.body(), { level: 9 }).length;

/** Requests and compressed bytes of a page in a browser with an empty cache. */
const openFresh = async (browser: Browser, path: string, isReady: (page: Page) => Promise<unknown>, without = /^$/) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.url().startsWith('http') && !without.test(response.url())) sizes.set(response.url(), gzipSize(response));
  });
  await loginAs(page, await logIn('admin'));
  await page.goto(path);
  await isReady(page);
  const bytes = await Promise.all(sizes.values());
  await context.close();
  return { urls: [...sizes.keys()], kilobytes: bytes.reduce((sum, size) => sum + size, 0) / 1000 };
};

test('the user list is shown after at most 12 requests and 255 KB', async ({ browser }) => {
  const { urls, kilobytes } = await openFresh(browser, '/user/list', (page) => expect(rows(page).first()).toBeVisible());
  expect(kilobytes, urls.join('\n')).toBeLessThanOrEqual(255);
  expect(urls.length, urls.join('\n')).toBeLessThanOrEqual(12);
});

test('a configuration page is shown after at most 15 requests and 310 KB', async ({ browser }) => {
  const bluesea = await as('bluesea');
  const [device] = (await bluesea.call(deviceCalls.list, { page: 1, limit: 1 })).list;
  const path = `/device/gateway-config/${device?.id}?page=network_dns`;
  const { urls, kilobytes } = await openFresh(browser, path, (page) => expect(page.locator('.config-main input').first()).toBeVisible());
  expect(kilobytes, urls.join('\n')).toBeLessThanOrEqual(310);
  expect(urls.length, urls.join('\n')).toBeLessThanOrEqual(15);
});

test('the page of a device is shown after at most 24 requests and 300 KB, without its map', async ({ browser }) => {
  const [device] = (await (await as('bluesea')).call(deviceCalls.list, { page: 1, limit: 1 })).list;
  const heading = (page: Page) =>
    expect(page.getByRole('heading', { name: say(['位置与航迹', 'Position and track'], 'zh') })).toBeVisible();
  const { urls, kilobytes } = await openFresh(browser, `/device/detail/${device?.id}`, heading, /-map-|unwrap-track|\/land-/);
  expect(kilobytes, urls.join('\n')).toBeLessThanOrEqual(300);
  expect(urls.length, urls.join('\n')).toBeLessThanOrEqual(24);
});

test('the dashboard loads coarse coastlines first', async ({ browser }) => {
  const { urls } = await openFresh(browser, '/home/dashboard', async (page) => {
    const coarse = page.waitForResponse(/land-110m/);
    await expect(page.getByRole('application', { name: say(['设备地图', 'Map of devices'], 'zh') })).toBeVisible();
    await coarse;
  });
  expect(urls.filter((url) => url.includes('land-50m'))).toEqual([]);
});
