import { say, type Text } from '@farlink/contract/kit/text.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, readReceipt, toast } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { storyLangs } from './support/story-langs.ts';
import { menuItem, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeStaff, unique } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');
const only = (account: string) => `/user/list?account=${account}`;
const ok = (page: Page) => page.getByRole('dialog').getByRole('button', { name: '确定', exact: true });

/** Runs an action of the account page, from the toolbar or its menu. */
const openAction = async (page: Page, name: string) => {
  const head = page.locator('.detail-head');
  const inLine = head.getByRole('button', { name, exact: true });
  await expect(head).toBeVisible();
  if ((await inLine.count()) > 0) return inLine.click();
  await head.getByRole('button', { name: '更多' }).click();
  await (await menuItem(page, name)).click();
};

/** Chooses from a list that needs a search. */
const find = async (form: Locator, label: RegExp, option: string) => {
  await form.getByRole('combobox', { name: label }).fill(option);
  const list = form.page().locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  // The option includes the price.
  await list.getByText(new RegExp(`^${option.replace(/[^\p{L}\d]/gu, '\\$&')}( · |$)`)).click();
};

const fillAccount = async (form: Locator, account: string, texts: readonly (readonly [Text, string])[], lang: 'zh' | 'en') => {
  await input(form, say(['上网账号', 'Online account'], lang)).fill(account);
  for (const label of [
    ['上网密码', 'Internet password'],
    ['确认密码', 'Confirm password'],
  ] as const)
    await input(form, say(label, lang)).fill('sea1234');
  for (const [label, value] of texts) await input(form, say(label, lang)).fill(value);
};

for (const lang of storyLangs(import.meta.url)) {
  test(`opens an account at the counter and shows its page (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const known = await openAccount(billing);
    await loginAt(page, billing.seller, '/user/create', { lang });
    const form = page.getByRole('form', { name: say(['用户开户', 'Open account'], lang) });
    const submit = form.getByRole('button', { name: say(['提交开户', 'Open account'], lang) });
    await submit.click();
    await expect(refusal(form, say(['姓名', 'Full name'], lang))).toHaveText(say(['请输入姓名', 'Please enter full name'], lang));
    // The prefix and the rules are those of the VNO of the device.
    await find(form, new RegExp(say(['绑定设备', 'Device'], lang)), billing.device.label);
    await input(form, say(['上网账号', 'Online account'], lang)).fill(known.account.toUpperCase());
    await expect(form.getByText(say(['已存在', 'already exists'], lang))).toBeVisible();

    const account = unique('u_');
    const texts = [
      [['姓名', 'Full name'], '陈海生'],
      [['手机号', 'Phone'], '13800009876'],
      [['证件号码', 'ID number'], '11010519491231002X'],
      [['绑定MAC', 'Bound MAC'], 'AA:BB:CC:DD:EE:FF'],
    ] as const;
    await fillAccount(form, account, texts, lang);
    await input(form, say(['账号到期时间', 'Expiry date'], lang)).click();
    await page.getByText(say(['1年', '1 year'], lang), { exact: true }).click();
    await find(form, new RegExp(say(['绑定设备', 'Device'], lang)), billing.device.label);
    await find(form, new RegExp(`^${say(['套餐', 'Package'], lang)}`), billing.package.name);
    await expect(line(form, say(['套餐', 'Package'], lang))).toContainText('98.00');
    await submit.click();
    await readReceipt(page, [account, billing.package.name, '¥98.00']);
    await expect(page).toHaveURL(/\/user\/detail\/\d+$/);
    await expect(page.locator('.detail-head')).toContainText(account);
    await expect(main(page)).toContainText('138****9876');
    await expect(main(page)).toContainText('110105********002X');
    await expect(main(page)).toContainText('aa:bb:cc:dd:ee:ff');
    // No gateway has reported the new account.
    const fact = (label: Text) => page.locator('.fact-strip > div', { hasText: say(label, lang) });
    const panel = page.getByRole('region', { name: say(['服务状态', 'Service status'], lang) });
    await expect(panel.locator('dl > div', { hasText: say(['当前服务', 'Service now'], lang) })).toContainText(
      say(['等待网关', 'Waiting for the gateway'], lang),
    );
    await expect(fact(['最近使用', 'Last used'])).toContainText(say(['从未使用', 'Never'], lang));
    await page.getByRole('tab', { name: say(['消费账单', 'Bills'], lang) }).click();
    await expect(page.getByRole('tabpanel')).toContainText('98.00');
  });
}

test('reveals a masked value on request, and logs it for the account', async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/detail/${id}?tab=log`);
  await page.getByRole('button', { name: '显示证件号码' }).click();
  await expect(main(page)).toContainText('11010519491231002X');
  await page.getByRole('button', { name: '显示上网密码' }).click();
  await expect(main(page)).toContainText('sea1234');
  await page.reload();
  await expect(page.getByRole('tabpanel')).toContainText(`查看用户 ${account} 的证件号码`);
  await expect(page.getByRole('tabpanel')).toContainText(`查看用户 ${account} 的上网密码`);
  await expect(main(page)).not.toContainText('sea1234');
});

test('offers no reveal and no action with show-only rights', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { account } = await openAccount(billing);
  const admin = await as('admin');
  const { username } = await makeStaff(admin, grantsOf(['user_list'], '10'));
  await loginAt(page, await as(username), only(account));
  const row = rowOf(page, account);
  await expect(row).toContainText('138****1234');
  await expect(row.getByRole('button', { name: /显示手机号/ })).toHaveCount(0);
  await row.getByRole('button', { name: /^更多/ }).click();
  await expect(await menuItem(page, '禁用')).toHaveAttribute('aria-disabled', 'true');
});

