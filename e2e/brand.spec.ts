import { crc32, deflateSync } from 'node:zlib';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { setLanguage } from './support/set-language.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, newVno, unique } from './support/world.ts';

// The stories of the demo domain change the same VNO.
test.describe.configure({ mode: 'serial' });

/** A PNG of 190 x 60 pixels in one colour. */
const png = (red: number, green: number, blue: number) => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(190, 0);
  head.writeUInt32BE(60, 4);
  head.set([8, 2], 8);
  const row = Buffer.from([0, ...Array.from({ length: 190 }, () => [red, green, blue]).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 60 }, () => row)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
const fileOf = (buffer: Buffer, name = 'logo.png') => ({ name, mimeType: 'image/png', buffer });

const shellLogo = (page: Page, name: string) => page.locator('.side-logo').getByRole('img', { name });
const isDrawn = (page: Page, name: string) =>
  shellLogo(page, name).evaluate((img) => img instanceof HTMLImageElement && img.complete && img.naturalWidth > 0);

/** The login page under another host of the same server. */
const loginAtHost = (host: string) => {
  const url = new URL('/login', process.env.E2E_URL);
  url.hostname = host;
  return url.href;
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const save = t('保存', 'Save');

  test(`${lang}: changes the information and both logos, and the shell shows them`, async ({ page }) => {
    const vno = await newVno();
    await loginAt(page, vno, '/market/info', { lang });
    const form = page.getByRole('form', { name: t('运营商信息', 'Operator information') });
    const name = input(form, t('运营商名称', 'Operator name'));
    await expect(name).toHaveValue(vno.name);
    await form.getByRole('button', { name: save }).click();
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));

    const renamed = unique('星航');
    await name.fill(renamed);
    await input(form, t('邮箱', 'Email')).fill('nowhere');
    await form.getByRole('button', { name: save }).click();
    await expect(refusal(form, t('邮箱', 'Email'))).toHaveText(t('邮箱格式不正确', 'Not a valid email address'));
    await input(form, t('邮箱', 'Email')).fill('ops@star.cn');
    await input(form, t('简介', 'Introduction')).fill('远洋宽带');

    // An upload keeps unsaved input.
    const consoleLogo = page.getByRole('region', { name: t('后台Logo', 'Console logo') });
    const upload = t('上传后台Logo', 'Upload console logo');
    await consoleLogo.getByRole('button', { name: upload }).click();
    const box = dialog(page, t('后台Logo', 'Console logo'));
    await box.locator('input[type=file]').setInputFiles(fileOf(Buffer.from('<svg onload="alert(1)"/>')));
    await confirm(box, lang);
    await expect(refusal(box, t('Logo图片', 'Logo'))).toContainText(t('仅支持JPG、PNG格式', 'JPG or PNG'));
    await box.locator('input[type=file]').setInputFiles(fileOf(png(20, 80, 200)));
    await confirm(box, lang);
    await expect(box).toHaveCount(0);
    await expect(consoleLogo.getByRole('img', { name: vno.name })).toBeVisible();
    await expect(shellLogo(page, vno.name)).toBeVisible();
    await expect(name).toHaveValue(renamed);

    await form.getByRole('button', { name: save }).click();
    await expect(toast(page)).toHaveText(t('保存成功', 'Saved'));
    await expect(shellLogo(page, renamed)).toBeVisible();
    await expect(page).toHaveTitle(`${t('信息设置', 'Operator information')} · ${renamed}`);
    await expect(page.getByRole('banner')).toContainText(renamed);

    const deviceLogo = page.getByRole('region', { name: t('设备Logo', 'Device logo') });
    await deviceLogo.getByRole('button', { name: t('上传设备Logo', 'Upload device logo') }).click();
    const second = dialog(page, t('设备Logo', 'Device logo'));
    await second.locator('input[type=file]').setInputFiles(fileOf(png(200, 80, 20)));
    await confirm(second, lang);
    await expect(deviceLogo.getByRole('img', { name: renamed })).toBeVisible();
    await expectAccessible(page);

    await page.reload();
    await expect(name).toHaveValue(renamed);
    await expect(input(form, t('简介', 'Introduction'))).toHaveValue('远洋宽带');
    await expect.poll(() => isDrawn(page, renamed)).toBe(true);
    await expect(deviceLogo.getByRole('img', { name: renamed })).toBeVisible();

    await consoleLogo.getByRole('button', { name: t('移除后台Logo', 'Remove console logo') }).click();
    await page
      .getByRole('alertdialog')
      .or(dialog(page))
      .getByRole('button', { name: t('确定', 'Confirm'), exact: true })
      .click();
    await expect(consoleLogo).toContainText(t('当前使用默认图标', 'The default mark is used'));
    await expect(page.locator('.side-logo img')).toHaveCount(0);
    await expect(shellLogo(page, renamed)).toContainText(renamed);
  });

  test(`${lang}: shows the brand of a VNO on the login page of its domain only`, async ({ page }) => {
    const vno = await logIn('southlab');
    await loginAt(page, vno, '/market/info', { lang });
    const card = page.getByRole('region', { name: t('后台Logo', 'Console logo') });
    const before = await card.getByRole('img').getAttribute('src');
    await card.getByRole('button', { name: t('上传后台Logo', 'Upload console logo') }).click();
    const box = dialog(page, t('后台Logo', 'Console logo'));
    await box.locator('input[type=file]').setInputFiles(fileOf(png(lang === 'zh' ? 90 : 60, 60, 180)));
    await confirm(box, lang);
    await expect(box).toHaveCount(0);
    await expect(card.getByRole('img')).not.toHaveAttribute('src', before ?? '');
    const { name, agent_logo } = await vno.call(infoCalls.read);

    const titles: string[] = [];
    await page.exposeFunction('noteTitle', (title: string) => titles.push(title));
    await page.addInitScript(() => {
      new MutationObserver(() => Reflect.get(window, 'noteTitle')(document.title)).observe(document, { subtree: true, childList: true });
    });
    await setLanguage(page, lang);
    await page.goto(loginAtHost('southlab.localhost'));
    const logo = page.locator('.login-brand').getByRole('img', { name });
    await expect(logo).toHaveAttribute('src', agent_logo ?? '');
    await expect.poll(() => logo.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(190);
    await expect(page).toHaveTitle(`${t('登录', 'Login')} · ${name}`);
    await expect(page.locator('.foot')).toContainText(name);
    await expect(page.locator('body')).not.toContainText('Farlink');
    expect(titles.filter((title) => title.includes('Farlink'))).toEqual([]);
    await expectAccessible(page);

    await page.goto(loginAtHost('unknown.localhost'));
    await expect(page.locator('.login-brand').getByRole('img', { name: 'Farlink 远联' })).toBeVisible();
    await expect(page).toHaveTitle(`${t('登录', 'Login')} · Farlink 远联`);
    await expect(page.locator('body')).not.toContainText(name);
  });

  test(`${lang}: shows the information read-only to staff with show-only rights`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const reader = await makeStaff(vno, grantsOf(['info_setup'], '10'));
    await loginAt(page, await logIn(reader.username), '/market/info', { lang });
    const form = page.getByRole('form', { name: t('运营商信息', 'Operator information') });
    await expect(input(form, t('运营商名称', 'Operator name'))).toHaveValue(vno.name);
    await expect(form.getByRole('button', { name: save })).toBeDisabled();
    await expect(page.getByRole('button', { name: t('上传后台Logo', 'Upload console logo') })).toBeDisabled();
  });

  test(`${lang}: inherits the logo of the VNO above, and shows it in the dark and the light theme`, { tag: '@all' }, async ({ page }) => {
    const vno = await as('eastsea');
    const { agent_logo } = await (await as('bluesea')).call(infoCalls.read);
    expect((await vno.call(authCalls.profile)).agent_logo).toBe(agent_logo);
    await loginAt(page, vno, '/market/info', { lang, theme: 'dark' });
    await expect(page.getByRole('region', { name: t('后台Logo', 'Console logo') })).toContainText(
      t('当前使用上级VNO的Logo', 'The logo of the VNO above is used'),
    );
    const name = '东海商船 East Sea Merchant';
    const logo = shellLogo(page, name);
    await expect(logo).toHaveAttribute('src', /^data:image\/png/);
    await expect(logo).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(logo).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expect(logo).toHaveAttribute('src', agent_logo ?? '');
    await expect.poll(() => isDrawn(page, name)).toBe(true);
  });
}
