import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AlertTestServer, openAlertTestServer } from '../../../test/alert-test-server.ts';
import { leaseMails } from './mail-queue.ts';

let testServer: AlertTestServer;

beforeAll(async () => {
  testServer = await openAlertTestServer();
});
afterEach(() => testServer.clear());
afterAll(() => testServer?.close());

const queuedMails = () => testServer.db.selectFrom('outbox').selectAll().orderBy('id').execute();
const lastNotified = async (id: number) =>
  (await testServer.db.selectFrom('notify_rule').select('last_notify_at').where('id', '=', id).executeTakeFirstOrThrow()).last_notify_at;

/** A device goes offline and one notice is due. */
const oneAlert = async (emails = ['noc@sea.cn']) => {
  const ship = await testServer.addShip();
  const [rule = 0] = await testServer.addRules([ship], { emails });
  await testServer.comeOnline([ship]);
  await testServer.goOffline([ship]);
  await testServer.pass(90);
  return rule;
};

test('a mail is retried after temporary errors of the server, with a longer delay each time', async () => {
  const { sink, clock } = testServer;
  sink.replies.push(451, 421, 452);
  const rule = await oneAlert();
  const [first] = await queuedMails();
  expect(first).toMatchObject({ state: 'waiting', tries: 1, error: expect.stringMatching(/^later: 451.*greylisted/) });
  expect((first?.next_at ?? 0) - (first?.create_at ?? 0)).toBe(60);
  expect(await lastNotified(rule)).toBeNull();
  const delays: number[] = [];
  for (let last = first; last?.state === 'waiting'; ) {
    await testServer.pass(30);
    const [queued] = await queuedMails();
    if (queued?.tries !== last.tries) expect(clock.now()).toBeGreaterThanOrEqual(last.next_at);
    if (queued?.state === 'waiting' && queued.tries !== last.tries) delays.push(queued.next_at - clock.now());
    last = queued;
  }
  expect(delays).toEqual([120, 240]);
  expect(sink.mails).toHaveLength(1);
  expect(await queuedMails()).toEqual([expect.objectContaining({ state: 'sent', tries: 4, body: null, error: null })]);
  expect(await lastNotified(rule)).not.toBeNull();
});

test('a mail fails after a permanent error of the server; the state and the reason are kept', async () => {
  testServer.sink.replies.push(550);
  const rule = await oneAlert();
  await testServer.pass(600, 60);
  const reason = expect.stringMatching(/^refused: 550.*no such mailbox/);
  expect(await queuedMails()).toEqual([expect.objectContaining({ state: 'failed', tries: 1, body: null, error: reason })]);
  expect(await lastNotified(rule)).toBeNull();
  const server = await testServer.db.selectFrom('mail_server').select(['fault', 'fault_answer']).executeTakeFirstOrThrow();
  expect(server).toEqual({ fault: 'refused', fault_answer: expect.stringContaining('550') });
});

test('while the server refuses the login, mails wait with few attempts; then they share a few connections', { tags: 'all' }, async () => {
  const { sink, me } = testServer;
  await testServer.setServer(me.agent_id, { password: 'wrong' });
  const ships = await testServer.addShips(30);
  for (const ship of ships) await testServer.addRules([ship], { emails: [`${ship.sn}@sea.cn`] });
  await testServer.comeOnline(ships);
  await testServer.goOffline(ships);
  await testServer.pass(90);
  expect(sink.logins.length).toBeLessThanOrEqual(3);
  expect((await queuedMails()).map((l) => l.error?.slice(0, 10))).toEqual(Array(30).fill('login: 535'));
  await testServer.setServer(me.agent_id);
  const before = sink.connections();
  await testServer.pass(120);
  expect(new Set(sink.mails.map((m) => m.to)).size).toBe(30);
  expect(sink.mails).toHaveLength(30);
  expect(sink.connections() - before).toBeLessThanOrEqual(3);
});

test('an invalid mailbox does not delay other mails', async () => {
  const { sink } = testServer;
  const ships = await testServer.addShips(2);
  await testServer.addRules(ships.slice(0, 1), { emails: ['a<b>c@sea.cn'] });
  await testServer.addRules(ships.slice(1), { emails: ['good@sea.cn'] });
  await testServer.comeOnline(ships);
  await testServer.goOffline(ships);
  await testServer.pass(90);
  expect(sink.mails.map((m) => m.to)).toEqual(['good@sea.cn']);
  expect((await queuedMails()).map((l) => l.state).sort()).toEqual(['failed', 'sent']);
});

test('a mail waits for an enabled server, and fails after some hours without one', async () => {
  const { sink, me } = testServer;
  await testServer.setServer(me.agent_id, { enable: false });
  await oneAlert(['late@sea.cn']);
  expect(await queuedMails()).toEqual([expect.objectContaining({ state: 'waiting', error: 'none: ' })]);
  await testServer.setServer(me.agent_id);
  await testServer.pass(180);
  expect(sink.mails).toHaveLength(1);
  await testServer.setServer(me.agent_id, { enable: false });
  await oneAlert(['never@sea.cn']);
  await testServer.pass(4 * 3600, 600);
  expect((await queuedMails()).at(-1)).toMatchObject({ state: 'failed', tries: 8, body: null });
  await testServer.setServer(me.agent_id);
});

test('a mail of a process that died is sent by the next, once', { tags: 'all' }, async () => {
  const { sink, db, clock } = testServer;
  sink.replies.push(451);
  await oneAlert();
  clock.advance(60);
  expect(await leaseMails(db, clock.now(), 10)).toHaveLength(1);
  expect(await leaseMails(db, clock.now(), 10)).toHaveLength(0);
  await testServer.runJobs();
  expect(sink.mails).toEqual([]);
  await testServer.pass(240);
  expect(sink.mails).toHaveLength(1);
});

test('a mail lost between the reply of the server and our commit is sent again with the same id', { tags: 'all' }, async () => {
  const { sink, db } = testServer;
  sink.replies.push(451);
  await oneAlert();
  const [{ id, body } = { id: 0, body: '' }] = await queuedMails();
  await testServer.pass(120);
  await db.updateTable('outbox').set({ state: 'waiting', tries: 1, body, finish_at: null }).where('id', '=', id).execute();
  await testServer.pass(60);
  const names = sink.mails.map((m) => m.messageId);
  expect(names).toEqual([expect.stringMatching(/^<[0-9a-f]{24}@sea\.cn>$/), names[0]]);
});

test('one VNO with hundreds of mails does not delay another', async () => {
  const { db, clock, me } = testServer;
  const other = await testServer.addVno(me.agent_id, 'small', 1);
  const mail = { channel: 'mail', recipient: 'x@y.cn', body: '-', create_at: 1 } as const;
  const many = Array.from({ length: 200 }, () => ({ ...mail, agent_id: me.agent_id, next_at: 1 }));
  await db
    .insertInto('outbox')
    .values([...many, { ...mail, agent_id: other, next_at: 2 }])
    .execute();
  const taken = await leaseMails(db, clock.now(), 50);
  expect(taken).toHaveLength(50);
  expect(taken.filter((l) => l.agent_id === other)).toHaveLength(1);
});
