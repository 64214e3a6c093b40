import { networkOf } from '@farlink/contract/protocol/network.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { alertTimes } from '../../domain/alert-mail/alert-times.ts';
import { compareAccounts } from './accounts.ts';
import { storeAlerts, withdrawOfflineAlerts } from './alerts.ts';
import { compareDanger } from './danger-sites.ts';
import { type ByeItem, type HelloItem, lastOf, type Tx } from './tx.ts';
import { endSessionsOf } from './user-end.ts';

const emptyHash = digestOf({});

const helloSql = `
  with hello as (
    select * from json_to_recordset($1::json) as u(device bigint, conn text, boot text, fw text, fwp text, model text, caps text[], link text, network text,
      docker smallint, opt text, up bigint, skew bigint, hw text, ip text, h text, bill smallint, pm text)
  ), was as (
    select d.id, d.online_state, d.conn_node, d.shadow_hash, d.shadow_odd, d.unseen_at, d.boot from device d join hello on hello.device = d.id
  )
  update device d set online_state = 1, conn_id = u.conn, conn_node = $3, unseen_at = null,
    status = case when d.status in (1, 2) then 0 else d.status end,
    boot = u.boot, boot_at = coalesce($2 - u.up, case when d.boot = u.boot then d.boot_at end, $2), version = u.fw, version_past = coalesce(u.fwp, d.version_past),
    model = coalesce(u.model, d.model), caps = coalesce(u.caps, d.caps), current_link = coalesce(u.link, d.current_link),
    network = coalesce(u.network, d.network), docker_status = coalesce(u.docker, d.docker_status), opt_status = coalesce(u.opt, d.opt_status),
    intranet_ip = coalesce(u.ip, d.intranet_ip), hardware_id = coalesce(u.hw, d.hardware_id), clock_skew = u.skew,
    billing_mode = coalesce(u.bill, d.billing_mode), protocol_map = coalesce(u.pm, d.protocol_map),
    online_at = case when d.online_state = 0 then $2 else d.online_at end, access_at = coalesce(d.access_at, $2)
  from hello u join was on was.id = u.device
  where d.id = u.device
  returning d.id, d.sn, d.agent_id, was.online_state as was_online, was.conn_node as was_node, was.shadow_hash, was.shadow_odd, u.h, was.boot is distinct from u.boot as is_new_boot,
    case when was.unseen_at is not null then $2 - greatest(was.unseen_at, (select min(f.since) from field_node f)) end as unseen_for`;

interface ConnectedDevice {
  readonly id: number;
  readonly sn: string;
  readonly was_online: number;
  readonly was_node: string | null;
  readonly shadow_hash: string | null;
  readonly shadow_odd: string | null;
  readonly h: string;
  readonly is_new_boot: boolean;
  /** Seconds since the console lost the gateway by its own fault, or since the console restarted. Null: the gateway itself disconnected. */
  readonly unseen_for: number | null;
}

const optStates = ['uninitialized', 'initialized', 'update_available'] as const;

const presenceEvents = `
  insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
  select d.sn, u.kind || '-' || u.conn || '-' || $2::bigint, d.id, d.agent_id, u.kind, $2, $2, u.doc, $2
  from json_to_recordset($1::json) as u(device bigint, conn text, kind text, doc jsonb) join device d on d.id = u.device
  on conflict do nothing`;

const unsettleSql = `
  update desired_section s set settled = false, sent_at = null
  from json_to_recordset($1::json) as u(device bigint, cfg json), reported_section r
  where s.device_id = u.device and s.settled and r.device_id = s.device_id and r.section = s.section and r.ok and not r.local
    and (u.cfg is null or (u.cfg ->> s.section)::int is distinct from r.rev)
  returning s.device_id`;

/**
 * If the section hash of a hello differs from the stored one, sections that differ are sent again; all of them when the difference is
 * unknown.
 */
const compareShadows = async (tx: Tx, items: readonly HelloItem[], connected: readonly ConnectedDevice[]) => {
  const odd = connected.filter((g) => g.h !== (g.shadow_hash ?? emptyHash));
  if (odd.length === 0) return;
  const cfgOf = new Map(items.map((i) => [i.device, i.body.cfg]));
  const named = odd.flatMap(({ id }) => (cfgOf.get(id) ? [{ device: id, cfg: cfgOf.get(id) }] : []));
  const found = await tx.query<{ device_id: number }>('unsettle', unsettleSql, [JSON.stringify(named)]);
  const notified = new Set(found.map((f) => f.device_id));
  // A repeated mismatch is ignored. Otherwise a gateway with another hash method would get all sections at each connect.
  const unknown = odd.filter((g) => !notified.has(g.id) && g.h !== g.shadow_odd);
  if (unknown.length > 0) await tx.query('unsettle', unsettleSql, [JSON.stringify(unknown.map(({ id }) => ({ device: id, cfg: null })))]);
  await tx.query(
    'shadow_odd',
    'update device d set shadow_odd = u.h from json_to_recordset($1::json) as u(id bigint, h text) where d.id = u.id',
    [JSON.stringify(odd.map(({ id, h }) => ({ id, h })))],
  );
};

