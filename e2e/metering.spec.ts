import { langs, say } from '@farlink/contract/kit/text.ts';
import { policyCalls } from '@farlink/contract/package/package-template.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { makeExtra, makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { dialog, loginAt, readReceipt, toast } from './support/login-as.ts';
import { takeTurns } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, unique } from './support/world.ts';

const MB = 1024 ** 2;
/** Warnings in the light theme. */
const amber = 'rgb(147, 90, 0)';
const password = 'sea1234';

/** A gateway of a VNO with a package of 10 MB that is slowed down when it is used up, and an extra package of 5 MB. */
const makeShip = async () => {
  const gateway = await newGateway({ bill: 1, version: '03.02.01' });
  const { vno, deviceId } = gateway;
  const policy = await vno.call(policyCalls.create, {
    name: unique('信控'),
    ratio: 80,
    action: 1,
    limit_up: 16,
    limit_down: 32,
    content: '额度将用尽',
  });
  const flow = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB' };
  const online = await makePackage(vno, [deviceId], { ...flow, flow_capacity: 10, price: '9', policy_id: policy.id });
  const extra = await makeExtra(vno, [deviceId], { flow_capacity: 5, flow_unit: 'MB', price: '5' });
  return { gateway, vno, deviceId, online, extra };
};

