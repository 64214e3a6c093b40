import { expect, type Page } from '@playwright/test';
import { captcha, password } from './api.ts';

/** Enters the fixed captcha of the test server, after its image is loaded. */
export const fillCaptcha = async (page: Page) => {
  const image = page.locator('.login-captcha img');
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
  await page.locator('input[name=lcode]').fill(captcha);
};

export const fillLogin = async (page: Page, username: string, secret = password) => {
  await page.locator('input[name=account]').fill(username);
  await page.locator('input[name=password]').fill(secret);
  await fillCaptcha(page);
};

export const mainMenu = (page: Page) => page.getByRole('navigation', { name: /^(主菜单|Main menu)$/ });

/** Logs in through the real form and waits for the console. */
export const loginByForm = async (page: Page, username: string, secret = password) => {
  await page.goto('/login');
  await fillLogin(page, username, secret);
  await page.getByRole('button', { name: /^(登录|Log in)$/ }).click();
  await expect(mainMenu(page)).toBeVisible();
};
