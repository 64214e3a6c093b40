import { Client, type ClientOptions } from '@farlink/simulator/client.ts';
import { Gateway, type GatewayOptions } from '@farlink/simulator/gateway.ts';
import { keyColumns, newKey } from '../src/field/device-key.ts';
import { type EndpointOptions, openEndpoint } from '../src/field/endpoint/endpoint.ts';
import { serviceDeps } from './setup/service-deps.ts';

/** The door for gateways on a database and a port of its own; the clock is the test's, on both sides. */
export const openFieldStage = async (options: Partial<EndpointOptions> = {}) => {
  const service = await serviceDeps();
  const { deps, clock } = service;
  const { db } = deps;
  const platform = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
  const open = (port = 0) => openEndpoint(deps, { port, host: '127.0.0.1', ...options });
  let endpoint = await open();
  const gateways: Gateway[] = [];
  const clients: Client[] = [];

  const addDevice = async (sn: string, more: { auth_status?: 'suspended' | 'test'; auth_expire_at?: number } = {}) => {
    const key = newKey();
    const { id } = await db
      .insertInto('device')
      .values({ agent_id: platform.id, name: sn, sn, create_at: 1, ...keyColumns(key), ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, sn, key };
  };
  const gateway = (sn: string, more: Partial<GatewayOptions> = {}) => {
    const made = new Gateway({ sn, seed: 1, host: '127.0.0.1', port: endpoint.port, realMs: () => clock.now() * 1000, ...more });
    gateways.push(made);
    return made;
  };
  /** A client that may do what no gateway would. */
  const client = (sn: string, password: string, more: Partial<ClientOptions> = {}) => {
    const made = new Client({ host: '127.0.0.1', port: endpoint.port, clientId: sn, username: sn, password, ...more });
    clients.push(made);
    return made;
  };
  const device = (id: number) => db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const close = async () => {
    for (const g of gateways) g.stop(false);
    for (const c of clients) c.destroy();
    await endpoint.close();
    await service.close();
  };
  return {
    ...service,
    db,
    platformId: platform.id,
    endpoint: () => endpoint,
    /** The console was away for a moment. */
    reopen: async (port: number) => {
      await endpoint.close();
      endpoint = await open(port);
    },
    addDevice,
    gateway,
    client,
    device,
    close,
  };
};

export type FieldStage = Awaited<ReturnType<typeof openFieldStage>>;
