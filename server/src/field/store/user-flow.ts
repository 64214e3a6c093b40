import { rowTimes } from '@farlink/gateway/protocol/stream.ts';
import { bounded } from '../../db/bounded.ts';
import { addToDays } from './traffic-day.ts';
import type { BatchItem, Tx } from './tx.ts';
import { storeUsage } from './usage.ts';

/** A speed measured longer ago is not shown as current. */
const newSessionS = 900;

/** Adds traffic to the latest session of the account at that time, unless its logout has already reported the total. */
const flowSql = `
  with reported as (
    select u.device, s.id as subscriber, u.at, u.dt, u.u, u.d
    from json_to_recordset($1::json) as u(device bigint, acc text, at bigint, dt integer, u bigint, d bigint)
      join device on device.id = u.device join subscriber s on lower(s.account) = lower(u.acc) and s.agent_id in (device.agent_id, device_owner(device.id, u.at))
  ), used as (
    select o.id, ${bounded('sum(reported.u)')} as u, ${bounded('sum(reported.d)')} as d,
      (array_agg(reported.u / greatest(reported.dt, 1) / 1024 order by reported.at desc))[1] as up, (array_agg(reported.d / greatest(reported.dt, 1) / 1024 order by reported.at desc))[1] as down,
      max(reported.at + reported.dt) as until
    from reported cross join lateral (
      select o.id from online_session o
      where o.subscriber_id = reported.subscriber and o.device_id = reported.device and o.source = 'gateway' and o.login_at < reported.at + greatest(reported.dt, 1)
        and (o.logout_at is null or o.logout_at >= reported.at)
        and not exists (
          select from device_event e where o.logout_at is not null and e.device_id = o.device_id and e.kind = 'user' and e.at = o.logout_at
            and e.doc ->> 'sid' = o.session_id and e.doc ? 'u')
      order by o.login_at desc limit 1
    ) o group by o.id order by o.id
  )
  update online_session o set up_bytes = ${bounded('o.up_bytes + used.u')}, down_bytes = ${bounded('o.down_bytes + used.d')},
    up_speed = case when o.logout_at is null and used.until >= $2 then used.up else o.up_speed end,
    down_speed = case when o.logout_at is null and used.until >= $2 then used.down else o.down_speed end
  from used where o.id = used.id
  returning o.id`;

const silentSql = `
  update online_session set up_speed = 0, down_speed = 0
  where device_id = any($1::bigint[]) and source = 'gateway' and logout_at is null and (up_speed > 0 or down_speed > 0) and id <> all($2::bigint[])`;

/** Adds account usage of new batches. Each batch is stored once, so it is counted and charged once. */
export const countFlows = async (tx: Tx, items: readonly BatchItem[]) => {
  const rows = items.flatMap(({ device, body }) => {
    const moments = rowTimes('user', body, tx.now);
    return body.rows.map(({ acc, u, d, via, s }, i) => ({
      device,
      acc: String(acc),
      u: Number(u),
      d: Number(d),
      via,
      s: typeof s === 'number' ? s : undefined,
      dt: body.dt,
      at: moments[i] ?? tx.now,
    }));
  });
  // RADIUS accounting counts and charges the sessions that RADIUS authorised.
  const own = rows.filter(({ via }) => via !== 'aaa');
  const flowRows = await tx.query<{ id: number }>('user_flow', flowSql, [JSON.stringify(own), tx.now - newSessionS]);
  const devices = [...new Set(items.map((i) => i.device))];
  await tx.query('user_silent', silentSql, [devices, flowRows.map((c) => c.id)]);
  await storeUsage(tx, own);
  await addToDays(
    tx,
    'user_bytes',
    rows.map(({ device, at, u, d }) => ({ device, at, bytes: u + d })),
  );
  for (const device of devices) tx.changed('user', device);
};
