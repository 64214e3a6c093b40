import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deviceList } from '@farlink/contract/device/device-list.ts';
import type { CDPSession, Page } from '@playwright/test';
import { Pool } from 'pg';
import { chooseColumns, openBrowser, signIn, spentMs } from '../browser.ts';
import { table } from '../measure.ts';
import { openTestServer, startServer } from '../test-server.ts';
import { addDevices, countOnline, freePort, keyOf, snOf } from './fleet.ts';

const simulator = fileURLToPath(new URL('../../../simulator/src/main.ts', import.meta.url));
const fleet = 10_000;
const watchedS = 30;

/** Starts the simulator in a separate process. Resolves when nearly all gateways are online, because some links are always down. */
const startFleet = async (port: number, folder: string, pool: Pool): Promise<ChildProcess> => {
  const keys = join(folder, 'keys.json');
  writeFileSync(keys, JSON.stringify(Array.from({ length: fleet }, (_, i) => ({ sn: snOf(i), key: keyOf(i) }))));
  const options = { keys, port: String(port), state: join(folder, 'simulator'), connects: '250' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [simulator, ...args, '--with-parent'], { stdio: ['pipe', 'ignore', 'inherit'] });
  while ((await countOnline(pool)) < fleet * 0.98) await pause(500);
  return child;
};

/** Counts the messages of the live stream. */
const countUpdates = async (client: CDPSession) => {
  const updates = { messages: 0, bytes: 0 };
  const streams = new Set<string>();
  await client.send('Network.enable');
  client.on('Network.responseReceived', ({ requestId, response }) => response.url.includes('/live?') && streams.add(requestId));
  client.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (!streams.has(requestId)) return;
    updates.messages++;
    updates.bytes += dataLength;
  });
  return updates;
};

type UpdateCount = Awaited<ReturnType<typeof countUpdates>>;

interface Case {
  readonly rows: number;
  readonly columns: readonly string[];
}

/** Watches one page of the list without any interaction. */
const watch = async (page: Page, client: CDPSession, updates: UpdateCount, base: string, { rows, columns }: Case) => {
  await chooseColumns(page, deviceList.key, columns);
  await page.goto(`${base}/device/list?limit=${rows}`);
  await page.getByRole('row').nth(rows).waitFor();
  await pause(3000);
  Object.assign(updates, { messages: 0, bytes: 0 });
  const kinds = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration', 'TaskDuration'] as const;
  const before = await Promise.all(kinds.map((kind) => spentMs(client, kind)));
  const began = performance.now();
  await pause(watchedS * 1000);
  const seconds = (performance.now() - began) / 1000;
  const after = await Promise.all(kinds.map((kind) => spentMs(client, kind)));
  const [script = 0, layout = 0, style = 0, all = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / seconds);
  table(`device list with ${rows} rows x ${columns.length} columns, ${fleet.toLocaleString('en')} gateways at work`, [
    ['script, ms a second', script.toFixed(1), 'target < 16'],
    ['style and layout, ms a second', (style + layout).toFixed(1)],
    ['everything the page does, ms a second', all.toFixed(1)],
    ['messages of the stream a second', (updates.messages / seconds).toFixed(2)],
    ['KB of the stream a second', (updates.bytes / 1000 / seconds).toFixed(2)],
  ]);
};

export const benchLive = async () => {
  const testServer = await openTestServer();
  const port = await freePort();
  const env = { DEMO: 'off', LOG_LEVEL: 'error', MQTT_PORT: String(port), MQTT_HOST: '127.0.0.1' };
  const server = await startServer(testServer.url, testServer.folder, env);
  const pool = new Pool({ connectionString: testServer.url });
  let gateways: ChildProcess | undefined;
  let browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
  try {
    await addDevices(pool, fleet);
    gateways = await startFleet(port, testServer.folder, pool);
    browser = await openBrowser();
    const { page, client } = browser;
    await signIn(page, server.base);
    const updates = await countUpdates(client);
    const all = deviceList.resource.columns;
    const usual = all.filter((name) => !deviceList.resource.fields[name]?.off);
    for (const one of [
      { rows: 20, columns: usual },
      { rows: 100, columns: all },
    ])
      await watch(page, client, updates, server.base, one);
  } finally {
    await browser?.close();
    gateways?.kill('SIGKILL');
    await pool.end();
    await server.stop();
    await testServer.close();
  }
};
