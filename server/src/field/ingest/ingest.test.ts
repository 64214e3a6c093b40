import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { openEndpoint } from '../endpoint/endpoint.ts';
import { openField } from '../field.ts';
import type { IngestResult } from './ingest.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const { stringify } = JSON;
const eventBody = (n: number) => JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: testServer.clock.now(), lock: 'x' });
const countOf = async (sn: string) => {
  const { n } = await testServer.db
    .selectFrom('device_event')
    .select(sql<number>`count(*)`.as('n'))
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow();
  return n;
};

test('senders are paused while the queue is full, and resumed afterwards', { tags: 'all' }, async () => {
  const { sn } = await testServer.addDevice('FULL1');
  let drained = 0;
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => drained++ });
  let settled = 0;
  for (let n = 1; n <= 25_000; n++) field.receive(sn, 'e', eventBody(n), 'conn', () => settled++);
  expect(field.full()).toBe(true);
  await expect.poll(() => settled).toBe(25_000);
  expect(field.full()).toBe(false);
  expect(drained).toBeGreaterThan(1);
  expect(await countOf(sn)).toBe(25_000);
  await field.close();
});

test('messages and connections beyond the capacity of the queue wait, and are all accepted later', { tags: 'all' }, async () => {
  const devices = await Promise.all(Array.from({ length: 400 }, (_, i) => testServer.addDevice(`CROWD${i}`)));
  const clients = devices.map(({ sn, key }) => testServer.client(sn, key));
  await Promise.all(clients.map((client) => client.connect()));
  const blocker = await testServer.deps.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table device_event in exclusive mode');
  const { field } = testServer.endpoint();
  const before = field.counts.accepted;
  const replies = clients.flatMap((client, i) =>
    Array.from({ length: 16 }, (_, n) => client.publish(upTopic(`CROWD${i}`, 'e'), eventBody(n + 1))),
  );
  await expect.poll(() => field.full()).toBe(true);
  const late = devices.slice(0, 20).map(({ sn, key }) => testServer.client(sn, key, { clientId: `${sn}-late` }));
  const entered = Promise.all(late.map((client) => client.connect()));
  expect(field.counts.accepted).toBe(before);
  await blocker.query('rollback');
  blocker.release();
  expect(await Promise.all(replies)).toEqual(Array.from({ length: 6400 }, () => 0));
  expect((await entered).map(({ reasonCode }) => reasonCode)).toEqual(late.map(() => 0));
  expect(await testServer.deps.pool.query(`select from device_event where sn like 'CROWD%'`)).toMatchObject({ rowCount: 6400 });
});

test('long messages fill the queue sooner than short ones, and are stored in several commits', { tags: 'all' }, async () => {
  const { id, sn } = await testServer.addDevice('LONG1');
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  let settled = 0;
  const long = (n: number) =>
    JSON.stringify({ id: `boot1-${n}`, k: 'lock', t: testServer.clock.now(), lock: 'x', more: 'x'.repeat(60_000) });
  for (let n = 1; n <= 300; n++) field.receive(sn, 'e', long(n), 'conn', () => settled++);
  expect(field.full()).toBe(true);
  await expect.poll(() => settled).toBe(300);
  expect(field.full()).toBe(false);
  const { rows } = await testServer.deps.pool.query(
    'select count(*)::int as n, count(distinct xmin::text)::int as commits from device_event where device_id = $1',
    [id],
  );
  expect(rows[0].n).toBe(300);
  expect(rows[0].commits).toBeGreaterThan(8);
  await field.close();
});

test('a message that is too large for an index, or causes an exception, is refused and does not affect others', async () => {
  const { sn } = await testServer.addDevice('POISON1');
  await testServer.deps.pool.query('create index too_narrow on device_event ((doc ->> $$wide$$))');
  const breaking = vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
    const text = stringify(value, ...more);
    if (text?.startsWith('[') && text.includes('"broken":1')) throw new TypeError('cannot read');
    return text;
  });
  const wide = Array.from({ length: 800 }, (_, i) => createHash('sha256').update(`${i}`).digest('base64')).join('');
  const body = (n: number, more: object) => stringify({ id: `boot1-${n}`, k: 'lock', t: testServer.clock.now(), lock: 'x', ...more });
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const verdicts: [number, boolean][] = [];
  for (const [n, more] of [{}, { wide }, {}, { broken: 1 }, {}].entries())
    field.receive(sn, 'e', body(n, more), 'conn', ({ ok }) => verdicts.push([n, ok]));
  await expect.poll(() => verdicts.length).toBe(5);
  breaking.mockRestore();
  await testServer.deps.pool.query('drop index too_narrow');
  expect(verdicts.map(([, ok]) => ok)).toEqual([true, false, true, false, true]);
  expect(await countOf(sn)).toBe(3);
  await field.close();
});

