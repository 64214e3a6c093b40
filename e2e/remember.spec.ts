import { fromBase64, toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { expect, type Page } from '@playwright/test';
import { as, password } from './support/api.ts';
import { fillCaptcha, fillLogin, mainMenu } from './support/login.ts';
import { test } from './support/test.ts';
import { makeStaff } from './support/world.ts';

const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);
const remember = (page: Page) => page.getByRole('checkbox', { name: '记住密码' });

/** Enters the captcha, the only input of a remembered login. */
const enter = async (page: Page) => {
  await fillCaptcha(page);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};

/** Creates an account and logs it in with a remembered password. */
const rememberedLogin = async (page: Page) => {
  const person = await makeStaff(await as('northfish'), { system_log: '11' });
  await page.goto('/login');
  await remember(page).check();
  await fillLogin(page, person.username);
  await enter(page);
  await expect(mainMenu(page)).toBeVisible();
  return person;
};

test('logs a remembered account in with one click, without a password cookie', { tag: '@all' }, async ({ page, context }) => {
  const { username, id } = await rememberedLogin(page);
  const cookiesOfAccount = async () => {
    const cookies = await context.cookies(new URL('/login', page.url()).href);
    return Object.fromEntries(cookies.map(({ name, value }) => [name, decodeURIComponent(value)]));
  };
  const cookies = await cookiesOfAccount();
  expect(fromBase64(cookies[`farlink_account_${id}`] ?? '')).toBe(username);
  expect(cookies[`farlink_token_${id}`]).toMatch(/\S{20,}/);
  for (const value of Object.values(cookies)) for (const secret of [password, toBase64(password)]) expect(value).not.toContain(secret);

  await page.goto('/login');
  await expect(field(page, 'account')).toHaveValue(username);
  await expect(field(page, 'password')).toHaveAttribute('placeholder', '••••••••');
  await expect(remember(page)).toBeChecked();
  await enter(page);
  await expect(mainMenu(page)).toBeVisible();

  await page.goto('/login');
  await expect(field(page, 'account')).toHaveValue(username);
  await remember(page).uncheck();
  await enter(page);
  await expect(mainMenu(page)).toBeVisible();
  expect(Object.keys(await cookiesOfAccount()).filter((name) => name.endsWith(`_${id}`))).toEqual([]);
  await page.goto('/login');
  await expect(field(page, 'account')).toHaveValue('');
});

test('requires a password when another account replaces a remembered login', { tag: '@all' }, async ({ page }) => {
  await rememberedLogin(page);
  await page.goto('/login');
  await field(page, 'account').fill('bluesea_audit');
  await enter(page);
  await expect(field(page, 'password')).toHaveAccessibleDescription('请输入密码');
});
