import { type DownDanger, domainHash } from '@farlink/gateway/protocol/danger-list.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { runs } from '../../test/soak.ts';
import { pendingDanger } from './pending/pending-danger.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());
afterEach(async () => {
  await testServer.db.deleteFrom('danger_site').execute();
});

const add = (...names: readonly string[]) =>
  testServer.db
    .insertInto('danger_site')
    .values(names.map((ascii) => ({ domain: ascii, ascii, kind: 'other', creator: 'test', create_at: 1, update_at: 1 }) as const))
    .execute();
const remove = (...names: readonly string[]) => testServer.db.deleteFrom('danger_site').where('ascii', 'in', names).execute();
/** Many entries in one statement. */
const addMany = (prefix: string, count: number) =>
  sql`insert into danger_site (domain, ascii, kind, creator, create_at, update_at)
    select n, n, 'other', 'test', 1, 1 from (select ${prefix}::text || i || '.example' as n from generate_series(1, ${count}::int) i) s`.execute(
    testServer.db,
  );
const listRev = async () => await testServer.db.selectFrom('danger_list').select(['rev', 'count']).executeTakeFirstOrThrow();
const syncOf = (id: number) => testServer.db.selectFrom('danger_sync').selectAll().where('device_id', '=', id).executeTakeFirst();
const hitsOf = async (ascii: string) =>
  (await testServer.db.selectFrom('danger_site').select('hit_count').where('ascii', '=', ascii).executeTakeFirst())?.hit_count;

const ship = async (sn: string, more: Parameters<FieldTestServer['gateway']>[1] = {}) => {
  const device = await testServer.addDevice(sn);
  const gateway = testServer.gateway(sn, { key: device.key, calm: true, at: { lat: 20, lon: 115 }, links: ['6d'], ...more });
  gateway.step(testServer.clock.now());
  await gateway.connect();
  await expect.poll(async () => (await testServer.device(device.id)).online_state).toBe(1);
  return { ...device, gateway };
};
const applied = async (id: number, gateway: Gateway) => {
  const { rev, count } = await listRev();
  await expect.poll(() => gateway.danger.summary).toMatchObject({ rev, n: count });
  await expect.poll(async () => (await syncOf(id))?.acked).toBe(rev);
};
/** Messages that carry the list to a gateway from a revision on. */
const pagesTo = async (sn: string, id: number) => {
  const bodies: string[] = [];
  for (;;) {
    const next = (await pendingDanger(testServer.deps.pool, testServer.clock.now(), [sn])).get(sn);
    if (!next) return bodies;
    bodies.push(next.body);
    const { to }: DownDanger = JSON.parse(next.body);
    await sql`insert into danger_sync (device_id, acked) values (${id}, ${to}) on conflict (device_id) do update set acked = ${to}`.execute(
      testServer.db,
    );
  }
};
const helloBody = { boot: 'abcd0001', fw: '03.02.01', h: '0'.repeat(32), caps: ['danger'] };
const bytesOf = (bodies: readonly string[]) => bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);

