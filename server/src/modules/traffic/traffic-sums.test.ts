import { dayStart } from '@farlink/contract/kit/zone.ts';
import { dataType } from '@farlink/contract/traffic/choices.ts';
import { flowExportCalls } from '@farlink/contract/traffic/flow-export.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { emptyTables } from '../../../test/setup/empty-tables.ts';
import { runs } from '../../../test/soak.ts';
import { listTables, sumTables } from '../../../test/traffic-tables.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { makePartitions, reportTables } from '../../db/partitions.ts';
import { rollTraffic } from '../../domain/traffic/roll-traffic.ts';
import { type Message, storeMessages } from '../../field/store/store.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { trafficExports } from './export-traffic.ts';

const hour = 3600;
const day = 86_400;
const streams = { user: 'flow_usr', mgt: 'flow_mgt', dpi: 'dpi_usr', mdpi: 'dpi_mgt' } as const satisfies Partial<
  Record<StreamName, TrafficKindId>
>;
const sns = ['SUM-EAST', 'SUM-SECOND', 'SUM-CHILD', 'SUM-WEST', 'SUM-MOVED'] as const;
type Sn = (typeof sns)[number];

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
const ids = new Map<string, number>();
const idOf = (sn: Sn) => ids.get(sn) ?? 0;
const now = () => api.clock.now();

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  const owners = [world.eastId, world.eastId, world.childId, world.westId, world.eastId];
  const rows = sns.map((sn, i) => ({ agent_id: owners[i] ?? 0, name: sn, sn, create_at: 1 }));
  for (const { sn, id } of await api.db.insertInto('device').values(rows).returning(['sn', 'id']).execute()) ids.set(sn, id);
  const pages = ['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi', 'flow_export'];
  const devices = { scope: 'device', device_limit: 'specified', device_ids: [idOf('SUM-SECOND'), idOf('SUM-MOVED')] };
  await makeStaff(world.east, 'limited_2', await makeRole(world.east, 'two devices', grantsOf(pages), devices));
});
afterAll(() => api.close());

const reset = async () => {
  const tables = [
    ...reportTables,
    ...listTables,
    ...sumTables,
    'traffic_dirty',
    'device_stream',
    'usage',
    'device_transfer',
    'export_task',
  ];
  await emptyTables(api.deps.pool, tables);
  await api.db.updateTable('device').set({ agent_id: world.eastId }).where('id', '=', idOf('SUM-MOVED')).execute();
  await makePartitions(api.deps.pool, now() + day);
};
beforeEach(reset);

const bytes = fc.oneof(fc.nat(5), fc.nat(1_000_000), fc.integer({ min: 1e11, max: 2e11 }));
const size = { u: bytes, d: bytes };
const link = fc.constantFrom('6d', 'lte2', 'wire');
const cells = {
  user: fc.record({ acc: fc.constantFrom('anna', 'bob'), i: link, ...size }),
  mgt: fc.record({ svc: fc.constantFrom('mqtt', 'ntp'), i: link, ...size }),
  dpi: fc.record({ app: fc.constantFrom('7', '91.124'), acc: fc.constantFrom('anna', 'bob'), ...size }),
  mdpi: fc.record({ app: fc.constantFrom('7', '91.222'), ...size }),
};
const batches = fc.constantFrom('user' as const, 'mgt' as const, 'dpi' as const, 'mdpi' as const).chain((stream) =>
  fc.record({
    stream: fc.constant(stream),
    sn: fc.constantFrom(...sns),
    // Before or after the transfer, some of it weeks late.
    ago: fc.oneof(fc.integer({ min: -2 * hour, max: 3 * hour }), fc.nat(3 * day), fc.nat(80 * day)),
    dt: fc.constantFrom(0, 60, 601, hour, 2 * hour + 7),
    rows: fc.array<Record<string, string | number>>(cells[stream], { minLength: 1, maxLength: 3 }),
  }),
);
type Made = typeof batches extends fc.Arbitrary<infer T> ? T : never;

interface Share {
  readonly kind: TrafficKindId;
  readonly sn: Sn;
  readonly agent: number;
  readonly time: number;
  readonly up: number;
  readonly down: number;
}

/** The hours of a report, calculated without the server: even shares of rounded running sums, for the owner at the start of each. */
const sharesOf = (at: number, { stream, sn, dt, rows }: Made, ownerAt: (sn: Sn, at: number) => number): Share[] => {
  const width = Math.max(dt, 1);
  const shares: Share[] = [];
  for (let time = Math.floor(at / hour) * hour; time < at + width; time += hour) {
    const since = Math.max(time - at, 0);
    const until = Math.min(width, time + hour - at);
    const share = (value: unknown) => {
      const whole = BigInt(Number(value));
      return Number((whole * BigInt(until)) / BigInt(width) - (whole * BigInt(since)) / BigInt(width));
    };
    for (const row of rows)
      shares.push({ kind: streams[stream], sn, agent: ownerAt(sn, Math.max(at, time)), time, up: share(row.u), down: share(row.d) });
  }
  return shares;
};

