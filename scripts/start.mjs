import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { main, pinnedNode, run, serverArguments } from './run.mjs';
import { supervise } from './supervise.mjs';

await main(async () => {
  await ensureInstalled('start');
  if (process.argv.includes('--help') || process.argv.includes('-h')) return run(pinnedNode, ['scripts/help.mjs']);
  await ensureWebBuilt();
  // The demo data needs ships that are online; SIMULATE=off starts none.
  return supervise(pinnedNode, serverArguments, { env: { ...process.env, SIMULATE: process.env.SIMULATE || '12' } });
});
