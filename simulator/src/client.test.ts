import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type IConnectPacket, parser } from 'mqtt-packet';
import { afterEach, expect, test, vi } from 'vitest';
import { Client } from './client.ts';

const open: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of open.splice(0)) close();
});

/** Starts a TCP server; `taken` receives each accepted socket. */
const listener = async (accepted: (socket: Socket) => void) => {
  const server = createServer((socket) => {
    open.push(() => socket.destroy());
    accepted(socket.on('error', () => {}));
  }).listen(0, '127.0.0.1');
  open.push(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const will = { topic: 'gw/1/SN1/up/bye', payload: '{}', delay: 30 };
  return new Client({ host: '127.0.0.1', port, clientId: 'SN1', username: 'SN1', password: 'k', will });
};

test('a client requests a will delay and a session that lasts at least as long', async () => {
  const connectPacket = Promise.withResolvers<IConnectPacket>();
  const client = await listener((socket) => {
    const read = parser().on('packet', (packet) => packet.cmd === 'connect' && connectPacket.resolve(packet));
    socket.on('data', (chunk) => read.parse(chunk));
  });
  const refused = expect(client.connect()).rejects.toThrow('closed');
  const { properties, will } = await connectPacket.promise;
  expect(will?.properties?.willDelayInterval).toBe(30);
  expect(properties?.sessionExpiryInterval).toBeGreaterThanOrEqual(30);
  client.destroy();
  await refused;
});

test('a server that accepts the connection and stays silent times out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const accepted = Promise.withResolvers<void>();
  const client = await listener(() => accepted.resolve());
  const refused = expect(client.connect()).rejects.toThrow('closed');
  await accepted.promise;
  await vi.advanceTimersByTimeAsync(61_000);
  await refused;
});

test('a server that becomes silent after the connection times out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const connack = Uint8Array.from([0x20, 0x06, 0x00, 0x00, 0x03, 0x13, 0x00, 0x3c]);
  const client = await listener((socket) => socket.once('data', () => socket.write(connack)));
  expect((await client.connect()).properties?.serverKeepAlive).toBe(60);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.race([client.closed.then(() => 'closed'), Promise.resolve('open')])).toBe('open');
  await vi.advanceTimersByTimeAsync(60_000);
  await client.closed;
});