const total = (list: readonly (number | null)[]) => list.reduce<number>((all, n) => all + (n ?? 0), 0);
type Filters = Record<string, unknown>;

const allRows = async (by: Caller, kind: TrafficKindId, filters: Filters) => {
  const found = [];
  for (let page = 1; ; page++) {
    const { data, code } = await by.call(calls[kind].list, { ...filters, limit: 100, page });
    expect(code).toBe(0);
    found.push(...data.list);
    if (data.list.length < 100) return { rows: found, sums: data.sums };
  }
};

const figuresOf = async (by: Caller, kind: TrafficKindId, filters: Filters) => {
  const { rows, sums } = await allRows(by, kind, filters);
  const trend = (await by.call(calls[kind].trend, filters)).data;
  return {
    rows,
    list: [total(rows.map((row) => row.up_bytes)), total(rows.map((row) => row.down_bytes))],
    summary: [Number(sums?.up_bytes), Number(sums?.down_bytes)],
    chart: [total(trend.up_bytes), total(trend.down_bytes)],
  };
};

/** Up, down and total traffic of each line of an export. */
const exported = async (by: Caller, kind: TrafficKindId, filters: Filters) => {
  const started = await by.call(calls[kind].export, { ...filters, format: 'csv' });
  expect(started.code).toBe(0);
  const jobs = startJobs(api.deps, exportJobs(trafficExports), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  const [task] = (await by.call(flowExportCalls.list, { data_type: kind })).data.list;
  expect(task).toMatchObject({ status: 1, job_id: String(started.data.id) });
  const response = await fetch(`${api.base}/agt/v1/${task?.file_url}`, { headers: { authorization: by.session?.token ?? '' } });
  const [head = '', ...lines] = (await response.text()).trim().split('\n');
  const names = head.split(',');
  const at = names.findIndex((name) => name.includes('上行流量'));
  const linkAt = names.indexOf('链路');
  const links = new Set(kind.startsWith('flow') ? lines.map((line) => line.split(',')[linkAt]) : []);
  for (const link of links) expect(link).not.toMatch(/^(6d|l_band|lte|low_orbit)/);
  return lines.map((line) => line.split(',').slice(at, at + 3)).sort();
};
const asText = (rows: readonly { up_bytes: number | null; down_bytes: number | null; total_bytes: number | null }[]) =>
  rows.map((row) => [row.up_bytes, row.down_bytes, row.total_bytes].map((n) => String(n ?? 0))).sort();

const transfer = async () => {
  const device_id = idOf('SUM-MOVED');
  const parties = { device_id, sn: 'SUM-MOVED', from_agent_id: world.eastId, to_agent_id: world.westId, keep_users: false };
  const { id } = await api.db
    .insertInto('device_transfer')
    .values({ ...parties, state: 'preparing', deadline: now(), create_at: now(), operator: '', command_id: 'c' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await api.db.updateTable('device_transfer').set({ state: 'done', finish_at: now() }).where('id', '=', id).execute();
  await api.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', device_id).execute();
};

const plans = fc.record({
  made: fc.array(batches, { minLength: 5, maxLength: 30 }),
  order: fc.array(fc.nat(1000), { minLength: 70, maxLength: 70 }),
  repeats: fc.array(fc.nat(1000), { maxLength: 8 }),
  group: fc.integer({ min: 1, max: 8 }),
  rolls: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

/** Stores batches late, repeated and in any order; one device is transferred in between. Returns the expected shares. */
const deliver = async ({ made, order, repeats, group, rolls }: Plan): Promise<Share[]> => {
  const movedAt = now();
  const timed = made.map((batch, i) => ({ batch, seq: i + 1, at: movedAt - batch.ago }));
  const sent = [...timed, ...repeats.flatMap((n) => timed[n % timed.length] ?? [])]
    .map((item, i) => ({ item, by: order[i % order.length] ?? 0 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item);
  // A report can arrive before the transfer only if it ended before.
  const isEarly = ({ item, i }: { item: (typeof sent)[number]; i: number }) => item.at + item.batch.dt <= movedAt && i % 2 === 0;
  const phases = [sent.filter((item, i) => isEarly({ item, i })), sent.filter((item, i) => !isEarly({ item, i }))] as const;
  const store = async (reports: readonly (typeof sent)[number][]) => {
    for (let i = 0; i * group < reports.length; i++) {
      const messages = reports.slice(i * group, (i + 1) * group).map(
        ({ batch: { sn, stream, dt, rows }, seq, at }): Message => ({
          sn,
          conn: 'c1',
          content: { kind: 'batch', stream, body: { b: 'boot1', seq, t0: at, dt, rows } },
        }),
      );
      await storeMessages(api.deps.pool, now(), 'test', messages);
      if (rolls[i % rolls.length]) await rollTraffic(api.deps, { all: true });
    }
  };
  await store(phases[0]);
  await transfer();
  api.clock.advance(4 * hour + 8);
  await store(phases[1]);
  await rollTraffic(api.deps, { all: true });
  const home = { 'SUM-EAST': world.eastId, 'SUM-SECOND': world.eastId, 'SUM-CHILD': world.childId, 'SUM-WEST': world.westId } as const;
  const ownerAt = (sn: Sn, at: number) => (sn === 'SUM-MOVED' ? (at < movedAt ? world.eastId : world.westId) : home[sn]);
  return timed.flatMap(({ batch, at }) => sharesOf(at, batch, ownerAt));
};

const readersOf = async () => {
  const below = [world.eastId, world.childId];
  const isLimited = (sn: Sn) => sn === 'SUM-SECOND' || sn === 'SUM-MOVED';
  return [
    { name: 'platform', by: await api.login('admin'), sees: () => true },
    { name: 'east', by: await api.login('east'), sees: ({ agent }: Share) => below.includes(agent) },
    { name: 'child', by: await api.login('child'), sees: ({ agent }: Share) => agent === world.childId },
    { name: 'west', by: await api.login('west'), sees: ({ agent }: Share) => agent === world.westId },
    { name: 'limited', by: await api.login('limited_2'), sees: ({ agent, sn }: Share) => below.includes(agent) && isLimited(sn) },
  ];
};

/** Sums of the reports as they are stored. */
const rawSums = async (): Promise<Record<TrafficKindId, readonly number[]>> => {
  const of = async (table: 'user_flow' | 'own_flow' | 'app_flow' | 'own_app_flow') => {
    const rows = await api.db.selectFrom(table).select(['up_bytes', 'down_bytes']).execute();
    return [total(rows.map((row) => row.up_bytes)), total(rows.map((row) => row.down_bytes))];
  };
  return {
    flow_usr: await of('user_flow'),
    flow_mgt: await of('own_flow'),
    dpi_usr: await of('app_flow'),
    dpi_mgt: await of('own_app_flow'),
  };
};

it('reports, list, summary, chart and export agree for each reader, for any order of delivery', {
  tags: 'all',
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc
      .asyncProperty(plans, async (plan) => {
        const shares = await deliver(plan);
        const raw = await rawSums();
        const ranges: Filters[] = [
          { time_start: now() - 85 * day, time_end: now() },
          { time_start: now() - 29 * hour, time_end: now() - 2 * hour },
          { time_start: now() - 85 * day, time_end: now(), stat_by: 'day' },
        ];
        for (const { name, by, sees } of await readersOf())
          for (const { id: kind } of dataType)
            for (const range of ranges) {
              const about = `${name} ${kind} ${JSON.stringify(range)}`;
              const unit = range.stat_by === 'day' ? dayStart : (at: number) => Math.floor(at / hour) * hour;
              const from = unit(Number(range.time_start));
              const until = unit(Number(range.time_end));
              const own = shares.filter(
                (share) => share.kind === kind && unit(share.time) >= from && unit(share.time) <= until && sees(share),
              );
              const expected = [total(own.map(({ up }) => up)), total(own.map(({ down }) => down))];
              const { rows, list, summary, chart } = await figuresOf(by, kind, range);
              expect({ list, summary, chart }, about).toEqual({ list: expected, summary: expected, chart: expected });
              if (name === 'platform' && range === ranges[0]) expect(raw[kind], about).toEqual(expected);
              if (rows.length > 0 && (name === 'east' || name === 'limited') && range === ranges[0])
                expect(await exported(by, kind, range), about).toEqual(asText(rows));
            }
      })
      .beforeEach(reset),
    { numRuns: runs(40, 4, 1) },
  );
});

it('sums for a role with a device list come from device rows, never from VNO totals', async () => {
  const made: Made[] = sns.map((sn) => ({ stream: 'user', sn, ago: 3 * day, dt: 60, rows: [{ acc: 'anna', i: '6d', u: 10, d: 20 }] }));
  await deliver({ made, order: [1], repeats: [], group: 5, rolls: [false] });
  for (const table of ['agent_flow_hour', 'agent_flow_day', 'dpi_agent_day'] as const)
    await api.db.updateTable(table).set({ up_bytes: 999, down_bytes: 999 }).execute();
  const range = { time_start: now() - 5 * day, time_end: now() };
  const { list, summary, chart } = await figuresOf(await api.login('limited_2'), 'flow_usr', range);
  expect({ list, summary, chart }).toEqual({ list: [20, 40], summary: [20, 40], chart: [20, 40] });
});
