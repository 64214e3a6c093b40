import { childLog } from '@farlink/contract/log/operator-log.ts';
import type { CDPSession, Page } from '@playwright/test';
import { chooseColumns, openBrowser, signIn, spentMs } from './browser.ts';
import { table } from './measure.ts';
import { openTestServer, startServer } from './test-server.ts';

/** Transferred bytes of scripts and styles, as counted by the browser. */
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

/** Script time of one page turn of the lower-level log, with 100 rows, all eleven columns and the actions. */
const turnPages = async (page: Page, client: CDPSession, base: string) => {
  await chooseColumns(page, 'subAccountLog', childLog.columns);
  await page.goto(`${base}/log/sub-account?limit=100`);
  await page.getByRole('row').nth(50).waitFor();
  const turns: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const first = await page.getByRole('row').nth(3).textContent();
    const before = await spentMs(client, 'ScriptDuration');
    await page.getByTitle('下一页').click();
    await page.waitForFunction((old) => document.querySelectorAll('tbody tr')[2]?.textContent !== old, first);
    await page.waitForLoadState('networkidle');
    turns.push((await spentMs(client, 'ScriptDuration')) - before);
  }
  turns.sort((a, b) => a - b);
  return turns[Math.floor(turns.length / 2)] ?? 0;
};

export const benchWeb = async () => {
  // Opened first, so that nothing keeps running if there is no browser.
  const { page, client, close } = await openBrowser();
  const testServer = await openTestServer();
  const server = await startServer(testServer.url, testServer.folder, { DEMO: 'on', LOG_LEVEL: 'error' });
  try {
    const bytes = await countTransfer(client);
    await signIn(page, server.base);
    const kb = (n: number) => `${(n / 1000).toFixed(0)} KB`;
    const loaded = { ...bytes };
    const turn = await turnPages(page, client, server.base);
    table('console in the browser', [
      ['scripts, login + shell + one list', kb(loaded.Script)],
      ['styles', kb(loaded.Stylesheet)],
      ['together, compressed', kb(loaded.Script + loaded.Stylesheet), 'target <= 300 KB'],
      ['script time of a page turn, 100 rows x 12', `${turn.toFixed(0)} ms`, 'target < 100 ms'],
    ]);
  } finally {
    await close();
    await server.stop();
    await testServer.close();
  }
};
