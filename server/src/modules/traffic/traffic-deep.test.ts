/** @module-tag all */
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { hoursAgo, storeHours } from '../../../test/traffic-rows.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let limited: Caller;
let now: number;
const devices: { id: number; agent_id: number }[] = [];
const hours = 60;

/** Rows of uneven hours, some of them empty, on devices of three VNOs. */
const fill = async (device: { id: number; agent_id: number }, rowCount: number) => {
  await sql`insert into business_flow_hour (time, agent_id, device_id, account, link, network, seconds, up_bytes, down_bytes)
    select ${hoursAgo(now, hours)}::bigint + h * 3600, ${device.agent_id}::bigint, ${device.id}::bigint, 'u' || n, '', case n % 3 when 0 then 'lte' else '6d' end, 60, n, h
    from generate_series(0, ${hours - 1}::int) h, generate_series(1, ${rowCount}::int) n where h % 7 <> 3 and n <= ${rowCount}::int - (h * 13) % 50`.execute(
    api.db,
  );
};

/** An hour in the middle of a day, with so many rows that a page begins at its VNO. The rows of the VNOs have alternate ids. */
let largeHour: number;
const fillLarge = async (device: { id: number; agent_id: number }, count: number) => {
  await sql`insert into business_flow_hour (id, time, agent_id, device_id, account, link, network, seconds, up_bytes, down_bytes)
    overriding system value select 1000000 + n * 10 + ${device.id % 10}::int, ${largeHour}::bigint, ${device.agent_id}::bigint,
      ${device.id}::bigint, 'l' || n, '', case n % 3 when 0 then 'lte' else '6d' end, 60, n, 1
    from generate_series(1, ${count}::int) n`.execute(api.db);
};

beforeAll(async () => {
  api = await startApi();
  now = api.clock.now();
  largeHour = dayStart(hoursAgo(now, 30)) + 12 * 3600;
  world = await makeBranches(api);
  for (const [i, agent_id] of [world.eastId, world.eastId, world.childId, world.westId].entries()) {
    const values = { agent_id, name: `Deep ${i}`, sn: `DEEP-${i}`, create_at: 1 };
    devices.push({ agent_id, ...(await api.db.insertInto('device').values(values).returning('id').executeTakeFirstOrThrow()) });
  }
  for (const [i, device] of devices.entries()) await fill(device, 50 + i * 10);
  for (const [i, device] of devices.entries()) await fillLarge(device, 600 + i * 200);
  await storeHours(api.db, []);
  const scope = { scope: 'device', device_limit: 'specified', device_ids: [devices[1]?.id, devices[2]?.id] };
  await makeStaff(world.east, 'deep_1', await makeRole(world.east, 'two devices', grantsOf(['business_flow']), scope));
  limited = await api.login('deep_1');
});
afterAll(() => api.close());

/** Rows read directly from the table, those of one time in order of VNO. */
const rowsOf = async (table: 'business_flow_hour' | 'business_flow_day', from: number, until: number, direction: 'asc' | 'desc') =>
  api.db
    .selectFrom(table)
    .select(['id', 'time', 'agent_id', 'device_id', 'network'])
    .where('time', '>=', from)
    .where('time', '<=', until)
    .orderBy('time', direction)
    .orderBy('agent_id', direction)
    .orderBy('id', direction)
    .execute();
type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const readers = (): readonly {
  readonly by: Caller;
  readonly sees: (row: Row) => boolean;
  readonly filters?: object;
  readonly isOfDevices?: boolean;
}[] => {
  const below = [world.eastId, world.childId];
  return [
    { by: world.admin, sees: () => true },
    { by: world.east, sees: ({ agent_id }) => below.includes(agent_id) },
    { by: world.west, sees: ({ agent_id }) => agent_id === world.westId },
    { by: limited, sees: ({ device_id }) => device_id === devices[1]?.id || device_id === devices[2]?.id, isOfDevices: true },
    { by: world.east, sees: ({ agent_id, network }) => below.includes(agent_id) && network === '6d', filters: { network: '6d' } },
    { by: world.east, sees: ({ device_id }) => device_id === devices[1]?.id, filters: { device_id: devices[1]?.id } },
    { by: world.east, sees: ({ agent_id }) => agent_id === world.childId, filters: { vno_id: world.childId } },
    // A filter for which there are no stored counts.
    { by: world.east, sees: ({ agent_id }) => below.includes(agent_id), filters: { cond_total_bytes: 'gt', total_bytes: 0 } },
  ];
};

/** Rows of devices are in order of their ids only. */
const byId = (rows: readonly Row[], direction: 'asc' | 'desc') => {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (a.time - b.time || a.id - b.id));
};

