import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noFaults } from '@farlink/simulator/faults.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { programEnv } from '../../test/program-env.ts';
import { runs } from '../../test/soak.ts';
import { setDesired } from '../orders/desired.ts';
import { keyColumns, newKey } from '../orders/device-key.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const fleetSize = runs(2000, 500, 100);
const patience = { timeout: 60_000, interval: 20 };

const addDevices = async (prefix: string, count: number) => {
  const all = Array.from({ length: count }, (_, i) => ({ sn: `${prefix}${i}`, key: newKey() }));
  const rows = all.map(({ sn, key }) => ({ agent_id: testServer.platformId, name: sn, sn, create_at: 1, ...keyColumns(key) }));
  await testServer.db.insertInto('device').values(rows).execute();
  return all;
};

/** Records what the gateways sent, to compare it with the stored data. */
const witness = () => {
  const events = new Set<string>();
  const rows = { load: 0, pos: 0, flow: 0, user: 0, dpi: 0, mgt: 0, mdpi: 0, a_auth: 0, a_id: 0, a_url: 0, a_bbs: 0, a_mail: 0, a_term: 0 };
  const made =
    (sn: string): GatewayOptions['produced'] =>
    (what) => {
      if ('event' in what) events.add(`${sn} ${what.event}`);
      else rows[what.stream] += what.rows;
    };
  return { events, rows, made };
};

/** Reconnects all gateways until their queues are empty. */
const drain = (gateways: readonly Gateway[]) =>
  expect
    .poll(async () => {
      // Switches away from the expensive link, on which large messages would wait.
      for (const g of gateways) g.current = '6d';
      await Promise.all(gateways.map((g) => g.connect()));
      return gateways.reduce((sum, g) => sum + g.outgoing.length, 0);
    }, patience)
    .toBe(0);

