import { once } from 'node:events';
import { request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { Client } from '@farlink/simulator/client.ts';
import { afterEach, expect, test } from 'vitest';
import { openEndpoint } from '../src/field/endpoint/endpoint.ts';
import { openHealth } from '../src/kit/http/health.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { makeAuthority } from './certificates.ts';
import { freePort } from './mosquitto.ts';
import { openRadiusWorld, openRadsecNas, pap } from './radius.ts';
import { openRemoteTestServer, openTunnel } from './remote.ts';

interface Listener {
  readonly name: string;
  readonly port: number;
  /** The first bytes of an ordinary client, which then sends no more. */
  readonly hello: string;
  /** A new client gets what it came for. */
  readonly serve: () => Promise<unknown>;
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const http = 'GET / HTTP/1.1\r\nHo';
const tls = '\x16\x03\x01\x02\x00';
const mqtt = '\x10\x20\x00\x04M';

/** All TCP listeners of a process. */
const openListeners = async (env: Record<string, string>): Promise<readonly Listener[]> => {
  const httpsPort = await freePort();
  const server = await openRemoteTestServer({ ...env, HTTPS_PORT: String(httpsPort) });
  closers.push(() => server.close());
  const { deps, db, remote } = server;
  const authority = makeAuthority(deps.config.dataDir, 'fleet');
  const { cert, key } = authority.issue('localhost');
  const host = '127.0.0.1';

  const plain = await openEndpoint(deps, { port: 0, host });
  const secure = await openEndpoint(deps, { port: 0, host, tls: { cert, key, ca: authority.caText } });
  const world = await openRadiusWorld(deps, server.admin().session?.agent_id ?? 0, { radsec: { host, port: 0 } });
  const nas = await world.makeNas({ transport: 'radsec' });
  const radius = await world.open();
  const health = await openHealth(deps, { host, port: 0 }, []);
  closers.push(() => Promise.all([plain.close(), secure.close(), radius.close(), health.close()]));

  const device = await server.addDevice();
  const deviceKey = newKey();
  await db.updateTable('device').set(keyColumns(deviceKey)).where('id', '=', device.id).execute();
  const status = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
  const statusOfHttps = async () => {
    const [response] = await once(
      requestHttps({ host, port: httpsPort, path: '/healthz', rejectUnauthorized: false, agent: false }).end(),
      'response',
    );
    response.resume();
    return response.statusCode;
  };
  const connackOf =
    (port: number, options: { tls?: { ca: string; servername: string } } = {}) =>
    async () => {
      const client = new Client({ host, port, clientId: device.sn, username: device.sn, password: deviceKey, ...options });
      const { reasonCode } = await client.connect();
      client.destroy();
      return reasonCode;
    };
  const login = async () => {
    const client = await openRadsecNas(radius.radsecPort ?? 0, {
      pskCallback: () => ({ identity: `${nas.identifier}#${nas.id}`, psk: Buffer.from(nas.secret) }),
      ciphers: 'TLS_AES_128_GCM_SHA256',
      checkServerIdentity: () => undefined,
    });
    const reply = await client.request(client.encode(pap('nobody', world.password, 'radsec')));
    client.close();
    return reply?.code;
  };
  const tunnel = async () => {
    const granted = await server.grant('router', device.id);
    const client = await openTunnel(granted.order, (channel) => channel.destroy());
    client.destroy();
    return 'open';
  };
  const portOf = (url: string) => Number(new URL(url).port);
  const caOptions = { tls: { ca: authority.caText, servername: 'localhost' } };
  const served = (result: unknown, work: () => Promise<unknown>) => async () => expect(await work()).toBe(result);
  return [
    { name: 'HTTP', port: portOf(server.base), hello: http, serve: served(200, status(portOf(server.base))) },
    { name: 'HTTPS', port: httpsPort, hello: tls, serve: served(200, statusOfHttps) },
    { name: 'health', port: health.port, hello: http, serve: served(200, status(health.port)) },
    { name: 'web pages', port: remote.webPort, hello: http, serve: served(404, status(remote.webPort)) },
    { name: 'MQTT', port: plain.port, hello: mqtt, serve: served(0, connackOf(plain.port)) },
    { name: 'MQTT over TLS', port: secure.port, hello: tls, serve: served(0, connackOf(secure.port, caOptions)) },
    { name: 'RadSec', port: radius.radsecPort ?? 0, hello: tls, serve: served(codes.accessReject, login) },
    { name: 'SSH', port: remote.access.ssh.port, hello: 'SSH-2', serve: served('open', tunnel) },
  ];
};

/** Opens connections from one address; every second one sends nothing at all. */
const occupy = async ({ port, hello }: Pick<Listener, 'port' | 'hello'>, localAddress: string, count: number): Promise<Socket[]> => {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
    socket.resume();
    closers.push(() => socket.destroy());
    await once(socket, 'connect');
    if (i % 2) socket.write(hello, 'latin1');
    sockets.push(socket);
  }
  return sockets;
};

const openOf = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length;

test('every listener closes connections that do not finish, and serves others meanwhile', { timeout: 60_000 }, async () => {
  const listeners = await openListeners({ HANDSHAKE_SECONDS: '2' });
  await Promise.all(
    listeners.map(async (listener) => {
      const closed = (await occupy(listener, '127.0.0.1', 20)).map((socket) => socket.closed || once(socket, 'close'));
      await listener.serve();
      await Promise.all(closed);
    }),
  );
});

test('every listener limits unfinished connections by address and in total, and serves others meanwhile', {
  tags: 'all',
  timeout: 60_000,
}, async () => {
  const listeners = await openListeners({ HANDSHAKE_SECONDS: '300', HANDSHAKE_CONNECTIONS: '40' });
  for (const listener of listeners) {
    const first = await occupy(listener, '127.0.0.2', 60);
    await expect.poll(() => openOf(first), { message: listener.name }).toBe(20);
    expect(openOf(first.slice(-20)), listener.name).toBe(20);
    await listener.serve();
    const others = [...(await occupy(listener, '127.0.0.1', 30)), ...(await occupy(listener, '127.0.0.3', 15))];
    // Of the first address only the newest five are left: those of the others are newer.
    await expect.poll(() => [openOf(first), openOf(others)], { message: listener.name }).toEqual([5, 35]);
    await listener.serve();
  }
});

test('an HTTP connection between two requests stays open, and counts for the limits', { timeout: 60_000, tags: 'all' }, async () => {
  const [console] = await openListeners({ HANDSHAKE_SECONDS: '2', HANDSHAKE_CONNECTIONS: '40' });
  if (!console) throw new Error('no console');
  const sockets = await occupy({ port: console.port, hello: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' }, '127.0.0.2', 60);
  const silent = sockets.filter((_, i) => i % 2 === 0);
  const idle = sockets.filter((_, i) => i % 2 === 1);
  await Promise.all(silent.map((socket) => socket.closed || once(socket, 'close')));
  expect(openOf(idle)).toBeGreaterThan(0);
  expect(openOf(idle)).toBeLessThanOrEqual(20);
});
