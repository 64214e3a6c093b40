import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Client } from '@farlink/simulator/client.ts';
import { Pool } from 'pg';
import { addDevices, connectAll, freePort, snOf } from './field/fleet.ts';
import { table } from './measure.ts';
import { one, postgresOf, stopwatch } from './processor.ts';
import { openTestServer, startServer } from './test-server.ts';

const gateways = 1000;
const usersOfGateway = 50;
/** Seconds of steady load, after a first round that creates sessions and opens packages. */
const seconds = 90;
const everyS = 60;
const boot = 'bench001';

/** Accounts of each gateway, each with one package. */
const fill = async (pool: Pool) => {
  await pool.query(
    `insert into package (agent_id, kind, name, package_type, flow_capacity, flow_unit, price, device_ids, create_at, update_at)
     select 1, 'online', 'Crew', 'flow', 100, 'GB', 98, array_agg(id), 1, 1 from device`,
  );
  await pool.query(
    `insert into subscriber (agent_id, account, password, account_type, account_source, name, phone, device_id, expire_at, package_id, package_status, create_at, update_at)
     select 1, 'm' || d.id || 'x' || g, '-', 'personal', 'batch', 'n', '138' || g, d.id, 4000000000, 1, 'to_be_used', 1, 1 from device d, generate_series(1, $1::int) g`,
    [usersOfGateway],
  );
  await pool.query(`insert into holding (subscriber_id, package_id, agent_id, start_at, create_at) select id, 1, 1, 1, 1 from subscriber`);
  await pool.query('vacuum analyze subscriber');
  await pool.query('vacuum analyze holding');
};

interface Reporter {
  readonly client: Client;
  readonly sn: string;
  readonly accounts: readonly string[];
}

const report = ({ client, sn, accounts }: Reporter, seq: number, bytes: number) => {
  const t0 = Math.floor(Date.now() / 1000) - everyS;
  const v = accounts.map((acc) => [acc, 1000, bytes - 1000, '6d', 'local', everyS]);
  return client.publish(upTopic(sn, 't/user'), JSON.stringify({ b: boot, seq, t0, dt: everyS, c: ['acc', 'u', 'd', 'i', 'via', 's'], v }));
};

/** Reports of the fleet, spread evenly over each minute. Returns the number of user rows. */
const runMinutes = async (reporters: readonly Reporter[], firstSeq: number, duration: number, bytes: number): Promise<number> => {
  const start = performance.now();
  const gapMs = (everyS * 1000) / reporters.length;
  const sent: Promise<unknown>[] = [];
  let n = 0;
  while (performance.now() - start < duration * 1000) {
    const due = Math.floor((performance.now() - start) / gapMs);
    for (; n < due; n++) {
      const reporter = reporters[n % reporters.length];
      if (reporter) sent.push(report(reporter, firstSeq + Math.floor(n / reporters.length), bytes));
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  await Promise.all(sent);
  return n * usersOfGateway;
};

/** Longest time that usage waited, sampled while it runs. */
const watchLag = (pool: Pool) => {
  let worst = 0;
  const timer = setInterval(async () => {
    const { rows } = await pool.query<{ lag: number | null }>(
      'select extract(epoch from now())::bigint - min(create_at) as lag from usage',
    );
    worst = Math.max(worst, Number(rows[0]?.lag ?? 0));
  }, 500);
  return () => {
    clearInterval(timer);
    return worst;
  };
};

const chargedBytes = async (pool: Pool) =>
  Number((await pool.query<{ n: string }>('select coalesce(sum(used_flow), 0) as n from holding')).rows[0]?.n);

const untilCharged = async (pool: Pool, bytes: number) => {
  const limit = performance.now() + 60_000;
  while ((await chargedBytes(pool)) < bytes && performance.now() < limit) await new Promise((done) => setTimeout(done, 200));
  const charged = await chargedBytes(pool);
  if (charged !== bytes) throw new Error(`${bytes} bytes were reported, ${charged} charged`);
};

/** 1,000 gateways with 50 users each, one report a minute: ingest and metering together. */
export const benchMetering = async () => {
  const testServer = await openTestServer();
  const port = await freePort();
  const env = { DEMO: 'off', LOG_LEVEL: 'error', MQTT_PORT: String(port), MQTT_HOST: '127.0.0.1' };
  const server = await startServer(testServer.url, testServer.folder, env);
  const pool = new Pool({ connectionString: testServer.url });
  try {
    await addDevices(pool, gateways);
    await fill(pool);
    const clients = await connectAll(port, gateways);
    const { rows } = await pool.query<{ sn: string; id: number }>('select sn, id::int as id from device');
    const idOf = new Map(rows.map(({ sn, id }) => [sn, id]));
    const reporters = clients.map((client, i) => {
      const sn = snOf(i);
      return { client, sn, accounts: Array.from({ length: usersOfGateway }, (_, u) => `m${idOf.get(sn)}x${u + 1}`) };
    });
    const bytes = 100_000;
    for (const reporter of reporters) await report(reporter, 1, bytes);
    await untilCharged(pool, gateways * usersOfGateway * bytes);
    const ofServer = stopwatch(one(server.pid));
    const ofDatabase = stopwatch(await postgresOf(pool));
    const lag = watchLag(pool);
    const count = await runMinutes(reporters, 2, seconds, bytes);
    const serverMs = ofServer();
    const databaseMs = ofDatabase();
    const worst = lag();
    await untilCharged(pool, (gateways * usersOfGateway + count) * bytes);
    table(`metering: ${gateways} gateways with ${usersOfGateway} users, one report a minute`, [
      ['user reports/s', (count / seconds).toFixed(0)],
      ['processor of the server', `${(serverMs / seconds / 10).toFixed(0)} %`],
      ['processor of the database', `${(databaseMs / seconds / 10).toFixed(0)} %`],
      ['together', `${((serverMs + databaseMs) / seconds / 10).toFixed(0)} %`, 'target < 100 % of one core'],
      ['processor per user report', `${(((serverMs + databaseMs) * 1000) / count).toFixed(0)} us`],
      ['longest wait until charged', `${worst} s`, 'target < 5 s'],
      ['bytes reported and charged', 'equal'],
    ]);
    for (const { client } of reporters) client.destroy();
  } finally {
    await pool.end();
    await server.stop();
    await testServer.close();
  }
};
