import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { dialog, readReceipt, toast } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { cardOf, expectNoSideScroll, phone, phoneAt, tapAction } from './support/phone.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, newVno, unique } from './support/world.ts';

test.use(phone);

/** A clerk who may hold 100 yuan, a cashier, and an account to recharge. */
const makeTill = async () => {
  const vno = await newVno();
  const { deviceId } = await newGateway({ vno });
  const { account } = await openAccount({ seller: vno, device: { id: deviceId, label: '' }, package: await makePackage(vno, [deviceId]) });
  const name = unique('小王');
  const selling = { ...grantsOf(['user_list']), ...grantsOf(['collection_day'], '10') };
  const clerk = await makeStaff(vno, selling, { name, income_limit_enable: true, income_limit: '100.00' });
  const cashier = await makeStaff(vno, grantsOf(['cash_handover', 'collection_day']), { name: '老李' });
  return { account, name, clerk: await logIn(clerk.username), cashier: await logIn(cashier.username) };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  /** Opens the recharge of the account, enters an amount, and returns the dialog with the amount due. */
  const recharge = async (page: Page, account: string, amount: string, note: string) => {
    await tapAction(cardOf(page, account), t('充值', 'Recharge'));
    const box = dialog(page, t('充值', 'Recharge'));
    await line(box, t('充值方式', 'Recharge type'))
      .getByRole('radio', { name: t('账户充值', 'Amount') })
      .check();
    await input(box, t('充值金额（元）', 'Amount (yuan)')).fill(amount);
    await expect(box.locator('.form-preview')).toContainText(note);
    await confirm(box, lang);
    return box;
  };

  test(`a clerk at the collection limit hands over the cash on phones, and sells again (${lang})`, async ({ page }) => {
    const { account, name, clerk, cashier } = await makeTill();
    const left = (amount: string) => t(`本次后还可收现金 ¥${amount}`, `¥${amount} in cash can be collected after this sale`);
    await phoneAt(page, clerk, `/user/list?account=${account}`, lang);
    await recharge(page, account, '90', left('10.00'));
    await readReceipt(page, [account, '¥90.00']);
    const refused = await recharge(page, account, '10.01', t('只能再收现金 ¥10.00', 'only ¥10.00 in cash can be collected'));
    await expect(toast(page)).toContainText(t('超出您的收款上限', 'exceeds your collection limit'));
    await expectAccessible(page);
    await refused.getByRole('button', { name: t('取消', 'Cancel'), exact: true }).tap();
    await confirm(dialog(page).filter({ hasText: t('有未保存的修改', 'You have unsaved changes') }), lang);

    const till = await page.context().newPage();
    await phoneAt(till, cashier, '/finance/handovers', lang);
    const title = t('登记交款', 'Receive cash');
    await till.getByRole('main').getByRole('button', { name: title }).tap();
    const box = dialog(till, title);
    await line(box, t('交款人', 'Handed over by')).getByRole('combobox').fill(name);
    await till.locator('.ant-select-item-option').filter({ hasText: name }).tap();
    await expect(input(box, t('交款金额（元）', 'Amount (yuan)'))).toHaveValue('90.00');
    const preview = box.locator('.form-preview');
    await expect(preview).toContainText(
      t('收款上限 ¥100.00，交款后还可收现金 ¥100.00', 'Collection limit ¥100.00; ¥100.00 can be collected'),
    );
    await expect(preview).toBeInViewport({ ratio: 1 });
    await expectNoSideScroll(till, 'the hand-over');
    await expectAccessible(till);
    await confirm(box, lang);
    const receipt = dialog(till, t('交款收据', 'Receipt of a hand-over'));
    await expect(receipt).toContainText(/H\d{8}-\d+-\d{6}/);
    for (const text of [name, '老李', '¥90.00', '¥0.00']) await expect(receipt).toContainText(text);
    await expectNoSideScroll(till, 'the receipt');
    await expectAccessible(till, 'receipt');
    await receipt
      .getByRole('button', { name: t('关闭', 'Close') })
      .last()
      .tap();
    await expect(cardOf(till, name)).toContainText('90.00');
    await expectAccessible(till);

    await recharge(page, account, '90', left('10.00'));
    await readReceipt(page, [account, '¥90.00']);
    await openPath(till, '/finance/collections');
    await expect(cardOf(till, name)).toContainText('180.00');
    await expect(cardOf(till, name)).toContainText(t('现金', 'Cash'));
    await expectNoSideScroll(till, 'the daily report');
    await expectAccessible(till);
  });
}
