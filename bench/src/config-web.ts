import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { gatewayMenu } from '@farlink/gateway/menu.ts';
import type { CDPSession, Page } from '@playwright/test';
import { openBrowser, signIn, spentMs } from './browser.ts';
import { table } from './measure.ts';
import { openTestServer, startServer } from './test-server.ts';

const rounds = 3;
/** Work shortly after rendering counts as part of opening the page. */
const afterRenderMs = 200;

/** Changes the URL without a reload of the console. */
const goTo = (page: Page, key: string) =>
  page.evaluate((key) => {
    history.pushState({ ...history.state, idx: history.state.idx + 1, key }, '', `?page=${key}`);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, key);

const openOnce = async (page: Page, client: CDPSession, key: string) => {
  await page.waitForTimeout(afterRenderMs / 2);
  const before = await spentMs(client, 'ScriptDuration');
  await goTo(page, key);
  await page.locator('.config-main h2').first().waitFor();
  await page.waitForTimeout(afterRenderMs);
  return (await spentMs(client, 'ScriptDuration')) - before;
};

const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Script time of opening each page of a gateway: first with the download of its schema chunk, then again. */
export const benchConfigWeb = async () => {
  // Opened first, so that nothing keeps running if there is no browser.
  const { page, client, close } = await openBrowser();
  const testServer = await openTestServer();
  const server = await startServer(testServer.url, testServer.folder, { DEMO: 'on', LOG_LEVEL: 'error' });
  try {
    const reply: { data: Listing<AnyRow> } = JSON.parse(await server.get('device?page=1&limit=1'));
    await signIn(page, server.base);
    await page.goto(`${server.base}/device/gateway-config/${reply.data.list[0]?.id}`);
    await page.locator('.config-tree').waitFor();
    const keys = gatewayMenu.flatMap(({ pages }) => pages.map(({ key }) => key));
    const times = new Map<string, number[]>(keys.map((key) => [key, []]));
    for (let round = 0; round < rounds; round++) for (const key of keys) times.get(key)?.push(await openOnce(page, client, key));
    const usual = [...times].map(([key, all]) => ({ key, ms: middle(all) })).sort((a, b) => b.ms - a.ms);
    const first = middle([...times.values()].map((all) => all[0] ?? 0));
    const [worst, second] = usual;
    table(`opening each of ${keys.length} gateway pages, script time`, [
      ['median page', `${middle(usual.map(({ ms }) => ms)).toFixed(0)} ms`],
      ['median page, first time', `${first.toFixed(0)} ms`],
      [`worst page (${worst?.key})`, `${worst?.ms.toFixed(0)} ms`, 'target < 50 ms'],
      [`next (${second?.key})`, `${second?.ms.toFixed(0)} ms`],
    ]);
  } finally {
    await close();
    await server.stop();
    await testServer.close();
  }
};
