import { randomInt } from 'node:crypto';
import { say } from '@farlink/contract/kit/text.ts';
import { policyCalls } from '@farlink/contract/package/package-template.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { type ServiceStatus, userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { expect, type Page } from '@playwright/test';
import { makeCard, makeExtra, makePackage } from './support/billing.ts';
import { exportCsv } from './support/export-csv.ts';
import { merchantCodeOf, newGateway } from './support/field.ts';
import { loginAt } from './support/login-as.ts';
import { codeTo, smsTo } from './support/sms-stand-in.ts';
import { storyLangs } from './support/story-langs.ts';
import { footOf, sumOf } from './support/sums.ts';
import { column, rows } from './support/table.ts';
import { test } from './support/test.ts';
import { newVno, type Operator, unique } from './support/world.ts';

const MB = 1024 ** 2;
const password = 'sailor-pass-1';
const text = '流量即将用完';
const speeds = { up_speed: 1024, down_speed: 2048 };
const slow = { limit_up: 64, limit_down: 128 };
const online = { package_type: 'flow', time_capacity: undefined, time_unit: undefined, flow_unit: 'MB', flow_capacity: 10, price: '19.90' };
const extra = { flow_capacity: 5, flow_unit: 'MB', price: '5.55' };

/** A VNO with a package that slows down, an extra package, a card of 50 yuan, a ship that asks RADIUS and one that holds its accounts. */
const makeVoyage = async () => {
  const vno = await newVno();
  await vno.call(settingCalls.update, { self_register: true, register_place: 'vno', sms_verify: true, realname: false });
  const ship = await newGateway({ vno, bill: 1, version: '03.02.01' });
  const asking = await newGateway({ vno, bill: 2, version: '03.02.01' });
  const devices = [ship.deviceId, asking.deviceId];
  const policy = { name: unique('C'), ratio: 80, content: text, action: 1, ...slow };
  const { id: policy_id } = await vno.call(policyCalls.create, policy);
  const sold = {
    online: await makePackage(vno, devices, { ...online, ...speeds, policy_id }),
    extra: await makeExtra(vno, devices, extra),
  };
  return { vno, ship, asking, sold, card: await makeCard(vno), portal: `/portal/${await merchantCodeOf(vno.username)}/` };
};

