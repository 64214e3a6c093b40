import { expect, type Page } from '@playwright/test';
import { test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });

const left: string[] = [];
const used: Page[] = [];

test('a story changes its page', { tag: '@all' }, async ({ page, context }) => {
  used.push(page);
  await page.addInitScript(() => Object.assign(globalThis, { isChanged: true }));
  page.on('request', (request) => left.push(request.url()));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.route('**/healthz', (route) => route.fulfill({ body: 'changed' }));
  await context.grantPermissions(['geolocation']);
  await page.goto('/login');
  await page.evaluate(() => {
    localStorage.setItem('left', '1');
    sessionStorage.setItem('left', '1');
    // biome-ignore lint/suspicious/noDocumentCookie: A cookie that scripts can set.
    document.cookie = 'left=1';
    addEventListener('pagehide', () => localStorage.setItem('at-the-end', '1'));
    addEventListener('beforeunload', (event) => event.preventDefault());
  });
  await page.setViewportSize({ width: 500, height: 500 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('input[name=account]').hover();
  await context.newPage();
  await context.setOffline(true);
});

test('the next story has the same page and finds nothing of it', { tag: '@all' }, async ({ page, context, viewport }) => {
  expect(used).toEqual([page]);
  const before = left.length;
  expect(page.url()).toBe('about:blank');
  expect(page.viewportSize()).toEqual(viewport);
  expect(context.pages()).toEqual([page]);
  expect(await context.cookies()).toEqual([]);
  await page.goto('/login');
  await page.setViewportSize({ width: 500, height: 500 });
  await expect(page.locator('input[name=account]')).toBeVisible();
  const found = await page.evaluate(async () => ({
    pointedAt: document.querySelectorAll('input:hover').length,
    stored: [localStorage.getItem('left'), sessionStorage.getItem('left'), localStorage.getItem('at-the-end')],
    isChanged: 'isChanged' in globalThis,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    permission: (await navigator.permissions.query({ name: 'geolocation' })).state,
    health: await fetch('/healthz').then((response) => response.text()),
  }));
  expect(found).toMatchObject({ pointedAt: 0, stored: [null, null, null], isChanged: false, isDark: false });
  expect(found.permission).not.toBe('granted');
  expect(found.health).not.toBe('changed');
  expect(left.length).toBe(before);
});

test('a fake clock is not in the next story', { tag: '@all' }, async ({ page }) => {
  await page.clock.install({ time: '2020-01-01T00:00:00Z' });
  await page.goto('/login');
  expect(await page.evaluate(() => new Date().getFullYear())).toBe(2020);
});

test('the story after a fake clock has the real time', { tag: '@all' }, async ({ page }) => {
  await page.goto('/login');
  expect(await page.evaluate(() => new Date().getFullYear())).toBeGreaterThan(2020);
});
