import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrokerTestServer } from '../../../test/broker.ts';
import { makeAuthority } from '../../../test/certificates.ts';
import { openMosquitto } from '../../../test/mosquitto.ts';
import { programEnv } from '../../../test/program-env.ts';
import { sendCommand } from '../../orders/command.ts';
import { setDeviceKey } from '../../orders/device-key.ts';
import { endConnections } from '../../orders/notify.ts';
import { openBroker } from './broker.ts';

let testServer: Awaited<ReturnType<typeof openBrokerTestServer>>;
beforeAll(async () => {
  testServer = await openBrokerTestServer();
});
afterAll(() => testServer?.close());

// A refused connection is tried again after up to half a minute.
const soon = { timeout: 40_000, interval: 20 };
const now = () => testServer.clock.now();
const hello = (c?: string, t = now()) => JSON.stringify({ boot: 'boot1', fw: '03.02.01', h: digestOf({}), t, c });
const event = (n: number) => JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: now(), lock: 'x' });
const events = async (sn: string) =>
  (await testServer.db.selectFrom('device_event').select(['id', 'kind']).where('sn', '=', sn).orderBy('id').execute()).map((e) =>
    /^(on|off)line$/.test(e.kind) ? e.kind : e.id,
  );
const isOnline = async (id: number) => (await testServer.device(id)).online_state === 1;
const until = { deadline: 4_000_000_000 };

test('a bye message applies only to the connection that it names, or to the current one if it names none', async () => {
  const { id, sn, key } = await testServer.addDevice('BRK1');
  const client = testServer.client(sn, key);
  await client.connect();
  await client.publish(upTopic(sn, 'hello'), hello('new'));
  await client.publish(upTopic(sn, 'bye'), '{"r":"lost","c":"old"}');
  await client.publish(upTopic(sn, 'e'), event(1));
  await expect.poll(() => events(sn), soon).toEqual(['boot1-1', 'online']);
  expect(await isOnline(id)).toBe(true);
  await client.publish(upTopic(sn, 'bye'), '{"r":"lost"}');
  await expect.poll(() => isOnline(id), soon).toBe(false);
});

test('messages of suspended and unknown gateways are ignored, and nothing is sent to them', async () => {
  const { id, sn, key } = await testServer.addDevice('BRK2');
  const got: string[] = [];
  const client = testServer.client(sn, key, { onMessage: (topic) => got.push(topic) });
  await client.connect();
  await client.subscribe(downTopic(sn, '#'));
  await client.publish(upTopic(sn, 'hello'), hello());
  await expect.poll(() => isOnline(id), soon).toBe(true);
  await testServer.db.transaction().execute(async (tx) => {
    await tx.updateTable('device').set({ auth_status: 'suspended' }).where('id', '=', id).execute();
    await endConnections(tx, sn);
  });
  await expect.poll(() => isOnline(id), soon).toBe(false);
  const refused = () => testServer.listener().field.counts.refused.foreign;
  const before = refused();
  got.length = 0;
  await sendCommand(testServer.db, id, 'sys.reboot', {}, { now: now(), ...until });
  await client.publish(upTopic(sn, 'hello'), hello());
  await client.publish(upTopic(sn, 'e'), event(1));
  await expect.poll(refused, soon).toBe(before + 2);
  expect(await events(sn)).toEqual(['offline', 'online']);
  expect(got).toEqual([]);
  // The broker gets the change through the password file and ends the connection.
  await expect.poll(() => readFileSync(testServer.mosquitto.passwordFile, 'utf8'), soon).not.toContain(`${sn}:`);
  await testServer.mosquitto.reload();
  await client.closed;
});

test('after a key change the broker refuses the old key and accepts the new one', async () => {
  const { id, sn, key } = await testServer.addDevice('BRK3');
  const client = testServer.client(sn, key);
  expect((await client.connect()).reasonCode).toBe(0);
  const was = readFileSync(testServer.mosquitto.passwordFile, 'utf8');
  await setDeviceKey(testServer.db, id, 'another-key');
  await expect.poll(() => readFileSync(testServer.mosquitto.passwordFile, 'utf8'), soon).not.toBe(was);
  await testServer.mosquitto.reload();
  await client.closed;
  expect((await testServer.client(sn, key).connect()).reasonCode).toBeGreaterThanOrEqual(0x80);
  expect((await testServer.client(sn, 'another-key').connect()).reasonCode).toBe(0);
});

test('a gateway that sends data before its hello gets a request for it, and a silent gateway becomes offline', async () => {
  const { id, sn, key } = await testServer.addDevice('BRK4');
  const got: string[] = [];
  const client = testServer.client(sn, key, { onMessage: (topic) => got.push(topic) });
  await client.connect();
  await client.subscribe(downTopic(sn, '#'));
  await client.publish(upTopic(sn, 'e'), event(1));
  await expect.poll(() => got, soon).toEqual([downTopic(sn, 'hello')]);
  expect(await isOnline(id)).toBe(false);

  const gateway = await testServer.addDevice('BRK5');
  const here = testServer.gateway(gateway.sn, { key: gateway.key });
  await here.connect();
  const absent = await testServer.addDevice('BRK6');
  await testServer.db
    .updateTable('device')
    .set({ online_state: 1, conn_id: 'b-gone', conn_node: 'broker' })
    .where('id', '=', absent.id)
    .execute();
  await expect.poll(() => isOnline(gateway.id), soon).toBe(true);
  // A broker that was killed and lost its stored sessions.
  await testServer.mosquitto.stop('SIGKILL');
  testServer.mosquitto.forget();
  // The running console must not reconnect first: it would create a session that the next console resumes.
  await testServer.listener().close();
  await testServer.mosquitto.start();
  await testServer.reopen(testServer.mosquitto.port);
  await testServer.listening();
  await expect.poll(() => isOnline(absent.id), soon).toBe(false);
  await expect.poll(() => here.connect(), soon).toBe(true);
  await expect.poll(() => isOnline(gateway.id), soon).toBe(true);
});

