/** @module-tag all */
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { auditLedger } from '../src/domain/ledger/check-ledger.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';
import { runs } from './soak.ts';
import { subscriberRow } from './subscriber.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-upgrade-'));
const next = join(folder, 'next');
const slow = { timeout: 480_000 };

let testDatabase: TestDatabase;
let database: OpenDatabase;
let users: number[];
const processes = new Set<ServerProcess>();
/** Ends the load. */
let isEnding = false;
/** Errors that the processes log. */
const logged: string[] = [];

/** Pause of each client between two calls. Without it, statements that lock the same tables in another order delay the migration for a minute. */
const thinkMs = runs(0, 20);

/** Tables that almost every call reads or writes. */
const hotTables = [
  'agent',
  'customer',
  'device',
  'holding',
  'job',
  'ledger_entry',
  'meter',
  'package',
  'prefix',
  'role',
  'session',
  'subscriber',
];

/** The next version: this build with one more migration, which adds a table and columns. */
const makeNext = () => {
  const server = fileURLToPath(new URL('..', import.meta.url));
  const isIncluded = (path: string) => !path.endsWith('.test.ts');
  for (const name of ['src', 'migrations', 'package.json'])
    cpSync(join(server, name), join(next, 'server', name), { recursive: true, filter: isIncluded });
  symlinkSync(join(server, '..', 'node_modules'), join(next, 'node_modules'));
  const columns = hotTables.map((table) => `alter table ${table} add column next_version text not null default 'next';`);
  writeFileSync(join(next, 'server', 'migrations', '9999_next.sql'), ['create table next_version (id bigint);', ...columns].join('\n'));
};

const start = async (version: 'this' | 'next') => {
  const ports = { MQTT_PORT: '0', REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0' };
  const env = { DATABASE_URL: testDatabase.url, ROLES: 'api,worker', DRAIN_SECONDS: '1', DEMO: 'off', ...ports };
  const program = version === 'next' ? join(next, 'server', 'src', 'main.ts') : undefined;
  const server = await startProcess(folder, env, program);
  server.child.removeAllListeners('exit');
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.on('data', (line: string) => logged.push(`${version}: ${line}`));
  processes.add(server);
  return server;
};

/** Ends a process as a supervisor does. Returns how long it took. */
const stop = async (server: ServerProcess) => {
  const began = Date.now();
  const ended = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  const [code] = await ended;
  processes.delete(server);
  return { code, ms: Date.now() - began };
};

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  makeNext();
});

afterAll(async () => {
  isEnding = true;
  for (const { child } of processes) child.kill('SIGKILL');
  await database?.close();
  await testDatabase?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const agent = new Agent({ keepAlive: true });

interface Reply {
  readonly status: number;
  readonly body: string;
}

const send = (server: ServerProcess, method: string, path: string, body?: object) =>
  new Promise<Reply>((done, failed) => {
    const headers = { 'content-type': 'application/json', authorization: server.token };
    const call = request(`${server.base}${path}`, { method, headers, agent }, (response) => {
      text(response).then((found) => done({ status: response.statusCode ?? 0, body: found }), failed);
    });
    call.once('error', failed);
    call.end(body && JSON.stringify(body));
  });

const isRefused = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Round robin over the processes whose /healthz answers 200. Only a refused connection is tried elsewhere, as a proxy does. */
const balance = () => {
  const up = new Set<ServerProcess>();
  let turn = 0;
  let isOpen = true;
  const watch = async (server: ServerProcess) => {
    while (isOpen && server.child.exitCode === null) {
      const ready = await send(server, 'GET', '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      );
      if (ready) up.add(server);
      else up.delete(server);
      await pause(50);
    }
    up.delete(server);
  };
  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    for (;;) {
      const servers = [...up];
      const server = servers[turn++ % servers.length];
      if (!server) {
        await pause(50);
        throw new Error('no process is up');
      }
      try {
        return await send(server, method, `/agt/v1/${path}`, body);
      } catch (error) {
        if (!isRefused(error)) throw error;
        up.delete(server);
      }
    }
  };
  const add = async (server: ServerProcess) => {
    void watch(server);
    await expect.poll(() => up.has(server)).toBe(true);
  };
  return {
    call,
    add,
    close: () => {
      isOpen = false;
    },
  };
};

type Call = readonly [method: string, path: string, body?: object];

const callsOf = (n: number): Call[] => [
  ['GET', 'user?page=1&limit=10'],
  ['GET', 'device?page=1&limit=10'],
  ['GET', 'customer/profile'],
  ['POST', 'user/recharge', { ids: [users[n % users.length]], kind: 'amount', amount: '1.00', pay_method: 'cash', remark: `upgrade-${n}` }],
  ['GET', 'agent?page=1&limit=10'],
  ['GET', 'syslog?page=1&limit=10'],
];

const seed = async ({ db }: OpenDatabase) => {
  const device = { agent_id: 1, name: 'Ship', sn: 'UPGRADE1', create_at: 1 };
  const { id: device_id } = await db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow();
  const rows = Array.from({ length: 8 }, (_, i) => subscriberRow({ agent_id: 1, account: `upgrade${i}`, device_id }));
  users = (await db.insertInto('subscriber').values(rows).returning('id').execute()).map(({ id }) => id);
};

test('two processes are replaced by the next version one after the other, and no call fails', slow, async () => {
  const first = await start('this');
  database = await openDatabase(testDatabase.url, { max: 2 });
  await seed(database);
  const second = await start('this');
  const proxy = balance();
  await proxy.add(first);
  await proxy.add(second);

  const failures: string[] = [];
  let successes = 0;
  let n = 0;
  const work = async () => {
    while (!isEnding) {
      for (const [method, path, body] of callsOf(n++)) {
        const reply = await proxy.call(method, path, body).catch((error: unknown) => String(error));
        if (typeof reply === 'string' || reply.status !== 200 || !/"code":0\b/.test(reply.body))
          failures.push(`${method} ${path}: ${typeof reply === 'string' ? reply : reply.body.slice(0, 300)}`);
        else successes++;
        await pause(thinkMs);
      }
    }
  };
  const working = Promise.all(Array.from({ length: 4 }, work));
  const more = async (calls = runs(400, 25)) => {
    const before = successes;
    await expect.poll(() => successes - before + failures.length).toBeGreaterThan(calls);
  };
  await more();

  // A live stream and an export are open when the first process ends.
  const live = await fetch(`${first.base}/agt/v1/live`, { headers: { authorization: first.token } });
  expect(live.status).toBe(200);
  await proxy.call('POST', 'user/export/all', { format: 'csv' });

  const third = await start('next');
  await proxy.add(third);
  await more();
  const stopped = await stop(first);
  await live.body?.cancel().catch(() => {});
  await more();
  // The old version also starts on the schema of the new one, as after a crash or for a rollback.
  const [again, fourth] = await Promise.all([start('this'), start('next')]);
  await proxy.add(again);
  await proxy.add(fourth);
  await more();
  const others = [await stop(second), await stop(again)];
  await more();

  isEnding = true;
  await working;
  proxy.close();
  expect({ failures, logged: logged.filter((line) => !line.includes('Stopping…')) }).toEqual({ failures: [], logged: [] });
  for (const { code, ms } of [stopped, ...others]) {
    expect(code).toBe(0);
    expect(ms).toBeLessThan(11_000);
  }
  expect(await auditLedger(database.db)).toEqual([]);
  const { rows } = await database.pool.query<{ n: number }>("select count(*)::int as n from migration where name = '9999_next.sql'");
  expect(rows).toEqual([{ n: 1 }]);
  await Promise.all([stop(third), stop(fourth)]);
});