it.each(['desc', 'asc'] as const)('a page far from the start returns the right rows, by hour and by time %s', async (direction) => {
  const ranges = [
    { time_start: hoursAgo(now, hours), time_end: now },
    { time_start: hoursAgo(now, hours - 4), time_end: hoursAgo(now, 5) },
  ];
  for (const [i, { by, sees, filters, isOfDevices }] of readers().entries())
    for (const range of ranges) {
      const seen = (await rowsOf('business_flow_hour', range.time_start, range.time_end, direction)).filter(sees);
      const expected = (isOfDevices ? byId(seen, direction) : seen).map(({ id }) => id);
      const last = Math.ceil(expected.length / 100);
      const within = Array.from({ length: 5 }, (_, n) => Math.floor((last * (n + 1)) / 6));
      for (const page of new Set([1, 10, 11, 12, 17, 23, ...within, last - 1, last, last + 1])) {
        const { data } = await by.call(calls.flow_usr.list, { ...range, ...filters, orderby: `time ${direction}`, limit: 100, page });
        expect(data.total, `reader ${i} page ${page}`).toBe(expected.length);
        expect(
          data.list.map(({ id }) => id),
          `reader ${i} page ${page}`,
        ).toEqual(expected.slice((page - 1) * 100, page * 100));
      }
    }
});

it.each([
  ['desc', 'within a day', 3],
  ['asc', 'within a day', 3],
  ['desc', 'of parts of two days', 15],
  ['asc', 'of parts of two days', 15],
] as const)('the pages of a large hour follow each other from VNO to VNO, by time %s, in a period %s', async (direction, _, length) => {
  const range = { time_start: largeHour - 3600, time_end: largeHour + (length - 1) * 3600 };
  for (const by of [world.admin, world.east]) {
    const expected = (await rowsOf('business_flow_hour', range.time_start, range.time_end, direction)).filter(
      ({ agent_id }) => by === world.admin || agent_id !== world.westId,
    );
    const found: number[] = [];
    for (let page = 1; found.length < expected.length; page++) {
      const { data } = await by.call(calls.flow_usr.list, { ...range, orderby: `time ${direction}`, limit: 100, page });
      expect(data.list.length).toBeGreaterThan(0);
      found.push(...data.list.map(({ id }) => id));
    }
    expect(found).toEqual(expected.map(({ id }) => id));
  }
});

it('a page far from the start returns the right rows, by day', async () => {
  const range = { time_start: hoursAgo(now, hours), time_end: now };
  const expected = (await rowsOf('business_flow_day', dayStart(range.time_start), now, 'desc')).map(({ id }) => id);
  // More rows than the offset above which a page is read from its day on.
  await sql`insert into business_flow_day (time, agent_id, device_id, account, link, network, seconds, up_bytes, down_bytes)
    select time, agent_id, device_id, account || '-' || n, link, network, 60, 1, 1 from business_flow_day, generate_series(1, 10) n where device_id = ${devices[3]?.id ?? 0}`.execute(
    api.db,
  );
  await sql`update flow_sum_day set row_count = row_count * 11 where device_id = ${devices[3]?.id ?? 0}`.execute(api.db);
  await sql`update agent_flow_day set row_count = row_count * 11 where agent_id = ${world.westId}`.execute(api.db);
  const all = (await rowsOf('business_flow_day', dayStart(range.time_start), now, 'desc')).map(({ id }) => id);
  expect(all.length).toBeGreaterThan(expected.length + 1000);
  for (const page of [1, 11, 15, 20, Math.ceil(all.length / 100), Math.ceil(all.length / 100) + 1]) {
    const { data } = await world.admin.call(calls.flow_usr.list, { ...range, stat_by: 'day', limit: 100, page });
    expect(
      data.list.map(({ id }) => id),
      `page ${page}`,
    ).toEqual(all.slice((page - 1) * 100, page * 100));
    expect(data.total).toBe(all.length);
  }
});

it('the total is exact above the count cap, and capped for a filter without stored counts', async () => {
  await sql`insert into business_flow_hour (time, agent_id, device_id, account, link, network, seconds, up_bytes, down_bytes)
    select ${hoursAgo(now, 100)}::bigint, ${world.westId}::bigint, ${devices[3]?.id ?? 0}::bigint, 'w' || n, '', '6d', 60, 1, 1 from generate_series(1, ${limits.countCap + 500}::int) n`.execute(
    api.db,
  );
  await storeHours(api.db, []);
  const range = { time_start: hoursAgo(now, 110), time_end: hoursAgo(now, 90) };
  const { data } = await world.west.call(calls.flow_usr.list, range);
  expect(data.total).toBe(limits.countCap + 500);
  expect(data.capped).toBeUndefined();
  const listing = await world.west.call(calls.flow_usr.list, { ...range, cond_total_bytes: 'gt', total_bytes: 0 });
  expect(listing.data).toMatchObject({ total: limits.countCap, capped: true });
});
