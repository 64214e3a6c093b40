import { say, type Text } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { menuItem, rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { newVno, unique } from './support/world.ts';

const day = 86_400;
const now = () => Math.floor(Date.now() / 1000);
const dayText = (epoch: number) => zonedTime(epoch).slice(0, 10);
const main = (page: Page) => page.getByRole('main');
const list = (text: string) => `/user/list?account=${text}`;

const typeDay = async (box: Locator, label: string, value: string) => {
  await input(box, label).fill(value);
  await input(box, label).press('Enter');
};

/** Runs a batch action, from the toolbar or its menu. */
const batch = async (page: Page, name: string) => {
  const inLine = main(page).getByRole('button', { name, exact: true });
  if ((await inLine.count()) > 0) return inLine.click();
  await main(page)
    .getByRole('button', { name: /^(更多|More)$/ })
    .first()
    .click();
  await (await menuItem(page, name)).click();
};

const runBatchAction = async (page: Page, name: string) => {
  const head = page.locator('.detail-head');
  await expect(head).toBeVisible();
  const inLine = head.getByRole('button', { name, exact: true });
  if ((await inLine.count()) > 0) return inLine.click();
  await head.getByRole('button', { name: /^(更多|More)/ }).click();
  await (await menuItem(page, name)).click();
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (...text: Text) => say(text, lang);

  test(`reserves a shutdown on the user page, shows it, and withdraws it (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const { id } = await openAccount(billing);
    await loginAt(page, billing.seller, `/user/detail/${id}`, { lang });
    await runBatchAction(page, t('预约停机', 'Reserve shutdown'));
    const box = dialog(page, t('预约停机', 'Reserve shutdown'));
    const label = t('停机日期', 'Shutdown date');
    await typeDay(box, label, dayText(now() - day));
    await confirm(box, lang);
    await expect(refusal(box, label)).toHaveText(t('停机时间须晚于当前时间', 'The shutdown must be in the future'));
    const on = dayText(now() + 30 * day);
    await typeDay(box, label, on);
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('预约停机成功', 'Reserve shutdown: done'));
    await expect(page.locator('.fact-strip')).toContainText(t(`${on} 停机`, `Shutdown on ${on}`));
    const { shutdown_at } = await billing.seller.call(userCalls.read, { id });
    expect(zonedTime(shutdown_at ?? 0)).toBe(`${on} 00:00:00`);

    await runBatchAction(page, t('撤销停机', 'Withdraw shutdown'));
    await dialog(page)
      .getByRole('button', { name: t('确定', 'Confirm'), exact: true })
      .click();
    await expect(toast(page)).toHaveText(t('撤销停机成功', 'Withdraw shutdown: done'));
    await expect(page.locator('.fact-strip')).not.toContainText(on);
  });

  test(`extends the expiry of several accounts at once (${lang})`, { tag: '@all' }, async ({ page }) => {
    const billing = await makeBillingFixture();
    const mark = unique('x');
    const expire_at = now() + 10 * day;
    const made = await Promise.all(['1', '2'].map((n) => openAccount(billing, { account: `${mark}_${n}`, expire_at })));
    await loginAt(page, billing.seller, list(mark), { lang });
    await expect(rowOf(page, `${mark}_`)).toHaveCount(2);
    await page.getByRole('checkbox', { name: t('选择本页', 'Select this page') }).check();
    await batch(page, t('延长到期时间', 'Extend expiry'));
    const box = dialog(page, t('延长到期时间', 'Extend expiry'));
    await input(box, t('天数', 'Days')).fill('30');
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('延长到期时间成功，共 2 条', 'Extend expiry: 2 done'));
    for (const { id } of made) expect((await billing.seller.call(userCalls.read, { id })).expire_at).toBe(expire_at + 30 * day);
  });
}

test('edits an account without an ID number, and adds a passport', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id } = await openAccount(billing, { account_type: 'job', id_number: undefined });
  await loginAt(page, billing.seller, `/user/mod/${id}`);
  const form = page.getByRole('form', { name: '编辑用户' });
  await input(form, '姓名').fill('无证船员');
  await line(form, '证件类型').getByRole('radio', { name: '护照' }).check();
  await input(form, '证件号码').fill('E-1');
  await input(form, '证件号码').blur();
  await expect(refusal(form, '证件号码')).toHaveText('证件号码为5-20位字母或数字');
  await input(form, '证件号码').fill('E12345678');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(toast(page)).toHaveText('保存成功');
  expect(await billing.seller.call(userCalls.read, { id })).toMatchObject({ name: '无证船员', id_type: 'passport', id_number: 'E****78' });
});

test('shows the usage of a package in days instead of seconds', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/detail/${id}`);
  const usage = page.getByRole('region', { name: '套餐用量' });
  await expect(usage).toContainText('时长已用');
  await expect(usage).toContainText('剩 30天 / 30天');
  await expect(usage.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
});

test('hides account opening from the list in agent mode 2', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno({ agent_mode: 2 });
  await loginAt(page, vno, '/user/list');
  await expect(main(page).getByRole('button', { name: '查询', exact: true })).toBeVisible();
  const more = main(page).getByRole('button', { name: '更多', exact: true });
  if ((await more.count()) > 0) await more.click();
  for (const name of ['导入', '下载模板', '开户', '批量开户']) {
    await expect(main(page).getByRole('button', { name, exact: true })).toHaveCount(0);
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0);
  }
});

test('offers packages by weight, highest first, then by name', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const mark = unique('w');
  const weights = { a: 1, b: 1, z: 90 };
  for (const [name, weight] of Object.entries(weights))
    await makePackage(billing.seller, [billing.device.id], { name: `${mark}${name}`, weight });
  await loginAt(page, billing.seller, '/user/create');
  const form = page.getByRole('form', { name: '用户开户' });
  await form.getByRole('combobox', { name: /^套餐/ }).fill(mark);
  const offered = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option');
  await expect(offered).toHaveText(['z', 'a', 'b'].map((name) => new RegExp(`^${mark}${name}¥200.00`)));
});
