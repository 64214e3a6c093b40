import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { dialog, loginAt, question } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { grantsOf, makeStaff } from './support/world.ts';

const facts = (page: Page) => page.getByRole('tabpanel');

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`links a referenced object to its page, in lists and details (${lang})`, async ({ page }) => {
    const bluesea = { ...(await logIn('bluesea')), username: 'bluesea' };
    const gateway = await newGateway({ vno: bluesea });
    await loginAt(page, bluesea, `/device/list?sn=${gateway.sn}`, { lang });
    await rowOf(page, gateway.sn)
      .getByRole('link', { name: /BlueSea/ })
      .click();
    await expect(page).toHaveURL(/\/vno\/list\?name=/);
    await expect(rowOf(page, 'bluesea')).toHaveCount(1);
    await page.goto(`/device/detail/${gateway.deviceId}`);
    await facts(page)
      .getByRole('link', { name: /BlueSea/ })
      .click();
    await expect(page).toHaveURL(/\/vno\/list\?name=/);
  });

  test(`names the object and the consequences in a confirmation (${lang})`, { tag: '@all' }, async ({ page }) => {
    const bluesea = { ...(await logIn('bluesea')), username: 'bluesea' };
    const gateway = await newGateway({ vno: bluesea });
    await gateway.power('off');
    await loginAt(page, bluesea, `/device/list?sn=${gateway.sn}`, { lang });
    await expect(rowOf(page, gateway.sn)).toContainText(t('离线', 'Offline'));
    await runAction(rowOf(page, gateway.sn), t('删除', 'Delete'));
    const confirmDialog = question(page, lang);
    await expect(confirmDialog).toContainText(t(`对象：${gateway.sn}`, `For ${gateway.sn}`));
    await expect(confirmDialog).toContainText(t('解除其绑定关系，且不可恢复', 'removes its bindings and cannot be undone'));
    await confirm(confirmDialog, lang);
    await expect(rowOf(page, gateway.sn)).toHaveCount(0);
  });
}

test('links the device of an account only for staff who can open devices', { tag: '@all' }, async ({ page, browser }) => {
  const billing = await makeBillingFixture(await as('bluesea'));
  const { account } = await openAccount(billing);
  const path = `/device/detail/${billing.device.id}`;
  await loginAt(page, billing.seller, `/user/list?account=${account}`);
  const bound = rowOf(page, account).locator(`a[href="${path}"]`);
  const name = (await bound.textContent()) ?? '';
  await bound.click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));

  const { username } = await makeStaff(billing.seller, grantsOf(['user_list'], '10'));
  const other = await (await browser.newContext()).newPage();
  await loginAt(other, await as(username), `/user/list?account=${account}`);
  await expect(rowOf(other, account)).toContainText(name);
  await expect(rowOf(other, account).locator(`a[href="${path}"]`)).toHaveCount(0);
  await other.context().close();
});

test('links bill numbers and the devices of a package to their pages', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture(await as('bluesea'));
  const { id } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/detail/${id}?tab=bills`);
  const bill = page.getByRole('tabpanel').getByRole('link', { name: /^B\d{8}-\d+-\d{6}$/ });
  const number = (await bill.textContent()) ?? '';
  await bill.click();
  await expect(page).toHaveURL(new RegExp(`/finance/counter\\?bill_no=${number}$`));
  // In the bill list the number opens the receipt, which links to the package.
  await rowOf(page, number).getByRole('button', { name: number, exact: true }).click();
  const receipt = dialog(page, '收据');
  await expect(receipt.getByRole('link', { name: number })).toHaveAttribute('href', `/finance/counter?bill_no=${number}`);
  await receipt.getByRole('link', { name: billing.package.name }).click();
  await expect(page).toHaveURL(/\/package\/net\?name=/);
  await runAction(rowOf(page, billing.package.name), '详情');
  await dialog(page)
    .getByRole('link', { name: billing.device.label.split(' (')[0] ?? '' })
    .click();
  await expect(page).toHaveURL(new RegExp(`/device/detail/${billing.device.id}$`));
});
