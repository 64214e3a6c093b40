/** @module-tag all */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './server-process.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-guard-'));
const ports = { MQTT_PORT: '', REMOTE_SSH_PORT: '', REMOTE_WEB_PORT: '' };
let testDatabase: TestDatabase;
const started: ServerProcess[] = [];

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return String(address && typeof address === 'object' ? address.port : 0);
};

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await testDatabase.drop();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (code = '') => {
  for (const name of ['MQTT_PORT', 'REMOTE_SSH_PORT', 'REMOTE_WEB_PORT'] as const) ports[name] = await freePort();
  const NODE_OPTIONS = code && `--import data:text/javascript,${encodeURIComponent(code)}`;
  const server = await startProcess(folder, { DATABASE_URL: testDatabase.url, NODE_OPTIONS, ...ports });
  started.push(server);
  let output = '';
  for (const stream of [server.child.stdout, server.child.stderr])
    stream?.on('data', (text: string) => {
      output += text;
    });
  const ended = once(server.child, 'exit').then(([exit]) => exit);
  return { ...server, output: () => output, ended };
};

test('an uncaught error is logged and counted, and the server continues', async () => {
  const server = await start(`process.on('SIGUSR2', () => {
    Promise.reject(new Error('rejected for a test'));
    throw new Error('thrown for a test');
  });`);
  const countErrors = async () =>
    (await (await fetch(`${server.base}/metrics`)).text()).match(/internal_errors\{source="process"\} (\d+)/)?.[1];
  expect(await countErrors()).toBe('0');
  server.child.kill('SIGUSR2');
  await expect.poll(countErrors).toBe('2');
  await expect.poll(server.output).toContain('"message":"thrown for a test"');
  await expect.poll(server.output).toContain('"message":"rejected for a test"');
  expect((await fetch(`${server.base}/healthz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('an uncaught error during the start ends the server and is reported', async () => {
  await expect(start(`process.nextTick(() => setImmediate(() => { throw new Error('thrown at the start'); }));`)).rejects.toThrow(
    'thrown at the start',
  );
});

test('a shutdown takes less than ten seconds even if peers keep their connections open', async () => {
  const server = await start();
  const { port } = new URL(server.base);
  const stubborn = async (to: string, text: string, reply?: RegExp) => {
    const socket = connect({ port: Number(to), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    if (reply) expect(String((await once(socket, 'data'))[0])).toMatch(reply);
    return socket;
  };
  const upgrade = (host: string) =>
    `GET /agt/terminal HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`;
  // Does not reply to a close frame.
  const terminal = await stubborn(port, upgrade(`127.0.0.1:${port}`), /^HTTP\/1.1 101/);
  const stream = await stubborn(
    port,
    `GET /agt/v1/live?lang=en&ids=1 HTTP/1.1\r\nhost: x\r\nauthorization: ${server.token}\r\n\r\n`,
    /^HTTP\/1.1 200/,
  );
  // Leaves the server's side in CLOSE-WAIT.
  stream.end();
  const others = await Promise.all([
    stubborn(port, 'POST /agt/v1/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{'),
    stubborn(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', /^HTTP\/1.1 200/),
    ...Object.values(ports).map((to) => stubborn(to, '')),
  ]);
  const began = performance.now();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
  for (const socket of [terminal, stream, ...others]) socket.destroy();
});

test('a server with a closed standard output stops cleanly', async () => {
  const server = await start();
  server.child.stdout?.destroy();
  server.child.stderr?.destroy();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
