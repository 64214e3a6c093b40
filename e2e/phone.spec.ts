import { say } from '@farlink/contract/kit/text.ts';
import { groups } from '@farlink/contract/menu.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { makePackage } from './support/billing.ts';
import { makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { fillLogin, mainMenu } from './support/login.ts';
import { dialog, toast } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { cardOf, expectNoSideScroll, expectTargets, menuButton, phone, phoneAt, tapAction } from './support/phone.ts';
import { setLanguage } from './support/set-language.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, sharedVno } from './support/world.ts';

test.use(phone);

const main = (page: Page) => page.getByRole('main');

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`logs in by touch, and opens a page from the menu drawer, which closes (${lang})`, async ({ page }) => {
    await setLanguage(page, lang);
    await page.goto('/login');
    await expectNoSideScroll(page, 'login');
    await expectAccessible(page);
    await fillLogin(page, 'bluesea');
    const submit = page.getByRole('button', { name: t('登录', 'Log in') });
    await expectTargets(submit);
    await submit.tap();
    await menuButton(page).tap();
    const menu = mainMenu(page);
    await expect(menu).toBeVisible();
    await expectAccessible(page, 'menu drawer');
    const users = menu.getByRole('button', { name: t('用户管理', 'User management') });
    if ((await users.getAttribute('aria-expanded')) === 'false') await users.tap();
    await menu.getByRole('link', { name: t('用户列表', 'User list'), exact: true }).tap();
    await expect(page).toHaveURL(/\/user\/list/);
    await expect(menu).toHaveCount(0);
    await expect(page.locator('.data-card').first()).toBeVisible();
    await menuButton(page).tap();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(menuButton(page)).toBeFocused();
  });
}

test('finds an account by the filter sheet, recharges it, and shows the bill', async ({ page }) => {
  const billing = await makeBillingFixture();
  const { account } = await openAccount(billing);
  await phoneAt(page, billing.seller, '/user/list');
  await expect(page.locator('.data-card').first()).toBeVisible();
  await expectAccessible(page, 'cards');
  await expectTargets(main(page).locator('.toolbar').getByRole('button'));
  await expectTargets(
    page
      .locator('.data-card')
      .first()
      .getByRole('button', { name: /^更多 / }),
  );
  await main(page).getByRole('button', { name: '筛选与排序' }).tap();
  const sheet = dialog(page, '筛选与排序');
  await sheet.getByLabel('排序').selectOption({ label: '到期时间 ↓ 降序' });
  await sheet.getByLabel('上网账号', { exact: true }).fill(account);
  await expectAccessible(page, 'filter sheet');
  await sheet.getByRole('button', { name: '查询' }).tap();
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('.data-card')).toHaveCount(1);
  const card = cardOf(page, account);
  await expect(card).toContainText(billing.package.name);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ account, orderby: 'expire_at desc' });

  await tapAction(card, '充值');
  const box = dialog(page, '充值');
  await line(box, '充值方式').getByRole('radio', { name: '账户充值' }).check();
  await input(box, '充值金额（元）').fill('30.5');
  const amount = box.locator('.form-preview');
  await expect(amount).toContainText('30.50');
  // Neither the form nor the buttons cover the amount.
  await expect(amount).toBeInViewport({ ratio: 1 });
  const tops = await box.locator('.fields, .form-preview, .dialog-foot').evaluateAll((all) =>
    all.map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return { top, bottom };
    }),
  );
  for (const [i, { top }] of tops.entries()) if (i > 0) expect(top).toBeGreaterThanOrEqual(tops[i - 1]?.bottom ?? 0);
  await expectTargets(box.locator('.dialog-foot').getByRole('button'));
  await expectNoSideScroll(page, 'the recharge dialog');
  await expectAccessible(page, 'form dialog on a phone');
  await confirm(box);
  await expect(box).toHaveCount(0);
  await page.goto(`/finance/counter?account=${account}`);
  await expect(page.locator('.data-card').filter({ hasText: '30.50' })).toHaveCount(1);
});

test('shows and announces batch actions for selected rows', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const made = [await openAccount(billing), await openAccount(billing)];
  await phoneAt(page, billing.seller, `/user/list?device_id=${billing.device.id}`);
  const bar = main(page).locator('.toolbar');
  await expect(bar.getByRole('button', { name: '禁用' })).toHaveCount(0);
  for (const { account } of made) await cardOf(page, account).getByRole('checkbox').tap();
  await expect(bar.getByRole('status')).toContainText('已选 2 条');
  await expectTargets(bar.getByRole('button'));
  await bar.getByRole('button', { name: '清空 已选 2 条' }).tap();
  await expect(bar.getByRole('button', { name: '开户', exact: true })).toBeVisible();
});

