import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { type Browser, chromium, type Page } from '@playwright/test';
import startServer from './start-server.ts';
import { logIn } from './support/api.ts';
import { loginAs } from './support/login-as.ts';

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const gateways = '12';

/** Waits until the page looks the same for two seconds: charts and map are drawn after their data arrives. */
const take = async (page: Page, name: string) => {
  const screenshot = () => page.screenshot({ type: 'jpeg', quality: 75 });
  let picture = await screenshot();
  for (let tries = 0, same = 0; tries < 20 && same < 2; tries++) {
    await page.waitForTimeout(1000);
    const next = await screenshot();
    same = next.equals(picture) ? same + 1 : 0;
    picture = next;
  }
  writeFileSync(join(folder, `${name}.jpg`), picture);
  console.log(`docs/pictures/${name}.jpg`);
};

const openPage = (browser: Browser, lang: Lang, width: number, height: number) =>
  browser.newPage({
    baseURL: process.env.E2E_URL ?? '',
    locale: say(['zh-CN', 'en-US'], lang),
    timezoneId: 'Asia/Shanghai',
    viewport: { width, height },
  });

const takePortal = async (browser: Browser, lang: Lang) => {
  const page = await openPage(browser, lang, 390, 740);
  await page.goto('/portal/BLUESEA8/');
  await take(page, `portal-${lang}`);
  await page.close();
};

const takeConsole = async (browser: Browser, lang: Lang) => {
  const page = await openPage(browser, lang, 1280, 800);
  await loginAs(page, await logIn('admin'), { lang });
  await page.goto('/home/dashboard');
  const online = new RegExp(`${say(['在线', 'Online'], lang)}\\s*${gateways}`);
  await page.getByRole('region').filter({ hasText: online }).first().waitFor({ timeout: 120_000 });
  await page.getByRole('slider').first().waitFor();
  await take(page, `console-${lang}`);
  await page.close();
};

mkdirSync(folder, { recursive: true });
process.env.E2E_SIMULATE = gateways;
const stopServer = await startServer();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '', args: ['--no-sandbox'] });
try {
  for (const lang of ['zh', 'en'] as const) await takePortal(browser, lang);
  for (const lang of ['zh', 'en'] as const) await takeConsole(browser, lang);
} finally {
  await browser.close();
  await stopServer?.();
}
