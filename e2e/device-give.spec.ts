import { expect, type Locator, test } from '@playwright/test';
import { as } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { deviceOf, freshGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { rowOf, take } from './support/table.ts';
import { newVno } from './support/world.ts';

/** Among many, by typing. */
const chooseVno = async (form: Locator, label: string, name: string) => {
  const box = form.getByRole('combobox', { name: label });
  await box.fill(name);
  await form.page().locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByTitle(name).click();
};

test('a gateway changes hands: its new VNO has it, the old one does not, and the record tells of it', async ({ page }) => {
  const admin = await as('admin');
  const [giver, taker] = [await newVno(), await newVno()];
  const gateway = await freshGateway({ vno: giver });
  await sitAt(page, admin, `/device/list?sn=${gateway.sn}`);
  const row = rowOf(page, gateway.sn);
  await take(row, '转移');
  const form = dialog(page, '设备转移');
  await chooseVno(form, '转入VNO', taker.name);
  await confirm(form);
  await expect(notice(page)).toHaveText('转移已发起，网关须在15分钟内完成');
  await expect(row).toContainText(taker.name, { timeout: 30_000 });
  await expect.poll(async () => (await deviceOf(taker, gateway.sn))?.online_state).toBe(1);
  expect(await deviceOf(giver, gateway.sn)).toBeUndefined();
  await take(row, '转移记录');
  const drawer = dialog(page, /转移记录/);
  await expect(drawer).toContainText('已转移');
  await expect(drawer).toContainText(giver.name);
});

test('a gateway that refuses stays where it is, and an operator clears the status', async ({ page }) => {
  const admin = await as('admin');
  const [giver, taker] = [await newVno(), await newVno()];
  const gateway = await freshGateway({ vno: giver });
  await gateway.fault({ transfer: 'refuse' });
  await sitAt(page, admin, `/device/list?sn=${gateway.sn}`, { lang: 'en' });
  const row = rowOf(page, gateway.sn);
  await take(row, 'Transfer');
  const form = dialog(page, 'Transfer device');
  await chooseVno(form, 'To VNO', taker.name);
  await confirm(form, 'en');
  await expect.poll(async () => (await deviceOf(giver, gateway.sn))?.transfer_status).toBe('failed');
  await take(row, 'Transfers');
  await expect(dialog(page, /Transfers/)).toContainText('The gateway refused the transfer: refused');
  await dialog(page, /Transfers/)
    .getByRole('button', { name: /close/i })
    .click();
  await take(row, 'Clear transfer status');
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect.poll(async () => (await deviceOf(giver, gateway.sn))?.transfer_status).toBeNull();
});