test('deletes an account only after it is disabled, and removes it from the list', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { account } = await openAccount(billing);
  await loginAt(page, billing.seller, only(account));
  const row = rowOf(page, account);
  await row.getByRole('button', { name: /^更多/ }).click();
  await expect(await menuItem(page, '删除')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await runAction(row, '禁用');
  await ok(page).click();
  await expect(toast(page)).toHaveText('禁用成功');
  await expect(row).toContainText('禁用');
  await runAction(row, '删除');
  await expect(dialog(page)).toContainText(`${account}：已付款而未用完的套餐价值 ¥`);
  await ok(page).click();
  await expect(toast(page)).toHaveText('删除成功');
  await expect(rowOf(page, account)).toHaveCount(0);
});

test('names unsuitable accounts before a batch action, and failed ones after it', async ({ page }) => {
  const billing = await makeBillingFixture();
  const mark = unique('b');
  const made = await Promise.all(['1', '2', '3'].map((n) => openAccount(billing, { account: `${mark}_${n}` })));
  await billing.seller.call(userCalls.forbid, { ids: [made[0]?.id], operate: 'disable' });
  await loginAt(page, billing.seller, only(mark));
  await expect(rowOf(page, `${mark}_`)).toHaveCount(3);
  await page.getByRole('checkbox', { name: '选择本页' }).check();
  await main(page).getByRole('button', { name: '预约停机' }).click();
  const shutdown = dialog(page, '预约停机');
  const skipped = shutdown
    .getByRole('list', { name: '跳过（1）' })
    .getByRole('listitem')
    .filter({ hasText: `${mark}_1` });
  await expect(skipped).toContainText('仅正常或停机的账号可以预约停机');
  await shutdown.getByRole('button', { name: '取消', exact: true }).click();
  await main(page).getByRole('button', { name: '启用/禁用' }).click();
  const box = dialog(page, '启用/禁用账号');
  await box.getByRole('radio', { name: '冻结' }).check();
  // One of the accounts is disabled elsewhere meanwhile.
  await billing.seller.call(userCalls.forbid, { ids: [made[1]?.id], operate: 'disable' });
  await confirm(box);
  const failed = page.getByRole('region', { name: '失败明细' }).locator('tbody').getByRole('row');
  await expect(failed).toHaveCount(2);
  for (const n of [1, 2]) await expect(failed.filter({ hasText: `${mark}_${n}` })).toContainText('当前状态不允许此操作');
  await expect(rowOf(page, `${mark}_`).filter({ hasText: '冻结' })).toHaveCount(1);
});

test('asks before disabling the custom policy, because that clears it', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/detail/${id}`);
  await openAction(page, '自定义策略');
  const box = dialog(page, '自定义策略');
  await box.getByRole('radio', { name: '开启' }).check();
  await confirm(box);
  await expect(toast(page)).toHaveText('自定义策略成功');
  await page.reload();
  await openAction(page, '自定义策略');
  await expect(box.getByRole('radio', { name: '开启' })).toBeChecked();
  await box.getByRole('radio', { name: '关闭' }).check();
  await confirm(box);
  const question = page.getByRole('dialog').filter({ hasText: '将清空该用户的策略配置' });
  await expect(question).toContainText(`对象：${account}`);
  await question.getByRole('button', { name: '取消', exact: true }).click();
  await expect(toast(page)).toHaveText('已取消');
  await confirm(box);
  await question.getByRole('button', { name: '确定', exact: true }).click();
  await expect(toast(page)).toHaveText('自定义策略成功');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await billing.seller.call(userCalls.read, { id })).toMatchObject({ custom_policy: 0 });
});

test('keeps masked values in an edit, refuses an edit without changes, and unbinds an account with several logins', {
  tag: '@all',
}, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing, { bind_ip: '10.1.2.3' });
  await loginAt(page, billing.seller, only(account));
  await runAction(rowOf(page, account), '编辑');
  const form = page.getByRole('form', { name: '编辑用户' });
  await expect(input(form, '手机号')).toHaveValue('138****1234');
  const save = form.getByRole('button', { name: '保存' });
  await save.click();
  await expect(toast(page)).toHaveText('您未做任何修改');
  await input(form, '姓名').fill('改名人');
  await input(form, '允许登录数').fill('3');
  await expect(line(form, '绑定IP')).toHaveCount(0);
  await save.click();
  await expect(toast(page)).toHaveText('保存成功');
  await expect(rowOf(page, account)).toContainText('改名人');
  const after = await billing.seller.call(userCalls.read, { id });
  expect(after).toMatchObject({ name: '改名人', allow_logins: 3, bind_ip: null, phone: '138****1234' });
  expect(await billing.seller.call(userCalls.reveal, { id, field: 'phone' })).toEqual({ value: '13800001234' });
});

test('has no serious accessibility violation on the account pages', async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing);
  await loginAt(page, billing.seller, only(account));
  await expect(rowOf(page, account)).toHaveCount(1);
  await expectAccessibleInBothThemes(page);
  await openPath(page, `/user/detail/${id}`);
  await expect(main(page)).toContainText(billing.package.name);
  await expectAccessibleInBothThemes(page, 'detail page');
  await openPath(page, `/user/mod/${id}`);
  await expect(page.getByRole('form', { name: '编辑用户' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await openPath(page, '/user/create');
  await expect(page.getByRole('form', { name: '用户开户' })).toBeVisible();
  await expectAccessibleInBothThemes(page, 'form page');
});
