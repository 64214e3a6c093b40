import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { openBroker } from '../src/field/broker/broker.ts';
import { openStage } from './field.ts';
import { openMosquitto } from './mosquitto.ts';

const brief = { timeout: 10_000, interval: 10 };

/** The console and its gateways on both sides of a Mosquitto whose password file the console keeps. */
export const openBrokerStage = async () => {
  const mosquitto = await openMosquitto();
  const { port, passwordFile } = mosquitto;
  const address = { host: '127.0.0.1', port, tls: false, ca: undefined, username: 'console', password: 'the-console' };
  const stage = await openStage(async (deps) => ({ port, ...(await openBroker(deps, { address, passwordFile, tickMs: 50 })) }));
  const lists = (sn: string) => readFileSync(passwordFile, 'utf8').includes(`\n${sn}:`);
  const listening = () => vi.waitUntil(() => stage.door().listens(), brief);
  await mosquitto.reload();
  await listening();
  return {
    ...stage,
    mosquitto,
    address,
    listening,
    addWithoutBroker: stage.addDevice,
    addDevice: async (...args: Parameters<typeof stage.addDevice>) => {
      const added = await stage.addDevice(...args);
      await vi.waitUntil(() => lists(added.sn), brief);
      await mosquitto.reload();
      return added;
    },
    close: async () => {
      await stage.close();
      await mosquitto.close();
    },
  };
};
