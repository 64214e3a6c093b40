import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { rowTimes } from '@farlink/gateway/protocol/stream.ts';
import { bounded, boundedBytes } from '../../db/bounded.ts';
import type { BatchItem, Tx } from './tx.ts';

/** Only the latest day of a device is kept; samples of an earlier day arrive late and change nothing. */
const daySql = `
  insert into device_flow_day (device_id, day, bytes)
  select u.device, u.day, u.bytes from json_to_recordset($1::json) as u(device bigint, day integer, bytes bigint)
    join device on device.id = u.device order by u.device
  on conflict (device_id) do update set day = excluded.day,
    bytes = ${bounded('excluded.bytes + case when device_flow_day.day = excluded.day then device_flow_day.bytes else 0 end')}
  where excluded.day >= device_flow_day.day`;

interface Sum {
  readonly day: number;
  readonly bytes: number;
}

/** Adds new traffic to the day of its device. Each batch is stored once, so its bytes count once. */
export const countDays = async (tx: Tx, items: readonly BatchItem[]) => {
  const sums = new Map<number, Sum>();
  for (const { device, body } of items) {
    const moments = rowTimes('flow', body, tx.now);
    for (const [i, { u, d }] of body.rows.entries()) {
      // A clock a few minutes ahead must not begin the next day.
      const day = dayNumber(Math.min(moments[i] ?? tx.now, tx.now));
      const past = sums.get(device);
      if (past && past.day > day) continue;
      sums.set(device, { day, bytes: boundedBytes((past?.day === day ? past.bytes : 0) + Number(u) + Number(d)) });
    }
  }
  await tx.query('flow_day', daySql, [JSON.stringify([...sums].map(([device, sum]) => ({ device, ...sum })))]);
};
