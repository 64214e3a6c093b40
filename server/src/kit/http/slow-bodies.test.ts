import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseSlowBodies } from './slow-bodies.ts';

let now = 0;
const server = createServer(async (request, response) => {
  response.end(await text(request).catch(() => ''));
});
const rate = { graceMs: 30_000, bytesPerS: 200, checkMs: 10 };
const { receiving } = refuseSlowBodies(
  server,
  (url) => url !== '/own-rules',
  rate,
  () => now,
);
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const begin = async (path: string) => {
  const address = server.address();
  const socket = connect(address && typeof address === 'object' ? address.port : 0, '127.0.0.1').on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n`);
  return socket;
};
/** Waits until the written bytes are received and several checks have run. */
const checksRun = async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let checks = 0;
  const timer = setInterval(() => ++checks > 5 && resolve(), rate.checkMs);
  await promise;
  clearInterval(timer);
};

test('a request body that is too slow ends its connection', async () => {
  const slow = await begin('/');
  await expect.poll(receiving).toBe(1);
  slow.write('x'.repeat(100));
  await checksRun();
  now += 29_000;
  await checksRun();
  expect(slow.destroyed).toBe(false);
  const closed = once(slow, 'close');
  now += 2000;
  await closed;
  await expect.poll(receiving).toBe(0);
});

test('a body on a slow but steady link is received, and a body on an exempt path is not cut off', async () => {
  const steady = await begin('/');
  const own = await begin('/own-rules');
  await expect.poll(receiving).toBe(1);
  // 10 KB in 70 s.
  for (let seconds = 0; seconds < 70; seconds += 10) {
    steady.write('x'.repeat(1400));
    await checksRun();
    now += 10_000;
  }
  steady.write('x'.repeat(200));
  const [reply] = await once(steady, 'data');
  expect(String(reply)).toMatch(/^HTTP\/1.1 200/);
  expect(own.destroyed).toBe(false);
  steady.destroy();
  own.destroy();
});
