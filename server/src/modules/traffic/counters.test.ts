import { deviceCalls } from '@farlink/contract/device/device.ts';
import { maxBytes, maxBytesPerSecond } from '@farlink/gateway/protocol/limits.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConfigApi, startConfigApi } from '../../../test/config-api.ts';
import { makeBranches } from '../../../test/world.ts';
import { rollTraffic } from '../../domain/traffic/roll-traffic.ts';

let api: ConfigApi;
let branches: Awaited<ReturnType<typeof makeBranches>>;

beforeAll(async () => {
  api = await startConfigApi();
  branches = await makeBranches(api);
});
afterAll(() => api?.close());

it('counters of one gateway that no link can carry leave the device list and the traffic of other VNOs as they are', async () => {
  const bad = await api.addTestGateway(branches.eastId, 'COUNT1');
  const good = await api.addTestGateway(branches.westId, 'COUNT2');
  for (const gateway of [bad, good]) await gateway.connect();
  const now = api.clock.now();
  let seq = 0;
  const batch = (c: readonly string[], row: readonly unknown[], more: object = {}) => ({
    b: 'boot1',
    seq: ++seq,
    t0: now - 60,
    dt: 60,
    c,
    v: [row],
    ...more,
  });
  const huge = Number.MAX_SAFE_INTEGER;
  for (const [stream, column, name] of [
    ['flow', 'i', 'lte'],
    ['dpi', 'app', '7'],
    ['mdpi', 'app', '7'],
  ] as const)
    await expect(bad.publish(`t/${stream}`, batch([column, 'u', 'd'], [name, huge, huge]))).rejects.toThrow(`t/${stream}: 153`);
  // The largest counters that are accepted.
  const most = maxBytesPerSecond * 86_400;
  const day = { dt: 86_400, v: Array.from({ length: 100 }, () => ['lte', most, most]) };
  await bad.publish('t/flow', batch(['i', 'u', 'd'], [], { ...day, t0: now }));
  await bad.publish('t/dpi', batch(['app', 'u', 'd'], [], { ...day, v: day.v.map(([, u, d]) => ['7', u, d]) }));
  await good.publish('t/dpi', batch(['app', 'u', 'd'], ['7', 10, 20]));
  const list = await branches.admin.call(deviceCalls.list, { limit: 100 });
  expect(list.code, JSON.stringify(list)).toBe(0);
  expect(list.data.list.find(({ sn }) => sn === 'COUNT1')).toMatchObject({ flow_today: maxBytes });
  await rollTraffic(api.deps, { all: true });
  const hours = await api.db.selectFrom('business_dpi_hour').select('total_bytes').where('device_id', '=', good.id).execute();
  expect(hours.reduce((sum, { total_bytes }) => sum + total_bytes, 0)).toBe(30);
});
