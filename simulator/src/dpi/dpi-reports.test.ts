import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { describe, expect, it } from 'vitest';
import { noFaults } from '../faults.ts';
import { Gateway } from '../gateway.ts';
import { GatewayTraffic } from '../gateway-traffic.ts';
import { Archive, packBatches, type StoredBatch } from './archive.ts';
import { sendPackage } from './send-package.ts';

const batchOf = (seq: number, t0 = seq * 60) => ({ b: 'boot0001', seq, t0, dt: 60, c: ['acc', 'u', 'd'], v: [[`crew${seq}`, seq, 2]] });
const archived = (count: number, now = 0) => {
  const archive = new Archive(now);
  for (let seq = 1; seq <= count; seq++) archive.add('user', batchOf(seq), seq * 60);
  return archive;
};

describe('kept batches', () => {
  it('are found by stream and range, oldest first', () => {
    const found = archived(10).of(['user', 'flow'], 180, 300) ?? [];
    expect(found.map(({ from }) => from)).toEqual([120, 180, 240]);
    expect(archived(10).of(['mgt'], 0, 1000)).toEqual([]);
  });

  it('of a range that is no longer stored are undefined, not empty', () => {
    const archive = archived(5000);
    expect(archive.of(['user'], 60, 120)).toBeUndefined();
    expect(archive.of(['user'], 4990 * 60, 5000 * 60)?.length).toBeGreaterThan(9);
    archive.add('user', batchOf(9000, 30 * 86_400), 30 * 86_400);
    expect(archive.of(['user'], 4990 * 60, 5000 * 60)).toBeUndefined();
  });

  it('are packed completely up to the byte limit', () => {
    const batches: StoredBatch[] = archived(200).of(['user'], 0, 1_000_000) ?? [];
    const complete = packBatches(batches, 0);
    expect(complete).toMatchObject({ count: 200 });
    expect(complete?.until).toBeUndefined();
    for (const count of [1, 7, 50, 199]) {
      const exact = packBatches(batches.slice(0, count), 0)?.body.length ?? 0;
      const packed = packBatches(batches, exact);
      expect(packed?.body.length).toBeLessThanOrEqual(exact);
      expect(packed?.count).toBeGreaterThanOrEqual(count);
      expect(packed?.until).toBe(batches[(packed?.count ?? 0) - 1]?.to);
      expect(
        gunzipSync(packed?.body ?? '')
          .toString()
          .trimEnd()
          .split('\n'),
      ).toHaveLength(packed?.count ?? 0);
    }
    expect(packBatches(batches, 10)).toBeUndefined();
  });
});

/** A file exchange that stores an upload in parts. */
const startExchange = async () => {
  let received = Buffer.alloc(0);
  const sizes: number[] = [];
  const receive = async (request: IncomingMessage) => {
    const body = await buffer(request);
    sizes.push(body.length);
    received = Buffer.concat([received, body]);
    const total = Number(/\/(\d+)$/.exec(request.headers['content-range'] ?? '')?.[1]);
    return received.length < total ? 202 : 201;
  };
  const server = createServer(async (request, response) => {
    const status = request.method === 'PUT' ? await receive(request) : 200;
    response.writeHead(status, { 'upload-offset': String(received.length) }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, content: () => received, sizes, close: () => server.close() };
};

describe('an upload', () => {
  it('respects the requested speed, and sends no byte twice after an interruption', async () => {
    const exchange = await startExchange();
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251));
    let seconds = 0;
    const gateway = {
      own: new GatewayTraffic(),
      faults: { ...noFaults(), drops: 3 },
      rate: () => 1_000_000,
      wait: async (s: number) => {
        seconds += s;
      },
    };
    const progress: number[] = [];
    const onProgress = (pct: number) => void progress.push(pct);
    await sendPackage(gateway, { url: exchange.url, body, speed: 1000, isStopped: () => false, onProgress });
    exchange.close();
    // 300 seconds for the bytes, and 2, 4 and 8 seconds before the retries.
    expect(seconds).toBe(300 + 14);
    expect(createHash('sha256').update(exchange.content()).digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
    expect(exchange.sizes.reduce((sum, n) => sum + n, 0)).toBe(body.length);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });
});

describe('a continuous report', () => {
  it('respects its speed and its traffic limit to the byte', () => {
    let ms = 1_800_000_000_000;
    const gateway = new Gateway({ sn: 'DPI-1', key: 'k', seed: 1, host: '127.0.0.1', port: 1, calm: true, realMs: () => ms });
    const set = (rev: number, doc: object) => {
      const plain = JSON.parse(JSON.stringify(doc));
      gateway.configuration.onMessage('cfg', 'dpi_report', JSON.stringify({ rev, h: hashOf(plain), doc: plain }));
    };
    const bytes = Buffer.byteLength(JSON.stringify(batchOf(1)));
    const next = (seq = 1) => gateway.dpi.add('user', batchOf(seq));
    expect(next()).toBe(false);
    set(1, { flow_usr: { task: 'D1', speed: 0, max: 3 * bytes } });
    expect([next(), next(), next(), next()]).toEqual([true, true, true, false]);
    expect(gateway.dpi.add('mgt', batchOf(1))).toBe(false);
    // A minute of the speed may be sent at once.
    set(2, { flow_usr: { task: 'D2', speed: 1, max: 0 } });
    const burst = Math.floor((60 * 1024) / bytes);
    expect(Array.from({ length: burst }, () => next()).every(Boolean)).toBe(true);
    expect(next()).toBe(false);
    ms += 1000;
    expect(next()).toBe(true);
    set(3, {});
    expect(next()).toBe(false);
  });
});
