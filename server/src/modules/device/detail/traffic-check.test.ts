import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { makeBranches } from '../../../../test/world.ts';
import { reconcileDays } from '../../../domain/metering/run/reconcile-job.ts';
import { dayText, trafficDifference } from '../../../domain/metering/run/traffic-difference.ts';

const MB = 1024 ** 2;
const daySeconds = 86_400;
let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let n = 0;

beforeAll(async () => {
  api = await startApi();
  // Two hours after midnight, so that yesterday is complete.
  const now = api.clock.now();
  api.clock.advance((dayNumber(now) + 1) * daySeconds - 8 * 3600 + 7200 - now);
  world = await makeBranches(api);
});
afterAll(() => api.close());

const today = () => dayNumber(api.clock.now());
const newDevice = async () => {
  const row = { agent_id: world.eastId, name: `Traffic ${++n}`, sn: `TRAFFIC-${n}`, create_at: 1, caps: ['accounts'] };
  return (await api.db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow()).id;
};
interface Bytes {
  readonly link?: number;
  readonly user?: number;
  readonly own?: number;
  readonly charged?: number;
  readonly overrun?: number;
}
/** Adds traffic to a day, as reports and charges do. */
const add = (device: number, day: number, { link = 0, user = 0, own = 0, charged = 0, overrun = 0 }: Bytes, agent = world.eastId) =>
  sql`insert into traffic_day as t (device_id, agent_id, day, link_bytes, user_bytes, own_bytes, charged_bytes, overrun_bytes, update_at)
    values (${device}, ${agent}, ${day}, ${link}, ${user}, ${own}, ${charged}, ${overrun}, ${api.clock.now()})
    on conflict (device_id, day, agent_id) do update set link_bytes = t.link_bytes + excluded.link_bytes, user_bytes = t.user_bytes + excluded.user_bytes,
      own_bytes = t.own_bytes + excluded.own_bytes, charged_bytes = t.charged_bytes + excluded.charged_bytes,
      overrun_bytes = t.overrun_bytes + excluded.overrun_bytes, update_at = excluded.update_at`.execute(api.db);
const reconcile = () => api.db.transaction().execute((tx) => reconcileDays(tx, api.clock.now()));
const events = async (id: number, lang = 'zh') =>
  (await world.east.call(calls.history, { id, kind: 'traffic', lang })).data.list.map(({ content }) => content);
const check = async (id: number) => (await world.east.call(calls.trafficCheck, { id })).data;

describe('the traffic difference of a day', () => {
  it('is odd above 2 % of the links or 10 MB, whichever is larger, in either direction', () => {
    const day = (bytes: Bytes) =>
      trafficDifference({
        link_bytes: bytes.link ?? 0,
        user_bytes: bytes.user ?? 0,
        own_bytes: bytes.own ?? 0,
        charged_bytes: bytes.charged ?? 0,
        overrun_bytes: bytes.overrun ?? 0,
      }).is_odd;
    expect(day({ link: 100 * MB, user: 85 * MB, own: 5 * MB, charged: 80 * MB, overrun: 5 * MB })).toBe(false);
    expect(day({ link: 100 * MB + 1, user: 85 * MB, own: 5 * MB, charged: 85 * MB })).toBe(true);
    expect(day({ link: 1000 * MB, user: 980 * MB, charged: 960 * MB })).toBe(false);
    expect(day({ link: 1000 * MB, user: 980 * MB, charged: 960 * MB - 1 })).toBe(true);
    expect(day({ user: 11 * MB, charged: 11 * MB })).toBe(true);
  });
});

describe('the traffic check of a device', () => {
  it('raises one event for a complete day that differs, and a second one when late reports repair it', async () => {
    const id = await newDevice();
    const yesterday = today() - 1;
    await add(id, yesterday, { link: 100 * MB, user: 60 * MB, own: 2 * MB, charged: 60 * MB });
    await reconcile();
    expect(await events(id)).toEqual([
      `${dayText(yesterday)} 流量有差异：链路 100 MB，用户 60 MB，网关自身 2 MB，已计费 60 MB；未归属 38 MB`,
    ]);
    expect(await check(id)).toMatchObject({
      declares_own: true,
      days: [
        {
          day: dayText(yesterday),
          unattributed: 38 * MB,
          uncharged: 0,
          allowed: 10 * MB,
          is_odd: true,
          is_final: true,
          noted_at: api.clock.now(),
        },
      ],
    });
    api.clock.advance(600);
    await reconcile();
    await add(id, yesterday, { user: MB });
    await reconcile();
    expect(await events(id), 'still odd: no second event').toHaveLength(1);
    api.clock.advance(600);
    await add(id, yesterday, { user: 37 * MB, charged: 38 * MB });
    api.clock.advance(1);
    await reconcile();
    expect(await events(id, 'en')).toEqual([`Difference of ${dayText(yesterday)} resolved`, expect.stringContaining('38 MB unattributed')]);
    expect((await check(id)).days).toMatchObject([{ is_odd: false, noted_at: null }]);
    api.clock.advance(600);
    expect(await reconcile(), 'nothing changed since').toBe(0);
  });

  it('waits until a day has been over for an hour', async () => {
    const id = await newDevice();
    await add(id, today(), { link: 100 * MB });
    await reconcile();
    expect(await events(id)).toEqual([]);
    expect((await check(id)).days).toMatchObject([{ is_odd: true, is_final: false, noted_at: null }]);
    const midnight = (today() + 1) * daySeconds - 8 * 3600;
    api.clock.advance(midnight + 3599 - api.clock.now());
    world = { ...world, admin: await api.login('admin'), east: await api.login('east') };
    await reconcile();
    expect(await events(id)).toEqual([]);
    api.clock.advance(1);
    await reconcile();
    expect(await events(id)).toHaveLength(1);
  });

  it('shows seven days, each to the VNO that owned the device then', async () => {
    const id = await newDevice();
    for (let back = 0; back < 9; back++) await add(id, today() - back, { link: back + 1 });
    await add(id, today() - 1, { link: 99 * MB }, world.westId);
    await reconcile();
    expect((await check(id)).days.map(({ day, link_bytes }) => [day, link_bytes])).toEqual(
      Array.from({ length: 7 }, (_, back) => [dayText(today() - back), back + 1]),
    );
    expect(await events(id)).toEqual([]);
    expect((await world.admin.call(calls.history, { id, kind: 'traffic' })).data.total).toBe(1);
  });
});
