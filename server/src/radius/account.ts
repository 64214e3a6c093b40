import { statusTypes } from '@farlink/gateway/radius/attributes.ts';
import { sql } from 'kysely';
import { preparedByIds } from '../db/prepare.ts';
import { hasByteLimit } from '../domain/radius/vendor-profiles.ts';
import type { Db } from '../kit/deps.ts';
import { notifyChange } from '../orders/notify.ts';
import type { AccountRequest } from './account-request.ts';
import { type AuditDeps, auditEnds, auditSessions, type SessionChange } from './audit-sessions.ts';
import { type AccountedSession, foldSession, newSession } from './fold-session.ts';
import { type NasTraffic, storeNasTraffic, trafficSite } from './nas-traffic.ts';
import { isNearLimit } from './recheck.ts';
import type { Nas } from './registry.ts';
import { gatewaySessionIds, loadSessions, recount, type SessionRow, storeSessions, storeUsage, type UsageRow } from './session-store.ts';

const byIds = sql.raw(preparedByIds);

export interface Accounting {
  readonly nas: Nas;
  readonly request: AccountRequest;
}

/** The reservation of a login: what was granted. */
interface Reservation {
  readonly token: string;
  readonly nas_id: number;
  readonly subscriber_id: number;
  readonly mac: string | null;
  readonly grant_up: number;
  readonly grant_down: number;
  readonly grant_bytes: number | null;
  readonly interim_s: number;
}

