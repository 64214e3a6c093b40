import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { rowTimes, type StreamName } from '@farlink/gateway/protocol/stream.ts';
import { bounded, boundedBytes } from '../../db/bounded.ts';
import type { BatchItem, Tx } from './tx.ts';

interface Amount {
  readonly device: number;
  readonly at: number;
  readonly bytes: number;
}

/** Bytes of each row of new batches. */
export const bytesOf = (stream: StreamName, items: readonly BatchItem[], now: number): Amount[] =>
  items.flatMap(({ device, body }) => {
    const moments = rowTimes(stream, body, now);
    return body.rows.map(({ u, d }, i) => ({ device, at: moments[i] ?? now, bytes: Number(u) + Number(d) }));
  });

const columns = ['link_bytes', 'user_bytes', 'own_bytes'] as const;
type Column = (typeof columns)[number];

const daySql = (column: Column) => `
  insert into traffic_day as t (device_id, agent_id, day, ${column}, update_at)
  select u.device, device_owner(u.device, max(u.at)), u.day, ${bounded('sum(u.bytes)')}, $2
  from json_to_recordset($1::json) as u(device bigint, day integer, at bigint, bytes bigint) join device d on d.id = u.device
  group by u.device, u.day, device_owner(u.device, u.at) order by u.device, u.day
  on conflict (device_id, day, agent_id) do update set ${column} = ${bounded(`t.${column} + excluded.${column}`)}, update_at = excluded.update_at`;

/** Adds traffic to its day and to the VNO that owned the device then. */
export const addToDays = async (tx: Tx, column: Column, amounts: readonly Amount[]) => {
  const sums = new Map<string, { device: number; day: number; at: number; bytes: number }>();
  for (const { device, at, bytes } of amounts) {
    const day = dayNumber(at);
    const key = `${device} ${day}`;
    sums.set(key, { device, day, at, bytes: boundedBytes((sums.get(key)?.bytes ?? 0) + bytes) });
  }
  if (sums.size > 0) await tx.query(`day_${column}`, daySql(column), [JSON.stringify([...sums.values()]), tx.now]);
};
