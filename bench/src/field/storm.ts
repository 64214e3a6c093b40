import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Gateway } from '@farlink/simulator/gateway.ts';
import type { Pool } from 'pg';
import { table } from '../measure.ts';
import type { Server } from '../test-server.ts';
import { countOnline, keyOf, snOf } from './fleet.ts';

/** Expected rows by table, for everything that the gateways sent. */
const made = { device_event: 0, device_load: 0, device_track: 0, device_flow: 0 };
const tableOf = { load: 'device_load', pos: 'device_track', flow: 'device_flow' } as const;
const isStored = (stream: string): stream is keyof typeof tableOf => Object.hasOwn(tableOf, stream);

const makeGateway = (port: number, i: number) => {
  const gateway = new Gateway({
    sn: snOf(i),
    key: keyOf(i),
    seed: 1,
    host: '127.0.0.1',
    port,
    calm: true,
    at: { lat: 10, lon: 114 },
    links: ['6d'],
    produced: (what) => {
      if ('event' in what) made.device_event++;
      else if (isStored(what.stream)) made[tableOf[what.stream]] += what.rows;
    },
  });
  gateway.current = '6d';
  return gateway;
};

const live = (gateways: readonly Gateway[], steps: number) => {
  const now = Math.floor(Date.now() / 1000);
  for (let step = 0; step < steps; step++)
    for (const gateway of gateways) {
      gateway.step(now + step * 60);
      gateway.event('fence', { fence: 'harbour', in: step % 2 === 0 });
    }
};

/** Resolves when all send queues are empty; gateways reconnect as often as needed. */
const waitUntilSent = async (gateways: readonly Gateway[]) => {
  for (;;) {
    await Promise.all(gateways.map((g) => g.connect()));
    await Promise.all(gateways.map((g) => g.outgoing.drained(10_000)));
    if (gateways.every((g) => g.state === 'online' && g.outgoing.length === 0)) return;
  }
};

const rowsOf = async (pool: Pool) => {
  const { rows } = await pool.query<typeof made>(
    `select (select count(*)::int from device_event where kind not in ('online', 'offline')) as device_event,
       (select count(*)::int from device_load) as device_load, (select count(*)::int from device_track) as device_track,
       (select count(*)::int from device_flow) as device_flow`,
  );
  return rows[0] ?? made;
};

/** Event-loop delay since the last call. Each call resets it. */
const loopDelay = async (base: string) => {
  const text = await (await fetch(`${base}/metrics`)).text();
  const ms = (name: string) => 1000 * Number(text.match(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, 'm'))?.[1]);
  return { p99: ms('p99'), max: ms('max') };
};

/** Response times of a list during the test, measured in a separate thread because this one simulates 10,000 gateways. */
const startProber = (server: Server) => {
  const prober = new Worker(new URL('./prober.ts', import.meta.url), { workerData: { base: server.base, token: server.session.token } });
  return async () => {
    prober.postMessage('enough');
    const [times]: number[][] = await once(prober, 'message');
    const at = (share: number) => `${(times?.[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)} ms`;
    return { p50: at(0.5), p95: at(0.95), longest: at(1) };
  };
};

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * All gateways send, lose the connection at the same time, run offline for a while and reconnect at the same time. Without backoff and
 * jitter this is worse than in production.
 */
export const measureStorm = async (port: number, count: number, pool: Pool, server: Server) => {
  const gateways = Array.from({ length: count }, (_, i) => makeGateway(port, i));
  await waitUntilSent(gateways);
  live(gateways, 4);
  for (const gateway of gateways) gateway.stop(false);
  live(gateways, 3);
  await loopDelay(server.base);
  const endProber = startProber(server);
  const began = performance.now();
  await Promise.all(gateways.map((g) => g.connect()));
  const firstTry = gateways.filter((g) => g.state === 'online').length;
  const online = seconds(began);
  await waitUntilSent(gateways);
  const all = seconds(began);
  const delay = await loopDelay(server.base);
  const page = await endProber();
  const stored = await rowsOf(pool);
  const differs = Object.entries(made).map(([name, n]) => stored[name as keyof typeof made] - n);
  table(`${count.toLocaleString('en')} gateways lose the connection and reconnect at the same moment`, [
    ['online again', `${await countOnline(pool)}`],
    ['online at the first attempt', `${firstTry}`],
    ['all online within', online],
    ['all queued messages sent within', all],
    [
      'rows expected',
      Object.values(made)
        .reduce((a, b) => a + b, 0)
        .toLocaleString('en'),
    ],
    ['lost', String(-Math.min(0, ...differs)), 'target 0'],
    ['duplicates', String(Math.max(0, ...differs)), 'target 0'],
    ['a page of the device list meanwhile, p50', page.p50],
    ['a page of the device list meanwhile, p95', page.p95],
    ['a page of the device list meanwhile, longest', page.longest],
    ['event loop of the server, p99', `${delay.p99.toFixed(0)} ms`],
    ['event loop of the server, longest', `${delay.max.toFixed(0)} ms`],
  ]);
  for (const gateway of gateways) gateway.stop(false);
};
