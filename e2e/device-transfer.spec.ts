import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator } from '@playwright/test';
import { as } from './support/api.ts';
import { deviceOf, newGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { newVno } from './support/world.ts';

/** Finds the VNO by typing. */
const chooseVno = async (form: Locator, label: string, name: string) => {
  const box = form.getByRole('combobox', { name: label });
  await box.fill(name);
  await form.page().locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByTitle(name).click();
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    transfer: t('转移', 'Transfer'),
    form: t('设备转移', 'Transfer device'),
    to: t('转入VNO', 'To VNO'),
    transfers: t('转移记录', 'Transfers'),
  };

  test(`transfers a gateway to another VNO and logs it (${lang})`, async ({ page }) => {
    const admin = await as('admin');
    const giver = await newVno();
    const taker = await newVno();
    const gateway = await newGateway({ vno: giver });
    await loginAt(page, admin, `/device/list?sn=${gateway.sn}`, { lang });
    const row = rowOf(page, gateway.sn);
    await runAction(row, labels.transfer);
    const form = dialog(page, labels.form);
    await expect(form.getByRole('status')).toContainText(giver.name);
    // The current VNO is not offered.
    await form.getByRole('combobox', { name: labels.to }).fill(giver.name);
    await expect(page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByTitle(giver.name)).toHaveCount(0);
    await chooseVno(form, labels.to, taker.name);
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(
      t('转移已发起，网关须在15分钟内完成', 'Transfer started. The gateway must complete it within 15 minutes.'),
    );
    await expect(row).toContainText(taker.name);
    await expect.poll(async () => (await deviceOf(taker, gateway.sn))?.online_state).toBe(1);
    expect(await deviceOf(giver, gateway.sn)).toBeUndefined();
    await runAction(row, labels.transfers);
    const drawer = dialog(page, new RegExp(labels.transfers));
    await expect(drawer).toContainText(t('已转移', 'Transferred'));
    await expect(drawer).toContainText(giver.name);
  });

  test(`keeps a gateway that refuses a transfer, and lets the operator clear the status (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await as('admin');
    const giver = await newVno();
    const taker = await newVno();
    const gateway = await newGateway({ vno: giver });
    await gateway.fault({ transfer: 'refuse' });
    await loginAt(page, admin, `/device/list?sn=${gateway.sn}`, { lang });
    const row = rowOf(page, gateway.sn);
    await runAction(row, labels.transfer);
    const form = dialog(page, labels.form);
    await chooseVno(form, labels.to, taker.name);
    await confirm(form, lang);
    await expect.poll(async () => (await deviceOf(giver, gateway.sn))?.transfer_status).toBe('failed');
    await runAction(row, labels.transfers);
    const drawer = dialog(page, new RegExp(labels.transfers));
    await expect(drawer).toContainText(t('网关拒绝转移：refused', 'The gateway refused the transfer: refused'));
    await drawer.getByRole('button', { name: t('关闭', 'Close'), exact: true }).click();
    await runAction(row, t('清除转移状态', 'Clear transfer status'));
    await page.getByRole('button', { name: t('确定', 'Confirm'), exact: true }).click();
    await expect.poll(async () => (await deviceOf(giver, gateway.sn))?.transfer_status).toBeNull();
  });
}
