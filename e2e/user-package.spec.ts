import { deviceCalls } from '@farlink/contract/device/device.ts';
import { errors } from '@farlink/contract/errors.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { makeCard, makeExtra, makePackage, someoneOnline } from './support/billing.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { addressOf } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, readReceipt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { column, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';

const main = (page: Page) => page.getByRole('main');

/** Finds an option by its name. */
const search = async (box: Locator, label: string, name: string) => {
  await line(box, label).getByRole('combobox').fill(name);
  await box.page().locator('.ant-select-item-option').filter({ hasText: name }).click();
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const discount = t('优惠金额（元）', 'Discount (yuan)');
  const received = t('实收金额（元）', 'Amount received (yuan)');

  /** Checks the bills of an account: income, expend, net income. */
  const expectBills = async (page: Page, query: string, bills: readonly (readonly string[])[]) => {
    await page.goto(`/finance/counter?${query}`);
    await expect(rows(page)).toHaveCount(bills.length);
    const names = [t('收入', 'Income'), t('支出', 'Expense'), t('净收入', 'Net income')];
    const found = await Promise.all(names.map((name) => column(page, name)));
    expect(bills.map((_, i) => found.map((values) => values[i]))).toEqual(bills);
  };

  test(`refunds the unused part on a package change, and shows it on the bill (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const next = await makePackage(billing.seller, [billing.device.id]);
    const { id, account } = await openAccount(billing);
    await loginAt(page, billing.seller, `/package/user?user_id=${id}`, { lang });
    const row = rowOf(page, billing.package.name);
    await expect(row).toContainText(t('待使用', 'To be used'));
    await row.getByRole('checkbox').check();
    await main(page)
      .getByRole('button', { name: t('变更套餐', 'Change package') })
      .click();
    const box = dialog(page, t('变更套餐', 'Change package'));
    await expect(box).toContainText(account);
    await confirm(box, lang);
    await expect(refusal(box, t('新套餐', 'New package'))).toBeVisible();
    await search(box, t('新套餐', 'New package'), next.name);
    await input(box, discount).fill('200.01');
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(say(errors.discount_too_high.text, lang));
    await input(box, discount).fill('20');
    await expect(box.getByRole('status')).toContainText('¥200.00 × 1 = ¥200.00');
    await expect(box.getByRole('status')).toContainText('-¥98.00');
    await expect(box.getByRole('status')).toContainText('¥82.00');
    await expect(input(box, received)).toHaveValue('82.00');
    await confirm(box, lang);
    await expect(box).toHaveCount(0);
    await readReceipt(page, [account, next.name, '¥82.00']);
    await expect(rowOf(page, next.name)).toContainText(t('待使用', 'To be used'));
    await expect(row).toContainText(t('已过期', 'Expired'));
    await expectBills(page, `account=${account}&expense_type=change_package`, [['200.00', '98.00', '82.00']]);
  });

  test(`requires an active package for an extra package, and bills by quantity (${lang})`, { tag: '@all' }, async ({ page }) => {
    const billing = await makeBillingFixture();
    const newAccount = await openAccount(billing);
    const someone = await someoneOnline(billing.seller);
    const extra = await makeExtra(billing.seller, [someone.device_id]);
    const action = t('订购加油包', 'Add extra package');
    await loginAt(page, billing.seller, `/package/user?user_id=${newAccount.id}`, { lang });
    await rowOf(page, newAccount.account)
      .getByRole('button', { name: /^(更多|More) / })
      .click();
    const refused = page.getByRole('menuitem', { name: action });
    await expect(refused).toHaveAttribute('aria-disabled', 'true');
    await expect(refused).toHaveAccessibleDescription(
      t(
        '工作账号不能订购加油包；套餐状态为正常或已用尽时才能订购加油包',
        'Not for job accounts. An extra package requires a package that is normal or exhausted.',
      ),
    );

    await page.goto(`/package/user?user_id=${someone.id}&package_status=normal`);
    await runAction(rowOf(page, someone.account).first(), action);
    const box = dialog(page, action);
    await search(box, t('加油包', 'Extra package'), extra.name);
    await input(box, t('份数', 'Quantity')).fill('100');
    await confirm(box, lang);
    await expect(refusal(box, t('份数', 'Quantity'))).toBeVisible();
    await input(box, t('份数', 'Quantity')).fill('3');
    await expect(input(box, received)).toHaveValue('36.00');
    await confirm(box, lang);
    await expect(box).toHaveCount(0);
    await readReceipt(page, [someone.account, extra.name, '¥36.00']);
    await page.goto(`/package/user?user_id=${someone.id}&package_id=${extra.id}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(t('第1期，共3期', '1 of 3'));
    await expectBills(page, `account=${someone.account}&package_id=${extra.id}`, [['36.00', '0.00', '36.00']]);
  });

  test(`recharges an account by periods, amount and card, each in its bill list (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const { account } = await openAccount(billing);
    const card = await makeCard(billing.seller);
    const action = t('充值', 'Recharge');
    await loginAt(page, billing.seller, `/user/list?account=${account}`, { lang });
    const box = dialog(page, action);
    const open = async (kind: string) => {
      await runAction(rowOf(page, account), action);
      await line(box, t('充值方式', 'Recharge type')).getByRole('radio', { name: kind }).check();
    };
    const done = async () => {
      await confirm(box, lang);
      await expect(box).toHaveCount(0);
      await readReceipt(page, [account]);
    };

    await open(t('续订当前套餐', 'Renew current package'));
    await input(box, t('续订份数', 'Periods')).fill('37');
    await confirm(box, lang);
    await expect(refusal(box, t('续订份数', 'Periods'))).toBeVisible();
    await input(box, t('续订份数', 'Periods')).fill('2');
    await input(box, discount).fill('6');
    await expect(box.getByRole('status')).toContainText('¥98.00 × 2 = ¥196.00');
    await expect(input(box, received)).toHaveValue('190.00');
    await done();

    await open(t('账户充值', 'Amount'));
    await input(box, t('充值金额（元）', 'Amount (yuan)')).fill('0');
    await confirm(box, lang);
    await expect(refusal(box, t('充值金额（元）', 'Amount (yuan)'))).toBeVisible();
    await input(box, t('充值金额（元）', 'Amount (yuan)')).fill('30.5');
    await done();

    await open(t('充值卡充值', 'Recharge card'));
    await input(box, t('充值卡号', 'Card number')).fill(card.number);
    await input(box, t('充值卡密码', 'Card password')).fill('WRONG');
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(say(errors.card_wrong.text, lang));
    await input(box, t('充值卡密码', 'Card password')).fill(card.password);
    await done();

    await expectBills(page, `account=${account}`, [
      ['30.50', '0.00', '30.50'],
      ['196.00', '0.00', '190.00'],
      ['98.00', '0.00', '98.00'],
    ]);
    const foot = page.locator('main tfoot');
    await expect(foot).toContainText(t('合计', 'Total'));
    for (const sum of ['324.50', '318.50']) await expect(foot).toContainText(sum);
    await page.goto(`/finance/card?account=${account}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(card.number);
  });
}

