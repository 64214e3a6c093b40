import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { dataType } from '@farlink/contract/traffic/choices.ts';
import { flowExportCalls } from '@farlink/contract/traffic/flow-export.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { daysAgo, hoursAgo, storeHours, type TestHour } from '../../../test/traffic-rows.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { rollTraffic } from '../../domain/traffic/roll-traffic.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { trafficExports } from './export-traffic.ts';

const pages = ['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi', 'flow_export'];

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let limited: Caller;
let now: number;
const ids = { east: 0, second: 0, child: 0, west: 0, group: 0, user: 0 };
let rows: TestHour[];

const makeDevice = async (agent_id: number, name: string, device_group_id?: number) => {
  const values = { agent_id, name, sn: `SN-${name}`, create_at: 1, ...(device_group_id && { device_group_id }) };
  return (await api.db.insertInto('device').values(values).returning('id').executeTakeFirstOrThrow()).id;
};

/** Hours of every kind on every device, with different sizes, so that a wrong sum is visible. */
const makeRows = (): TestHour[] => {
  const devices = [
    { agent_id: world.eastId, device_id: ids.east },
    { agent_id: world.eastId, device_id: ids.second },
    { agent_id: world.childId, device_id: ids.child },
    { agent_id: world.westId, device_id: ids.west },
  ];
  let n = 1;
  return devices.flatMap((device) =>
    [1, 2, 5, 26, 49, 80, 200, 500].flatMap((hours) => {
      const base = { ...device, time: hoursAgo(now, hours) };
      const size = () => {
        n += 7;
        return { up: n * 1000, down: n * 10_000 };
      };
      const isOwn = device.device_id === ids.east;
      const account = isOwn ? 'Sailor_1' : `user_${device.device_id}`;
      const user = { account, subscriber_id: isOwn ? ids.user : null };
      return [
        { ...base, ...size(), ...user, kind: 'flow_usr', network: '6d', peak: 90 },
        { ...base, ...size(), ...user, kind: 'flow_usr', link: 'lte', network: 'lte', seconds: 100 },
        { ...base, ...size(), kind: 'flow_mgt', service: 'mqtt' },
        { ...base, ...size(), kind: 'flow_mgt', service: 'file' },
        { ...base, ...size(), ...user, kind: 'dpi_usr', protocol_id: '91.124', sessions: 3 },
        { ...base, ...size(), ...user, kind: 'dpi_usr', protocol_id: '188.124', sessions: 1 },
        { ...base, ...size(), ...user, kind: 'dpi_usr', protocol_id: '91.65000' },
        { ...base, ...size(), kind: 'dpi_usr', protocol_id: '197' },
        { ...base, ...size(), kind: 'dpi_mgt', protocol_id: '9' },
      ] satisfies TestHour[];
    }),
  );
};

beforeAll(async () => {
  api = await startApi();
  now = api.clock.now();
  world = await makeBranches(api);
  const group = { agent_id: world.eastId, name: 'Fleet', create_at: 1 };
  ids.group = (await api.db.insertInto('device_group').values(group).returning('id').executeTakeFirstOrThrow()).id;
  ids.east = await makeDevice(world.eastId, 'Aurora', ids.group);
  ids.second = await makeDevice(world.eastId, 'Boreas');
  ids.child = await makeDevice(world.childId, 'Calypso');
  ids.west = await makeDevice(world.westId, 'Daphne');
  const sailor = subscriberRow({ agent_id: world.eastId, account: 'Sailor_1', name: 'Sailor', device_id: ids.east });
  ids.user = (await api.db.insertInto('subscriber').values(sailor).returning('id').executeTakeFirstOrThrow()).id;
  rows = makeRows();
  await storeHours(api.db, rows);
  await api.db
    .updateTable('traffic_state')
    .set({ as_of: now - 60 })
    .execute();
  const role = await makeRole(world.east, 'one device', grantsOf(pages), {
    scope: 'device',
    device_limit: 'specified',
    device_ids: [ids.second],
  });
  await makeStaff(world.east, 'limited_1', role);
  limited = await api.login('limited_1');
});
afterAll(() => api.close());

