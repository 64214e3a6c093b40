import { randomBytes } from 'node:crypto';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongBatches } from '../../test/audit-roots.ts';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { subscriberRow } from '../../test/subscriber.ts';
import { seal } from '../kit/session/secret.ts';
import { openField } from './field.ts';

let testServer: FieldTestServer;

beforeAll(async () => {
  testServer = await openFieldTestServer();
  const { db, platformId } = testServer;
  await db
    .insertInto('subscriber')
    .values(crew.map((account) => subscriberRow({ agent_id: platformId, account })))
    .execute();
});
afterAll(() => testServer?.close());

const crew = Array.from({ length: 12 }, (_, i) => `crew${i}`);
const tables = {
  a_auth: 'audit_auth',
  a_id: 'audit_identity',
  a_url: 'audit_url',
  a_bbs: 'audit_forum',
  a_mail: 'audit_mail',
  a_term: 'audit_terminal',
} as const;

const rowsOf = async (table: string, device: number): Promise<Record<string, unknown>[]> =>
  (await testServer.deps.pool.query(`select * from ${table} where device_id = $1 order by batch, n`, [device])).rows;

const ship = async (sn: string, more: Partial<GatewayOptions> = {}) => {
  const device = await testServer.addDevice(sn);
  const sent: Record<string, number> = {};
  const gateway = testServer.gateway(sn, {
    key: device.key,
    accounts: crew,
    audit: 30,
    links: ['6d', 'l_band'],
    produced: (what) => {
      if ('stream' in what) sent[what.stream] = (sent[what.stream] ?? 0) + what.rows;
    },
    ...more,
  });
  return { ...device, gateway, sent };
};

test('the activity of users on board is stored in six audit tables, with valid batches, sessions and terminals', async () => {
  const { id, gateway, sent } = await ship('AUDSHIP1');
  gateway.world.force('6d');
  await gateway.connect();
  for (let i = 0; i < 40; i++) {
    testServer.clock.advance(60);
    gateway.step(testServer.clock.now());
  }
  gateway.world.reportTraffic();
  await expect.poll(() => gateway.outgoing.length).toBe(0);
  expect(gateway.outgoing.refused).toBe(0);
  for (const [stream, table] of Object.entries(tables)) {
    const rows = await rowsOf(table, id);
    expect(rows.length, stream).toBe(sent[stream]);
    expect(rows.length, stream).toBeGreaterThan(2);
  }
  expect(await wrongBatches(testServer.deps.pool)).toEqual([]);
  const auth = await rowsOf('audit_auth', id);
  const sessions = await testServer.db.selectFrom('online_session').selectAll().where('device_id', '=', id).execute();
  expect(new Set(auth.map(({ session_id }) => session_id))).toEqual(new Set(sessions.map((one) => one.session_id)));
  for (const { session_id, auth_action, login_at, logout_at, public_ip, port_range, mac, ip } of auth) {
    const session = sessions.find((one) => one.session_id === session_id);
    expect({ login_at, mac, ip }).toEqual({ login_at: session?.login_at, mac: session?.mac, ip: session?.ip });
    expect(logout_at).toBe(auth_action === 'logout' ? session?.logout_at : null);
    expect(public_ip).toMatch(/^203\.0\.113\.\d+$/);
    expect(port_range).toMatch(/^\d+-\d+$/);
  }
  const urls = await rowsOf('audit_url', id);
  const open = urls.filter(({ url }) => url !== null);
  expect(open.length).toBeGreaterThan(0);
  expect(open.length).toBeLessThan(urls.length / 2);
  for (const { url, host, title } of open) expect([String(url).startsWith(`http://${host}/`), title]).toEqual([true, expect.any(String)]);
  for (const { title, url, server_port } of urls) if (url === null) expect([title, server_port]).toEqual([null, 443]);
  const states = await testServer.db.selectFrom('audit_terminal_state').selectAll().where('device_id', '=', id).execute();
  const seen = Map.groupBy(await rowsOf('audit_terminal', id), ({ mac }) => mac);
  expect(states).toHaveLength(seen.size);
  for (const { mac, first_at, last_at, brand, ssid } of states) {
    const times = seen.get(mac)?.map(({ at }) => Number(at)) ?? [];
    expect([first_at, last_at]).toEqual([Math.min(...times), Math.max(...times)]);
    expect([brand, ssid]).toEqual([expect.any(String), expect.any(String)]);
  }
});

