import { type DangerListVersion, maxEventHits } from '@farlink/gateway/protocol/danger-list.ts';
import type { NewEvent } from './commit-items.ts';
import { type Delivered, type HelloItem, type Item, lastOf, type Tx } from './tx.ts';

type DangerItem = Item<{ readonly body: DangerListVersion }>;

/**
 * Stores what gateways hold. An unknown revision, or another digest for the current one, starts a complete transfer. If the gateway has the
 * same wrong digest after it, nothing more is sent for this revision.
 */
const confirmedSql = `
  with held as (
    select u.device, u.rev, u.n, u.h, y.acked as was, y.odd_digest as odd, l.rev as newest, u.rev > l.rev as is_unknown,
      u.rev = l.rev and u.h <> lpad(to_hex(l.digest), 14, '0') as differs
    from json_to_recordset($1::json) as u(device bigint, rev bigint, n integer, h text)
      cross join danger_list l left join danger_sync y on y.device_id = u.device
  )
  insert into danger_sync as s (device_id, acked, count, digest, odd_digest, acked_at)
  select device, case when is_unknown or differs and not coalesce(odd = h and ($3 or was = newest), false) then 0 else rev end, n, h,
    case when differs then h when rev = newest then null else odd end, $2::bigint
  from held order by device
  on conflict (device_id) do update set acked = excluded.acked, count = excluded.count, digest = excluded.digest, odd_digest = excluded.odd_digest,
    acked_at = excluded.acked_at`;

/** A hello can come before the complete transfer that an earlier one has started, so it does not end it. */
const storeConfirmed = (tx: Tx, items: readonly DangerItem[], isReply: boolean) => {
  const rows = lastOf(items, ({ device }) => device).map(({ device, body: { rev, n, h } }) => ({ device, rev, n, h }));
  return tx.query('danger_confirmed', confirmedSql, [JSON.stringify(rows), tx.now, isReply]);
};

/** Stores the replies of gateways to pages of the list; the next page follows. */
export const storeDanger = async (tx: Tx, items: readonly DangerItem[]) => {
  await storeConfirmed(tx, items, true);
  for (const { sn } of items) tx.deliverTo.add(sn);
};

/** Compares the list that a gateway holds at its hello with the revision that it confirmed last. */
export const compareDanger = async (tx: Tx, items: readonly HelloItem[]) => {
  const reported = items.flatMap(({ body, ...from }) => (body.danger ? [{ ...from, body: body.danger }] : []));
  if (reported.length > 0) await storeConfirmed(tx, reported, false);
};

const sentSql = `
  insert into danger_sync as s (device_id, sent, sent_at)
  select u.device, u.rev, $2 from json_to_recordset($1::json) as u(device bigint, rev bigint) order by u.device
  on conflict (device_id) do update set sent = excluded.sent, sent_at = excluded.sent_at`;

export const storeSentDanger = async (tx: Tx, items: readonly Item<Extract<Delivered, { kind: 'sent_danger' }>>[]) => {
  const rows = lastOf(items, ({ device }) => device).map(({ device, rev }) => ({ device, rev }));
  await tx.query('danger_sent', sentSql, [JSON.stringify(rows), tx.now]);
};

/** Same lock order as a batch of an operator: by id. */
const lockSql = `
  select from danger_site where domain_hash(ascii) in (select ('x' || u.site)::bit(56)::bigint from json_to_recordset($1::json) as u(site text))
  order by id for no key update`;

const hitSql = `
  update danger_site s set hit_count = s.hit_count + u.n
  from json_to_recordset($1::json) as u(site text, n bigint) where domain_hash(s.ascii) = ('x' || u.site)::bit(56)::bigint`;

/** The console names the website, because gateways know only its hash. */
const nameSql = `
  update device_event e set doc = (e.doc - 'domain') || coalesce(
    (select jsonb_build_object('domain', s.domain) from danger_site s where domain_hash(s.ascii) = ('x' || u.site)::bit(56)::bigint limit 1), '{}')
  from json_to_recordset($1::json) as u(sn text, id text, site text) where e.sn = u.sn and e.id = u.id`;

/** Adds the blocked visits of new events to their entries. An entry that was deleted meanwhile is ignored, and each event counts a limited number. */
export const countDangerHits = async (tx: Tx, events: readonly NewEvent[]) => {
  const hits = new Map<string, number>();
  for (const { doc } of events) {
    const site = String(doc.site);
    hits.set(site, (hits.get(site) ?? 0) + Math.min(Number(doc.n), maxEventHits));
  }
  const rows = JSON.stringify([...hits].map(([site, n]) => ({ site, n })));
  await tx.query('danger_lock', lockSql, [rows]);
  await tx.query('danger_hit', hitSql, [rows]);
  await tx.query('danger_name', nameSql, [JSON.stringify(events.map(({ sn, id, doc }) => ({ sn, id, site: doc.site })))]);
};