const leftOf = ({ holdings }: ServiceStatus) => holdings.find(({ turn }) => turn === 1)?.flow?.left;

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test.describe(`a subscriber without cash (${lang})`, () => {
    test.use({ viewport: { width: 390, height: 844 }, locale: lang === 'zh' ? 'zh-CN' : 'en-US' });

    const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
    const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();

    const register = async (page: Page, portal: string) => {
      const account = unique('sea');
      const phone = `139${randomInt(10_000_000, 99_999_999)}`;
      await page.goto(portal);
      await follow(page, t('注册账号', 'Create an account'));
      await page.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
      await page.getByLabel(t('姓名', 'Name'), { exact: true }).fill('Sailor');
      await page.getByLabel(t('手机号', 'Mobile number')).fill(phone);
      await page.getByLabel(t('验证码', 'Code in the image'), { exact: true }).fill('8888');
      await press(page, t('获取验证码', 'Send code'));
      await page.getByLabel(t('短信验证码', 'SMS code')).fill(await codeTo(phone));
      await page.getByLabel(t('密码', 'Password'), { exact: true }).fill(password);
      await page.getByLabel(t('验证码', 'Code in the image'), { exact: true }).fill('8888');
      await press(page, t('注册账号', 'Create an account'));
      await expect(page.getByText(account).first()).toBeVisible();
      return { account, phone };
    };

    /** Lists, their sums and their files have the figures of the portal. */
    const expectConsole = async (page: Page, vno: Operator, account: string, id: number) => {
      await loginAt(page, vno, `/finance/online?account=${account}`, { lang });
      await expect(rows(page)).toHaveCount(3);
      const amount = t('订单金额', 'Order amount');
      const part = t('余额支付', 'From balance');
      const income = t('收入', 'Income');
      expect(await column(page, amount)).toEqual(['19.90', '5.55', '19.90']);
      expect(await column(page, part)).toEqual(['0.00', '5.55', '19.90']);
      expect(await footOf(page, income)).toBe('19.90');
      const bills = await exportCsv(page);
      for (const name of [amount, part, income]) expect(bills(name)).toEqual(await column(page, name));
      expect(sumOf(bills(income))).toBe(await footOf(page, income));

      await page.goto(`/finance/card?account=${account}`);
      await expect(rows(page)).toHaveCount(1);
      const cards = await exportCsv(page);
      expect([sumOf(cards(income)), await footOf(page, income)]).toEqual(['50.00', '50.00']);
      const left = sumOf([...cards(income), ...bills(part).map((paid) => `-${paid}`)]);
      expect(left).toBe('24.55');
      await page.goto(`/user/detail/${id}`);
      await expect(page.getByRole('main')).toContainText(left);

      // By RADIUS and on the ship: 6, 5 and 2 MB.
      const { list: sessions } = await vno.call(userCalls.online, { user_id: id });
      const { holdings, overrun_bytes } = await vno.call(userDetailCalls.serviceStatus, { id });
      const bytes = sessions.map(({ up_bytes, down_bytes }) => Number(up_bytes) + Number(down_bytes));
      const charged = [...holdings.map(({ flow }) => flow?.used ?? 0), overrun_bytes];
      for (const all of [bytes, charged]) expect(all.reduce((sum, one) => sum + one)).toBe(13 * MB);

      await page.goto('/finance/settlement');
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText(t('进行中', 'Running'));
      const owed = t('应付所属VNO', 'Owed to the VNO');
      const settlement = await exportCsv(page);
      for (const name of [t('代收金额', 'Collected'), owed])
        expect([...settlement(name), await footOf(page, name)]).toEqual(['19.90', '19.90']);
    };

    test('registers, buys from the balance of a card, is reminded and slowed, extends the package, and all figures agree', async ({
      page,
    }) => {
      const { vno, ship, asking, sold, card, portal } = await makeVoyage();
      const { account, phone } = await register(page, portal);
      // The session is in the path.
      const home = page.url().replace(/(\/s\/[\w-]+\/).*/, '$1');
      const [user] = (await vno.call(userCalls.list, { account })).list;
      const serviceStatus = () => vno.call(userDetailCalls.serviceStatus, { id: user?.id ?? 0 });

      await page.getByLabel(t('卡号', 'Card number')).fill(card.number);
      await page.getByLabel(t('卡密', 'Card password')).fill(card.password);
      await press(page, t('兑换', 'Redeem'));
      await expect(page.locator('.message')).toContainText('50.00');

      const buy = async (name: string, price: string) => {
        await follow(page, new RegExp(`^${t('购买', 'Buy')} ${name}`));
        await press(page, new RegExp(t('账户余额', '^Balance')));
        await expect(page.locator('.message')).toContainText(price);
      };
      await buy(sold.online.name, '19.90');

      await expect.poll(async () => (await asking.logIn(account, password)).ok).toBe(true);
      expect((await asking.browse(account, 6 * MB)).down).toBe(6 * MB);
      await asking.signOut(account);
      // The other ship hears of this use.
      await expect.poll(async () => leftOf(await serviceStatus())).toBe(4 * MB);
      await expect.poll(async () => (await serviceStatus()).sync.counts.synced).toBe(1);
      await expect.poll(async () => (await ship.logIn(account, password)).ok).toBe(true);
      expect((await ship.browse(account, 5 * MB)).down).toBe(5 * MB);
      await expect.poll(async () => (await serviceStatus()).service).toMatchObject({ mode: 'slow', ...slow });

      const reminder = `【${vno.name}】${text}（账号 ${account}，套餐“${sold.online.name}”已使用 80%）`;
      await expect.poll(async () => (await smsTo(phone)).slice(1)).toEqual([reminder]);
      await page.goto(home);
      await expect(page.getByText(text)).toBeVisible();
      await buy(sold.extra.name, '5.55');
      await expect.poll(async () => (await serviceStatus()).service.mode).toBe('full');
      const inUse = (await serviceStatus()).holdings.find(({ turn }) => turn === 1);
      expect(inUse).toMatchObject({ kind: 'extra', ...speeds });
      // A megabyte beyond the package was slow; the extra package is new.
      expect(inUse?.flow?.left).toBe(5 * MB);
      await ship.browse(account, 2 * MB);
      await expect.poll(async () => leftOf(await serviceStatus())).toBe(3 * MB);
      await page.goto(home);
      await expect(page.getByText('3 MB').first()).toBeVisible();
      await expect(page.getByText(text)).toHaveCount(0);

      // The platform collects for the VNO.
      await follow(page, new RegExp(`^${t('购买', 'Buy')} ${sold.online.name}`));
      await press(page, t('支付宝', 'Alipay'));
      const order = page.url();
      await follow(page, t('打开支付页面', 'Open the payment page'));
      await page.locator('button[value=pay]').click();
      await page.goto(order);
      await expect(page.locator('.message')).toContainText('19.90');
      await expect(page.getByText('13 MB').first()).toBeVisible();
      await expect(page.getByText('¥24.55')).toBeVisible();

      await page.setViewportSize({ width: 1440, height: 800 });
      await expectConsole(page, vno, account, user?.id ?? 0);
    });
  });
}