describe('the list of dangerous websites', () => {
  test('is sent to a connected gateway, and again after each change', async () => {
    const { id, gateway } = await ship('LIST-1');
    await add('casino.example', 'xn--9kr716k.example');
    await applied(id, gateway);
    expect(gateway.danger.visit('casino.example')).toBe(true);
    expect(gateway.danger.visit('www.m.casino.example')).toBe(true);
    expect(gateway.danger.visit('notcasino.example')).toBe(false);
    await testServer.db.updateTable('danger_site').set({ status: 0 }).where('ascii', '=', 'casino.example').execute();
    await applied(id, gateway);
    expect(gateway.danger.visit('casino.example')).toBe(false);
    await testServer.db
      .updateTable('danger_site')
      .set({ status: 1, ascii: 'dice.example' })
      .where('ascii', '=', 'casino.example')
      .execute();
    await applied(id, gateway);
    expect(['casino.example', 'dice.example'].map((host) => gateway.danger.visit(host))).toEqual([false, true]);
    await remove('dice.example', 'xn--9kr716k.example');
    await applied(id, gateway);
    expect(gateway.danger.summary).toMatchObject({ n: 0, h: '00000000000000' });
  });

  test('is sent to a gateway that was disconnected or has lost its list', async () => {
    await add('casino.example');
    const { id, gateway } = await ship('LOST-1');
    await applied(id, gateway);
    await gateway.connection.close(false);
    await add('dice.example');
    await remove('casino.example');
    await gateway.connect();
    await applied(id, gateway);
    expect(['casino.example', 'dice.example'].map((host) => gateway.danger.visit(host))).toEqual([false, true]);
    gateway.danger.forget();
    gateway.sendHello();
    await applied(id, gateway);
    expect(gateway.danger.visit('dice.example')).toBe(true);
  });

  test('is sent again once to a gateway whose digest differs', async () => {
    await add('casino.example');
    const { id, gateway } = await ship('ODD-1');
    await applied(id, gateway);
    const { rev } = await listRev();
    gateway.publish('danger', { rev, n: 1, h: '0123456789abcd' });
    await expect.poll(async () => (await syncOf(id))?.odd_digest).toBe('0123456789abcd');
    await expect.poll(async () => syncOf(id)).toMatchObject({ acked: rev, odd_digest: null });
    // An unknown revision, as after a restored database.
    gateway.publish('danger', { rev: rev + 1000, n: 1, h: '1123456789abcd' });
    await expect.poll(async () => syncOf(id)).toMatchObject({ acked: rev, odd_digest: null, count: 1 });
  });

  test('is not sent forever to a gateway with another digest, and an interrupted transfer begins again', async () => {
    await add('casino.example');
    const { id, sn, key } = await testServer.addDevice('ODD-2');
    const { rev } = await listRev();
    const client = testServer.client(sn, key);
    await client.connect();
    const odd = { rev, n: 1, h: '0123456789abcd' };
    const hello = () => client.publish(upTopic(sn, 'hello'), JSON.stringify({ ...helloBody, danger: odd }));
    for (let i = 0; i < 2; i++) {
      await hello();
      expect(await syncOf(id)).toMatchObject({ acked: 0, odd_digest: odd.h });
    }
    await client.publish(upTopic(sn, 'danger'), JSON.stringify(odd));
    expect(await syncOf(id)).toMatchObject({ acked: rev, odd_digest: odd.h });
    await hello();
    expect(await pagesTo(sn, id)).toEqual([]);
    await add('dice.example');
    expect(await pagesTo(sn, id)).toHaveLength(1);
  });

  test('is not sent to older gateways, nor over L-band unless it is small', async () => {
    const old = await ship('OLD-1', { version: '02.09.00' });
    const { id, sn, gateway } = await ship('SLOW-1');
    await applied(id, gateway);
    await gateway.connection.close(false);
    await testServer.db.updateTable('device').set({ network: 'l_band' }).where('id', '=', id).execute();
    await addMany('small', 10);
    expect(await pagesTo(sn, id)).toHaveLength(1);
    await addMany('large', 200);
    expect(await pagesTo(sn, id)).toEqual([]);
    await testServer.db.updateTable('device').set({ network: '6d' }).where('id', '=', id).execute();
    expect(await pagesTo(sn, id)).toHaveLength(1);
    expect(old.gateway.danger.summary.rev).toBe(0);
    expect(await syncOf(old.id)).toBeUndefined();
  });

  test('needs less than 10 bytes per website, and less than 2 KB for ten more', { tags: 'all', timeout: 240_000 }, async () => {
    const count = runs(100_002, 20_002);
    const { id, sn } = await testServer.addDevice('WIRE-1');
    await testServer.db
      .updateTable('device')
      .set({ caps: ['danger'], network: '6d' })
      .where('id', '=', id)
      .execute();
    await addMany('site', count);
    const whole = await pagesTo(sn, id);
    expect(bytesOf(whole)).toBeLessThan(10 * count);
    expect(Math.max(...whole.map((body) => Buffer.byteLength(body)))).toBeLessThan(65_000);
    await addMany('more', 10);
    const more = await pagesTo(sn, id);
    expect(bytesOf(more)).toBeLessThan(2000);
    await remove('site1.example');
    expect(bytesOf(await pagesTo(sn, id))).toBeLessThan(200);
    console.info(`${count} websites: ${bytesOf(whole)} bytes in ${whole.length} messages; ten more: ${bytesOf(more)} bytes`);
    const { gateway } = await ship('WIRE-2');
    await applied((await testServer.db.selectFrom('device').select('id').where('sn', '=', 'WIRE-2').executeTakeFirstOrThrow()).id, gateway);
    expect(gateway.danger.summary).toMatchObject({ n: count + 9 });
    expect(['site1.example', 'site2.example', 'www.more10.example'].map((host) => gateway.danger.visit(host))).toEqual([false, true, true]);
    await sql`truncate danger_site, danger_hash`.execute(testServer.db);
    await sql`update danger_list set count = 0, digest = 0`.execute(testServer.db);
  });

  test('forgets removed websites after many changes; a gateway far behind gets the complete list', async () => {
    await add('casino.example', 'dice.example');
    const { id, gateway } = await ship('FAR-1');
    await applied(id, gateway);
    await gateway.connection.close(false);
    await remove('dice.example');
    await sql`update danger_list set rev = rev + 300000`.execute(testServer.db);
    await add('late.example');
    await gateway.connect();
    await applied(id, gateway);
    expect(['casino.example', 'dice.example', 'late.example'].map((host) => gateway.danger.visit(host))).toEqual([true, false, true]);
    const gone = await sql<{ n: number }>`select count(*)::int as n from danger_hash where is_gone`.execute(testServer.db);
    expect(gone.rows[0]?.n).toBe(0);
  });
});