test('messages that cause exceptions are isolated without pauses', async () => {
  const { sn } = await testServer.addDevice('POISON2');
  const breaking = vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
    const text = stringify(value, ...more);
    if (text?.startsWith('[') && text.includes('"broken":1')) throw new TypeError('cannot read');
    return text;
  });
  const warned = vi.spyOn(testServer.deps.log, 'warn');
  const body = (n: number) => stringify({ id: `boot1-${n}`, k: 'lock', t: testServer.clock.now(), lock: 'x', broken: n % 2 });
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const accepted: boolean[] = [];
  for (let n = 0; n < 20; n++) field.receive(sn, 'e', body(n), 'conn', ({ ok }) => accepted.push(ok));
  await field.close();
  breaking.mockRestore();
  expect(accepted).toEqual(Array.from({ length: 20 }, (_, n) => n % 2 === 0));
  expect(warned).not.toHaveBeenCalledWith(expect.anything(), 'gateway message storage failed, retrying');
  warned.mockRestore();
});

test('results are returned in the order of the messages, also for those that are refused at once', async () => {
  const { sn } = await testServer.addDevice('ORDER1');
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const verdicts: [number, IngestResult['ok']][] = [];
  for (let n = 1; n <= 30; n++) field.receive(sn, 'e', n % 3 === 0 ? '{' : eventBody(n), 'conn', ({ ok }) => verdicts.push([n, ok]));
  await field.close();
  expect(verdicts).toEqual(Array.from({ length: 30 }, (_, i) => [i + 1, (i + 1) % 3 !== 0]));
});

test('a short loss of the database connections causes only a delay', async () => {
  const { sn, key } = await testServer.addDevice('AWAY1');
  const client = testServer.client(sn, key);
  await client.connect();
  const hangUp = () =>
    testServer.deps.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  for (let n = 1; n <= 60; n += 12) {
    const replies = Array.from({ length: 12 }, (_, i) => client.publish(upTopic(sn, 'e'), eventBody(n + i)));
    await hangUp();
    expect(await Promise.all(replies)).toEqual(replies.map(() => 0));
  }
  expect(await countOf(sn)).toBe(60);
});

test('with a certificate the listener uses TLS', async () => {
  const folder = testServer.deps.config.dataDir;
  const files = { key: join(folder, 'door.key'), cert: join(folder, 'door.crt') };
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    files.key,
    '-out',
    files.cert,
  ]);
  expect(made.status).toBe(0);
  const cert = readFileSync(files.cert);
  const endpoint = await openEndpoint(testServer.deps, { port: 0, host: '127.0.0.1', tls: { cert, key: readFileSync(files.key) } });
  const socket = connect({ port: endpoint.port, host: '127.0.0.1', servername: 'localhost', ca: cert });
  const reply = new Promise<Buffer>((resolve, reject) => socket.once('data', resolve).once('error', reject));
  // CONNECT of MQTT 5 without a user: the refusal arrives through TLS.
  socket.write(Buffer.from([0x10, 13, 0, 4, 77, 81, 84, 84, 5, 2, 0, 60, 0, 0, 0]));
  expect([...(await reply)].slice(0, 4)).toEqual([0x20, 3, 0, 0x86]);
  expect(socket.getProtocol()).toBe('TLSv1.3');
  socket.destroy();
  await endpoint.close();
});

test('a process whose gateways were taken over stores and acknowledges nothing', async () => {
  const { sn } = await testServer.addDevice('FENCED1');
  const { db } = testServer;
  const { epoch } = await db.insertInto('field_node').values({ id: 'paused', beat_at: 1 }).returning('epoch').executeTakeFirstOrThrow();
  let checks = 0;
  const fenced = async () => {
    checks++;
    return false;
  };
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {}, fenced }, 'paused');
  field.register(epoch);
  const receive = (n: number) => new Promise<IngestResult>((done) => field.receive(sn, 'e', eventBody(n), 'conn', done));
  expect(await receive(1)).toEqual({ ok: true });
  await db.updateTable('field_node').set({ epoch: sql`nextval('field_epoch')` }).where('id', '=', 'paused').execute();
  const results: IngestResult[] = [];
  for (const n of [2, 3]) field.receive(sn, 'e', eventBody(n), 'conn', (result) => results.push(result));
  await expect.poll(() => checks).toBe(1);
  await field.close();
  expect(results).toEqual([]);
  expect(await countOf(sn)).toBe(1);
  await db.deleteFrom('field_node').where('id', '=', 'paused').execute();
});
