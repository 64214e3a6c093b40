import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { ActionFault, type ActionRun } from './action-run.ts';

const checkEvery = 3;

/** Keeps the changes if the console is reachable within the timeout; otherwise rolls them back. */
export const rollBackUnlessReachable = async (run: ActionRun, before: ReadonlyMap<string, JsonObject>, seconds: number) => {
  run.print(`changes are rolled back unless the platform is reachable within ${seconds} s`, 60);
  for (let gone = 0; gone < seconds; gone += checkEvery) {
    await run.gateway.wait(checkEvery);
    if (run.gateway.state === 'online') return run.print('platform reachable, changes kept', 95);
  }
  for (const [name, doc] of before) run.gateway.changeLocally(name, doc);
  throw new ActionFault(`E_LOST rolled back after ${seconds} s`);
};
