import { plausibleTime } from '@farlink/gateway/protocol/clock.ts';
import { handleEvents } from './commit-handlers.ts';
import type { EventItem, Tx } from './tx.ts';

const eventSql = `
  insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
  select d.sn, u.id, d.id, device_owner(d.id, u.at), u.k, u.at, u.t, u.doc, $2
  from json_to_recordset($1::json) as u(device bigint, id text, k text, at bigint, t bigint, doc jsonb) join device d on d.id = u.device
  on conflict (sn, id) do nothing
  returning device_id, agent_id, id`;

export const storeEvents = async (tx: Tx, items: readonly EventItem[]) => {
  const rows = items.map(({ device, sn, body }) => ({ device, sn, ...body, at: plausibleTime(body.t, tx.now) }));
  // Duplicates within a batch count once.
  const reported = new Map(rows.map((row) => [`${row.device} ${row.id}`, row]));
  const kept = await tx.query<{ device_id: number; agent_id: number; id: string }>('event', eventSql, [
    JSON.stringify([...reported.values()]),
    tx.now,
  ]);
  for (const { device_id } of kept) tx.changed('event', device_id);
  await handleEvents(
    tx,
    kept.flatMap(({ device_id, agent_id, id }) => {
      const row = reported.get(`${device_id} ${id}`);
      return row ? [{ device: device_id, agent: agent_id, sn: row.sn, id, kind: row.k, at: row.at, doc: row.doc }] : [];
    }),
  );
};