describe('blocked visits', () => {
  test('count once, also if the message is repeated', async () => {
    await add('casino.example', 'dice.example');
    const { id, gateway } = await ship('HIT-1');
    await applied(id, gateway);
    for (const host of ['casino.example', 'www.casino.example', 'dice.example', 'fine.example']) gateway.danger.visit(host);
    gateway.danger.report();
    gateway.step(testServer.clock.now());
    await expect.poll(() => hitsOf('casino.example')).toBe(2);
    expect(await hitsOf('dice.example')).toBe(1);
    const events = await testServer.db
      .selectFrom('device_event')
      .selectAll()
      .where('device_id', '=', id)
      .where('kind', '=', 'danger')
      .execute();
    expect(events.map(({ doc }) => doc)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ domain: 'casino.example', n: 2 }),
        expect.objectContaining({ domain: 'dice.example' }),
      ]),
    );
    const sender = await testServer.addDevice('HIT-2');
    const client = testServer.client('HIT-2', sender.key);
    await client.connect();
    const event = { id: 'abcd-1', k: 'danger', t: testServer.clock.now(), site: domainHash('dice.example'), n: 5 };
    await client.publish(upTopic('HIT-2', 'e'), JSON.stringify(event));
    await client.publish(upTopic('HIT-2', 'e'), JSON.stringify(event));
    await client.publish(upTopic('HIT-2', 'e'), JSON.stringify({ ...event, id: 'abcd-2', n: 1 }));
    await expect.poll(() => hitsOf('dice.example')).toBe(7);
  });

  test('of a hostile gateway are refused, ignored or limited', async () => {
    await add('casino.example');
    const { key } = await testServer.addDevice('EVIL-1');
    const client = testServer.client('EVIL-1', key);
    await client.connect();
    const base = { k: 'danger', t: testServer.clock.now(), site: domainHash('casino.example') };
    const send = (n: number, more: object) => client.publish(upTopic('EVIL-1', 'e'), JSON.stringify({ ...base, id: `abcd-${n}`, ...more }));
    await send(1, { n: -5 });
    await send(2, { n: 0 });
    await send(3, { n: 1.5 });
    await send(4, { n: '9' });
    await send(5, { n: 1, site: "x'; drop table danger_site" });
    await send(6, { n: 1, site: '00000000000000' });
    await send(7, { n: 1, site: base.site.toUpperCase() });
    await send(8, { n: Number.MAX_SAFE_INTEGER, domain: '<b>other</b>' });
    await send(9, { n: 1 });
    await expect.poll(() => hitsOf('casino.example')).toBe(100_001);
    const events = await testServer.db
      .selectFrom('device_event')
      .select(['id', 'doc'])
      .where('sn', '=', 'EVIL-1')
      .where('kind', '=', 'danger')
      .execute();
    expect(events.find(({ id }) => id === 'abcd-8')?.doc).toMatchObject({ domain: 'casino.example' });
    await client.publish(upTopic('EVIL-1', 'danger'), JSON.stringify({ rev: -1, n: 1, h: '00000000000000' }));
    await client.publish(upTopic('EVIL-1', 'danger'), JSON.stringify({ rev: 1e300, n: 1, h: 'x' }));
    expect(await hitsOf('casino.example')).toBe(100_001);
  });
});
