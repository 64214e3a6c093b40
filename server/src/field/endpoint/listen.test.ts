import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listenShared } from './listen.ts';

const host = '127.0.0.1';

test('all connections reach the server, and none is accepted after closing', async () => {
  const accepted: Socket[] = [];
  const { port, close } = await listenShared(
    createServer((socket) => accepted.push(socket)),
    { port: 0, host },
  );
  const clients = Array.from({ length: 100 }, () => connect({ port, host }));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  await expect.poll(() => accepted.length).toBe(100);
  for (const client of clients) client.destroy();
  for (const socket of accepted) socket.destroy();
  await close();
  await expect(once(connect({ port, host }), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a port that another server uses is not shared with it', async () => {
  const { port, close } = await listenShared(createServer(), { port: 0, host });
  await expect(listenShared(createServer(), { port, host })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await close();
  const again = await listenShared(createServer(), { port, host });
  expect(again.port).toBe(port);
  await again.close();
});
