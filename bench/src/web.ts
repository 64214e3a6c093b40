import { existsSync } from 'node:fs';
import { childLog } from '@farlink/contract/log/operator-log.ts';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { table } from './measure.ts';
import { openStage, startServer } from './stage.ts';

const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Bytes that crossed the wire for scripts and styles, as the browser counted them. */
const countTransfer = async (client: CDPSession) => {
  const kinds = new Map<string, string>();
  const bytes = { Script: 0, Stylesheet: 0 };
  await client.send('Network.enable');
  client.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === 'Script' || kind === 'Stylesheet') bytes[kind] += encodedDataLength;
  });
  return bytes;
};

const scriptMs = async (client: CDPSession) => {
  const { metrics } = await client.send('Performance.getMetrics');
  return 1000 * (metrics.find((m) => m.name === 'ScriptDuration')?.value ?? 0);
};

const signIn = async (page: Page, base: string) => {
  await page.goto(`${base}/login`);
  await page.getByLabel('账号', { exact: true }).fill('admin');
  await page.getByLabel('密码', { exact: true }).fill('Farlink2026');
  await page.getByLabel('验证码', { exact: true }).fill('8888');
  await page.keyboard.press('Enter');
  await page.getByRole('table').waitFor();
  await page.waitForLoadState('networkidle');
};

/** Turns the pages of the lower-level log with 100 rows and all its eleven columns beside the actions; script time of one turn. */
const turnPages = async (page: Page, client: CDPSession, base: string) => {
  const columns = JSON.stringify({ 1: childLog.columns });
  await page.evaluate((chosen) => localStorage.setItem('columns-subAccountLog', chosen), columns);
  await page.goto(`${base}/log/sub-account?limit=100`);
  await page.getByRole('row').nth(50).waitFor();
  const turns: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const first = await page.getByRole('row').nth(3).textContent();
    const before = await scriptMs(client);
    await page.getByTitle('下一页').click();
    await page.waitForFunction((old) => document.querySelectorAll('tbody tr')[2]?.textContent !== old, first);
    await page.waitForLoadState('networkidle');
    turns.push((await scriptMs(client)) - before);
  }
  turns.sort((a, b) => a - b);
  return turns[Math.floor(turns.length / 2)] ?? 0;
};

export const benchWeb = async () => {
  if (!existsSync(browserPath)) throw new Error(`No browser at ${browserPath}: name one in CHROMIUM.`);
  const stage = await openStage();
  const server = await startServer(stage.url, stage.folder, { DEMO: 'on', LOG_LEVEL: 'error' });
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  try {
    const page = await browser.newPage({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable');
    const bytes = await countTransfer(client);
    await signIn(page, server.base);
    const kb = (n: number) => `${(n / 1000).toFixed(0)} KB`;
    const loaded = { ...bytes };
    const turn = await turnPages(page, client, server.base);
    table('console in the browser', [
      ['scripts, login + shell + one list', kb(loaded.Script)],
      ['styles', kb(loaded.Stylesheet)],
      ['together, compressed', kb(loaded.Script + loaded.Stylesheet), 'target <= 350 KB'],
      ['script time of a page turn, 100 rows x 12', `${turn.toFixed(0)} ms`, 'target < 100 ms'],
    ]);
  } finally {
    await browser.close();
    await server.stop();
    await stage.close();
  }
};