test('refuses a package change for accounts of different sources together', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/package/user?orderby=account+asc');
  await page.getByRole('checkbox', { name: '选择本页' }).check();
  const action = main(page).getByRole('button', { name: '变更套餐' });
  await expect(action).toHaveAttribute('aria-disabled', 'true');
  await expect(action).toHaveAttribute('data-tip', '所选账号不能包含工作账号、禁用账号或不同来源的账号');
});

test('returns the balance of an account', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { id, account } = await openAccount(billing);
  await billing.seller.call(moneyCalls.recharge, { ids: [id], kind: 'amount', amount: '30.5' });
  await loginAt(page, billing.seller, `/user/list?account=${account}`);
  await runAction(rowOf(page, account), '退还余额');
  const box = dialog(page, '退还余额');
  await expect(box.getByRole('status')).toContainText('应退 ¥30.50');
  await expect(input(box, '实退金额（元）')).toHaveValue('30.50');
  await input(box, '实退金额（元）').fill('30');
  await confirm(box);
  await expect(refusal(box, '实退金额（元）')).toHaveText('应退¥30.50，请核对');
  await input(box, '实退金额（元）').fill('30.5');
  await confirm(box);
  await expect(box).toHaveCount(0);
  await readReceipt(page, [account, '退费', '-¥30.50']);
  await rowOf(page, account)
    .getByRole('button', { name: /^更多 / })
    .click();
  await expect(page.getByRole('menuitem', { name: '充值' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: '退还余额' })).toHaveCount(0);
  await page.goto(`/finance/counter?account=${account}&expense_type=refund`);
  await expect(rows(page)).toHaveCount(1);
  expect([await column(page, '支出'), await column(page, '净收入')]).toEqual([['30.50'], ['-30.50']]);
});

/** The recharge of a new account by an amount. */
const openRecharge = async (page: Page) => {
  const billing = await makeBillingFixture();
  const { account } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/list?account=${account}`);
  await runAction(rowOf(page, account), '充值');
  const box = dialog(page, '充值');
  await line(box, '充值方式').getByRole('radio', { name: '账户充值' }).check();
  return { account, box };
};

test('charges the entered amount although the amount due is not calculated yet', { tag: '@all' }, async ({ page }) => {
  const { account, box } = await openRecharge(page);
  await input(box, '充值金额（元）').fill('10');
  await expect(input(box, '实收金额（元）')).toHaveValue('10.00');
  await page.route(addressOf(quoteCalls.recharge), () => {});
  await input(box, '充值金额（元）').fill('30.5');
  await expect(input(box, '实收金额（元）')).toHaveValue('');
  await confirm(box);
  await expect(box).toHaveCount(0);
  await readReceipt(page, [account, '¥30.50']);
});

test('creates no second bill for a second click after a lost response', { tag: '@all' }, async ({ page }) => {
  const { account, box } = await openRecharge(page);
  await input(box, '充值金额（元）').fill('30.5');
  await expect(input(box, '实收金额（元）')).toHaveValue('30.50');
  // The server processes the request, but the response is lost.
  await page.route(
    addressOf(moneyCalls.recharge),
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await confirm(box);
  await expect(toast(page)).toHaveText('请求失败');
  await confirm(box);
  await expect(box).toHaveCount(0);
  await readReceipt(page, [account, '¥30.50']);
  await page.goto(`/finance/counter?account=${account}&expense_type=recharge`);
  await expect(rows(page)).toHaveCount(1);
});

test('offers only packages of the device, with the price', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const [, other] = Object.keys(await billing.seller.call(deviceCalls.option));
  const elsewhere = await makePackage(billing.seller, [Number(other)]);
  const here = await makePackage(billing.seller, [billing.device.id]);
  const { account } = await openAccount(billing);
  await loginAt(page, billing.seller, `/user/list?account=${account}`);
  await runAction(rowOf(page, account), '变更套餐');
  const box = dialog(page, '变更套餐');
  const picker = line(box, '新套餐').getByRole('combobox');
  await picker.fill(here.name);
  await expect(page.locator('.ant-select-item-option')).toContainText('¥200.00');
  await picker.fill(elsewhere.name);
  await expect(page.locator('.ant-select-item-option')).toHaveCount(0);
});