interface Sum {
  readonly up_bytes: number | null;
  readonly down_bytes: number | null;
}
const sum = (list: readonly Sum[]) => ({
  up_bytes: list.reduce((all, row) => all + (row.up_bytes ?? 0), 0),
  down_bytes: list.reduce((all, row) => all + (row.down_bytes ?? 0), 0),
});
const total = (list: readonly number[]) => list.reduce((all, n) => all + n, 0);
const stored = (filter: (row: TestHour) => boolean) => sum(rows.filter(filter).map(({ up, down }) => ({ up_bytes: up, down_bytes: down })));

/** All rows of a list, page by page. */
const allRows = async (by: Caller, kind: TrafficKindId, input: Record<string, unknown>) => {
  const found = [];
  for (let page = 1; ; page++) {
    const { data, code } = await by.call(calls[kind].list, { ...input, limit: 100, page });
    expect(code).toBe(0);
    found.push(...data.list);
    if (data.list.length < 100) return found;
  }
};

const readers = (): readonly { readonly name: string; readonly by: Caller; readonly sees: (row: TestHour) => boolean }[] => [
  { name: 'platform', by: world.admin, sees: () => true },
  { name: 'VNO', by: world.east, sees: ({ agent_id }) => agent_id === world.eastId || agent_id === world.childId },
  { name: 'VNO below', by: world.child, sees: ({ agent_id }) => agent_id === world.childId },
  { name: 'other VNO', by: world.west, sees: ({ agent_id }) => agent_id === world.westId },
  { name: 'staff of one device', by: limited, sees: ({ device_id }) => device_id === ids.second },
];

/** List, summary and chart of a filter, which must agree. */
const threeSums = async (by: Caller, kind: TrafficKindId, filters: Record<string, unknown>) => {
  const list = sum(await allRows(by, kind, filters));
  const { data } = await by.call(calls[kind].list, { ...filters, sums: 'only' });
  const trend = (await by.call(calls[kind].trend, filters)).data;
  const summary = { up_bytes: Number(data.sums?.up_bytes), down_bytes: Number(data.sums?.down_bytes) };
  return { list, summary, chart: { up_bytes: total(trend.up_bytes), down_bytes: total(trend.down_bytes) }, trend };
};

