import { once } from 'node:events';
import { createServer } from 'node:net';
import { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { openEndpoint } from '../src/field/endpoint/endpoint.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { type Api, startApi } from './api.ts';

/** Gateways get file URLs before the server listens, so the port is chosen first. */
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address && typeof address === 'object' ? address.port : 0;
};

/** The gateway listener of a running console API, with simulated gateways on its database and clock. */
export const openFleet = async (api: Api) => {
  const endpoint = await openEndpoint(api.deps, { port: 0, host: '127.0.0.1' });
  const gateways: Gateway[] = [];

  const newGateway = (sn: string, key: string, options: Partial<GatewayOptions>) => {
    const where = { host: '127.0.0.1', port: endpoint.port, realMs: () => api.clock.now() * 1000 };
    const gateway = new Gateway({ sn, key, seed: 1, ...where, ...options });
    gateway.current = '6d';
    gateways.push(gateway);
    return gateway;
  };
  /** A device of a VNO with its gateway, not connected yet. */
  const addGateway = async (agentId: number, sn: string, options: Partial<GatewayOptions> = {}) => {
    const key = newKey();
    const { id } = await api.db
      .insertInto('device')
      .values({ agent_id: agentId, name: `ship ${sn}`, sn, create_at: 1, ...keyColumns(key) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, gateway: newGateway(sn, key, options) };
  };
  /** The gateway of an existing device, not connected yet. */
  const gatewayOf = async (id: number, options: Partial<GatewayOptions> = {}) => {
    const key = newKey();
    const { sn } = await api.db.updateTable('device').set(keyColumns(key)).where('id', '=', id).returning('sn').executeTakeFirstOrThrow();
    return newGateway(sn, key, options);
  };
  const close = async () => {
    for (const gateway of gateways) gateway.stop(false);
    await endpoint.close();
  };
  return { endpoint, gateways, addGateway, gatewayOf, close };
};

/** The console API and its gateway listener on one database and clock, with simulated gateways that download real files. */
export const startFleetApi = async (env: Record<string, string> = {}) => {
  const api = await startApi({ ...env, PORT: String(await freePort()) });
  const fleet = await openFleet(api);
  const close = async () => {
    await fleet.close();
    await api.close();
  };
  return { ...api, ...fleet, close };
};

export type FleetApi = Awaited<ReturnType<typeof startFleetApi>>;
