import { gzipSync } from 'node:zlib';
import { leanClient } from './lean-client.ts';
import { Turn, table, takeTurns } from './measure.ts';
import { openTestServer, startServer } from './test-server.ts';

/** The first page of the hosted portal, against its style file, which the same server finds through the site of the VNO. */
export const benchPortal = async () => {
  const testServer = await openTestServer();
  const server = await startServer(testServer.url, testServer.folder, { DEMO: 'on', LOG_LEVEL: 'error' });
  const { get, close } = leanClient(server.base, '', '');
  try {
    const home = '/portal/BLUESEA8/zh/';
    const html = await (await fetch(server.base + home)).text();
    const file = /href="([^"]+\.css)"/.exec(html)?.[1] ?? '';
    const css = await (await fetch(server.base + file)).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    const js = await (await fetch(server.base + script)).text();
    const turns = [new Turn(async () => void (await get(home))), new Turn(async () => void (await get(file)))] as const;
    await takeTurns(turns);
    const [page, fixed] = turns.map((turn) => turn.measured);
    const firstView = [html, css, js].reduce((sum, text) => sum + gzipSync(text).length, 0);
    table('hosted portal', [
      ['first page, requests/s', (page?.perSecond ?? 0).toFixed(0)],
      ['style file of the portal, requests/s', (fixed?.perSecond ?? 0).toFixed(0)],
      ['ratio', ((page?.perSecond ?? 0) / (fixed?.perSecond ?? 1)).toFixed(2), 'target >= 0.5'],
      ['first view with style and script, compressed', `${(firstView / 1000).toFixed(1)} KB`, 'target <= 30 KB'],
    ]);
  } finally {
    close();
    await server.stop();
    await testServer.close();
  }
};