/** Chooses from a list that needs a search. */
const find = async (box: Locator, label: string | RegExp, name: string) => {
  await box.getByRole('combobox', { name: label }).fill(name);
  await box.page().locator('.ant-select-item-option').filter({ hasText: name }).click();
};

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  const t = (zh: string, en: string) => say([zh, en], lang);
  const panel = (page: Page) => page.getByRole('region', { name: t('服务状态', 'Service status') });
  const row = (page: Page, zh: string, en: string) => panel(page).locator('dl > div', { hasText: t(zh, en) });

  const openAtCounter = async (page: Page, account: string, sn: string, packageName: string) => {
    const form = page.getByRole('form', { name: t('用户开户', 'Open account') });
    await input(form, t('上网账号', 'Online account')).fill(account);
    await input(form, t('上网密码', 'Internet password')).fill(password);
    await input(form, t('确认密码', 'Confirm password')).fill(password);
    await input(form, t('姓名', 'Full name')).fill('陈海生');
    await input(form, t('手机号', 'Phone')).fill('13800009876');
    await input(form, t('证件号码', 'ID number')).fill('11010519491231002X');
    await input(form, t('账号到期时间', 'Expiry date')).click();
    await page.getByText(t('1年', '1 year'), { exact: true }).click();
    await find(form, new RegExp(t('绑定设备', 'Device')), sn);
    await find(form, new RegExp(`^${t('套餐', 'Package')}`), packageName);
    await form.getByRole('button', { name: t('提交开户', 'Open account') }).click();
    await readReceipt(page, [account, packageName, '¥9.00']);
    await expect(page).toHaveURL(/\/user\/detail\/\d+$/);
  };

  inTurn(test)(`shows the service of an account from its opening to an extra package (${lang})`, async ({ page }) => {
    const { gateway, vno, online, extra } = await makeShip();
    const account = unique('u_');
    await loginAt(page, vno, '/user/create', { lang });
    await openAtCounter(page, account, gateway.sn, online.name);

    await expect(row(page, '账号同步', 'Account on gateways')).toContainText(t('已同步', 'Synced'));
    await expect(row(page, '账号同步', 'Account on gateways')).toContainText(gateway.sn);
    const service = row(page, '当前服务', 'Service now');
    await expect(service).toContainText(t('可以登录', 'Ready'));

    expect(await gateway.logIn(account, 'guess12')).toEqual({ ok: false, why: 'wrong_password' });
    const rejection = row(page, '最近被拒', 'Last rejection');
    await expect(rejection).toContainText(t('密码错误', 'Wrong password'));
    await expect(rejection).toContainText(gateway.sn);
    await expect(rejection.getByRole('button', { name: t('重置密码', 'Reset password') })).toBeVisible();
    expect(await gateway.logIn(account, password)).toMatchObject({ ok: true });

    expect(await gateway.browse(account, 4 * MB, 3)).toEqual({ up: 3, down: 4 * MB });
    const usage = page.getByRole('region', { name: t('套餐用量', 'Package usage') });
    const used = t('已用 4,194,307 / 10,485,760 字节', '4,194,307 of 10,485,760 bytes used');
    await expect(usage.locator(`[data-tip="${used}"]`)).toBeVisible();
    await expect(service).toContainText(t('正常', 'Normal'));

    await gateway.browse(account, 8 * MB);
    await expect(service).toContainText(t('策略限速 ↑128 kbps ↓256 kbps', 'Speed limit by policy ↑128 kbps ↓256 kbps'));
    await expect(service).toContainText(t('累计超出套餐 2 MB', '2 MB beyond the packages so far'));
    const full = usage.getByRole('progressbar').and(page.locator('[aria-valuenow="100"]')).locator('span');
    await expect(full).toHaveCSS('background-color', amber);
    await expectAccessible(page, 'service of an account');

    const buy = t('订购加油包', 'Add extra package');
    await service.getByRole('button', { name: buy }).click();
    const box = dialog(page, buy);
    await line(box, t('加油包', 'Extra package')).getByRole('combobox').fill(extra.name);
    await page.locator('.ant-select-item-option').filter({ hasText: extra.name }).click();
    await confirm(box, lang);
    await readReceipt(page, [account, extra.name, '¥5.00']);
    await expect(service).toContainText(t('正常', 'Normal'));
    await expect(row(page, '使用中的套餐', 'Package in use')).toContainText(extra.name);
    await expect(row(page, '账号同步', 'Account on gateways')).toContainText(t('已同步', 'Synced'));

    await page.getByRole('tab', { name: t('服务记录', 'Service history') }).click();
    for (const text of [t('策略限速', 'Speed limit by policy'), '↑128 kbps ↓256 kbps', t('恢复服务', 'Full service'), online.name])
      await expect(page.getByRole('tabpanel')).toContainText(text);
  });

  inTurn(test)(`sends all accounts of a gateway again, and compares its traffic (${lang})`, { tag: '@all' }, async ({ page }) => {
    const { gateway, vno, deviceId, online } = await makeShip();
    const fixture = { seller: vno, device: { id: deviceId, label: gateway.sn }, package: online };
    const { account } = await openAccount(fixture);
    await loginAt(page, vno, `/device/detail/${deviceId}`, { lang });
    const card = page.getByRole('region', { name: t('网关上的用户账号', 'Accounts on the gateway') });
    await expect(card).toContainText(t('已全部同步', 'All synced'));
    const again = t('重新下发账号', 'Send accounts again');
    await card.getByRole('button', { name: again }).click();
    await dialog(page)
      .getByRole('button', { name: t('确定', 'Confirm'), exact: true })
      .click();
    await expect(toast(page)).toContainText(t('已安排下发', 'Accounts are being sent'));
    await expect(card).toContainText(t('已全部同步', 'All synced'));
    expect(await gateway.logIn(account, password)).toMatchObject({ ok: true });
    await gateway.browse(account, 3 * MB);
    const traffic = page.getByRole('region', { name: t('流量核对', 'Traffic check') });
    await page.reload();
    await expect(traffic).toContainText(t('统计中', 'In progress'));
    await expect(traffic.locator(`[data-tip="${t('3,145,728 字节', '3,145,728 bytes')}"]`).first()).toBeVisible();
    await expectAccessible(page);
  });
}

test('offers no action to staff with show-only rights', { tag: '@all' }, async ({ page }) => {
  const { gateway, vno, deviceId, online } = await makeShip();
  const fixture = { seller: vno, device: { id: deviceId, label: gateway.sn }, package: online };
  const { id, account } = await openAccount(fixture);
  const { username } = await makeStaff(vno, grantsOf(['user_list', 'user_detail'], '10'));
  await loginAt(page, await as(username), `/user/detail/${id}`);
  const panel = page.getByRole('region', { name: '服务状态' });
  await expect(panel).toContainText('已同步');
  await gateway.logIn(account, 'guess12');
  await expect(panel).toContainText('密码错误');
  await expect(panel.getByRole('button')).toHaveCount(0);
  await expect(panel.getByRole('link')).toHaveCount(0);
});
