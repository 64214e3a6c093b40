import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type Deed, DeedFault } from './deed.ts';

const lookEvery = 3;

/** What was changed stays if the console is reached again within the time; if not, all is as it was before. */
export const keptIfReached = async (deed: Deed, before: ReadonlyMap<string, JsonObject>, seconds: number) => {
  deed.say(`it is taken back unless the platform is reached within ${seconds} s`, 60);
  for (let gone = 0; gone < seconds; gone += lookEvery) {
    await deed.box.wait(lookEvery);
    if (deed.box.state === 'online') return deed.say('reached: kept', 95);
  }
  for (const [name, doc] of before) deed.box.changeLocally(name, doc);
  throw new DeedFault(`E_LOST rolled back after ${seconds} s`);
};
