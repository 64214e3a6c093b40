import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { Pool } from 'pg';
import { seal } from '../../../server/src/kit/session/secret.ts';
import { table } from '../measure.ts';
import { one, postgresOf, stopwatch } from '../processor.ts';
import { openTestServer, startServer, type TestServer } from '../test-server.ts';
import { startFreeradius } from './freeradius.ts';
import { accountRequest, type Load, loginRequest, sendLoad, sendWindow, type Target } from './load.ts';

/** Farlink's RADIUS compared with Debian's FreeRADIUS with PostgreSQL and cleartext passwords, in the same run on the same PostgreSQL. */
const secret = 'bench-secret-of-32-characters-xx';
const password = 'Pass2026';
const accounts = Array.from({ length: 2000 }, (_, i) => `bench${i}`);
/** Attempted rates, and rates that both servers can answer on two cores, for the processor time per request. */
const rates = { auth: 2000, acct: 5000 } as const;
const easyRates = { auth: 300, acct: 600 } as const;
/** Requests that wait for a reply at any time. */
const outstanding = 64;
const seconds = 5;
const restMs = 2000;

const freePort = () =>
  new Promise<number>((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(address && typeof address === 'object' ? address.port : 0));
    });
  });

const fill = async (pool: Pool, key: Buffer) => {
  const now = Math.floor(Date.now() / 1000);
  await pool.query(`insert into device (agent_id, name, sn, create_at) values (1, 'Site', 'BENCH1', 1)`);
  await pool.query(
    `insert into package (agent_id, kind, name, package_type, time_capacity, time_unit, price, device_ids, up_speed, down_speed, create_at, update_at)
     select 1, 'online', 'Crew', 'time', 30, 'day', 98, array_agg(id), 256, 1024, 1, 1 from device`,
  );
  await pool.query(
    `insert into subscriber (agent_id, account, password, account_type, account_source, name, phone, device_id, allow_logins, expire_at, package_id,
       package_status, create_at, update_at)
     select 1, u.name, u.password, 'personal', 'batch', 'Bench', '138', 1, 255, 4000000000, 1, 'normal', 1, 1
     from unnest($1::text[], $2::text[]) as u(name, password)`,
    [accounts, accounts.map(() => seal(key, password))],
  );
  await pool.query(
    `insert into holding (subscriber_id, agent_id, package_id, price, start_at, activated_at, state, create_at)
     select id, 1, 1, 98, $1, $1, 'normal', $1 from subscriber`,
    // The sessions of the load are hours long.
    [now - 10 * 86_400],
  );
  await pool.query(`insert into nas (agent_id, name, identifier, secret, create_at, update_at) values (1, 'Bench', 'bench', $1, 1, 1)`, [
    seal(key, secret),
  ]);
  await pool.query('analyze');
};

type Make = Parameters<typeof sendLoad>[3];

interface Measured extends Load {
  readonly cpuUs: number;
  readonly databaseUs: number;
}

interface Measurement {
  readonly authPort: number;
  readonly acctPort: number;
  readonly pid: number;
  readonly pool: Pool;
}

/** Cold: the first load after the start. Processor time is that of the server and of PostgreSQL together. */
const measureServer = async ({ authPort, acctPort, pid, pool }: Measurement) => {
  const postgres = await postgresOf(pool);
  let from = 0;
  const timed = async (kind: keyof typeof rates, send: (target: Target, make: Make) => Promise<Load>): Promise<Measured> => {
    const serverMs = stopwatch(one(pid));
    const database = stopwatch(postgres);
    const load = await send({ port: kind === 'auth' ? authPort : acctPort, secret }, (i, key) => {
      const account = accounts[i % accounts.length] ?? '';
      return kind === 'auth' ? loginRequest(account, password, key) : accountRequest(account, `s${i % accounts.length}`, from + i, key);
    });
    from += load.replies + load.lost;
    const perReply = (ms: number) => (ms * 1000) / Math.max(1, load.replies);
    const serverUs = perReply(serverMs());
    const databaseUs = perReply(database());
    const cpuUs = serverUs + databaseUs;
    // Requests that still wait must not slow down the next measurement.
    await new Promise((done) => setTimeout(done, restMs));
    return { ...load, cpuUs, databaseUs };
  };
  const both = async (at: Readonly<Record<keyof typeof rates, number>>) => ({
    auth: await timed('auth', (target, make) => sendLoad(target, at.auth, seconds, make)),
    acct: await timed('acct', (target, make) => sendLoad(target, at.acct, seconds, make)),
  });
  const inWindow = (target: Target, make: Make) => sendWindow(target, outstanding, seconds, make);
  const cold = await both(easyRates);
  const warm = await both(easyRates);
  const window = { auth: await timed('auth', inWindow), acct: await timed('acct', inWindow) };
  return { cold, warm, window, attempted: await both(rates) };
};

const measureOurs = async (testServer: TestServer) => {
  const url = await testServer.newDatabase('bench_radius');
  const key = randomBytes(32);
  const authPort = await freePort();
  const acctPort = await freePort();
  const env = {
    DEMO: 'off',
    LOG_LEVEL: 'error',
    ROLES: 'api,worker,radius',
    FILES_SHARED: 'on',
    SECRET_KEY: key.toString('hex'),
    RADSEC_PORT: '0',
    RADIUS_HOST: '127.0.0.1',
    RADIUS_AUTH_PORT: String(authPort),
    RADIUS_ACCT_PORT: String(acctPort),
  };
  const server = await startServer(url, testServer.folder, env);
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    await fill(pool, key);
    return await measureServer({ authPort, acctPort, pid: server.pid, pool });
  } finally {
    await pool.end();
    await server.stop();
  }
};

const measureFreeradius = async (testServer: TestServer) => {
  const databaseUrl = await testServer.newDatabase('bench_freeradius');
  const authPort = await freePort();
  const acctPort = await freePort();
  const server = await startFreeradius({ databaseUrl, authPort, acctPort, secret, accounts, password });
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await measureServer({ authPort, acctPort, pid: server.pid, pool });
  } finally {
    await pool.end();
    await server.stop();
  }
};

const line = ({ cpuUs, databaseUs, p50, p99, replies, lost }: Measured) =>
  `${cpuUs.toFixed(0)} us (database ${databaseUs.toFixed(0)})  p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms  ${((100 * replies) / (replies + lost)).toFixed(1)} % answered`;

export const benchRadius = async () => {
  const testServer = await openTestServer();
  try {
    const ours = await measureOurs(testServer);
    const theirs = await measureFreeradius(testServer);
    const rows = (['cold', 'warm', 'window', 'attempted'] as const).flatMap((state) =>
      (['auth', 'acct'] as const).flatMap((kind) => {
        const farlink = ours[state][kind];
        const freeradius = theirs[state][kind];
        const load = state === 'window' ? `with ${outstanding} outstanding` : `at ${(state === 'attempted' ? rates : easyRates)[kind]}/s`;
        return [
          [`${state} ${kind} ${load}, Farlink`, line(farlink)] as const,
          [`${state} ${kind} ${load}, FreeRADIUS`, line(freeradius)] as const,
          [`${state} ${kind} processor time, ratio`, `${(farlink.cpuUs / freeradius.cpuUs).toFixed(2)}x`, 'target <= 0.50x'] as const,
          ...(state === 'window'
            ? [[`${state} ${kind} rate, ratio`, `${(farlink.replies / freeradius.replies).toFixed(2)}x`, 'target >= 1.00x'] as const]
            : []),
        ];
      }),
    );
    table('RADIUS: processor time of server and PostgreSQL per answered request', rows);
  } finally {
    await testServer.close();
  }
};
