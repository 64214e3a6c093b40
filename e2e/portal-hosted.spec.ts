import { randomInt } from 'node:crypto';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { codeTo } from './support/sms-stand-in.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible, type Template } from './support/violations.ts';

const portal = '/portal/BLUESEA8/';
/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

for (const lang of storyLangs(import.meta.url))
  for (const javaScriptEnabled of [true, false])
    test.describe(`the hosted portal on a phone (${lang}, script ${javaScriptEnabled ? 'on' : 'off'})`, {
      tag: javaScriptEnabled ? [] : '@all',
    }, () => {
      const t = (zh: string, en: string) => say([zh, en], lang);
      test.use({ viewport: { width: 360, height: 740 }, locale: lang === 'zh' ? 'zh-CN' : 'en-US', javaScriptEnabled });

      const expectClean = async (page: Page, template?: Template) => {
        // axe is a script itself.
        if (javaScriptEnabled) await expectAccessible(page, template);
        const width = await page.locator('html').boundingBox();
        expect(width?.width).toBeLessThanOrEqual(360);
      };
      const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
      const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

      /** Opens an account with the code that arrives by SMS. */
      const register = async (page: Page) => {
        const account = `e2e${randomInt(1_000_000, 9_999_999)}`;
        await page.goto(portal);
        await expect(page).toHaveURL(new RegExp(`/portal/BLUESEA8/${lang}/$`));
        await expectClean(page, 'portal');
        await follow(page, t('注册账号', 'Create an account'));
        await page.getByLabel(t('账号', 'Account'), { exact: true }).fill(account);
        await page.getByLabel(t('姓名', 'Name'), { exact: true }).fill('Sailor');
        const phone = `139${randomInt(10_000_000, 99_999_999)}`;
        await page.getByLabel(t('手机号', 'Mobile number')).fill(phone);
        const code = page.getByLabel(t('短信验证码', 'SMS code'));
        if (await code.isVisible()) {
          await page.getByLabel(t('验证码', 'Code in the image'), { exact: true }).fill('8888');
          await press(page, t('获取验证码', 'Send code'));
          await expect(page.locator('.message')).toHaveText(t('验证码已发送', 'The code was sent'));
          await code.fill(await codeTo(phone));
        }
        await expectClean(page);
        const document = page.getByLabel(t('证件类型', 'Document'), { exact: true });
        if (await document.isVisible()) {
          await document.selectOption('passport');
          await page.getByLabel(t('证件号码', 'Document number')).fill('E12345678');
        }
        await page.getByLabel(t('密码', 'Password'), { exact: true }).fill('sailor-pass-1');
        await page.getByLabel(t('验证码', 'Code in the image'), { exact: true }).fill('8888');
        await press(page, t('注册账号', 'Create an account'));
        await expect(page.getByText(account).first()).toBeVisible();
      };

      test('registers an account, sells a package, shows the quota, changes the password, accepts feedback and logs out', async ({
        page,
      }) => {
        // Eight pages are checked by axe.
        await register(page);
        await expectClean(page);
        await page
          .getByRole('link', { name: new RegExp(`^${t('购买', 'Buy')} `) })
          .first()
          .click();
        await expectClean(page);
        const price = (await page.locator('.price').first().textContent()) ?? '';
        await page.getByRole('button', { name: new RegExp(t('微信支付', 'Alipay')) }).click();
        await expect(page.getByRole('heading', { name: t('等待支付', 'Waiting for payment') })).toBeVisible();
        await expect(page.locator('img.qr')).toBeVisible();
        await expectClean(page, 'portal payment');
        const order = page.url();
        await follow(page, t('打开支付页面', 'Open the payment page'));
        await page.locator('button[value=pay]').click();
        await page.goto(order);
        await expect(page.locator('.message')).toContainText(price);
        await expect(page.getByRole('heading', { name: t('剩余用量', 'Remaining quota') })).toBeVisible();
        await expectClean(page);

        await follow(page, t('修改密码', 'Change password'));
        await page.getByLabel(t('原密码', 'Current password')).fill('sailor-pass-1');
        await page.getByLabel(t('新密码', 'New password'), { exact: true }).fill('sailor-pass-2');
        await page.getByLabel(t('确认新密码', 'Repeat the new password')).fill('sailor-pass-2');
        await expectClean(page);
        await press(page, t('保存', 'Save'));
        await expect(page.locator('.message')).toHaveText(t('密码已修改', 'Your password was changed'));

        await follow(page, t('问题反馈', 'Report a problem'));
        await page.getByLabel(t('内容', 'Text'), { exact: true }).fill('slow link');
        const photo = Buffer.from(pixel, 'base64');
        await page.getByLabel(/JPG/).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: photo });
        await press(page, t('提交', 'Send'));
        await expect(page.locator('.message')).toHaveText(t('反馈已提交，谢谢', 'Thank you. Your report was sent.'));
        await expect(page.getByText('slow link')).toBeVisible();
        await expectClean(page);

        await follow(page, t('返回', 'Back'));
        await press(page, t('下线', 'Log out'));
        await expect(page.getByRole('button', { name: t('登录上网', 'Log in') })).toBeVisible();
        await page.goto(order);
        await expect(page.getByRole('button', { name: t('登录上网', 'Log in') })).toBeVisible();
      });
    });
