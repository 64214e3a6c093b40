import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { RunHandler } from './action-run.ts';

export const reboot: RunHandler = async (run): Promise<JsonObject> => {
  const operation = run.text('operation');
  const delay = run.number('delay');
  run.print(`${operation} asked for: ${run.text('reason')}`, 5);
  if (delay > 0) {
    run.print(`in ${delay} s`);
    await run.wait(delay);
  }
  if (operation === 'network') {
    run.print('restarting network services', 40);
    await run.wait(6);
    run.print('interfaces are up again', 90);
    return { operation };
  }
  if (operation === 'shutdown') {
    run.print('shutting down; it must be switched on at the device', 90);
    void run.gateway.flushed().then(() => run.gateway.power('off'));
    return { operation };
  }
  run.print('restarting', 30);
  await run.gateway.restart();
  run.print(`started, firmware ${run.gateway.firmware.version}`, 98);
  return { operation, version: run.gateway.firmware.version };
};
