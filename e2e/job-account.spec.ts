import { say } from '@farlink/contract/kit/text.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { expect } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { merchantCodeOf, newGateway } from './support/field.ts';
import { input, line } from './support/form.ts';
import { loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { newVno, unique } from './support/world.ts';

const MB = 1024 ** 2;
const password = 'duty-pass-1';
const tenMegabytes = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB', flow_capacity: 10 };

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`a job account opened in the console uses its package by RADIUS and on a ship, and sees no prices (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const ship = await newGateway({ vno, bill: 1, version: '03.02.01' });
    const asking = await newGateway({ vno, bill: 2, version: '03.02.01' });
    const pkg = await makePackage(vno, [ship.deviceId, asking.deviceId], { ...tenMegabytes, price: '77.70' });
    const account = unique('duty');
    const main = page.getByRole('main');

    await loginAt(page, vno, '/user/create', { lang });
    const form = page.getByRole('form', { name: t('用户开户', 'Open account') });
    await choose(form, new RegExp(t('账号类型', 'Account type')), t('工作账号', 'Job'));
    await input(form, t('上网账号', 'Online account')).fill(account);
    await input(form, t('上网密码', 'Internet password')).fill(password);
    await input(form, t('确认密码', 'Confirm password')).fill(password);
    await input(form, t('姓名', 'Full name')).fill('值班');
    await input(form, t('手机号', 'Phone')).fill('13800009876');
    await input(form, t('账号到期时间', 'Expiry date')).click();
    await page.getByText(t('1年', '1 year'), { exact: true }).click();
    await line(form, t('归属方式', 'Bound to'))
      .getByRole('radio', { name: t('整个VNO', 'Whole VNO') })
      .check();
    await form.getByRole('combobox', { name: new RegExp(`^${t('套餐', 'Package')}`) }).fill(pkg.name);
    const offer = page.locator('.ant-select-item-option').filter({ hasText: pkg.name });
    await expect(offer).not.toContainText('77.70');
    await offer.click();
    for (const label of [t('实收金额（元）', 'Amount received (yuan)'), t('收款方式', 'Collection method')])
      await expect(line(form, label)).toHaveCount(0);
    await form.getByRole('button', { name: t('提交开户', 'Open account') }).click();
    await expect(page).toHaveURL(/\/user\/detail\/\d+$/);
    await expect(main).toContainText(pkg.name);
    for (const text of ['77.70', '0.00', t('账户余额', 'Balance')]) await expect(main).not.toContainText(text);

    const [user] = (await vno.call(userCalls.list, { account })).list;
    const used = async () => (await vno.call(userDetailCalls.serviceStatus, { id: user?.id ?? 0 })).holdings[0]?.flow?.used;
    await expect.poll(async () => (await asking.logIn(account, password)).ok).toBe(true);
    await asking.browse(account, 4 * MB);
    await asking.signOut(account);
    await expect.poll(used).toBe(4 * MB);
    await expect.poll(async () => (await ship.logIn(account, password)).ok).toBe(true);
    await ship.browse(account, 2 * MB);
    await expect.poll(used).toBe(6 * MB);

    await page.goto(`/user/list?account=${account}`);
    await rowOf(page, account)
      .getByRole('button', { name: /^(更多|More) / })
      .click();
    for (const name of [t('充值', 'Recharge'), t('订购加油包', 'Add extra package')])
      await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('aria-disabled', 'true');

    await page.goto(`/portal/${await merchantCodeOf(vno.username)}/${lang}/`);
    await page.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
    await page.getByLabel(t('密码', 'Password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: t('登录上网', 'Log in') }).click();
    await expect(page.getByText('4 MB').first()).toBeVisible();
    await expect(page.locator('body')).not.toContainText('¥');
    await expect(page.getByLabel(t('卡号', 'Card number'))).toHaveCount(0);
  });
}