/** A gateway that reconnects soon after a console outage was not offline. */
const storeOnlineAlerts = async (tx: Tx, cameOnline: readonly ConnectedDevice[]) => {
  const { unseen = [], back = [] } = Object.groupBy(cameOnline, ({ unseen_for }) =>
    unseen_for !== null && unseen_for < alertTimes.reconnect ? 'unseen' : 'back',
  );
  await withdrawOfflineAlerts(
    tx,
    unseen.map((g) => g.id),
  );
  await storeAlerts(
    tx,
    back.map(({ id }) => ({ device: id, at: tx.now, kind: 'status', event: 'online', detail: {} })),
  );
};

const storeHellos = async (tx: Tx, items: readonly HelloItem[]) => {
  const last = lastOf(items, (i) => i.device);
  const rows = last.map(({ device, conn, body }) => ({
    ...body,
    device,
    conn,
    network: body.link === undefined ? undefined : networkOf(body.link),
    opt: body.opt && optStates[body.opt.st],
    skew: body.t === undefined ? undefined : body.t - tx.now,
  }));
  const connected = await tx.query<ConnectedDevice>('hello', helloSql, [JSON.stringify(rows), tx.now, tx.node]);
  const itemOf = new Map(last.map((i) => [i.device, i]));
  for (const g of connected) {
    tx.changed('online', g.id);
    tx.ackHelloTo.add(g.sn);
    tx.deliverTo.add(g.sn);
    const { conn, body } = itemOf.get(g.id) ?? {};
    if (body?.link !== undefined) tx.links.set(g.id, body.link);
    if (body) tx.boots.set(g.id, body.boot);
    // Another process still holds a dead connection of the same gateway.
    if (g.was_online && g.was_node !== null && g.was_node !== tx.node) tx.notifications.push(JSON.stringify({ end: g.sn, but: conn }));
  }
  await compareShadows(tx, last, connected);
  await compareAccounts(tx, last);
  await compareDanger(tx, last);
  await endSessionsOf(
    tx,
    connected.filter((g) => g.is_new_boot).map((g) => g.id),
  );
  const cameOnline = connected.filter((g) => g.was_online === 0);
  const events = cameOnline.map(({ id }) => ({
    device: id,
    conn: itemOf.get(id)?.conn,
    kind: 'online',
    doc: { fw: itemOf.get(id)?.body.fw },
  }));
  if (events.length === 0) return;
  await tx.query('presence_event', presenceEvents, [JSON.stringify(events), tx.now]);
  await storeOnlineAlerts(tx, cameOnline);
};

/** Only the current connection can mark the gateway offline. */
const byeSql = `
  update device d set online_state = 0, offline_at = $2, offline_reason = u.r, conn_id = null, conn_node = null
  from json_to_recordset($1::json) as u(device bigint, conn text, r text)
  where d.id = u.device and d.online_state = 1 and d.conn_id = u.conn
  returning d.id, u.conn, u.r`;

const storeByes = async (tx: Tx, items: readonly ByeItem[]) => {
  const rows = lastOf(items, (i) => `${i.device} ${i.conn}`).map(({ device, conn, body }) => ({ device, conn, r: body.r }));
  const offline = await tx.query<{ id: number; conn: string; r: string }>('bye', byeSql, [JSON.stringify(rows), tx.now]);
  if (offline.length === 0) return;
  for (const { id } of offline) tx.changed('offline', id);
  const events = offline.map(({ id, conn, r }) => ({ device: id, conn, kind: 'offline', doc: { why: r } }));
  await tx.query('presence_event', presenceEvents, [JSON.stringify(events), tx.now]);
  await storeAlerts(
    tx,
    offline.map(({ id, r }) => ({ device: id, at: tx.now, kind: 'status', event: 'offline', detail: { why: r } })),
  );
};

/** Hellos are stored before byes, so the bye of an older connection does not match the newer one. */
export const storePresence = async (tx: Tx, hellos: readonly HelloItem[], byes: readonly ByeItem[]) => {
  if (hellos.length > 0) await storeHellos(tx, hellos);
  if (byes.length > 0) await storeByes(tx, byes);
};
