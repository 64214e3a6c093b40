/** @module-tag all */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { Client } from '@farlink/simulator/client.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { enqueue } from '../src/kit/jobs/job.ts';
import { seal } from '../src/kit/session/secret.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { type ProcessSet, type Role, startProcessSet } from './process-set.ts';
import { accounting, openUdpNas } from './radius.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';
import { isSoak } from './soak.ts';
import { subscriberRow } from './subscriber.ts';

/** Two processes of each role on one database, behind haproxy with the configuration of `deploy/`. */
const haproxy = process.env.HAPROXY ?? '/usr/sbin/haproxy';
const hasHaproxy = existsSync(haproxy);
const folder = mkdtempSync(join(tmpdir(), 'farlink-processes-'));
/** A takeover within 30 seconds, on a machine with other work. */
const takeover = { timeout: 60_000, interval: 100 };

let testDatabase: TestDatabase;
let database: OpenDatabase;
let set: ProcessSet;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { max: 4 });
  if (hasHaproxy) set = await startProcessSet({ databaseUrl: testDatabase.url, folder, count: 2, haproxy });
}, 300_000);
afterAll(async () => {
  await set?.stop();
  await database?.close();
  await testDatabase?.drop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const json = { 'content-type': 'application/json' };

const logIn = async (): Promise<string> => {
  const captcha = await fetch(`${set.base}/agt/v1/captcha`);
  const cookie = captcha.headers
    .getSetCookie()
    .map((c) => c.split(';')[0])
    .join('; ');
  const body = JSON.stringify({ username: 'admin', password: toBase64('Farlink2026'), verifycode: '8888' });
  const reply = await fetch(`${set.base}/agt/v1/login`, { method: 'POST', headers: { ...json, cookie }, body });
  const { data }: { data: { token: string } } = JSON.parse(await reply.text());
  return data.token;
};
const profileAs = async (token: string) => {
  const reply = await fetch(`${set.base}/agt/v1/customer/profile`, { headers: { authorization: token } });
  const { code }: { code: number } = JSON.parse(await reply.text());
  return code;
};

const now = () => Math.floor(Date.now() / 1000);
const addDevice = async (sn: string) => {
  const key = newKey();
  const row = { agent_id: 1, name: sn, sn, create_at: 1, ...keyColumns(key) };
  const { id } = await database.db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, sn, key };
};
const clientOf = ({ sn, key }: { sn: string; key: string }, host = '127.0.0.1') =>
  new Client({ host, port: set.ports.mqtt, clientId: sn, username: sn, password: key });
const eventBody = (n: number) => JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: now(), lock: 'x' });
const helloBody = () => JSON.stringify({ boot: 'boot0001', fw: '03.02.01', h: digestOf({}) });
const eventsOf = async (sn: string) => {
  const rows = await database.db
    .selectFrom('device_event')
    .select('id')
    .where('sn', '=', sn)
    .where('kind', '=', 'lock')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Bytes charged to an account without a package. */
const chargedTo = async (id: number) => {
  const sum = sql<{ n: number }>`select coalesce(sum(overrun_bytes), 0)::int as n from meter where subscriber_id = ${id}`;
  return (await sum.execute(database.db)).rows[0]?.n;
};

/** Name of the process whose statement waits for a lock of this test. */
const waitingProcess = async (query: string) => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select application_name as name from pg_stat_activity where wait_event_type = 'Lock' and query like $1 and application_name like 'farlink worker%'`,
    [query],
  );
  return rows[0]?.name.replace('farlink ', '');
};
const nth = (name: string) => Number(name.split('-')[1]) - 1;
const jobOf = (id: number) => database.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Starts a job that waits for a lock in the middle of its commit, and returns the process that runs it. */
const blockedJob = async () => {
  const holder = await database.pool.connect();
  await holder.query('begin');
  await holder.query('lock table captcha in share row exclusive mode');
  const id = await enqueue(database.db, now(), { kind: 'housekeeping', key: `blocked ${Math.random()}` });
  await expect.poll(() => waitingProcess('delete from "captcha"%'), takeover).toBeDefined();
  const name = (await waitingProcess('delete from "captcha"%')) ?? '';
  const release = async () => {
    await holder.query('rollback');
    holder.release();
  };
  return { id, name, release };
};

describe.runIf(hasHaproxy)('two processes of each role behind haproxy', () => {
  test('are all registered, with their roles', async () => {
    const rows = await database.db.selectFrom('process_node').select(['name', 'roles', 'address']).orderBy('name').execute();
    expect(rows.map(({ name }) => name)).toEqual(['api-1', 'api-2', 'field-1', 'field-2', 'radius-1', 'radius-2', 'worker-1', 'worker-2']);
    expect(rows.filter(({ address }) => address !== null).map(({ name }) => name)).toEqual(['api-1', 'api-2']);
  });

  test('serve an operator on any process, and lose no call when one is killed', async () => {
    const token = await logIn();
    for (let n = 0; n < 6; n++) expect(await profileAs(token)).toBe(0);
    await set.kill('api', 0);
    for (let n = 0; n < 20; n++) expect(await profileAs(token)).toBe(0);
    if (isSoak) await set.start('api', 0);
  });

  test('keep every acknowledged event of a gateway when its process is killed', async () => {
    const device = await addDevice('PROC1');
    let client = clientOf(device);
    let sent = 0;
    const acknowledged: string[] = [];
    const report = async (count: number) => {
      for (let left = count; left > 0; ) {
        try {
          await client.publish(upTopic(device.sn, 'e'), eventBody(sent + 1));
          acknowledged.push(`boot1-${sent + 1}`);
          sent++;
          left--;
        } catch {
          client.destroy();
          client = clientOf(device);
          await client.connect().catch(() => {});
        }
      }
    };
    await client.connect();
    await client.publish(upTopic(device.sn, 'hello'), helloBody());
    await report(20);
    const { conn_node } = await database.db.selectFrom('device').select('conn_node').where('id', '=', device.id).executeTakeFirstOrThrow();
    expect(conn_node).not.toBeNull();
    const at = performance.now();
    await set.kill('field', 0);
    await report(20);
    expect(performance.now() - at).toBeLessThan(30_000);
    expect((await eventsOf(device.sn)).toSorted()).toEqual(acknowledged.toSorted());
    client.destroy();
    if (isSoak) await set.start('field', 0);
  });
});

describe.runIf(hasHaproxy)('a killed RADIUS process', () => {
  test('loses no acknowledged report, and the NAS continues with the other process', async () => {
    const { db } = database;
    const secret = 'shared by NAS and server';
    const stamp = { create_at: now(), update_at: now() };
    const key = Buffer.from('ab'.repeat(32), 'hex');
    await db
      .insertInto('nas')
      .values({ agent_id: 1, name: 'NAS', identifier: 'nas-1', secret: seal(key, secret), ...stamp })
      .execute();
    const { id } = await db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: 1, account: 'radius1' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const ports = { authPort: set.ports.auth, acctPort: set.ports.acct };
    const [first, second] = await Promise.all([0, 1].map((n) => openUdpNas(ports, secret, set.process('radius', n).host)));
    const own = [
      attribute('NAS-Identifier', 'nas-1'),
      attribute('User-Name', 'radius1'),
      attribute('Acct-Session-Id', 'moved'),
      attribute('Calling-Station-Id', 'AA-BB-CC-00-00-01'),
    ];
    const report = (n: number) => [
      attribute('Acct-Session-Time', n),
      attribute('Acct-Input-Octets', n * 1000),
      attribute('Acct-Output-Octets', n * 7000),
    ];
    // A NAS repeats a request until it is answered.
    const accepted = async (nas: typeof first, status: 'start' | 'interim' | 'stop', n: number) => {
      const bytes = nas?.encode(accounting(status, [...own, ...report(n)]));
      if (!nas || !bytes) return false;
      for (let tries = 0; tries < 30; tries++) {
        const reply = await nas.request(bytes, 1000);
        if (reply) return reply.code === codes.accountingResponse;
      }
      return false;
    };
    expect(await accepted(first, 'start', 0)).toBe(true);
    for (let n = 1; n <= 10; n++) expect(await accepted(first, 'interim', n)).toBe(true);
    await set.kill('radius', 0);
    for (let n = 10; n <= 20; n++) expect(await accepted(second, 'interim', n)).toBe(true);
    expect(await accepted(second, 'stop', 21)).toBe(true);
    await expect.poll(() => chargedTo(id), takeover).toBe(168_000);
    const sessions = db.selectFrom('online_session').select(['up_bytes', 'down_bytes', 'logout_at']).where('subscriber_id', '=', id);
    expect(await sessions.execute()).toEqual([{ up_bytes: 21_000, down_bytes: 147_000, logout_at: expect.any(Number) }]);
    first?.close();
    second?.close();
    if (isSoak) await set.start('radius', 0);
  });
});

describe.runIf(hasHaproxy && isSoak)('takeover from a killed or paused process', () => {
  const measured: Record<string, number> = {};
  afterAll(() => process.stdout.write(`takeover in seconds: ${JSON.stringify(measured)}\n`));
  const timed = async (what: string, done: () => Promise<void>) => {
    const at = performance.now();
    await done();
    measured[what] = Math.round((performance.now() - at) / 100) / 10;
  };
  const signal = (role: Role, n: number, name: NodeJS.Signals) => set.process(role, n).child.kill(name);

  /** Continues a worker and waits for its next heartbeat. */
  const wakeUp = async (n: number) => {
    // The row of a killed worker of the same name stays for a day.
    const seenAt = async () => {
      const newest = database.db
        .selectFrom('process_node')
        .select('seen_at')
        .where('name', '=', `worker-${n + 1}`)
        .orderBy('seen_at', 'desc');
      return (await newest.limit(1).executeTakeFirstOrThrow()).seen_at;
    };
    const before = await seenAt();
    signal('worker', n, 'SIGCONT');
    await expect.poll(seenAt, takeover).not.toEqual(before);
  };

  test('a job of a killed worker is completed by the other worker within 30 seconds', { timeout: 240_000 }, async () => {
    const { id, name, release } = await blockedJob();
    await set.kill('worker', nth(name));
    await release();
    await timed('job after kill -9', () => expect.poll(async () => (await jobOf(id)).state, takeover).toBe('done'));
    expect(await jobOf(id)).toMatchObject({ attempts: 2 });
    expect(measured['job after kill -9']).toBeLessThan(30);
    await set.start('worker', nth(name));
  });

  test('a paused worker that wakes up neither completes its job nor charges a byte again', { timeout: 240_000 }, async () => {
    const { db, pool } = database;
    const device = await addDevice('PAUSED1');
    const { id: user } = await db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: 1, account: 'paused1', device_id: device.id }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const client = clientOf(device);
    await client.connect();
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('lock table meter in share row exclusive mode');
    const body = { b: 'boot0001', seq: 1, t0: now() - 60, dt: 60, c: ['acc', 'u', 'd', 's'], v: [['paused1', 1000, 9000, 60]] };
    await client.publish(upTopic(device.sn, 't/user'), JSON.stringify(body));
    client.destroy();
    await expect.poll(() => waitingProcess('%meter%'), takeover).toBeDefined();
    const paused = nth((await waitingProcess('%meter%')) ?? '');
    signal('worker', paused, 'SIGSTOP');
    await holder.query('rollback');
    holder.release();
    const charged = () => chargedTo(user);
    await timed('charging after SIGSTOP', () => expect.poll(charged, takeover).toBe(10_000));
    expect(measured['charging after SIGSTOP']).toBeLessThan(30);

    await wakeUp(paused);
    const { id, name, release } = await blockedJob();
    signal('worker', nth(name), 'SIGSTOP');
    await release();
    await timed('job after SIGSTOP', () => expect.poll(async () => (await jobOf(id)).state, takeover).toBe('done'));
    const done = await jobOf(id);
    await wakeUp(nth(name));
    expect(await jobOf(id)).toEqual(done);
    expect(await charged()).toBe(10_000);
  });

  test('a paused field process that wakes up stores nothing and disconnects its gateways', { timeout: 240_000 }, async () => {
    const device = await addDevice('PAUSED2');
    const old = clientOf(device, set.process('field', 0).host);
    await old.connect();
    await old.publish(upTopic(device.sn, 'hello'), helloBody());
    await old.publish(upTopic(device.sn, 'e'), eventBody(1));
    const nodeOf = async () =>
      await database.db.selectFrom('device').select(['conn_node', 'online_state']).where('id', '=', device.id).executeTakeFirstOrThrow();
    const before = await nodeOf();
    signal('field', 0, 'SIGSTOP');
    let isAcknowledged = false;
    const late = old.publish(upTopic(device.sn, 'e'), eventBody(99)).then(
      () => {
        isAcknowledged = true;
      },
      () => {},
    );
    // The gateway connects to the other process.
    const next = clientOf(device, set.process('field', 1).host);
    await timed('gateway after SIGSTOP', async () => {
      await next.connect();
      await next.publish(upTopic(device.sn, 'hello'), helloBody());
      await next.publish(upTopic(device.sn, 'e'), eventBody(2));
    });
    await timed('registration after SIGSTOP', () =>
      expect
        .poll(async () => (await database.pool.query('select from field_node where id = $1', [before.conn_node])).rowCount, takeover)
        .toBe(0),
    );
    const after = await nodeOf();
    signal('field', 0, 'SIGCONT');
    await late;
    expect(isAcknowledged).toBe(false);
    expect(await eventsOf(device.sn)).toEqual(['boot1-1', 'boot1-2']);
    expect(await nodeOf()).toEqual(after);
    await next.publish(upTopic(device.sn, 'e'), eventBody(3));
    next.destroy();
    old.destroy();
  });
});
