import { randomBytes } from 'node:crypto';
import type { ApplySource } from '@farlink/contract/config/apply.ts';
import { applyState } from '@farlink/contract/protocol/apply.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { docHash } from '../../config-doc/doc-hash.ts';
import { filesOf } from '../../config-doc/files.ts';
import { sealDoc } from '../../config-doc/sealed.ts';
import type { Db } from '../../kit/deps.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { notifyChange, notifyConnections } from '../../orders/notify.ts';

/** Desired sections of one gateway. */
export interface DesiredSections {
  readonly device: number;
  /** By section; with open secrets, as returned by `readDocument`. */
  readonly docs: ReadonlyMap<string, JsonObject>;
  /** Paths that belong to the device from now on (`ownPathsAfter`). Without a value they stay unchanged. */
  readonly own?: ReadonlyMap<string, readonly string[]>;
}

/** Origin and options of an apply operation. */
export interface ApplyOptions {
  readonly source: ApplySource;
  /** Rollback timer in seconds; 0 means no timer. */
  readonly keep: number;
  readonly by: Operator | null;
  readonly note?: string | null;
  readonly campaign_id?: number | null;
  readonly now: number;
  readonly secretKey: Buffer;
}
export interface ApplyOrder extends DesiredSections, ApplyOptions {}

/** Open apply operations are merged into the new one. If the gateway may have received one of them, the result cannot be withdrawn. */
const applySql = ({ source, keep, by, note, campaign_id, now }: ApplyOptions, devices: string, sections: string) => sql<{
  id: number;
  device: number;
}>`
    with input as (
      select * from json_to_recordset(${sections}::json) as u(device bigint, section text, hash text, doc jsonb, own text[])
    ), holder as (
      select * from json_to_recordset(${devices}::json) as u(device bigint, agent_id bigint, config_floor int, key text, bytes int)
    ), next as (
      select i.device, i.section, i.hash, i.doc, coalesce(i.own, (
          select v.own from config_revision v where v.device_id = i.device and v.section = i.section and v.rev = d.rev
        ), '{}') as own, 1 + greatest(d.rev, r.rev, (
          select max(v.rev) from config_revision v where v.device_id = i.device and v.section = i.section
        ), holder.config_floor) as rev
      from input i join holder using (device)
      left join desired_section d on d.device_id = i.device and d.section = i.section
      left join reported_section r on r.device_id = i.device and r.section = i.section
    ), old as (
      update config_apply set state = ${sql.lit(applyState.ids.merged)}, finish_at = ${now}
      where device_id in (select device from holder) and state < ${sql.lit(applyState.ids.applied)}
      returning id, device_id, keep, handed_at
    ), open as (
      select s.device_id as device, s.section, octet_length(s.doc::text) as bytes, old.keep, old.handed_at,
        exists (select from input i where i.device = s.device_id and i.section = s.section) as replaced
      from desired_section s join old on old.id = s.apply_id and old.device_id = s.device_id where not s.settled
    ), made as (
      insert into config_apply (key, device_id, agent_id, source, keep, pages, bytes, uid, operator, operator_agent_id, note, campaign_id,
        create_at, handed_at)
      select h.key, h.device, h.agent_id, ${source},
        greatest(${keep}::int, (select max(o.keep) from open o where o.device = h.device and not o.replaced)),
        array(select i.section from input i where i.device = h.device) || array(select o.section from open o where o.device = h.device and not o.replaced),
        h.bytes + coalesce((select sum(o.bytes) from open o where o.device = h.device and not o.replaced), 0),
        ${by?.uid ?? null}, ${by?.name ?? null}, ${by?.agent_id ?? null}::bigint, ${note ?? null}, ${campaign_id ?? null}, ${now},
        (select min(o.handed_at) from open o where o.device = h.device)
      from holder h
      returning id, device_id
    ), moved as (
      update desired_section s set apply_id = made.id from open join made on made.device_id = open.device
      where s.device_id = open.device and s.section = open.section and not open.replaced
    ), wanted as (
      insert into desired_section as s (device_id, section, rev, hash, doc, update_at, apply_id)
      select next.device, next.section, next.rev, next.hash, next.doc, ${now}, made.id from next join made on made.device_id = next.device
      on conflict (device_id, section) do update set rev = excluded.rev, hash = excluded.hash, doc = excluded.doc, settled = false, sent_at = null,
        update_at = excluded.update_at, apply_id = excluded.apply_id
    ), kept as (
      insert into config_revision (device_id, section, rev, apply_id, hash, doc, own, source, operator, note, create_at)
      select next.device, next.section, next.rev, made.id, next.hash, next.doc, next.own, ${source}, ${by?.name ?? null}, ${note ?? null}, ${now}
      from next join made on made.device_id = next.device
    )
    select id, device_id as device from made`;

/**
 * Sets desired sections of gateways, all or none per gateway: they are sent as one message, and an offline gateway gets only the latest.
 * Part of the caller's transaction. The caller validates the documents first (`checkChange`). Returns the apply id of each device; a
 * deleted device has none.
 */
export const applyMany = async (
  db: Db,
  desired: readonly DesiredSections[],
  options: ApplyOptions,
): Promise<ReadonlyMap<number, number>> => {
  const ids = desired.map(({ device }) => device).sort((a, b) => a - b);
  const { rows: locked } = await sql<{ id: number; sn: string; agent_id: number; config_floor: number }>`
    select id, sn, agent_id, config_floor from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  if (locked.length === 0) return new Map();
  // Same lock order as gateway replies: sections before apply operations.
  await sql`select from desired_section where device_id = any(${ids}::bigint[]) order by device_id, section for no key update`.execute(db);
  const desiredOf = new Map(desired.map((one) => [one.device, one]));
  const sections: object[] = [];
  const devices = locked.map(({ id, agent_id, config_floor }) => {
    let bytes = 0;
    const { docs, own } = desiredOf.get(id) ?? { docs: new Map<string, JsonObject>() };
    for (const [section, doc] of docs) {
      const page = gatewayPages.get(section);
      if (!page) throw new Error(`no page ${section}`);
      bytes += Buffer.byteLength(JSON.stringify(doc)) + filesOf(page, doc).reduce((sum, { file }) => sum + file.size, 0);
      sections.push({ device: id, section, hash: docHash(doc), doc: sealDoc(page, doc, options.secretKey), own: own?.get(section) });
    }
    return { device: id, agent_id, config_floor, key: randomBytes(6).toString('hex'), bytes };
  });
  const { rows } = await applySql(options, JSON.stringify(devices), JSON.stringify(sections)).execute(db);
  await deliverAll(
    db,
    locked.map(({ sn }) => sn),
  );
  await notifyChange(
    db,
    'section',
    locked.map(({ id }) => id),
  );
  return new Map(rows.map(({ device, id }) => [device, id]));
};

/** PostgreSQL limits a notification to 8000 bytes. */
const snsPerNotification = 80;
export const deliverAll = async (db: Db, sns: readonly string[]) => {
  for (let i = 0; i < sns.length; i += snsPerNotification) await notifyConnections(db, { wake: sns.slice(i, i + snsPerNotification) });
};

/** Same for one device. */
export const applySections = async (db: Db, order: ApplyOrder): Promise<{ id: number }> => {
  const id = (await applyMany(db, [order], order)).get(order.device);
  if (id === undefined) throw new Error('nothing was applied');
  return { id };
};
