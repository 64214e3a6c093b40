import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { type Browser, expect } from '@playwright/test';
import { type BillingFixture, makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { input } from './support/form.ts';
import { loginAt, toast } from './support/login-as.ts';
import { rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { unique } from './support/world.ts';

const zones = ['Asia/Shanghai', 'America/New_York'] as const;

const openIn = async (browser: Browser, timezoneId: string, billing: BillingFixture, path: string) => {
  const page = await (await browser.newContext({ timezoneId })).newPage();
  await loginAt(page, billing.seller, path);
  return page;
};

/** The first second of a day in UTC+8, which is still the day before in America. */
const midnight = Date.UTC(2030, 4, 31, 16) / 1000;

test('shows an expiry on the same day in every browser, and finds it by a day filter', { tag: '@all' }, async ({ browser }) => {
  const billing = await makeBillingFixture();
  const mark = unique('z');
  await openAccount(billing, { account: `${mark}_in`, expire_at: midnight });
  await openAccount(billing, { account: `${mark}_out`, expire_at: midnight - 1 });
  for (const zone of zones) {
    const page = await openIn(browser, zone, billing, `/user/list?account=${mark}`);
    await expect(rowOf(page, `${mark}_in`)).toContainText('2030-06-01 00:00:00');
    await expect(rowOf(page, `${mark}_out`)).toContainText('2030-05-31 23:59:59');
    await page.getByText('2030-06-01 00:00:00').hover();
    await expect(page.getByText('UTC+8').first()).toBeVisible();

    await page.getByRole('button', { name: '筛选设置' }).click();
    const settings = page.getByRole('dialog');
    await settings.getByRole('checkbox', { name: '到期时间' }).check();
    await settings.getByRole('button', { name: '确定', exact: true }).click();
    const filter = page.locator('.filter').filter({ hasText: '到期时间' });
    await filter.getByRole('textbox').first().click();
    for (const at of [0, 1]) {
      await filter.getByRole('textbox').nth(at).fill('2030-06-01');
      await filter.getByRole('textbox').nth(at).press('Enter');
    }
    await page.getByRole('button', { name: '查询', exact: true }).click();
    await expect(rowOf(page, mark)).toHaveCount(1);
    await expect(rowOf(page, `${mark}_in`)).toBeVisible();
    await page.context().close();
  }
});

test('stores an expiry entered in another time zone as the last second of that day in UTC+8', async ({ browser }) => {
  const billing = await makeBillingFixture();
  const { id } = await openAccount(billing);
  const page = await openIn(browser, 'America/New_York', billing, `/user/mod/${id}`);
  const form = page.getByRole('form', { name: '编辑用户' });
  await input(form, '账号到期时间').fill('2031-01-01');
  await input(form, '账号到期时间').press('Enter');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(toast(page)).toHaveText('保存成功');
  expect(zonedTime((await billing.seller.call(userCalls.read, { id })).expire_at ?? 0)).toBe('2031-01-01 23:59:59');
  await page.context().close();
});
