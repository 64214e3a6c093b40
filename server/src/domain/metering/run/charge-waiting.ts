import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { bounded, boundedBytes } from '../../../db/bounded.ts';
import { idleLimit } from '../../../db/lock.ts';
import { lateS } from '../../../db/partitions.ts';
import type { Db, Deps } from '../../../kit/deps.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { type Charge, chargeUsage } from '../engine/charge-usage.ts';
import { forgetCycles } from '../engine/forget-cycles.ts';
import type { MeterEvent, MeterState } from '../engine/types.ts';
import { loadMeters } from '../store/load-meters.ts';
import { refreshPackages } from '../store/refresh-packages.ts';
import { saveMeters } from '../store/save-meters.ts';
import { handleMeterEvents, type SubscriberEvents } from './handle-events.ts';

/** One process at a time, so that the usage of an account is charged in order. */
const lock = 728_465_021;
/** Usage rows per transaction. */
export const usageAtOnce = 2000;

interface UsageRow {
  readonly subscriber_id: number;
  readonly device_id: number | null;
  readonly source: 'gateway' | 'aaa';
  readonly at: number;
  readonly seconds: number;
  readonly up_bytes: number;
  readonly down_bytes: number;
}

interface Charged {
  readonly row: UsageRow;
  readonly charges: readonly Charge[];
  readonly addedOverrun: number;
}

interface Account {
  readonly id: number;
  readonly before: MeterState;
  readonly after: MeterState;
  readonly events: readonly MeterEvent[];
  readonly charged: readonly Charged[];
}

const takeUsage = async (db: Db): Promise<UsageRow[]> => {
  const { rows } = await sql<UsageRow & { id: number }>`
    delete from usage where id in (select id from usage order by id limit ${usageAtOnce})
    returning id, subscriber_id, device_id, source, at, seconds, up_bytes, down_bytes`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
};

/** Locks the accounts in the common order. Usage of deleted accounts is dropped. */
const lockAccounts = async (db: Db, ids: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from subscriber where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  return rows.map(({ id }) => id);
};

const chargeAccount = (id: number, before: MeterState, rows: readonly UsageRow[], now: number): Account => {
  let after = before;
  const events: MeterEvent[] = [];
  const charged: Charged[] = [];
  for (const row of rows) {
    const done = chargeUsage(after, { bytes: row.up_bytes + row.down_bytes, seconds: row.seconds }, row.at);
    after = done.state;
    events.push(...done.events);
    charged.push({ row, charges: done.charges, addedOverrun: done.addedOverrun.bytes });
  }
  return { id, before, after: forgetCycles(after, now - lateS), events, charged };
};

/** Counters of the gateways that reported the usage. The limits of an entry are relative to them. */
const addToGateways = async (db: Db, accounts: readonly Account[]) => {
  const sums = new Map<string, { device_id: number; subscriber_id: number; bytes: number; seconds: number }>();
  for (const { id, charged } of accounts)
    for (const { row } of charged) {
      if (row.source !== 'gateway' || row.device_id === null) continue;
      const key = `${row.device_id} ${id}`;
      const was = sums.get(key) ?? { device_id: row.device_id, subscriber_id: id, bytes: 0, seconds: 0 };
      sums.set(key, { ...was, bytes: boundedBytes(was.bytes + row.up_bytes + row.down_bytes), seconds: was.seconds + row.seconds });
    }
  if (sums.size === 0) return;
  await sql`
    update gateway_account g set used_bytes = ${sql.raw(bounded('g.used_bytes + u.bytes'))}, used_seconds = g.used_seconds + u.seconds
    from json_to_recordset(${JSON.stringify([...sums.values()])}::json) as u(device_id bigint, subscriber_id bigint, bytes bigint, seconds bigint)
    where g.device_id = u.device_id and g.subscriber_id = u.subscriber_id`.execute(db);
};