const stored = async (prefix: string) => {
  const like = `${prefix}%`;
  const kinds = ['online', 'offline'];
  const found = await testServer.db
    .selectFrom('device_event')
    .select(['sn', 'id'])
    .where('sn', 'like', like)
    .where('kind', 'not in', kinds)
    .execute();
  const count = async (table: string) => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(table)} t join device d on d.id = t.device_id where d.sn like ${like}`.execute(testServer.db);
    return rows[0]?.n;
  };
  const rows = {
    load: await count('device_load'),
    pos: await count('device_track'),
    flow: await count('device_flow'),
    a_auth: await count('audit_auth'),
    a_id: await count('audit_identity'),
    a_url: await count('audit_url'),
    a_bbs: await count('audit_forum'),
    a_mail: await count('audit_mail'),
    a_term: await count('audit_terminal'),
  };
  return { events: new Set(found.map((e) => `${e.sn} ${e.id}`)), count: found.length, rows };
};

const nothingLostOrDoubled = async (prefix: string, witnessed: ReturnType<typeof witness>) => {
  const { events, count, rows } = await stored(prefix);
  expect(count).toBe(witnessed.events.size);
  expect(events).toEqual(witnessed.events);
  const { user: _, dpi: __, mgt: ___, mdpi: ____, ...sent } = witnessed.rows;
  expect(rows).toEqual(sent);
  const { rows: bound } = await sql<{ n: number; batches: number }>`
    select coalesce(sum(b.count), 0)::int as n, count(distinct (b.device_id, b.boot, b.kind, b.seq))::int - count(*)::int as batches
    from audit_batch b join device d on d.id = b.device_id where d.sn like ${`${prefix}%`}`.execute(testServer.db);
  const { a_auth, a_id, a_url, a_bbs, a_mail, a_term } = sent;
  expect(bound).toEqual([{ n: a_auth + a_id + a_url + a_bbs + a_mail + a_term, batches: 0 }]);
};

/** Simulated users, so that there is audit data. */
const crew = { accounts: ['ada', 'ben', 'cleo', 'dan'], audit: 20 };

const live = (gateways: readonly Gateway[], steps: number) => {
  for (let i = 0; i < steps; i++)
    for (const g of gateways) {
      g.step(testServer.clock.now() + i * 60);
      g.event('fence', { fence: 'harbour', in: i % 2 === 0 });
    }
};

test('messages are stored once despite repetition, reordering, broken connections and reboots', { tags: 'all' }, async () => {
  const witnessed = witness();
  const devices = await addDevices('FAULT', 20);
  const faults = () => ({ ...noFaults(), duplicate: 0.3, reorder: 0.5, cut: 0.05, lostAck: 0.1, reboot: 0.05 });
  const gateways = devices.map(({ sn, key }) => testServer.gateway(sn, { key, ...crew, faults: faults(), produced: witnessed.made(sn) }));
  await Promise.all(gateways.map((g) => g.connect()));
  for (let round = 0; round < 3; round++) {
    live(gateways, 10);
    await drain(gateways);
  }
  expect(witnessed.rows.load).toBeGreaterThan(20 * 25);
  for (const stream of ['a_auth', 'a_id', 'a_url', 'a_bbs', 'a_mail', 'a_term'] as const)
    expect(witnessed.rows[stream], stream).toBeGreaterThan(20);
  expect(gateways.some((g) => g.connection.connects > 3)).toBe(true);
  expect(gateways.reduce((sum, g) => sum + g.outgoing.refused, 0)).toBe(0);
  await nothingLostOrDoubled('FAULT', witnessed);
});

test('a fleet that lost the console reconnects at once, with all its pending messages', { tags: 'all' }, async () => {
  const witnessed = witness();
  const devices = await addDevices('STORM', fleetSize);
  const gateways = devices.map(({ sn, key }) => testServer.gateway(sn, { key, produced: witnessed.made(sn) }));
  const connectAll = () => Promise.all(gateways.map((g) => g.connect()));
  const online = async () => {
    const { n } = await testServer.db
      .selectFrom('device')
      .select(sql<number>`count(*)`.as('n'))
      .where('sn', 'like', 'STORM%')
      .where('online_state', '=', 1)
      .executeTakeFirstOrThrow();
    return n;
  };
  expect((await connectAll()).every(Boolean)).toBe(true);
  expect(await online()).toBe(fleetSize);
  await testServer.reopen(testServer.endpoint().port);
  expect(await online()).toBe(0);
  await expect.poll(() => gateways.filter((g) => g.state === 'off').length, patience).toBe(fleetSize);
  const ids = await testServer.db.selectFrom('device').select('id').where('sn', 'like', 'STORM%').limit(200).execute();
  await testServer.db.transaction().execute(async (tx) => {
    for (const { id } of ids) await setDesired(tx, id, 'wifi', { ssid: 'back' }, { now: testServer.clock.now() });
  });
  for (const g of gateways) g.event('fence', { fence: 'harbour', in: true });
  expect((await connectAll()).every(Boolean)).toBe(true);
  await drain(gateways);
  await expect.poll(() => gateways.filter((g) => g.sections.get('wifi')?.rev === 1).length, patience).toBe(200);
  await drain(gateways);
  expect(await online()).toBe(fleetSize);
  await nothingLostOrDoubled('STORM', witnessed);
  const settled = await testServer.db.selectFrom('desired_section').select('settled').where('settled', '=', false).execute();
  expect(settled).toEqual([]);
  for (const g of gateways) g.stop(false);
});

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return address && typeof address === 'object' ? address.port : 0;
};

test('a server that is killed repeatedly before acknowledgements neither loses nor duplicates messages', {
  tags: 'all',
  timeout: 120_000,
}, async () => {
  const witnessed = witness();
  const folder = mkdtempSync(join(tmpdir(), 'farlink-field-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const launch = async () => {
    const { options } = testServer.deps.pool;
    const env = {
      ROLES: 'field',
      DATA_DIR: folder,
      DATABASE_URL: options.connectionString ?? '',
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: String(port),
    };
    const started = spawn(process.execPath, [main], { env: { ...programEnv, LOG_LEVEL: 'error', ...env } });
    child = started;
    await new Promise<void>((ready, broken) => {
      let output = '';
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (output.includes('Farlink is working.')) ready();
        });
      started.once('exit', () => broken(new Error(`the server ended: ${output}`)));
    });
  };
  const devices = await addDevices('KILL', 30);
  const gateways = devices.map(({ sn, key }) => testServer.gateway(sn, { key, ...crew, port, produced: witnessed.made(sn) }));
  try {
    for (let round = 0; round < runs(3, 2); round++) {
      await launch();
      live(gateways, 10);
      await Promise.all(gateways.map((g) => g.connect()));
      const before = gateways.reduce((sum, g) => sum + g.outgoing.acked, 0);
      // In the middle of the transfer: some messages are acknowledged, others are in flight.
      await expect
        .poll(() => gateways.reduce((sum, g) => sum + g.outgoing.acked, 0) - before, { timeout: 60_000, interval: 1 })
        .toBeGreaterThan(round * 50);
      const exited = child && once(child, 'exit');
      child?.kill('SIGKILL');
      await exited;
      expect(gateways.reduce((sum, g) => sum + g.outgoing.length, 0)).toBeGreaterThan(0);
    }
    await launch();
    await drain(gateways);
  } finally {
    child?.removeAllListeners('exit').kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  await nothingLostOrDoubled('KILL', witnessed);
});
