import { type CDPSession, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page in a separate browser, and a CDP session for its metrics. */
export const openBrowser = async () => {
  const browserPath = findBrowser();
  if (!browserPath) throw new Error('No browser found: set CHROMIUM to its path.');
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  const page = await browser.newPage({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  const client = await page.context().newCDPSession(page);
  // Counts only the page's own thread, so other load on the machine does not matter.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, client, close: () => browser.close() };
};

/** Milliseconds that the page has spent on one kind of work since it was opened. */
export const spentMs = async (client: CDPSession, kind: 'ScriptDuration' | 'LayoutDuration' | 'RecalcStyleDuration' | 'TaskDuration') => {
  const { metrics } = await client.send('Performance.getMetrics');
  return 1000 * (metrics.find((m) => m.name === kind)?.value ?? 0);
};

export const signIn = async (page: Page, base: string) => {
  await page.goto(`${base}/login`);
  await page.getByLabel('账号', { exact: true }).fill('admin');
  await page.getByLabel('密码', { exact: true }).fill('Farlink2026');
  await page.getByLabel('验证码', { exact: true }).fill('8888');
  await page.keyboard.press('Enter');
  await page.getByRole('table').waitFor();
  await page.waitForLoadState('networkidle');
};

/** Sets the visible columns of a list for the platform operator. */
export const chooseColumns = (page: Page, key: string, columns: readonly string[]) =>
  page.evaluate(([name, chosen]) => localStorage.setItem(name, chosen), [`columns-${key}`, JSON.stringify({ 1: columns })] as const);