describe('traffic', () => {
  it.each(dataType.map(({ id }) => id))('of kind %s has the same sum in rollups, list, summary and chart for each reader', async (kind) => {
    const ranges = [
      {},
      { time_start: hoursAgo(now, 85), time_end: hoursAgo(now, 2) },
      { time_start: now - 40 * 86_400, time_end: now },
      { stat_by: 'day', time_start: now - 40 * 86_400 },
    ];
    for (const { name, by, sees } of readers())
      for (const range of ranges) {
        const about = `${name} ${JSON.stringify(range)}`;
        const { list, summary, chart, trend } = await threeSums(by, kind, range);
        const whole = stored((row) => row.kind === kind && row.time >= trend.start_at && row.time <= trend.end_at && sees(row));
        expect({ list, summary, chart }, about).toEqual({ list: whole, summary: whole, chart: whole });
        expect(trend.up_bytes.length).toBeLessThanOrEqual(limits.chartPoints);
      }
  });

  it('has the same sum in list, summary and chart for each filter', async () => {
    const since = { time_start: now - 30 * 86_400, time_end: now };
    const flow: [Record<string, unknown>, (row: TestHour) => boolean][] = [
      [{ account: 'sailor' }, (row) => row.account === 'Sailor_1'],
      [{ account: 'gone' }, () => false],
      [{ device_id: ids.second }, (row) => row.device_id === ids.second],
      [{ device_group_id: ids.group }, (row) => row.device_id === ids.east],
      [{ network: 'lte' }, (row) => row.network === 'lte'],
      [{ vno_id: world.childId }, (row) => row.agent_id === world.childId],
      [{ network: 'lte', device_id: ids.east }, (row) => row.network === 'lte' && row.device_id === ids.east],
      [{ cond_total_bytes: 'gt', total_bytes: 5_000_000 }, (row) => row.up + row.down > 5_000_000],
    ];
    for (const [filter, isIn] of flow) {
      const { list, summary, chart } = await threeSums(world.east, 'flow_usr', { ...since, ...filter });
      const whole = stored((row) => row.kind === 'flow_usr' && row.agent_id !== world.westId && row.time > now - 30 * 86_400 && isIn(row));
      expect({ list, summary, chart }, JSON.stringify(filter)).toEqual({ list: whole, summary: whole, chart: whole });
    }
    const dpi: [Record<string, unknown>, readonly string[]][] = [
      [{ protocol_id: 'youtube' }, ['91.124', '188.124']],
      [{ protocol_id: '124' }, ['91.124', '188.124']],
      [{ protocol_id: '91.124' }, ['91.124']],
      [{ protocol_id: '65000' }, ['91.65000']],
      [{ protocol_id: '微信', stat_by: 'day' }, ['197']],
    ];
    for (const [filter, protocols] of dpi) {
      const { list, summary, chart } = await threeSums(world.east, 'dpi_usr', { ...since, ...filter });
      const isIn = (row: TestHour) => row.kind === 'dpi_usr' && row.agent_id !== world.westId && protocols.includes(row.protocol_id ?? '');
      const whole = stored((row) => isIn(row) && row.time > now - 30 * 86_400);
      expect({ list, summary, chart }, JSON.stringify(filter)).toEqual({ list: whole, summary: whole, chart: whole });
    }
    const { list, summary, chart } = await threeSums(world.east, 'flow_mgt', { ...since, service: '文件' });
    const files = stored((row) => row.service === 'file' && row.agent_id !== world.westId);
    expect({ list, summary, chart }).toEqual({ list: files, summary: files, chart: files });
  });

  it('by month is the sum of the days of each month', async () => {
    const { list, summary, chart } = await threeSums(world.east, 'flow_usr', { stat_by: 'month', time_start: now - 60 * 86_400 });
    const whole = stored((row) => row.kind === 'flow_usr' && row.agent_id !== world.westId);
    expect({ list, summary, chart }).toEqual({ list: whole, summary: whole, chart: whole });
    const { data } = await world.east.call(calls.flow_usr.list, { stat_by: 'month', device_id: ids.east, network: 'lte' });
    expect(new Set(data.list.map((row) => row.time)).size).toBe(data.list.length);
  });

  it('is listed newest first, and by size across several VNOs', async () => {
    const wide = { time_start: now - 30 * 86_400, time_end: now };
    const newest = await allRows(world.east, 'flow_usr', wide);
    expect(newest.map((row) => row.time)).toEqual(newest.map((row) => row.time).toSorted((a, b) => (b ?? 0) - (a ?? 0)));
    expect(new Set(newest.map((row) => row.id)).size).toBe(newest.length);
    const pages = [1, 2, 3].map((page) => world.east.call(calls.flow_usr.list, { ...wide, orderby: 'total_bytes desc', limit: 10, page }));
    const biggest = (await Promise.all(pages)).flatMap(({ data }) => data.list.map((row) => row.total_bytes ?? 0));
    const all = newest.map((row) => row.total_bytes ?? 0).toSorted((a, b) => b - a);
    expect(biggest).toEqual(all.slice(0, 30));
  });

  it('can be sorted by derived columns', async () => {
    const { data } = await world.east.call(calls.flow_usr.list, { orderby: 'up_speed desc', limit: 100 });
    const speeds = data.list.map((row) => row.up_speed ?? 0);
    expect(speeds).toEqual(speeds.toSorted((a, b) => b - a));
    const named = (await world.east.call(calls.dpi_usr.list, { orderby: 'protocol_name asc', limit: 100 })).data.list;
    expect(named[0]?.protocol_name).toBe('91.65000');
    expect((await world.east.call(calls.flow_usr.list, { orderby: 'sn asc' })).code).toBe(errors.bad_input.code);
  });

  const sortable = Object.values(calls).flatMap(({ list }) =>
    list.resource.columns
      .filter((name) => list.resource.fields[name]?.sort && !['account', 'service', 'protocol_name'].includes(name))
      .flatMap((name) => [`${name} asc`, `${name} desc`].map((orderby) => ({ list, path: list.path, name, orderby }))),
  );
  it.each(sortable)('has each row of $path once on pages sorted by $orderby', async ({ list, name, orderby }) => {
    const wide = { time_start: now - 30 * 86_400, time_end: now, orderby };
    const all: Record<string, unknown>[] = [];
    for (let page = 1; ; page++) {
      const { data } = await world.east.call(list, { ...wide, limit: 20, page });
      all.push(...data.list.map((row) => ({ ...row })));
      if (data.list.length < 20) break;
    }
    const { data } = await world.east.call(list, { ...wide, limit: 10 });
    expect(new Set(all.map((row) => row.id)).size).toBe(data.total);
    const values = all.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : []));
    expect(values).toEqual(values.toSorted((a, b) => (orderby.endsWith('asc') ? a - b : b - a)));
  });

  it('shows speeds in KB/s, names of protocols, and unknown protocols as numbers', async () => {
    const [row] = (await world.east.call(calls.flow_usr.list, { device_id: ids.east, network: 'lte' })).data.list;
    expect(row).toMatchObject({ account: 'Sailor_1', device_name: 'Aurora', sn: 'SN-Aurora', link: 'LTE', peak_speed: null });
    expect(row?.up_speed).toBeCloseTo((row?.up_bytes ?? 0) / 1024 / 100, 0);
    const { list } = (await world.east.call(calls.dpi_usr.list, { device_id: ids.east, limit: 100 })).data;
    const nameOf = (id: string) => list.find((r) => r.protocol_id === id);
    expect(nameOf('91.124')).toMatchObject({ protocol_name: expect.stringContaining('YouTube'), session_count: 3 });
    expect(nameOf('91.65000')).toMatchObject({ protocol_name: '91.65000', category_name: null });
    expect(nameOf('197')).toMatchObject({ protocol_name: '微信', category_name: '即时通讯', account: null });
    expect(total(list.map((r) => r.percent ?? 0))).toBeCloseTo(100, 0);
    const [service] = (await world.east.call(calls.flow_mgt.list, { service: 'mqtt' })).data.list;
    expect(service?.service).toBe('管理通道（MQTT）');
  });

  it('is compared with the previous period of the same length', async () => {
    const range = { time_start: daysAgo(now, 2), time_end: daysAgo(now, 0) - 1, stat_by: 'day' };
    const { data } = await world.admin.call(calls.flow_usr.trend, range);
    expect(data).toMatchObject({ step: 86_400, start_at: daysAgo(now, 2), as_of: now - 60 });
    expect(data.previous).toMatchObject({ start_at: daysAgo(now, 4), end_at: daysAgo(now, 2) - 1 });
    const before = (await world.admin.call(calls.flow_usr.trend, { ...range, time_start: daysAgo(now, 4), time_end: daysAgo(now, 2) - 1 }))
      .data;
    expect(data.previous.up_bytes).toEqual(before.up_bytes);
  });

  it('of one account is found by user ID, but not by another VNO', async () => {
    const { data } = await world.east.call(calls.flow_usr.trend, { user_id: ids.user });
    const own = stored((row) => row.kind === 'flow_usr' && row.subscriber_id === ids.user && row.time >= data.start_at);
    expect(total(data.up_bytes)).toBe(own.up_bytes);
    expect(total((await world.west.call(calls.flow_usr.trend, { user_id: ids.user })).data.up_bytes)).toBe(0);
  });

  it('is ranked by application with shares of the filtered total, and by user and device within an application', async () => {
    const all = (await world.east.call(calls.dpi_usr.rank, {})).data;
    expect(all.applications.map(({ id }) => id).toSorted()).toEqual(['124', '197', '65000']);
    expect(total(all.applications.map(({ percent }) => percent))).toBeCloseTo(100, 1);
    expect(total(all.applications.map(({ total_bytes }) => total_bytes))).toBe(all.total_bytes);
    expect(all.accounts).toEqual([]);
    const one = (await world.east.call(calls.dpi_usr.rank, { protocol_id: '124' })).data;
    expect(one.applications).toMatchObject([{ id: '124', percent: 100 }]);
    expect(one.accounts.map(({ name }) => name)).toContain('Sailor_1');
    expect(one.devices.map(({ name }) => name).toSorted()).toEqual(['Aurora', 'Boreas', 'Calypso']);
    const edge = { protocol_id: '124', time_start: hoursAgo(now, 85), time_end: hoursAgo(now, 2) };
    const rank = (await world.east.call(calls.dpi_usr.rank, edge)).data;
    expect(rank.total_bytes).toBe(total(rank.devices.map(({ total_bytes }) => total_bytes)));
    expect((await limited.call(calls.dpi_usr.rank, { protocol_id: '124' })).data.devices).toMatchObject([{ name: 'Boreas', percent: 100 }]);
    expect((await world.admin.call(calls.dpi_mgt.rank, {})).data.applications).toHaveLength(1);
  });

  it('of another VNO is never visible', async () => {
    const foreign = [{ device_id: ids.east }, { vno_id: world.eastId }, { device_group_id: ids.group }, { account: 'Sailor_1' }];
    for (const { id } of dataType)
      for (const filter of foreign.filter((f) => !('account' in f) || id.endsWith('usr'))) {
        const { data } = await world.west.call(calls[id].list, filter);
        expect(data, JSON.stringify(filter)).toMatchObject({ total: 0, list: [], sums: { total_bytes: '0' } });
      }
    expect(JSON.stringify((await world.west.call(calls.flow_usr.list, { limit: 100 })).data)).not.toMatch(/Sailor|Aurora|Calypso/);
  });

  it('stays with the former VNO after a transfer, without the name of the device', async () => {
    const moved = await makeDevice(world.eastId, 'Echo');
    rows = [
      ...rows,
      { kind: 'flow_usr', time: hoursAgo(now, 3), agent_id: world.eastId, device_id: moved, up: 11, down: 22, account: 'old' },
    ];
    rows = [
      ...rows,
      { kind: 'flow_usr', time: hoursAgo(now, 2), agent_id: world.westId, device_id: moved, up: 33, down: 44, account: 'new' },
    ];
    await storeHours(api.db, rows.slice(-2));
    await api.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', moved).execute();
    expect((await world.east.call(calls.flow_usr.list, { account: 'old' })).data.list).toMatchObject([
      { up_bytes: 11, device_name: null, sn: null },
    ]);
    expect((await world.west.call(calls.flow_usr.list, { device_id: moved })).data).toMatchObject({
      total: 1,
      sums: { total_bytes: '77' },
    });
  });

  it('equals the reports of the gateways after the rollup job has run', async () => {
    const device_id = await makeDevice(world.westId, 'Foxtrot');
    const at = hoursAgo(now, 30) + 1800;
    const report = { device_id, at, seconds: 7200, link: '6d', account: 'fox', up_bytes: 7_200_000, down_bytes: 14_400_000, peak: 55 };
    await api.db
      .insertInto('user_flow')
      .values([report, { ...report, at: at + 7200 }])
      .execute();
    const hours = [0, 1, 2, 3, 4].map((n) => hoursAgo(now, 30 - n));
    await api.db
      .insertInto('traffic_dirty')
      .values(hours.map((hour) => ({ kind: 'flow_usr' as const, device_id, hour, marked_at: now, touched_at: now })))
      .execute();
    await rollTraffic(api.deps, { all: true });
    const { list, summary, chart } = await threeSums(world.west, 'flow_usr', { device_id });
    const raw = { up_bytes: 14_400_000, down_bytes: 28_800_000 };
    expect({ list, summary, chart }).toEqual({ list: raw, summary: raw, chart: raw });
    const byHour = (await allRows(world.west, 'flow_usr', { device_id })).map((row) => row.up_bytes);
    expect(byHour).toEqual([1_800_000, 3_600_000, 3_600_000, 3_600_000, 1_800_000]);
    const { data } = await world.west.call(calls.flow_usr.trend, { device_id });
    expect(data.as_of).toBe(now);
  });

  it('shows until when it is complete in each list and chart', async () => {
    for (const { id } of dataType) {
      const asOf = { as_of: now };
      expect((await world.east.call(calls[id].list, {})).data, id).toMatchObject(asOf);
      expect((await limited.call(calls[id].list, { sums: 'only' })).data, id).toMatchObject(asOf);
      expect((await world.east.call(calls[id].trend, {})).data, id).toMatchObject(asOf);
    }
    for (const rank of [calls.dpi_usr.rank, calls.dpi_mgt.rank])
      expect((await world.east.call(rank, {})).data).toMatchObject({ as_of: now });
  });

  it('refuses more than three months', async () => {
    const long = { time_start: now - 120 * 86_400, time_end: now };
    for (const call of [calls.flow_usr.list, calls.flow_usr.trend, calls.flow_usr.export])
      expect((await world.east.call(call, long)).code).toBe(errors.bad_input.code);
  });
});

