import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { internalErrors } from '../internal-error.ts';
import { createLog } from '../log/log.ts';
import { replyError } from './send-reply.ts';

test('a request that its client cuts off is not an internal error', async () => {
  const logged: string[] = [];
  const app = fastify({ loggerInstance: createLog('info', { write: (line) => void logged.push(line) }) });
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
  app.setErrorHandler((error, request, reply) => replyError(request, reply, error, 'en'));
  const received = Promise.withResolvers<void>();
  app.post('/', async ({ body }) => {
    if (!(body instanceof Readable)) throw new TypeError('no stream');
    for await (const _ of body) received.resolve();
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const before = internalErrors().request;
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000\r\n\r\n12345');
  await received.promise;
  socket.resetAndDestroy();
  await expect.poll(() => logged.join('')).toContain('request cut off by the client');
  expect(logged.join('')).not.toContain('internal error');
  expect(internalErrors().request).toBe(before);
  await app.close();
});