/** The remaining quota has changed on the other gateways of these accounts too. */
const queueOtherGateways = (db: Db, accounts: readonly Account[]) =>
  sql`insert into account_change (subscriber_id) select distinct g.subscriber_id from gateway_account g
    where g.subscriber_id = any(${accounts.map(({ id }) => id)}::bigint[]) and not g.is_gone
      and (exists (select from gateway_account o where o.subscriber_id = g.subscriber_id and o.device_id <> g.device_id and not o.is_gone)
        or g.subscriber_id = any(${accounts.filter(({ charged }) => charged.some(({ row }) => row.source === 'aaa')).map(({ id }) => id)}::bigint[]))`.execute(
    db,
  );

const addToDays = async (db: Db, accounts: readonly Account[], now: number) => {
  const sums = new Map<string, { device: number; day: number; at: number; charged: number; overrun: number }>();
  for (const { charged } of accounts)
    for (const { row, addedOverrun } of charged) {
      if (row.device_id === null) continue;
      const day = dayNumber(row.at);
      const key = `${row.device_id} ${day}`;
      const was = sums.get(key) ?? { device: row.device_id, day, at: row.at, charged: 0, overrun: 0 };
      sums.set(key, {
        ...was,
        charged: boundedBytes(was.charged + row.up_bytes + row.down_bytes - addedOverrun),
        overrun: boundedBytes(was.overrun + addedOverrun),
      });
    }
  if (sums.size === 0) return;
  await sql`
    insert into traffic_day as t (device_id, agent_id, day, charged_bytes, overrun_bytes, update_at)
    select u.device, device_owner(u.device, u.at), u.day, u.charged, u.overrun, ${now}
    from json_to_recordset(${JSON.stringify([...sums.values()])}::json) as u(device bigint, day integer, at bigint, charged bigint, overrun bigint)
      join device d on d.id = u.device order by u.device, u.day
    on conflict (device_id, day, agent_id) do update set charged_bytes = ${sql.raw(bounded('t.charged_bytes + excluded.charged_bytes'))},
      overrun_bytes = ${sql.raw(bounded('t.overrun_bytes + excluded.overrun_bytes'))}, update_at = excluded.update_at`.execute(db);
};

/** End of the last usage beyond all packages, so that it follows the events of the packages that it exceeds. */
const overrunAt = (charged: readonly Charged[]): number =>
  Math.max(0, ...charged.flatMap(({ charges }) => charges.filter(({ holding }) => holding === null).map(({ to }) => to)));

const eventsOf = ({ id, events, charged }: Account): SubscriberEvents => ({
  id,
  events,
  overrun: boundedBytes(charged.reduce((sum, { addedOverrun }) => sum + addedOverrun, 0)),
  at: overrunAt(charged),
});

const charge = async (db: Db, deps: Pick<Deps, 'config'>, rows: readonly UsageRow[], now: number) => {
  const bySubscriber = Map.groupBy(rows, ({ subscriber_id }) => subscriber_id);
  const ids = await lockAccounts(db, [...bySubscriber.keys()]);
  const meters = await loadMeters(db, ids);
  const accounts = ids.flatMap((id) => {
    const before = meters.get(id);
    return before ? [chargeAccount(id, before, bySubscriber.get(id) ?? [], now)] : [];
  });
  await saveMeters(db, accounts);
  await addToGateways(db, accounts);
  await addToDays(db, accounts, now);
  const changed = accounts.filter(({ events }) => events.length > 0).map(({ id }) => id);
  await handleMeterEvents(db, deps, accounts.map(eventsOf), now);
  await refreshPackages(db, changed, now);
  await queueOtherGateways(db, accounts);
  const devices = new Set(rows.flatMap(({ device_id }) => device_id ?? []));
  await notifyChange(db, 'user', [...devices]);
};

/** Charges waiting usage to packages. Returns whether more waits. */
export const chargeOnce = ({ db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${lock}) as ok, ${idleLimit}`.execute(tx);
    if (locks[0]?.ok !== true) return false;
    const rows = await takeUsage(tx);
    if (rows.length === 0) return false;
    await charge(tx, { config }, rows, clock.now());
    return rows.length === usageAtOnce;
  });
