import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { freePort } from './field/fleet.ts';
import { table } from './measure.ts';
import { one, postgresOf, stopwatch } from './processor.ts';
import { openTestServer, startServer } from './test-server.ts';

/** As `npm start` runs the server. */
const nodeOptions = '--max-semi-space-size=16';
const settleMs = 60_000;
const measureMs = 120_000;

/** The demo with twelve simulated gateways and no caller, after a restart: the first start also fills the database. */
export const benchIdle = async () => {
  const testServer = await openTestServer();
  const env = { DEMO: 'on', SIMULATE: '12', LOG_LEVEL: 'error', MQTT_PORT: String(await freePort()), NODE_OPTIONS: nodeOptions };
  const filling = await startServer(testServer.url, testServer.folder, env);
  await wait(settleMs);
  await filling.stop();
  const server = await startServer(testServer.url, testServer.folder, env);
  const pool = new Pool({ connectionString: testServer.url, max: 1 });
  const commits = async () => {
    const { rows } = await pool.query<{ n: number }>('select sum(xact_commit + xact_rollback)::float8 as n from pg_stat_database');
    return rows[0]?.n ?? 0;
  };
  try {
    await wait(settleMs);
    const serverMs = stopwatch(one(server.pid));
    const databaseMs = stopwatch(await postgresOf(pool));
    const began = performance.now();
    const commitsBefore = await commits();
    await wait(measureMs);
    const ms = performance.now() - began;
    const share = (busyMs: number) => `${((100 * busyMs) / ms).toFixed(2)} % of a core`;
    const anonymous = Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/RssAnon:\s+(\d+)/)?.[1] ?? 0) / 1024;
    table('idle server with 12 gateways', [
      ['memory of the server', `${server.residentMb().toFixed(0)} MB`, 'target <= 250 MB'],
      ['… without program files', `${anonymous.toFixed(0)} MB`],
      ['processor: server', share(serverMs())],
      ['… its database', share(databaseMs()), 'target <= 1 % together'],
      ['transactions a second', (((await commits()) - commitsBefore) / (ms / 1000)).toFixed(1)],
    ]);
  } finally {
    await pool.end();
    await server.stop();
    await testServer.close();
  }
};
