import { once } from 'node:events';
import { createServer } from 'node:net';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import type { Pool } from 'pg';
import { keyColumns } from '../../../server/src/orders/device-key.ts';

export const snOf = (i: number) => `BENCH${i}`;
export const keyOf = (i: number) => `key of ${snOf(i)}`;

export const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return address && typeof address === 'object' ? address.port : 0;
};

/** Inserts devices as if they were bound, with keys in use. */
export const addDevices = (pool: Pool, count: number) => {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const keys = numbers.map((i) => keyColumns(keyOf(i)));
  return pool.query(
    `insert into device (agent_id, name, sn, create_at, key_hash, key_verifier, key_used_at)
     select 1, 'Ship ' || sn, sn, 1, hash, verifier, 1 from unnest($1::text[], $2::text[], $3::text[]) as made (sn, hash, verifier)`,
    [numbers.map(snOf), keys.map((k) => k.key_hash), keys.map((k) => k.key_verifier)],
  );
};

export const countOnline = async (pool: Pool) => {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from device where online_state = 1');
  return rows[0]?.n ?? 0;
};

const connect = async (port: number, i: number) => {
  const sn = snOf(i);
  const client = new Client({ host: '127.0.0.1', port, clientId: sn, username: sn, password: keyOf(i) });
  const { reasonCode } = await client.connect();
  if (reasonCode !== 0) throw new Error(`${sn} was refused with ${reasonCode}`);
  return client;
};

/** Subscribes and sends the hello message. */
const sendHello = async (client: Client, i: number) => {
  await client.subscribe(downTopic(snOf(i), '#'));
  await client.publish(upTopic(snOf(i), 'hello'), JSON.stringify({ boot: 'bench1', fw: '03.02.01', h: digestOf({}), link: 'lte' }));
};

/** Connects all gateways, `atOnce` at a time. Only a console gets a hello message; a plain broker does not. */
export const connectAll = async (port: number, count: number, { atOnce = 500, withHello = true } = {}) => {
  const clients: Client[] = [];
  const numbers = Array.from({ length: count }, (_, i) => i).values();
  const worker = async () => {
    for (const i of numbers) {
      const client = await connect(port, i);
      if (withHello) await sendHello(client, i);
      clients[i] = client;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return clients;
};

export const statusOf = (i: number, n: number) => ({
  b: 'bench1',
  n,
  t: Math.floor(Date.now() / 1000),
  l: [{ i: '6d', s: 1, r: 600 + (n % 50), q: 90, u: n * 1000, d: n * 9000 }],
  cur: 'lte',
  p: [22.5 + i / 1000, 113.9, 12.3, 181, 1],
  cpu: n % 100,
  mem: 41,
  on: 37,
});
