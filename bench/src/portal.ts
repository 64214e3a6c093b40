import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { leanClient } from './lean-client.ts';
import { runInTurns, Turn, table } from './measure.ts';
import { openTestServer, startServer } from './test-server.ts';

const builtFiles = fileURLToPath(new URL('../../web/dist/assets', import.meta.url));

/** The script of the built console whose size is nearest. The server reads it from the disk, like all files of the console. */
const fileOfSize = (size: number) => {
  const distance = (name: string) => Math.abs(statSync(`${builtFiles}/${name}`).size - size);
  const [nearest] = readdirSync(builtFiles)
    .filter((name) => name.endsWith('.js'))
    .sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined) throw new Error('the console is not built');
  return `/assets/${nearest}`;
};

/** The first page of the hosted portal, against a static file of similar size from the same server. */
export const benchPortal = async () => {
  const testServer = await openTestServer();
  const server = await startServer(testServer.url, testServer.folder, { DEMO: 'on', LOG_LEVEL: 'error' });
  const { get, close } = leanClient(server.base, '', '');
  try {
    const homePath = '/portal/BLUESEA8/zh/';
    const html = await (await fetch(server.base + homePath)).text();
    const style = /href="([^"]+\.css)"/.exec(html)?.[1] ?? '';
    const css = await (await fetch(server.base + style)).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    const js = await (await fetch(server.base + script)).text();
    const file = fileOfSize(Buffer.byteLength(html));
    const turns = [homePath, style, file].map((path) => new Turn(async () => void (await get(path))));
    await runInTurns(turns);
    const [page, styleFile, fixed] = turns.map((turn) => turn.measured.perSecond);
    const firstView = [html, css, js].reduce((sum, text) => sum + gzipSync(text).length, 0);
    table('hosted portal', [
      ['first page, requests/s', (page ?? 0).toFixed(0)],
      [
        `static file of ${Buffer.byteLength(await get(file))} bytes (page: ${Buffer.byteLength(html)}), requests/s`,
        (fixed ?? 0).toFixed(0),
      ],
      ['ratio', ((page ?? 0) / (fixed ?? 1)).toFixed(2), 'target >= 0.5'],
      ['style file of the portal, requests/s', (styleFile ?? 0).toFixed(0)],
      ['first view with style and script, compressed', `${(firstView / 1000).toFixed(1)} KB`, 'target <= 30 KB'],
    ]);
  } finally {
    close();
    await server.stop();
    await testServer.close();
  }
};
