import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { notifyChange, notifyConnections } from './notify.ts';

/** Section with the name and the logo that a gateway shows on its own pages. The message has the URL of the logo, the section its hash. */
export const brandSection = 'brand';

/** Brand of the gateways of one VNO. */
export interface GatewayBrand {
  readonly agent_id: number;
  readonly doc: JsonObject;
}

/** PostgreSQL limits a notification to 8000 bytes. */
const snsPerNotification = 100;

/** Gateways per statement; the caller repeats until none is left. */
const batchSize = 5000;

/** Sets the section of gateways that support it and have another brand. Returns how many changed. */
export const setDesiredBrands = async (db: Db, brands: readonly GatewayBrand[], now: number): Promise<number> => {
  const desired = JSON.stringify(brands.map(({ agent_id, doc }) => ({ agent_id, doc, hash: hashOf(doc) })));
  const { rows } = await sql<{ id: number; sn: string; online_state: number }>`
    with wanted as (
      select d.id, d.config_floor, b.hash, b.doc from json_to_recordset(${desired}::json) as b(agent_id bigint, hash text, doc jsonb)
      join device d on d.agent_id = b.agent_id left join desired_section s on s.device_id = d.id and s.section = ${brandSection}
      where 'brand' = any(d.caps) and s.hash is distinct from b.hash order by d.id limit ${batchSize}
    ), changed as (
      insert into desired_section (device_id, section, rev, hash, doc, update_at)
      select id, ${brandSection}, 1 + config_floor, hash, doc, ${now} from wanted order by id
      on conflict (device_id, section) do update set rev = desired_section.rev + 1, hash = excluded.hash, doc = excluded.doc, settled = false,
        sent_at = null, update_at = excluded.update_at
      returning device_id
    )
    select d.id, d.sn, d.online_state from changed join device d on d.id = changed.device_id`.execute(db);
  const online = rows.filter((row) => row.online_state === 1).map((row) => row.sn);
  for (let at = 0; at < online.length; at += snsPerNotification)
    await notifyConnections(db, { wake: online.slice(at, at + snsPerNotification) });
  if (rows.length > 0)
    await notifyChange(
      db,
      'section',
      rows.map((row) => row.id),
    );
  return rows.length;
};
