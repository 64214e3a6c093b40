import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listening, type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { startJobs } from '../jobs/job-runner.ts';
import { outboxJobs, post } from './outbox.ts';

const secret = 'shared with the sender';
let url: string;
let service: ServiceDeps;
let replies: number[] = [];
const received: { headers: IncomingHttpHeaders; body: string; genuine: boolean }[] = [];

/** Checks the signature like an SMS provider would, by the documentation alone. */
const standIn = createServer(async (request, response) => {
  const body = await text(request);
  const { 'x-farlink-timestamp': timestamp, 'x-farlink-signature': signature } = request.headers;
  const testDatabase = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  const genuine = testDatabase && signature === `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  received.push({ headers: request.headers, body, genuine });
  response.writeHead(genuine ? (replies.shift() ?? 200) : 401).end();
});

beforeAll(async () => {
  url = await listening(standIn);
  service = await serviceDeps({ SMS_URL: url, SMS_SECRET: secret });
});
afterEach(() => {
  replies = [];
  received.length = 0;
});
afterAll(async () => {
  standIn.closeAllConnections();
  standIn.close();
  await service.close();
});

const write = (more: { body?: string; expireAt?: number; channel?: 'sms' | 'mail' } = {}) =>
  post(service.deps.db, service.deps, { channel: 'sms', recipient: '13900000000', body: '验证码 123456', ...more });
const letterOf = (id: number) => service.deps.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const work = async () => {
  const runner = startJobs(service.deps, outboxJobs(service.deps), { pollMs: 0 });
  await runner.tick();
  await runner.stop();
};

test('a message is sent once, signed, and its text is removed afterwards', async () => {
  const id = await write();
  expect((await letterOf(id)).body).not.toContain('123456');
  await work();
  await work();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    genuine: true,
    headers: { 'idempotency-key': String(id), 'content-type': 'application/json; charset=utf-8' },
  });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ id, to: '13900000000', text: '验证码 123456' });
  expect(await letterOf(id)).toMatchObject({ state: 'sent', tries: 1, body: null, error: null, finish_at: service.clock.now() });
});

test('a message is retried after errors of the sender, with increasing delays and the same idempotency key', async () => {
  replies = [500, 503];
  const id = await write();
  const waits: number[] = [];
  for (let i = 0; i < 3; i++) {
    await work();
    const letter = await letterOf(id);
    if (letter.state !== 'waiting') break;
    expect(letter.error).toMatch(/answered 50[03]/);
    waits.push(letter.next_at - service.clock.now());
    await work();
    expect(received).toHaveLength(i + 1);
    service.clock.advance(letter.next_at - service.clock.now());
  }
  expect(waits).toEqual([5, 10]);
  expect(new Set(received.map((r) => r.headers['idempotency-key']))).toEqual(new Set([String(id)]));
  expect(await letterOf(id)).toMatchObject({ state: 'sent', tries: 3 });
});

test('a message fails after six attempts, and its text is removed', async () => {
  replies = Array.from({ length: 10 }, () => 500);
  const id = await write();
  for (let i = 0; i < 8; i++) {
    await work();
    service.clock.advance(1000);
  }
  expect(received).toHaveLength(6);
  expect(await letterOf(id)).toMatchObject({ state: 'failed', tries: 6, body: null, error: 'the sender answered 500' });
});

test('an expired message is not sent', async () => {
  const id = await write({ expireAt: service.clock.now() + 10 });
  service.clock.advance(10);
  await work();
  expect(received).toEqual([]);
  expect(await letterOf(id)).toMatchObject({ state: 'failed', body: null, error: 'expired' });
});

test('a message of a transaction that failed is never sent', async () => {
  const failing = service.deps.db.transaction().execute(async (db) => {
    await post(db, service.deps, { channel: 'sms', recipient: '1', body: 'x' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await work();
  expect(received).toEqual([]);
});

test('the test server refuses a forged signature', async () => {
  const response = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'x-farlink-timestamp': '1', 'x-farlink-signature': 'sha256=00' },
  });
  expect([response.status, received[0]?.genuine]).toEqual([401, false]);
});

test('without an SMS sender a message waits with an error text', async () => {
  const id = await write();
  const runner = startJobs(service.deps, outboxJobs({ ...service.deps, config: { ...service.deps.config, sms: undefined } }), {
    pollMs: 0,
  });
  await runner.tick();
  await runner.stop();
  expect(await letterOf(id)).toMatchObject({ state: 'waiting', error: 'no sender for sms' });
});

test('a mail is left to the bulk sender', async () => {
  const id = await write({ channel: 'mail' });
  await work();
  expect(await letterOf(id)).toMatchObject({ state: 'waiting', tries: 0 });
});
