import { once } from 'node:events';
import { createServer } from 'node:net';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import { Pool } from 'pg';
import { table } from './measure.ts';
import { openStage, startServer } from './stage.ts';

const held = 10_000;
/** One message each on its way, so that no two of a batch are of the same gateway and could be folded into one row. */
const speakers = 6000;
const [seconds, atOnce, batchRows] = [6, 500, 2000];

const snOf = (i: number) => `BENCH${i}`;
const keyOf = (i: number) => `key of ${snOf(i)}`;

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return address && typeof address === 'object' ? address.port : 0;
};

const fill = (pool: Pool) =>
  pool.query(
    `insert into device (agent_id, name, sn, create_at, key_hash, key_used_at)
     select 1, 'Ship ' || g, 'BENCH' || g, 1, encode(sha256(convert_to('key of BENCH' || g, 'utf8')), 'hex'), 1 from generate_series(0, $1::int - 1) g`,
    [held],
  );

/** As a gateway comes: CONNECT, SUBSCRIBE, hello. */
const come = async (port: number, i: number) => {
  const sn = snOf(i);
  const client = new Client({ host: '127.0.0.1', port, clientId: sn, username: sn, password: keyOf(i) });
  const { reasonCode } = await client.connect();
  if (reasonCode !== 0) throw new Error(`${sn} was refused with ${reasonCode}`);
  await client.subscribe(downTopic(sn, '#'));
  await client.publish(upTopic(sn, 'hello'), JSON.stringify({ boot: 'bench1', fw: '03.02.01', h: digestOf({}), link: 'lte' }));
  return client;
};

const comeAll = async (port: number) => {
  const clients: Client[] = [];
  const numbers = Array.from({ length: held }, (_, i) => i).values();
  const worker = async () => {
    for (const i of numbers) clients[i] = await come(port, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return clients;
};

const statusOf = (i: number, n: number) => ({
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

/** Messages that are acknowledged, and so on disk, a second. */
const speak = async (clients: readonly Client[]) => {
  const until = performance.now() + seconds * 1000;
  const start = performance.now();
  let acked = 0;
  const worker = async (client: Client | undefined, i: number) => {
    for (let n = 1; client && performance.now() < until; n++) {
      await client.publish(upTopic(snOf(i), 's'), JSON.stringify(statusOf(i, n)), { alias: true });
      acked++;
    }
  };
  await Promise.all(clients.slice(0, speakers).map(worker));
  return acked / ((performance.now() - start) / 1000);
};

/** The limit: the same rows written by nobody but the driver, in batches as large as the server's, each with its commit. */
const insertBare = async (pool: Pool) => {
  await pool.query('create table bare_status (like device_status including all) with (fillfactor = 70)');
  const sql = `insert into bare_status (device_id, boot, n, at, seen_at, links, lat, lon, sog, cog, fix, cpu, memory, online_users)
    select u.device, u.b, u.n, u.t, u.t, u.links, u.lat, u.lon, u.sog, u.cog, u.fix, u.cpu, u.memory, u.online_users
    from json_to_recordset($1::json) as u(device bigint, b text, n bigint, t bigint, links jsonb, lat float8, lon float8, sog real, cog real, fix smallint,
      cpu smallint, memory smallint, online_users integer)
    on conflict (device_id) do update set n = excluded.n, at = excluded.at, seen_at = excluded.seen_at, links = bare_status.links || excluded.links,
      lat = excluded.lat, lon = excluded.lon, sog = excluded.sog, cog = excluded.cog, fix = excluded.fix, cpu = excluded.cpu, memory = excluded.memory,
      online_users = excluded.online_users`;
  const start = performance.now();
  let [rows, n] = [0, 0];
  while (performance.now() - start < seconds * 1000) {
    n++;
    const batch = Array.from({ length: batchRows }, (_, k) => {
      const i = (n * batchRows + k) % speakers;
      const { b, t, l, p, cpu, mem, on } = statusOf(i, n);
      const [lat, lon, sog, cog, fix] = p;
      return { device: i + 1, b, n, t, links: { '6d': l[0] }, lat, lon, sog, cog, fix, cpu, memory: mem, online_users: on };
    });
    await pool.query({ name: 'bare', text: sql, values: [JSON.stringify(batch)] });
    rows += batch.length;
  }
  return rows / ((performance.now() - start) / 1000);
};

export const benchField = async () => {
  const stage = await openStage();
  const port = await freePort();
  const env = { DEMO: 'off', LOG_LEVEL: 'error', MQTT_PORT: String(port), MQTT_HOST: '127.0.0.1' };
  const server = await startServer(stage.url, stage.folder, env);
  const pool = new Pool({ connectionString: stage.url });
  try {
    await fill(pool);
    const before = server.residentMb();
    const started = performance.now();
    const clients = await comeAll(port);
    const coming = (performance.now() - started) / 1000;
    const after = server.residentMb();
    const bare = await insertBare(pool);
    const through = await speak(clients);
    const online = async () => {
      const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from device where online_state = 1');
      return rows[0]?.n ?? 0;
    };
    const held_ = await online();
    for (const client of clients) client.destroy();
    const again = performance.now();
    const back = await comeAll(port);
    const storm = (performance.now() - again) / 1000;
    table(`${held_.toLocaleString('en')} gateways on one process`, [
      ['memory of the server', `${after.toFixed(0)} MB`, 'target <= 1024 MB for 10,000'],
      ['memory each', `${(((after - before) * 1024) / held).toFixed(1)} KB`],
      ['all came within', `${coming.toFixed(1)} s`],
      ['all came back within', `${storm.toFixed(1)} s`],
      ['came a second', (held / storm).toFixed(0)],
      ['status messages/s, on disk when acknowledged', through.toFixed(0)],
      ['bare upserts/s in batches of the same rows', bare.toFixed(0)],
      ['ratio', `${(through / bare).toFixed(2)}x`],
    ]);
    for (const client of back) client.destroy();
  } finally {
    await pool.end();
    await server.stop();
    await stage.close();
  }
};
