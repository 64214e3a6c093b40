import type { ApNow, deviceDetailCalls as calls, DeviceNow, LinkNow, Position } from '@farlink/contract/device/device-detail.ts';
import { linkName } from '@farlink/contract/device/link-name.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import { sql } from 'kysely';
import { inOwnedPeriod } from '../../../domain/transfer/in-owned-period.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { type LinkColors, readLinkColors } from '../device-tags.ts';
import { type DeviceRow, findDevice } from '../find-device.ts';
import { slotsOf } from './slots.ts';

const states = ['off', 'on', 'abnormal'] as const;
const stateOf = (code: unknown) => states[Number(code)] ?? 'off';
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
const unseen = '#8C8C8C';

/** An offline gateway has no link, independent of its last report; its traffic totals stay. */
const linksOf = (device: DeviceRow, links: unknown, colors: LinkColors): LinkNow[] => {
  if (!isRecord(links)) return [];
  const isOnline = device.online_state === 1;
  return Object.entries(links)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([link, linkState]) => {
      const { s, r, q, u, d } = isRecord(linkState) ? linkState : {};
      const network = networkOf(link);
      const state = isOnline ? stateOf(s) : 'off';
      const isUsed = state !== 'off';
      return {
        name: linkName(link),
        network,
        state,
        color: colors.get(`${network} ${state}`) ?? unseen,
        is_current: isOnline && link === device.current_link,
        rtt: isUsed ? numberOf(r) : null,
        quality: isUsed ? numberOf(q) : null,
        up_bytes: numberOf(u),
        down_bytes: numberOf(d),
      };
    });
};

const apsOf = (device: DeviceRow, aps: unknown): ApNow[] =>
  !Array.isArray(aps)
    ? []
    : aps.filter(Array.isArray).map(([name, state, stations, mac]: readonly unknown[]) => ({
        name: String(name),
        state: device.online_state === 1 ? stateOf(state) : 'off',
        stations: device.online_state === 1 ? (numberOf(stations) ?? 0) : 0,
        mac: typeof mac === 'string' ? mac : null,
      }));

const waitingOf = async (ctx: Ctx, id: number) => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from desired_section where device_id = ${id} and not settled)
      + (select count(*) from device_command where device_id = ${id} and state = ${sql.lit(commandState.ids.queued)}) as n`.execute(ctx.db);
  return rows[0]?.n ?? 0;
};

export const readNow: Handler<typeof calls.now> = async (ctx, { id }): Promise<DeviceNow> => {
  const device = await findDevice(ctx, id);
  const [status, colors, waiting] = await Promise.all([
    ctx.db.selectFrom('device_status').selectAll().where('device_id', '=', id).executeTakeFirst(),
    readLinkColors(ctx.db),
    waitingOf(ctx, id),
  ]);
  const isOnline = device.online_state === 1;
  const { lat, lon, fix } = status ?? {};
  const isKnown = typeof lat === 'number' && typeof lon === 'number' && fix !== 0;
  return {
    seen_at: status?.seen_at ?? device.online_at,
    links: linksOf(device, status?.links, colors),
    lan: isOnline ? (status?.lan ?? []).map(stateOf) : [],
    aps: apsOf(device, status?.aps),
    position: isKnown ? { lat, lon, sog: status?.sog ?? null, cog: status?.cog ?? null, at: status?.at ?? 0 } : null,
    cpu: isOnline ? (status?.cpu ?? null) : null,
    memory: isOnline ? (status?.memory ?? null) : null,
    online_users: isOnline ? (status?.online_users ?? null) : null,
    offline_reason: device.offline_reason,
    version_past: device.version_past,
    hardware_id: device.hardware_id,
    clock_skew: device.clock_skew,
    waiting,
  };
};

/** Reads one position per slot by index, so a month costs as much as a day. */
export const readTrack: Handler<typeof calls.track> = async (ctx, { id, hours }) => {
  await findDevice(ctx, id);
  const isOwned = await inOwnedPeriod(ctx, id);
  const end = ctx.now();
  const start = end - (hours ?? 24) * 3600;
  const { step } = slotsOf(start, end);
  const { rows } = await sql<Position>`
    select t.at, t.lat, t.lon, t.sog, t.cog
    from generate_series(${start}::bigint, ${end}::bigint, ${step}::bigint) as s(at)
      cross join lateral (
        select * from device_track t where t.device_id = ${id} and t.at >= s.at and t.at < s.at + ${step}::bigint order by t.at desc limit 1
      ) t
    where ${isOwned('t.at')}
    order by t.at`.execute(ctx.db);
  return { list: rows };
};
