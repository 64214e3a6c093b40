import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { FileResponse } from './file-response.ts';

const sent = async (response: FileResponse) => {
  const app = fastify();
  app.get('/', (_, reply) => response.send(reply));
  return app.inject('/');
};

test('a stream with a name is an attachment with this name and its length', async () => {
  const response = new FileResponse({ body: Readable.from(['a', 'b']), type: 'text/csv', name: '操作日志 "1".csv', size: 2 });
  const { headers, body } = await sent(response);
  expect(body).toBe('ab');
  expect(headers['content-length']).toBe('2');
  expect(headers['content-disposition']).toBe(
    `attachment; filename="____ _1_.csv"; filename*=UTF-8''%E6%93%8D%E4%BD%9C%E6%97%A5%E5%BF%97%20%221%22.csv`,
  );
});

test('a response without a name is shown inline, never sniffed and never cached', async () => {
  const { headers } = await sent(new FileResponse({ body: '<svg/>', type: 'image/svg+xml' }));
  expect(headers['content-disposition']).toBeUndefined();
  expect(headers['content-type']).toContain('image/svg+xml');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
});
