import { connect } from 'node:net';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { openHealth } from '../../kit/http/health.ts';
import type { AdmissionLimits } from './admission.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';

const soon = { timeout: 20_000, interval: 5 };
const hello = JSON.stringify({ boot: 'boot1', fw: '03.02.01', h: digestOf({}) });
const event = (n: number, t: number) => JSON.stringify({ id: `boot1-${n}`, k: 'port', t, port: 1, s: n % 2 });

let testServer: FieldTestServer;
let devices: { readonly sn: string; readonly key: string }[];
let endpoint: Endpoint | undefined;
/** Gateways of each query that authenticates. The query waits while `queryLock` is set. */
let portions: string[][];
let queryLock: PromiseWithResolvers<void> | undefined;

beforeAll(async () => {
  testServer = await openFieldTestServer();
  devices = await Promise.all(Array.from({ length: 301 }, (_, k) => testServer.addDevice(`STORM${k}`)));
});
beforeEach(() => {
  [portions, queryLock] = [[], undefined];
});
afterEach(async () => {
  vi.restoreAllMocks();
  queryLock?.resolve();
  await endpoint?.close();
  endpoint = undefined;
});
afterAll(() => testServer?.close());

const snsOf = (query: unknown): string[] | undefined =>
  query && typeof query === 'object' && 'name' in query && query.name === 'field_device' && 'values' in query && Array.isArray(query.values)
    ? query.values[0]
    : undefined;

const openGated = async (admission: Partial<AdmissionLimits>) => {
  const { pool } = testServer.deps;
  const query = async (...args: unknown[]) => {
    const sns = snsOf(args[0]);
    if (sns) portions.push(sns);
    if (sns) await queryLock?.promise;
    return Reflect.apply(pool.query, pool, args);
  };
  const gated = new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
  endpoint = await openEndpoint({ ...testServer.deps, pool: gated }, { port: 0, host: '127.0.0.1', tickMs: 20, admission });
  return endpoint;
};

const clientOf = ({ sn, key }: { readonly sn: string; readonly key: string }, port: number, version: 4 | 5 = 5) =>
  testServer.client(sn, key, { port, version });

const codeOf = async (client: ReturnType<typeof clientOf>) => {
  const { reasonCode, returnCode } = await client.connect();
  return reasonCode ?? returnCode;
};

const shut = () => {
  const closed = Promise.withResolvers<void>();
  queryLock = closed;
  return () => {
    queryLock = undefined;
    closed.resolve();
  };
};

test('hundreds of connections are admitted in small portions, and other traffic continues meanwhile', { tags: 'all' }, async () => {
  const { port, waiting } = await openGated({ atOnce: 8 });
  const [first, ...others] = devices;
  if (!first) throw new Error('no device');
  const connected = clientOf(first, port);
  expect(await codeOf(connected)).toBe(0);
  const health = await openHealth(testServer.deps, { host: '127.0.0.1', port: 0 }, []);
  const release = shut();
  const codes = Promise.all(others.map((device) => codeOf(clientOf(device, port))));
  await expect.poll(() => waiting?.(), soon).toBe(292);
  expect(await connected.publish(upTopic(first.sn, 'e'), event(1, testServer.clock.now()))).toBe(0);
  expect((await fetch(`http://127.0.0.1:${health.port}/healthz`)).status).toBe(200);
  release();
  expect(new Set(await codes)).toEqual(new Set([0]));
  expect(Math.max(...portions.map((sns) => sns.length))).toBeLessThanOrEqual(8);
  expect(waiting?.()).toBe(0);
  await health.close();
});

test('connections are admitted in order, and their first hello is stored', async () => {
  const { port, waiting } = await openGated({ atOnce: 3 });
  const release = shut();
  const clients = devices.slice(0, 30).map((device) => ({ ...device, client: clientOf(device, port) }));
  const online: Promise<number>[] = [];
  for (const [k, { client, sn }] of clients.entries()) {
    online.push(client.connect().then(() => client.publish(upTopic(sn, 'hello'), hello)));
    await expect.poll(() => portions.flat().length + (waiting?.() ?? 0), soon).toBe(k + 1);
  }
  release();
  expect(new Set(await Promise.all(online))).toEqual(new Set([0]));
  expect(portions.flat()).toEqual(clients.map(({ sn }) => sn));
});

test('a waiting gateway is not disconnected as silent, and leaves the queue when it disconnects', async () => {
  const { port, waiting } = await openGated({ atOnce: 2, longestWaitMs: 600_000 });
  const release = shut();
  const silent = connect({ port, host: '127.0.0.1' });
  const cut = new Promise<void>((resolve) => silent.once('close', () => resolve()).on('error', () => {}));
  const [a, b, disconnected, ...rest] = devices.slice(0, 20).map((device) => clientOf(device, port));
  // These two hold both slots; the database does not reply to them.
  for (const client of [a, b]) client?.connect().catch(() => {});
  await expect.poll(() => portions.flat().length, soon).toBe(2);
  disconnected?.connect().catch(() => {});
  const codes = Promise.all(rest.map(codeOf));
  await expect.poll(() => waiting?.(), soon).toBe(18);
  disconnected?.destroy();
  await expect.poll(() => waiting?.(), soon).toBe(17);
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 60_000);
  silent.resume();
  await cut;
  release();
  expect(new Set(await codes)).toEqual(new Set([0]));
});

test('a full queue refuses connections as "server busy" and counts them', async () => {
  const { port, waiting, faults } = await openGated({ atOnce: 2, maxWaiting: 20 });
  const release = shut();
  const admitted = Promise.all(devices.slice(0, 12).map((device) => codeOf(clientOf(device, port))));
  await expect.poll(() => waiting?.(), soon).toBe(10);
  const refused = devices.slice(12, 18).map((device, k) => codeOf(clientOf(device, port, k < 3 ? 5 : 4)));
  expect(await Promise.all(refused)).toEqual([0x89, 0x89, 0x89, 3, 3, 3]);
  const { sn = '', key = '' } = devices[18] ?? {};
  const gateway = testServer.gateway(sn, { key, port });
  // The gateway does not try its other keys; it backs off.
  expect({ connected: await gateway.connect(), refusal: gateway.refusal }).toEqual({ connected: false, refusal: 0x89 });
  expect(faults.busy).toBe(7);
  release();
  expect(new Set(await admitted)).toEqual(new Set([0]));
});
