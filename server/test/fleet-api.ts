import { once } from 'node:events';
import { createServer } from 'node:net';
import { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { openEndpoint } from '../src/field/endpoint/endpoint.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { startApi } from './api.ts';

/** Gateways get file URLs before the server listens, so the port is chosen first. */
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address && typeof address === 'object' ? address.port : 0;
};

/** The console API and its gateway listener on one database and clock, with simulated gateways that download real files. */
export const startFleetApi = async (env: Record<string, string> = {}) => {
  const api = await startApi({ ...env, PORT: String(await freePort()) });
  const endpoint = await openEndpoint(api.deps, { port: 0, host: '127.0.0.1' });
  const gateways: Gateway[] = [];

  /** A device of a VNO with its gateway, not connected yet. */
  const addGateway = async (agentId: number, sn: string, options: Partial<GatewayOptions> = {}) => {
    const key = newKey();
    const { id } = await api.db
      .insertInto('device')
      .values({ agent_id: agentId, name: `ship ${sn}`, sn, create_at: 1, ...keyColumns(key) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const where = { host: '127.0.0.1', port: endpoint.port, realMs: () => api.clock.now() * 1000 };
    const gateway = new Gateway({ sn, key, seed: 1, ...where, ...options });
    gateway.current = '6d';
    gateways.push(gateway);
    return { id, gateway };
  };
  const close = async () => {
    for (const gateway of gateways) gateway.stop(false);
    await endpoint.close();
    await api.close();
  };
  return { ...api, endpoint, gateways, addGateway, close };
};

export type FleetApi = Awaited<ReturnType<typeof startFleetApi>>;
