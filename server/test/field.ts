import { Client, type ClientOptions } from '@farlink/simulator/client.ts';
import { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { type EndpointOptions, openEndpoint } from '../src/field/endpoint/endpoint.ts';
import type { FieldListener } from '../src/field/field.ts';
import type { Deps } from '../src/kit/deps.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { serviceDeps } from './setup/service-deps.ts';

/** A gateway listener on a separate database; the test controls the clock of both sides. */
export const openTestServer = async <D extends FieldListener & { readonly port: number }>(
  openListener: (deps: Deps, port: number) => Promise<D>,
) => {
  const service = await serviceDeps();
  const { deps, clock } = service;
  const { db } = deps;
  const platform = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
  let listener = await openListener(deps, 0);
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
    const made = new Gateway({ sn, seed: 1, host: '127.0.0.1', port: listener.port, realMs: () => clock.now() * 1000, ...more });
    gateways.push(made);
    return made;
  };
  /** A client that can send what no gateway would. */
  const client = (sn: string, password: string, more: Partial<ClientOptions> = {}) => {
    const made = new Client({ host: '127.0.0.1', port: listener.port, clientId: sn, username: sn, password, ...more });
    clients.push(made);
    return made;
  };
  const device = (id: number) => db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const close = async () => {
    for (const g of gateways) g.stop(false);
    for (const c of clients) c.destroy();
    await listener.close();
    await service.close();
  };
  return {
    ...service,
    db,
    platformId: platform.id,
    listener: () => listener,
    reopen: async (port: number) => {
      await listener.close();
      listener = await openListener(deps, port);
    },
    addDevice,
    gateway,
    client,
    device,
    close,
  };
};

/** The MQTT endpoint of the console on a separate port. */
export const openFieldTestServer = async (options: Partial<EndpointOptions> = {}) => {
  const testServer = await openTestServer((deps, port) => openEndpoint(deps, { port, host: '127.0.0.1', ...options }));
  return { ...testServer, endpoint: testServer.listener };
};

export type FieldTestServer = Awaited<ReturnType<typeof openFieldTestServer>>;
