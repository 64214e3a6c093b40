import { trueTime } from '@farlink/gateway/protocol/clock.ts';
import type { EventItem, Tx } from './tx.ts';

const eventSql = `
  insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
  select d.sn, u.id, d.id, d.agent_id, u.k, u.at, u.t, u.doc, $2
  from json_to_recordset($1::json) as u(device bigint, id text, k text, at bigint, t bigint, doc jsonb) join device d on d.id = u.device
  on conflict (sn, id) do nothing
  returning device_id`;

export const storeEvents = async (tx: Tx, items: readonly EventItem[]) => {
  const rows = items.map(({ device, body }) => ({ device, ...body, at: trueTime(body.t, tx.now) }));
  for (const { device_id } of await tx.query<{ device_id: number }>('event', eventSql, [JSON.stringify(rows), tx.now]))
    tx.changed('event', device_id);
};
