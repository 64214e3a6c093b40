import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../test/setup/service-deps.ts';
import { makeTestAuthority } from '../test/test-authority.ts';
import { readFigures } from './domain/system-status/process-figures.ts';
import { openField } from './field/field.ts';
import { openProcessFigures } from './read-process-figures.ts';

let service: ServiceDeps;
const folder = mkdtempSync(join(tmpdir(), 'farlink-figures-'));
beforeAll(async () => {
  const { chain, key } = makeTestAuthority(Math.floor(Date.now() / 1000)).issue(['mqtt.example']);
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certFile, chain);
  writeFileSync(keyFile, key);
  service = await serviceDeps({ MQTT_TLS_CERT: certFile, MQTT_TLS_KEY: keyFile });
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a process reports its load, its certificates and the rates of its listeners', async () => {
  const field = openField(service.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const listener = { field, faults: {}, connections: () => 7, close: async () => {} };
  const figures = openProcessFigures(service.deps, { field: listener, broker: { ...listener, listens: () => false } });
  try {
    await figures.read();
    for (let i = 0; i < 5; i++) await new Promise<void>((done) => field.refuse(() => done()));
    const read = readFigures(JSON.parse(JSON.stringify(await figures.read())));
    expect(read).toMatchObject({
      pool: { waiting: 0, max: 10 },
      certificates: [{ use: 'mqtt', host: 'mqtt.example', expire_at: expect.any(Number) }],
      listeners: [
        { transport: 'endpoint', is_connected: true, gateways: 7, waiting: 0, accepted_per_s: 0 },
        { transport: 'broker', is_connected: false },
      ],
    });
    expect(read.listeners[0]?.refused_per_s).toBeGreaterThan(0);
    expect(read.memory_bytes).toBeGreaterThan(10_000_000);
    expect(read.disk?.total_bytes).toBeGreaterThan(read.disk?.free_bytes ?? 0);
    expect(read.loop_ms).toBeGreaterThanOrEqual(0);
  } finally {
    figures.close();
    await field.close();
  }
});
