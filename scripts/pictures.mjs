// Takes the pictures of the README from the demo data of a new server.
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { main, pinnedNode, run } from './run.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebBuilt();
  return run(pinnedNode, ['e2e/take-pictures.ts'], { env: { ...process.env, CHROMIUM: await ensureBrowser() } });
});
