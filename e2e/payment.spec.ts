import { randomInt } from 'node:crypto';
import { errors } from '@farlink/contract/errors.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, readReceipt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { newVno } from './support/world.ts';

/** An account that can be recharged, and a unique amount. */
const rechargeable = async () => {
  const { list } = await (await as('bluesea')).call(userCalls.list, { package_status: 'normal', limit: 100 });
  const found = list.find((row) => row.account_type !== 'job' && !Object(row).package_periodic);
  if (!found?.account) throw new Error('no account to recharge');
  return { account: found.account, amount: `${randomInt(100, 900)}.${randomInt(10, 100)}` };
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const channel = lang === 'zh' ? '微信支付' : 'Alipay';
  const title = t('新建收款单', 'New payment order');

  const order = async (page: Page) => {
    const { account, amount } = await rechargeable();
    await page.getByRole('button', { name: title }).click();
    const box = dialog(page, title);
    await input(box, t('上网账号', 'Online account')).fill(account);
    await line(box, t('支付渠道', 'Channel')).getByRole('radio', { name: channel }).check();
    await input(box, t('充值金额（元）', 'Amount (yuan)')).fill(amount);
    await confirm(box, lang);
    return { account, amount, code: dialog(page, t('收款', 'Take a payment')) };
  };

  test(`takes a payment by QR code, shows it as paid, and refunds it (${lang})`, async ({ page, context }) => {
    await loginAt(page, await as('bluesea'), '/finance/online', { lang });
    const { account, amount, code } = await order(page);
    await expect(code).toContainText(amount);
    await expect(code.getByRole('img', { name: t('收款码', 'Payment code') })).toBeVisible();
    const [payer] = await Promise.all([
      context.waitForEvent('page'),
      code.getByRole('link', { name: t('在浏览器中打开支付页', 'Open the payment page') }).click(),
    ]);
    await expect(payer.getByText(`¥${amount}`)).toBeVisible();
    await payer.locator('button[value=pay]').click();
    await expect(toast(page)).toHaveText(t(`收款成功：¥${amount}`, `Paid: ¥${amount}`));
    await expect(code).toHaveCount(0);
    await readReceipt(page, [`¥${amount}`]);
    const row = rowOf(page, amount);
    await expect(row).toContainText(t('已支付', 'Paid'));
    await runAction(row, t('撤销', 'Withdraw'));
    const pendingCall = dialog(page, t('撤销订单', 'Withdraw order'));
    const notes = pendingCall.getByRole('status');
    await expect(notes).toContainText(t(`账号 ${account}，VNO `, `Account ${account}, VNO `));
    await expect(notes).toContainText(t(`退款 ¥${amount}，原路退回`, `Refund ¥${amount} to the payer`));
    await confirm(pendingCall, lang);
    await readReceipt(page, [t('退费', 'Refund'), `-¥${amount}`, account]);
    await expect(row).toContainText(t('已撤销', 'Withdrawn'));
  });

  test(`reopens and cancels an unpaid order (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/finance/online', { lang });
    const { amount, code } = await order(page);
    await code
      .getByRole('button', { name: t('稍后查看', 'Close'), exact: true })
      .last()
      .click();
    const row = rowOf(page, amount);
    await expect(row).toContainText(t('待支付', 'Waiting payment'));
    await runAction(row, t('收款码', 'Payment code'));
    await code.getByRole('button', { name: t('取消收款', 'Cancel the payment') }).click();
    await expect(toast(page)).toHaveText(t('已取消收款', 'The payment was cancelled'));
    await expect(row).toContainText(t('已撤销', 'Withdrawn'));
  });

  test(`configures a channel, refuses invalid values, and shows no secret (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await newVno(), '/advanced/pay', { lang });
    const row = rows(page).filter({ has: page.getByRole('cell', { name: t('微信支付', 'WeChat Pay'), exact: true }) });
    const set = t('微信支付设置', 'Set WeChat Pay');
    const name = t('微信支付设置', 'WeChat Pay');
    // Each channel has exactly one form.
    await expect(page.getByRole('main').getByText(set, { exact: true })).toHaveCount(1);
    await runAction(row, set);
    const box = dialog(page, name);
    await confirm(box, lang);
    for (const field of [t('商户号', 'Merchant ID'), t('API密钥', 'API key'), 'AppID', 'AppSecret'])
      await expect(refusal(box, field)).toBeVisible();
    await input(box, t('商户号', 'Merchant ID')).fill('1900000109');
    await input(box, 'AppID').fill('wxd678efh567hg6787');
    await input(box, 'AppSecret').fill('topsecret1');
    await input(box, t('API密钥', 'API key')).fill('short');
    await confirm(box, lang);
    await expect(refusal(box, t('API密钥', 'API key'))).toHaveText(t('APIv3密钥应为32个字符', 'The APIv3 key must have 32 characters'));
    await input(box, t('API密钥', 'API key')).fill('0123456789abcdef0123456789abcdef');
    await line(box, t('状态', 'Status'))
      .getByRole('radio', { name: t('启用', 'Enabled') })
      .check();
    await confirm(box, lang);
    await expect(rowOf(page, '1900000109')).toContainText(t('启用', 'Enabled'));
    await page.reload();
    await expect(rowOf(page, '1900000109')).toContainText(t('启用', 'Enabled'));

    await runAction(rowOf(page, '1900000109'), set);
    await expect(input(box, t('API密钥', 'API key'))).toHaveValue('');
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(say(errors.unchanged.text, lang));
  });
}
