import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { openBroker } from '../src/field/broker/broker.ts';
import { openTestServer } from './field.ts';
import { openMosquitto } from './mosquitto.ts';

const brief = { timeout: 10_000, interval: 10 };

/** Console and gateways on a Mosquitto whose password file the console maintains. */
export const openBrokerTestServer = async () => {
  const mosquitto = await openMosquitto();
  const { port, passwordFile } = mosquitto;
  const address = { host: '127.0.0.1', port, tls: false, ca: undefined, username: 'console', password: 'the-console' };
  const testServer = await openTestServer(async (deps) => ({ port, ...(await openBroker(deps, { address, passwordFile, tickMs: 50 })) }));
  const lists = (sn: string) => readFileSync(passwordFile, 'utf8').includes(`\n${sn}:`);
  const listening = () => vi.waitUntil(() => testServer.listener().listens(), brief);
  await mosquitto.reload();
  await listening();
  return {
    ...testServer,
    mosquitto,
    address,
    listening,
    addWithoutBroker: testServer.addDevice,
    addDevice: async (...args: Parameters<typeof testServer.addDevice>) => {
      const added = await testServer.addDevice(...args);
      await vi.waitUntil(() => lists(added.sn), brief);
      await mosquitto.reload();
      return added;
    },
    close: async () => {
      await testServer.close();
      await mosquitto.close();
    },
  };
};