test('audit data waits for a link that is not billed by volume', async () => {
  const { id, gateway, sent } = await ship('AUDSHIP2');
  gateway.world.force('l_band');
  await gateway.connect();
  for (let i = 0; i < 11; i++) gateway.step(testServer.clock.now() + i * 60);
  await expect.poll(() => gateway.outgoing.acked).toBeGreaterThan(2);
  expect(sent.a_url).toBeGreaterThan(0);
  expect(await rowsOf('audit_url', id)).toEqual([]);
  expect(await rowsOf('audit_auth', id)).toEqual([]);
  gateway.world.force('6d');
  await expect
    .poll(async () => {
      await gateway.connect();
      gateway.step(testServer.clock.now() + 900);
      return (await rowsOf('audit_url', id)).length;
    })
    .toBeGreaterThanOrEqual(sent.a_url ?? 0);
});

test('an older gateway and one with audit rate 0 report no audit data', async () => {
  for (const [sn, more] of [
    ['AUDOLD', { version: '02.08.05' }],
    ['AUDOFF', { audit: 0 }],
  ] as const) {
    const { gateway, sent } = await ship(sn, more);
    for (let i = 0; i < 20; i++) gateway.step(testServer.clock.now() + i * 60);
    expect(gateway.users.opened).toBeGreaterThan(0);
    expect(Object.keys(sent).filter((name) => name in tables)).toEqual([]);
  }
});

test('an invalid batch is refused with the name of the field and does not affect the next one', async () => {
  const { id, sn, key } = await testServer.addDevice('AUDBAD');
  const client = testServer.client(sn, key);
  await client.connect();
  const body = (seq: number, host: unknown) =>
    JSON.stringify({ b: 'boot1', seq, t0: testServer.clock.now(), c: ['at', 'acc', 'h'], v: [[testServer.clock.now(), 'ada', host]] });
  expect(await client.publish(upTopic(sn, 't/a_url'), body(1, 5))).toBe(0x99);
  const { field } = testServer.endpoint();
  const result = await new Promise((done) => field.receive(sn, 't/a_url', body(1, 5), 'conn', done));
  expect(result).toMatchObject({ ok: false, why: 'body', reason: expect.stringMatching(/^v\[0\]\.h: /) });
  expect(await client.publish(upTopic(sn, 't/a_url'), body(2, '\ud800\0\u202e'))).toBe(0);
  expect(await client.publish(upTopic(sn, 't/a_url'), body(3, 'x.example'))).toBe(0);
  expect((await rowsOf('audit_url', id)).map(({ host }) => host).toSorted()).toEqual(['x.example', '\ufffd']);
});

test('a value that cannot be decrypted is logged once with its id, and ingest continues', async () => {
  const { id, sn } = await testServer.addDevice('AUDKEY');
  const { db, platformId } = testServer;
  const person = subscriberRow({ agent_id: platformId, account: 'locked', id_number: seal(randomBytes(32), '110101199003077758') });
  const { id: subscriber_id } = await db.insertInto('subscriber').values(person).returning('id').executeTakeFirstOrThrow();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const field = openField({ ...testServer.deps, log }, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const results: boolean[] = [];
  const at = testServer.clock.now();
  for (let seq = 1; seq <= 3; seq++) {
    const body = { b: 'boot1', seq, t0: at, c: ['at', 'acc', 'act'], v: [[at, 'locked', 'login']] };
    field.receive(sn, 't/a_auth', JSON.stringify(body), 'conn', ({ ok }) => results.push(ok));
    await expect.poll(() => results.length).toBe(seq);
    if (seq === 1) await db.updateTable('audit_key').set({ wrapped: 'broken' }).where('subject', '=', `s:${subscriber_id}`).execute();
  }
  await field.close();
  expect(results).toEqual([true, true, true]);
  expect(await rowsOf('audit_auth', id)).toHaveLength(3);
  const unreadable = lines.filter(({ msg }) => msg === 'stored value unreadable');
  expect(unreadable.map(({ what, subscriber_id }) => [what, subscriber_id])).toEqual([
    ['id number of a subscriber', subscriber_id],
    ['audit key', undefined],
  ]);
  expect(unreadable[1]?.key_id).toEqual(expect.any(Number));
});
