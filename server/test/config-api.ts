import type { DownBundle } from '@farlink/gateway/protocol/message.ts';
import { downBundle, downConfirm } from '@farlink/gateway/protocol/message.ts';
import { digestOf, hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { startFleetApi } from './fleet-api.ts';

/** The console with test gateways that receive bundles and reply as the test defines. */
export const startConfigApi = async () => {
  const api = await startFleetApi();
  const clients = new Set<Client>();

  const addTestGateway = async (agentId: number, sn: string) => {
    const key = newKey();
    const { id } = await api.db
      .insertInto('device')
      .values({ agent_id: agentId, name: `ship ${sn}`, sn, create_at: 1, ...keyColumns(key) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const bundles: DownBundle[] = [];
    const confirmedIds: string[] = [];
    /** Hashes of the sections that it reports. */
    const hashes: Record<string, string> = {};
    let client: Client | undefined;
    const onMessage = (topic: string, body: string) => {
      if (topic === downTopic(sn, 'set')) {
        const parsed = parseJson(downBundle, body);
        if ('reason' in parsed) throw new Error(parsed.reason);
        bundles.push(parsed.value);
      }
      if (topic === downTopic(sn, 'keep')) {
        const parsed = parseJson(downConfirm, body);
        if ('reason' in parsed) throw new Error(parsed.reason);
        confirmedIds.push(parsed.value.id);
      }
    };
    const publish = async (tail: string, body: object) => {
      const reply = await client?.publish(upTopic(sn, tail), JSON.stringify(body));
      if (reply !== 0) throw new Error(`${tail}: ${reply}`);
    };
    const connect = async (more: object = {}) => {
      client = new Client({ host: '127.0.0.1', port: api.endpoint.port, clientId: sn, username: sn, password: key, onMessage });
      clients.add(client);
      await client.connect();
      await client.subscribe(downTopic(sn, '#'));
      await publish('hello', { boot: 'boot1', fw: '03.02.01', h: digestOf(hashes), link: '6d', ...more });
    };
    const disconnect = async () => {
      await publish('bye', { r: 'stop' });
      client?.destroy();
    };
    /** Replies for every section of a bundle. */
    const reply = async (bundle: DownBundle, of: (section: string, one: { rev: number; h: string }) => object) => {
      for (const [section, one] of Object.entries(bundle.s)) await publish(`cfg/${section}`, of(section, one));
    };
    const accept = (bundle: DownBundle) =>
      reply(bundle, (section, { rev, h }) => {
        hashes[section] = h;
        return { rev, ok: true, h };
      });
    const change = (section: string, rev: number, doc: JsonObject) => {
      hashes[section] = hashOf(doc);
      return publish(`cfg/${section}`, { rev, loc: true, h: hashOf(doc), doc });
    };
    return { id, sn, bundles, confirmedIds, publish, connect, disconnect, reply, accept, change };
  };

  const close = async () => {
    for (const client of clients) client.destroy();
    await api.close();
  };
  return { ...api, addTestGateway, close };
};

export type ConfigApi = Awaited<ReturnType<typeof startConfigApi>>;
export type TestGateway = Awaited<ReturnType<ConfigApi['addTestGateway']>>;
