/** @module-tag all */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { runs } from './soak.ts';
import { subscriberRow } from './subscriber.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-metering-'));
const accountsOfGateway = 4;
const batches = runs(600, 60);
const kills = runs(20, 3);
const bytes = 10_000;

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return address && typeof address === 'object' ? address.port : 0;
};

let server: ServerProcess;
let port = 0;
let database: OpenDatabase;
/** Not on the default RADIUS ports: another server may use them. */
const env = () => ({ DEMO: 'off', MQTT_PORT: String(port), RADIUS_AUTH_PORT: '0', RADIUS_ACCT_PORT: '0', RADSEC_PORT: '0' });

beforeAll(async () => {
  port = await freePort();
  server = await startProcess(folder, env());
  database = await openDatabase(readFileSync(join(folder, 'postgres', 'url'), 'utf8').trim(), { max: 2 });
}, 60_000);
afterAll(async () => {
  await database.close().catch(() => {});
  server.child.removeAllListeners('exit');
  const ended = new Promise((done) => server.child.once('exit', done));
  server.child.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const killServer = async () => {
  server.child.removeAllListeners('exit');
  const ended = new Promise((done) => server.child.once('exit', done));
  server.child.kill('SIGKILL');
  await ended;
  server = await startProcess(folder, env());
};

/** A gateway that sends each batch until it is acknowledged, as the protocol requires. */
const reportAll = async (sn: string, key: string, accounts: readonly string[], reported: (count: number) => void) => {
  let client: Client | undefined;
  for (let seq = 1; seq <= batches; ) {
    try {
      if (!client) {
        client = new Client({ host: '127.0.0.1', port, clientId: sn, username: sn, password: key });
        const { reasonCode } = await client.connect();
        if (reasonCode !== 0) throw new Error(`refused with ${reasonCode}`);
      }
      const t0 = Math.floor(Date.now() / 1000) - 60;
      const v = accounts.map((acc) => [acc, 1000, bytes - 1000, 60]);
      const body = JSON.stringify({ b: 'crash001', seq, t0, dt: 60, c: ['acc', 'u', 'd', 's'], v });
      const lost = new Promise<never>((_, fail) => setTimeout(() => fail(new Error('no acknowledgement')), 3000).unref());
      await Promise.race([client.publish(upTopic(sn, 't/user'), body), lost]);
      seq++;
      reported(seq);
    } catch {
      client?.destroy();
      client = undefined;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  client?.destroy();
};

test('a server that is killed repeatedly neither loses a byte nor counts one twice', { timeout: 600_000 }, async () => {
  const { db } = database;
  const names = ['KILL1', 'KILL2', 'KILL3'];
  const devices = await Promise.all(
    names.map(async (sn) => {
      const key = newKey();
      const row = { agent_id: 1, name: sn, sn, create_at: 1, ...keyColumns(key) };
      const { id } = await db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow();
      return { id, sn, key, accounts: Array.from({ length: accountsOfGateway }, (_, i) => `${sn.toLowerCase()}x${i}`) };
    }),
  );
  const flow = {
    package_type: 'flow',
    flow_capacity: 1,
    flow_unit: 'MB',
    price: '1.00',
    create_at: 1,
    update_at: 1,
  } as const;
  const { id: package_id } = await db
    .insertInto('package')
    .values({ agent_id: 1, kind: 'online', name: 'Crew', device_ids: [1], ...flow })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const { id, accounts } of devices) {
    const rows = accounts.map((account) => subscriberRow({ agent_id: 1, account, device_id: id }));
    const made = await db.insertInto('subscriber').values(rows).returning('id').execute();
    const holdings = made.map((user) => ({ subscriber_id: user.id, agent_id: 1, package_id, start_at: 1, create_at: 1 }));
    await db.insertInto('holding').values(holdings).execute();
  }
  let done = 0;
  const hasCounted = () => {
    done++;
  };
  const reporting = Promise.all(devices.map(({ sn, key, accounts }) => reportAll(sn, key, accounts, hasCounted)));
  for (let n = 1; n <= kills; n++) {
    await expect.poll(() => done, { timeout: 120_000 }).toBeGreaterThan((n * names.length * batches) / (kills + 1));
    await killServer();
  }
  await reporting;
  const { rows } = await expect
    .poll(async () => sql<{ n: number }>`select count(*)::int as n from usage`.execute(db), { timeout: 60_000 })
    .toMatchObject({ rows: [{ n: 0 }] })
    .then(() =>
      sql<{ charged: number; reported: number; days: number }>`
        select (select sum(used_flow) from holding)::bigint + (select sum(overrun_bytes) from meter)::bigint as charged,
          (select sum(up_bytes + down_bytes) from user_flow)::bigint as reported,
          (select sum(charged_bytes + overrun_bytes) from traffic_day)::bigint as days`.execute(db),
    );
  const all = names.length * accountsOfGateway * batches * bytes;
  expect(rows).toEqual([{ charged: all, reported: all, days: all }]);
});
