import { ensureInstalled } from './prepare.mjs';
import { main, pinnedNode, run } from './run.mjs';

/** The server restarts on source changes, and the console hot-reloads in the browser. Its calls are proxied to the server. */
await main(async () => {
  await ensureInstalled();
  const env = { ...process.env, PORT: process.env.PORT || '8080', WEB_PORT: process.env.WEB_PORT || '5173' };
  const codes = await Promise.all([
    run(pinnedNode, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], { env }),
    run(pinnedNode, ['scripts/dev-web.mjs'], { env }),
  ]);
  return Math.max(...codes);
});