test('kicks an online user from the device page, with readable facts', { tag: '@all' }, async ({ page }) => {
  const gateway = await newGateway();
  const sold = await makePackage(gateway.vno, [gateway.deviceId]);
  const { account } = await openAccount({ seller: gateway.vno, device: { id: gateway.deviceId, label: '' }, package: sold });
  await gateway.signIn(account);
  await phoneAt(page, gateway.vno, `/device/detail/${gateway.deviceId}`);
  await expect(main(page)).toContainText(gateway.sn);
  await expectNoSideScroll(page, 'the page of a device');
  // A fact must not wrap after every character.
  const facts = main(page).locator('.fact-strip dd, .record-grid dd');
  await expect(facts.first()).toBeVisible();
  const narrow = await facts.evaluateAll((all) =>
    all.filter((dd) => dd.clientWidth > 0 && dd.clientWidth < 90 && dd.clientHeight > 66).map((dd) => dd.textContent),
  );
  expect(narrow).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('tab', { name: '在线用户' }).tap();
  const card = cardOf(page, account);
  await expect(card).toBeVisible();
  await tapAction(card, '强制下线');
  await confirm(dialog(page));
  await expect(toast(page)).toContainText('已通知网关');
  await expect.poll(async () => (await gateway.groundTruth()).users).toEqual([]);
  await expect(card).toHaveCount(0);
});

test('shows the state of a configuration, and opens a page from the page list', { tag: '@all' }, async ({ page }) => {
  const gateway = await newGateway();
  await phoneAt(page, await as('admin'), `/device/gateway-config/${gateway.deviceId}?page=status_overview`);
  const shown = page.locator('.config-main');
  await expect(shown.locator('dl')).toContainText(gateway.sn);
  await expectNoSideScroll(page, 'the status of a gateway');
  await expectAccessible(page);
  await page.getByText('配置页面', { exact: true }).tap();
  await page.getByRole('searchbox', { name: '搜索名称或标识' }).or(page.getByLabel('搜索名称或标识')).first().fill('ping');
  await page
    .getByRole('option', { name: /Ping/i })
    .or(page.getByRole('link', { name: /Ping/i }))
    .first()
    .tap();
  await expect(page).toHaveURL(/page=diagnosis_ping/);
  await expect(shown.getByRole('button', { name: '执行' })).toBeInViewport();
});

test('accepts terminal input, including keys that a phone lacks', { tag: '@all' }, async ({ page }) => {
  const gateway = await newGateway();
  await phoneAt(page, gateway.vno, `/device/list?sn=${gateway.sn}`);
  const opened = page.waitForEvent('popup');
  await tapAction(cardOf(page, gateway.sn), '远程Telnet');
  const tab = await opened;
  const screen = tab.locator('.xterm-rows');
  await expect(screen).toContainText('login:');
  await expectNoSideScroll(tab, 'the terminal');
  await tab.locator('.xterm-screen').tap();
  const keys = tab.getByLabel('终端输入');
  await expect(keys).toBeFocused();
  await keys.pressSequentially('admin\n');
  await expect(screen).toContainText('Password:');
  await keys.pressSequentially('admin\n');
  await expect(screen).toContainText('>');
  await keys.pressSequentially('nonsense');
  await expect(screen).toContainText('nonsense');
  await tab.getByRole('toolbar', { name: '快捷键' }).getByRole('button', { name: 'Ctrl+C' }).tap();
  await keys.pressSequentially('show version\n');
  await expect(screen).toContainText('Firmware');
  await expectTargets(tab.getByRole('toolbar', { name: '快捷键' }).getByRole('button'));
  await expectAccessible(tab);
});

test('shows cards with disabled actions to show-only staff, and no other pages', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const { username } = await makeStaff(vno, grantsOf(['user_list'], '10'));
  await phoneAt(page, await logIn(username), '/user/list');
  await menuButton(page).tap();
  await expect(mainMenu(page).getByRole('button')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(main(page).getByRole('button', { name: '开户', exact: true })).toBeDisabled();
  await expectNoSideScroll(page, 'the list of limited staff');
});

/** Each of these stories loads the console once. */
const parts = 3;

for (let part = 1; part <= parts; part++)
  test(`scrolls no page sideways on a phone (part ${part} of ${parts})`, async ({ page }) => {
    for (const { key, pages: heads } of groups.filter((_, i) => i % parts === part - 1))
      await test.step(key, async () => {
        const routes = heads.filter((p) => p.platform !== 'vno' && !p.route.includes(':'));
        for (const { route, title } of routes) {
          if (page.url() === 'about:blank') await phoneAt(page, await as('admin'), route);
          else await openPath(page, route);
          await expect(page.getByRole('heading', { level: 1 })).toHaveText(say(title, 'zh'));
          // Some earlier pages stay in the document, hidden.
          await expect(main(page).locator('.card:visible').first()).toBeVisible();
          await expect(main(page).locator('[aria-busy=true]:visible')).toHaveCount(0);
          await expectNoSideScroll(page, route);
        }
        expect(routes.length).toBeGreaterThan(0);
      });
  });

test('shows the drawer and tables on a portrait tablet', { tag: '@all' }, async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await phoneAt(page, await as('admin'), '/user/list');
  await expect(main(page).locator('table')).toBeVisible();
  await expectNoSideScroll(page, 'the user list on a tablet');
  await expectAccessible(page);
});

test('shows the box of a missing page within the screen', { tag: '@all' }, async ({ page }) => {
  await phoneAt(page, await as('bluesea_audit'), '/notFound?type=404');
  const { right } = await page.getByRole('alert').evaluate((box) => box.getBoundingClientRect());
  expect(Math.ceil(right)).toBeLessThanOrEqual(phone.viewport.width);
  await expectNoSideScroll(page, 'the missing page');
});