describe('exports of traffic', () => {
  const run = async () => {
    const jobs = startJobs(api.deps, exportJobs(trafficExports), { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
  };
  const download = async (by: Caller, url: unknown) =>
    (await fetch(`${api.base}/agt/v1/${url}`, { headers: { authorization: by.session?.token ?? '' } })).text();

  it('have the rows of the list, for each kind', async () => {
    for (const { id } of dataType) {
      const filters = { time_start: now - 30 * 86_400, time_end: now, device_id: ids.second };
      const list = await allRows(limited, id, filters);
      const started = await limited.call(calls[id].export, { ...filters, format: 'csv' });
      expect(started.code).toBe(0);
      await run();
      const { data } = await limited.call(flowExportCalls.list, { data_type: id });
      expect(data.list).toMatchObject([{ status: 1, total: list.length, data_type: id, progress: 100, job_id: String(started.data.id) }]);
      expect(data.list[0]?.condition).toContain('设备: Boreas');
      const text = await download(limited, data.list[0]?.file_url);
      expect(text.trim().split('\n')).toHaveLength(list.length + 1);
      expect(text).not.toContain('Aurora');
    }
  });

  it('are refused for an empty list, and not visible to another VNO', async () => {
    for (const filter of [{ device_id: ids.east }, { account: 'none' }])
      expect((await world.west.call(calls.flow_usr.export, filter)).code).toBe(errors.export_empty.code);
    expect((await world.west.call(flowExportCalls.list, {})).data.total).toBe(0);
    const [task] = (await world.east.call(flowExportCalls.list, {})).data.list;
    expect((await world.west.call(flowExportCalls.remove, { id: task?.id })).code).toBe(errors.not_found.code);
  });

  it('cannot be deleted while they run', async () => {
    const { data } = await world.east.call(calls.dpi_mgt.export, {});
    for (const state of [2, 4, 6, 8] as const) {
      await api.db.updateTable('export_task').set({ state }).where('id', '=', data.id).execute();
      expect((await world.east.call(flowExportCalls.remove, { id: data.id })).code).toBe(errors.wrong_state.code);
      expect((await world.east.call(flowExportCalls.removeMany, { ids: [data.id] })).data).toMatchObject({ success: 0, fail: 1 });
    }
    await api.db.updateTable('export_task').set({ state: 3 }).where('id', '=', data.id).execute();
    expect((await world.east.call(flowExportCalls.retry, { id: data.id })).code).toBe(0);
    await run();
    expect((await world.east.call(flowExportCalls.list, { data_type: 'dpi_mgt', status: 1 })).data.list.map(({ id }) => id)).toContain(
      data.id,
    );
    expect((await world.east.call(flowExportCalls.removeMany, { ids: [data.id] })).data).toMatchObject({ success: 1 });
  });
});

it('refuses to sort too many rows by a column without an index', { tags: 'all' }, async () => {
  const time = hoursAgo(now, 70 * 24);
  await sql`insert into manage_dpi_hour (time, agent_id, device_id, protocol_id, up_bytes, down_bytes)
    select ${time}, ${world.childId}, ${ids.child}, '9', 1, 1 from generate_series(1, ${limits.flowSortRows + 1}::int)`.execute(api.db);
  await storeHours(api.db, []);
  const range = { time_start: time, time_end: time + 3599 };
  expect((await world.child.call(calls.dpi_mgt.list, { ...range, orderby: 'session_count desc' })).code).toBe(errors.flow_sort_limit.code);
  expect((await world.child.call(calls.dpi_mgt.list, { ...range, orderby: 'total_bytes desc' })).code).toBe(0);
});
