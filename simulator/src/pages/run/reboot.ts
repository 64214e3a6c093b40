import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Doer } from './deed.ts';

export const reboot: Doer = async (deed): Promise<JsonObject> => {
  const operation = deed.text('operation');
  const delay = deed.number('delay');
  deed.say(`${operation} asked for: ${deed.text('reason')}`, 5);
  if (delay > 0) {
    deed.say(`in ${delay} s`);
    await deed.wait(delay);
  }
  if (operation === 'network') {
    deed.say('restarting network services', 40);
    await deed.wait(6);
    deed.say('interfaces are up again', 90);
    return { operation };
  }
  if (operation === 'shutdown') {
    deed.say('shutting down; somebody must switch it on again', 90);
    void deed.box.said().then(() => deed.box.power('off'));
    return { operation };
  }
  deed.say('restarting', 30);
  await deed.box.restart();
  deed.say(`started, firmware ${deed.box.firmware.version}`, 98);
  return { operation, version: deed.box.firmware.version };
};