test('over TLS a gateway connects with its client certificate instead of a key', async () => {
  const folder = testServer.deps.config.dataDir;
  const fleet = makeAuthority(folder, 'fleet');
  const mosquitto = await openMosquitto({ ...fleet.issue('localhost'), ca: fleet.ca });
  const address = { ...testServer.address, tls: true, host: 'localhost', port: mosquitto.consolePort, ca: fleet.caText };
  const { passwordFile } = mosquitto;
  await testServer.listener().close();
  const broker = await openBroker(testServer.deps, { address, passwordFile, tickMs: 50 });
  try {
    // Written by the leader: the lock of the closed listener may outlive it for a moment.
    await expect.poll(() => readFileSync(passwordFile, 'utf8'), soon).toContain('console:');
    await mosquitto.reload();
    await expect.poll(() => broker.listens(), soon).toBe(true);
    const { id, sn } = await testServer.addWithoutBroker('TLS1');
    const other = await testServer.addWithoutBroker('TLS2');
    const tls = { ca: fleet.caText, servername: 'localhost', ...fleet.issue(sn) };
    const client = testServer.client(sn, '', { port: mosquitto.port, tls });
    expect((await client.connect()).reasonCode).toBe(0);
    await client.publish(upTopic(sn, 'hello'), hello('one'));
    await expect.poll(() => isOnline(id), soon).toBe(true);
    expect(await client.publish(upTopic(other.sn, 'e'), event(1))).toBe(0x87);
    // The certificate name overrides the user name.
    const liar = testServer.client(other.sn, other.key, { port: mosquitto.port, tls });
    await liar.connect();
    expect(await liar.publish(upTopic(other.sn, 'e'), event(1))).toBe(0x87);
    const naked = testServer.client(other.sn, other.key, { port: mosquitto.port, tls: { ca: fleet.caText, servername: 'localhost' } });
    await expect(naked.connect()).rejects.toThrow('closed');
    expect(await events(other.sn)).toEqual([]);
  } finally {
    await broker.close();
    await mosquitto.close();
    await testServer.reopen(testServer.mosquitto.port);
    await testServer.listening();
  }
});

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

test('a killed console loses nothing: another process takes over and continues', { tags: 'all', timeout: 60_000 }, async () => {
  const devices = await Promise.all(Array.from({ length: 6 }, (_, i) => testServer.addDevice(`KIL${i}`)));
  const made = new Map(devices.map(({ sn }) => [sn, new Set<string>()]));
  const gateways = devices.map(({ sn, key }) =>
    testServer.gateway(sn, {
      key,
      faults: { ...noFaults(), duplicate: 0.3 },
      produced: (what) => 'event' in what && made.get(sn)?.add(what.event),
    }),
  );
  const { port, passwordFile } = testServer.mosquitto;
  const folder = mkdtempSync(join(tmpdir(), 'farlink-broker-'));
  let child: ChildProcess | undefined;
  await testServer.listener().close();
  try {
    const env = {
      ROLES: 'field',
      DATA_DIR: folder,
      DATABASE_URL: testServer.deps.pool.options.connectionString ?? '',
      BROKER_URL: `mqtt://console:the-console@127.0.0.1:${port}`,
      BROKER_PASSWORD_FILE: passwordFile,
    };
    const started = spawn(process.execPath, [main], { env: { ...programEnv, LOG_LEVEL: 'error', ...env } });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    await expect.poll(() => output, soon).toContain('Farlink is working.');
    await Promise.all(gateways.map((g) => g.connect()));
    const standby = await openBroker(testServer.deps, { address: testServer.address, passwordFile, tickMs: 50 });
    try {
      const stored = async () => (await Promise.all(devices.map(({ sn }) => events(sn)))).flat().filter((e) => /-\d+$/.test(e)).length;
      for (let i = 0; i < 20; i++) for (const g of gateways) g.event('fence', { fence: 'harbour', in: true });
      await expect.poll(stored, soon).toBeGreaterThan(0);
      expect(standby.listens()).toBe(false);
      // Messages are received but cannot be stored before the kill.
      const blocker = await testServer.deps.pool.connect();
      await blocker.query('begin');
      await blocker.query('lock table device_event in exclusive mode');
      for (let i = 0; i < 20; i++) for (const g of gateways) g.event('fence', { fence: 'harbour', in: false });
      const waits = async () => (await testServer.deps.pool.query('select from pg_locks where not granted')).rowCount;
      await expect.poll(waits, soon).toBeGreaterThan(0);
      const exited = once(started, 'exit');
      started.kill('SIGKILL');
      await exited;
      await blocker.query('rollback');
      blocker.release();
      await expect.poll(() => standby.listens(), soon).toBe(true);
      for (const { id, sn } of devices) {
        await expect
          .poll(async () => (await events(sn)).filter((e) => e !== 'online').sort(), soon)
          .toEqual([...(made.get(sn) ?? [])].sort());
        expect(await isOnline(id)).toBe(true);
      }
      const [first] = devices;
      const command = await sendCommand(testServer.db, first?.id ?? 0, 'diag.ping', {}, { now: now(), ...until });
      const state = async () =>
        (await testServer.db.selectFrom('device_command').select('state').where('id', '=', command).executeTakeFirst())?.state;
      await expect.poll(state, soon).toBe(3);
    } finally {
      await standby.close();
    }
  } finally {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
