import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { main, pinnedNode, run } from './run.mjs';

await main(async () => {
  await ensureInstalled();
  if (process.argv.includes('--help') || process.argv.includes('-h')) return run(pinnedNode, ['scripts/help.mjs']);
  await ensureWebBuilt();
  return run(pinnedNode, ['server/src/main.ts']);
});
