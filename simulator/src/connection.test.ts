import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcp, type Server as TcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Gateway } from './gateway.ts';

const servers: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const portOf = async (server: Server | TcpServer): Promise<number> => {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
};

test('a connection fails if the console aborts its response', async () => {
  const web = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"st":', () => response.destroy());
  });
  const gateway = new Gateway({
    sn: 'DOOR2',
    host: '127.0.0.1',
    port: 9,
    console: `http://127.0.0.1:${await portOf(web)}`,
    code: 'EAST',
    seed: 1,
  });
  expect(await gateway.connect()).toBe(false);
});

test('a gateway that loses power while it requests its key does not connect', async () => {
  let connections = 0;
  const requested = Promise.withResolvers<() => void>();
  const broker = createTcp((socket) => {
    connections++;
    socket.destroy();
  });
  const web = createServer((_request, response) => requested.resolve(() => response.end(JSON.stringify({ st: 0, key: 'k'.repeat(43) }))));
  const port = await portOf(broker);
  const webPort = await portOf(web);
  const gateway = new Gateway({ sn: 'DOOR1', host: '127.0.0.1', port, console: `http://127.0.0.1:${webPort}`, code: 'EAST', seed: 1 });
  const connecting = gateway.connect();
  const reply = await requested.promise;
  gateway.power('cut');
  reply();
  expect(await connecting).toBe(false);
  expect([connections, gateway.state]).toEqual([0, 'off']);
  gateway.power('on');
  await gateway.connect();
  expect(connections).toBe(1);
});

test('bytes to and from the console are own traffic of the gateway', async () => {
  const refusal = Buffer.from([0x20, 3, 0, 0x88, 0]);
  let received = 0;
  const broker = createTcp((socket) =>
    socket.on('data', (chunk) => {
      received += chunk.length;
      socket.end(refusal);
    }),
  );
  const gateway = new Gateway({ sn: 'DOOR3', host: '127.0.0.1', port: await portOf(broker), key: 'k', seed: 1 });
  expect([await gateway.connect(), gateway.refusal]).toEqual([false, 0x88]);
  gateway.own.assign('6d');
  expect(gateway.own.take()).toEqual([{ svc: 'mqtt', link: '6d', u: received, d: refusal.length }]);
});
