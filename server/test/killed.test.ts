/** @module-tag all */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@farlink/simulator/client.ts';
import { Gateway } from '@farlink/simulator/gateway.ts';
import { Client as DatabaseClient } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-killed-'));

let testDatabase: TestDatabase;
let database: OpenDatabase;
let mqttPort = 0;
let server: ServerProcess | undefined;

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address && typeof address === 'object' ? address.port : 0;
};

const start = async () => {
  const ports = { MQTT_PORT: String(mqttPort), REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0' };
  server = await startProcess(folder, { DATABASE_URL: testDatabase.url, ...ports });
};

const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
  const ended = server && once(server.child, 'exit');
  server?.child.kill(signal);
  await ended;
  server = undefined;
};

/** Calls as the platform administrator. */
const caller = () => {
  const { base, token } = server ?? { base: '', token: '' };
  return async (path: string, input: object) => {
    const headers = { 'content-type': 'application/json', authorization: token };
    const reply = await fetch(`${base}/agt/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
    return JSON.parse(await reply.text());
  };
};

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mqttPort = await freePort();
  await start();
  database = await openDatabase(testDatabase.url, { max: 3 });
});

afterAll(async () => {
  await end('SIGTERM');
  await database?.close();
  await testDatabase?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const addVno = async (code: string) => {
  const { db } = database;
  const stamp = { create_at: 1, update_at: 1 };
  const role = { agent_id: 1, kind: 'agent', scope: 'unlimited', name: code, creator: 'admin', permissions: '{}', ...stamp } as const;
  const { id: role_id } = await db.insertInto('role').values(role).returning('id').executeTakeFirstOrThrow();
  const agent = { name: code, code, parent_id: 1, role_id, path: '/', agent_level: 1, agent_mode: 1, ...stamp } as const;
  const { id } = await db.insertInto('agent').values(agent).returning('id').executeTakeFirstOrThrow();
  await db
    .updateTable('agent')
    .set({ path: `/1/${id}/` })
    .where('id', '=', id)
    .execute();
  return id;
};

const addShip = async (sn: string, agent_id: number) => {
  const key = newKey();
  const device = { agent_id, name: sn, sn, create_at: 1, ...keyColumns(key) };
  const { id } = await database.db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow();
  const gateway = new Gateway({ sn, key, seed: 1, host: '127.0.0.1', port: mqttPort });
  gateway.current = '6d';
  const now = () => database.db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const online = async () => {
    await gateway.connect();
    return (await now()).online_state;
  };
  await expect.poll(online).toBe(1);
  return { id, key, gateway, now };
};

/** True if a gateway can log in with this key. */
const opens = async (sn: string, key: string) => {
  const client = new Client({ host: '127.0.0.1', port: mqttPort, clientId: `${sn}-try`, username: sn, password: key });
  const { reasonCode } = await client.connect();
  client.destroy();
  return reasonCode === 0;
};

test('a gateway can upload a backup to a server that listens on any free port', async () => {
  const { id, gateway } = await addShip('ANYPORT', 1);
  const call = caller();
  expect(await call('device_backup/make', { device_ids: [id] })).toMatchObject({ data: { success: 1 } });
  const backups = () => database.db.selectFrom('device_backup').select('device_id').execute();
  await expect.poll(backups).toEqual([{ device_id: id }]);
  gateway.stop();
});

test('a device keeps its owner if the server is killed during a transfer, and the transfer completes after a restart', async () => {
  const east = await addVno('east');
  const west = await addVno('west');
  const { id, key, gateway, now } = await addShip('KILLED', east);
  const { db, pool } = database;
  const transfer = () => db.selectFrom('device_transfer').select(['state', 'finish_at']).where('device_id', '=', id).executeTakeFirst();
  const call = caller();

  // Blocks the hand-over transaction in the middle.
  const holder = new DatabaseClient({ connectionString: testDatabase.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query('lock table role in share mode');
  expect(await call('device/give', { ids: [id], vno_id: west })).toMatchObject({ data: { success: 1 } });
  const isBlocked = async () => {
    // Not awaited: the reply to a connect with the new key waits for the blocked transaction.
    void gateway.connect().catch(() => false);
    const { rowCount } = await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update role set%'`);
    return rowCount;
  };
  await expect.poll(isBlocked).toBe(1);
  expect(await transfer()).toMatchObject({ state: 'acknowledged' });
  await end('SIGKILL');
  await holder.end();

  const open = async () =>
    (await pool.query(`select from pg_stat_activity where query like 'update role set%' and state <> 'idle'`)).rowCount;
  await expect.poll(open).toBe(0);
  expect(await now()).toMatchObject({ agent_id: east, key_hash: keyColumns(key).key_hash, transfer_status: 'transferring' });
  expect(await transfer()).toEqual({ state: 'acknowledged', finish_at: null });

  await start();
  const owner = async () => {
    await gateway.connect();
    return (await now()).agent_id;
  };
  await expect.poll(owner).toBe(west);
  expect(await transfer()).toMatchObject({ state: 'done' });
  expect(await now()).toMatchObject({ next_key_hash: null, transfer_status: null });
  expect(await opens('KILLED', key)).toBe(false);
  expect(await opens('KILLED', gateway.keys.all[0] ?? '')).toBe(true);
  gateway.stop();
});