/** Accounts of these requests by id. The lock order is by id, as in all other transactions. */
const lockAccounts = async (db: Db, items: readonly Accounting[]) => {
  const names = items.flatMap(({ request }) => (request.account === undefined ? [] : [request.account.toLowerCase()]));
  const ids = items.flatMap(({ request }) => request.subscriber_id ?? []);
  const { rows } = await sql<{ id: number; agent_id: number; account: string; name: string; is_served: boolean }>`${byIds}
    select id, agent_id, account, lower(account) as name, status = 'normal' and package_status in ('normal', 'to_be_used') as is_served from subscriber
    where lower(account) = any(${names}::text[]) or id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  const byId = new Map(rows.map((r) => [r.id, r]));
  const byName = new Map(rows.map((r) => [r.name, r]));
  return {
    /** A NAS reports only accounts of its own VNO. */
    subscriberOf: ({ nas, request }: Accounting): number | undefined => {
      const found = byId.get(request.subscriber_id ?? 0) ?? byName.get(request.account?.toLowerCase() ?? '');
      return found?.agent_id === nas.agent_id ? found.id : undefined;
    },
    accountOf: (id: number) => byId.get(id)?.account ?? '',
    isServed: (id: number) => byId.get(id)?.is_served === true,
  };
};

/** Reservations of these requests, by the token of Class. A NAS that does not return Class is found by itself, the account and the MAC. */
const loadReservations = async (db: Db, items: readonly Accounting[], subscriberOf: (item: Accounting) => number | undefined) => {
  const tokens = items.flatMap(({ request }) => request.token ?? []);
  const bare = items.filter(({ request }) => request.class === undefined && request.status === statusTypes.start);
  if (tokens.length === 0 && bare.length === 0) return () => undefined;
  const accounts = bare.flatMap((item) => subscriberOf(item) ?? []);
  const { rows } = await sql<Reservation>`${byIds}
    select token, nas_id, subscriber_id, mac, grant_up, grant_down, grant_bytes, interim_s from radius_reserve
    where token = any(${tokens}::text[]) or subscriber_id = any(${accounts}::bigint[]) order by create_at`.execute(db);
  const free = new Set(rows);
  const isOf =
    ({ nas, request }: Accounting, subscriberId: number | undefined) =>
    (row: Reservation) =>
      row.nas_id === nas.id && row.subscriber_id === subscriberId && (row.mac ?? undefined) === request.mac;
  return (item: Accounting): Reservation | undefined => {
    const { token, status } = item.request;
    if (token !== undefined) return rows.find((row) => row.token === token);
    if (item.request.class !== undefined || status !== statusTypes.start) return undefined;
    const found = [...free].find(isOf(item, subscriberOf(item)));
    if (found) free.delete(found);
    return found;
  };
};

/** A start this soon after an end, without a time of the NAS, is a late one and no new session. */
const lateStartS = 60;

/** The NAS uses its session ids again after a reboot: a start after the end is another session. */
const isNewSession = (known: SessionRow, { status, at, isTimed }: AccountRequest) =>
  status === statusTypes.start && known.logout_at !== null && at > known.logout_at + (isTimed ? 0 : lateStartS);

const findSession = (known: readonly SessionRow[], subscriberId: number, request: AccountRequest): SessionRow | undefined => {
  const own = known.filter((s) => s.subscriber_id === subscriberId);
  if (request.class !== undefined) return own.findLast((s) => s.class === request.class);
  const last = own.at(-1);
  return last && !isNewSession(last, request) ? last : undefined;
};

/** A session that continues without service, or is near its quota, is checked again after this commit. */
const requestRecheck = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return;
  await sql`insert into radius_recheck (subscriber_id) select unnest(${[...new Set(ids)]}::bigint[])`.execute(db);
  await sql`select pg_notify('farlink_radius', 'recheck')`.execute(db);
};

/** Sessions that this batch touches, by NAS and session id of the NAS. */
const loadSessionLists = async (db: Db, items: readonly Accounting[], subscriberOf: (item: Accounting) => number | undefined) => {
  const keys = items.map(({ nas, request }) => ({ nas_id: nas.id, device_id: nas.device_id, acct_id: request.acct_id }));
  const stored = await loadSessions(db, keys);
  const ownIds = await gatewaySessionIds(db, keys);
  const reservationOf = await loadReservations(db, items, subscriberOf);
  /** Tokens of reservations whose session has begun. */
  const started = new Set(items.flatMap(({ request }) => request.token ?? []));
  const lists = Map.groupBy(stored, (s) => `${s.nas_id} ${s.acct_id}`);
  const listOf = (nas: Nas, acctId: string) => {
    const key = `${nas.id} ${acctId}`;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    return list;
  };
  const create = (item: Accounting, subscriber_id: number): SessionRow => {
    const { nas, request } = item;
    const grant = reservationOf(item);
    if (grant) started.add(grant.token);
    const session = newSession(request, grant?.grant_bytes ?? null);
    const isTaken = listOf(nas, request.acct_id).length > 0 || ownIds.has(`${nas.device_id} ${request.acct_id}`);
    const suffix = isTaken ? `@${request.token?.slice(0, 8) ?? session.login_at}` : '';
    return {
      ...session,
      id: null,
      subscriber_id,
      agent_id: nas.agent_id,
      nas_id: nas.id,
      device_id: nas.device_id,
      session_id: `${request.acct_id}${suffix}`,
      acct_id: request.acct_id,
      class: request.class ?? null,
      grant_up: grant?.grant_up ?? null,
      grant_down: grant?.grant_down ?? null,
      interim_s: grant?.interim_s ?? nas.interval_s,
      limit_at: null,
      not_enforced_at: null,
    };
  };
  return { listOf, create, started };
};

/** When a NAS without byte limits will have passed on the granted bytes, at the rate of the last interval. */
const limitAt = ({ vendor }: Nas, { logout_at, grant_bytes, up_bytes, down_bytes, up_speed, down_speed, last_at }: AccountedSession) => {
  const rate = (up_speed + down_speed) * 1024;
  if (hasByteLimit(vendor) || logout_at !== null || grant_bytes === null || rate === 0) return null;
  return last_at + Math.max(0, Math.floor((grant_bytes - up_bytes - down_bytes) / rate));
};

/**
 * Stores accounting requests of sessions in the caller's transaction. Requests of accounts that do not exist change nothing. Returns the
 * sessions.
 */
export const storeAccounting = async (db: Db, deps: AuditDeps, items: readonly Accounting[]): Promise<void> => {
  const now = deps.clock.now();
  const { subscriberOf, accountOf, isServed } = await lockAccounts(db, items);
  const sessions = await loadSessionLists(db, items, subscriberOf);
  const touched = new Map<SessionRow[], Set<number>>();
  /** Accounts with a session that began, ended or was opened again. */
  const changedAccounts = new Set<number>();
  const usage: UsageRow[] = [];
  const traffic: NasTraffic[] = [];
  const changes: SessionChange[] = [];
  for (const item of items) {
    const subscriberId = subscriberOf(item);
    if (subscriberId === undefined) continue;
    const list = sessions.listOf(item.nas, item.request.acct_id);
    const found = findSession(list, subscriberId, item.request);
    const at = found ? list.indexOf(found) : list.length;
    const before = found ?? sessions.create(item, subscriberId);
    const { session, gain } = foldSession(before, item.request);
    if (before.id === null || before.logout_at !== session.logout_at || before.login_at !== session.login_at)
      changedAccounts.add(subscriberId);
    list[at] = { ...before, ...session, limit_at: limitAt(item.nas, session) };
    touched.set(list, (touched.get(list) ?? new Set()).add(at));
    usage.push({ ...gain, subscriber_id: subscriberId, device_id: item.nas.device_id });
    // A gateway reports the traffic of its users itself.
    if (item.nas.device_id !== null) continue;
    const site = trafficSite(item.nas);
    const account = accountOf(subscriberId);
    traffic.push({ ...gain, device_id: site, account });
    const change = { ...session, session_id: before.session_id, site, account };
    if (before.id === null && found === undefined) changes.push({ ...change, logout_at: null });
    if (before.logout_at === null && session.logout_at !== null) changes.push(change);
  }
  const rows = [...touched].flatMap(([list, indexes]) => [...indexes].flatMap((at) => list[at] ?? []));
  if (rows.length === 0) return;
  await storeSessions(db, rows);
  await storeUsage(db, usage, now);
  await storeNasTraffic(db, traffic, now);
  await auditSessions(db, deps, changes);
  if (sessions.started.size > 0) await sql`delete from radius_reserve where token = any(${[...sessions.started]}::text[])`.execute(db);
  await recount(db, [...changedAccounts]);
  const devices = rows.flatMap((r) => r.device_id ?? []);
  if (devices.length > 0) await notifyChange(db, 'user', devices);
  const due = rows.filter((r) => r.logout_at === null && (!isServed(r.subscriber_id) || isNearLimit(r) || r.not_enforced_at !== null));
  await requestRecheck(
    db,
    due.map((r) => r.subscriber_id),
  );
};

/** Accounting-On and -Off: the NAS has no session that began before. */
export const storeRestart = async (db: Db, deps: AuditDeps, { nas, request }: Accounting): Promise<void> => {
  const { at } = request;
  await sql`
    select s.id from subscriber s where s.id in (
      select o.subscriber_id from online_session o where o.nas_id = ${nas.id} and o.logout_at is null and o.login_at < ${at}
    ) order by s.id for no key update`.execute(db);
  const { rows } = await sql<{ id: number; subscriber_id: number; device_id: number | null }>`
    update online_session set logout_at = greatest(login_at, ${at}::bigint), terminate_cause = 'lost', up_speed = 0, down_speed = 0
    where nas_id = ${nas.id} and logout_at is null and login_at < ${at} returning id, subscriber_id, device_id`.execute(db);
  await auditEnds(
    db,
    deps,
    rows.map((r) => r.id),
  );
  await sql`delete from radius_reserve where nas_id = ${nas.id} and create_at < ${at}`.execute(db);
  await sql`update nas set boot_at = greatest(boot_at, ${at}::bigint) where id = ${nas.id}`.execute(db);
  await recount(
    db,
    rows.map((r) => r.subscriber_id),
  );
  const devices = rows.flatMap((r) => r.device_id ?? []);
  if (devices.length > 0) await notifyChange(db, 'user', devices);
};
