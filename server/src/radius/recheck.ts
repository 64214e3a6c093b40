import type { NasVendor } from '@farlink/contract/advanced/nas.ts';
import type { AccountUsage } from '@farlink/gateway/protocol/account-service.ts';
import { sql } from 'kysely';
import { accessOf } from '../domain/access/access.ts';
import { orderChange, orderDisconnect } from '../domain/radius/coa-task.ts';
import { type Granted, grantOf, pendingUsage } from '../domain/radius/grant.ts';
import { hasByteLimit } from '../domain/radius/vendor-profiles.ts';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import type { Db, Deps } from '../kit/deps.ts';

const atOnce = 100;

interface OpenSession {
  readonly id: number;
  readonly subscriber_id: number;
  readonly nas_id: number;
  readonly device_id: number | null;
  /** What the NAS has confirmed, or is asked to confirm. */
  readonly grant_up: number | null;
  readonly grant_down: number | null;
  readonly grant_bytes: number | null;
  readonly up_bytes: number;
  readonly down_bytes: number;
  readonly up_speed: number;
  readonly down_speed: number;
  readonly last_at: number;
  readonly limit_at: number | null;
  readonly vendor: NasVendor;
  readonly end_reason: string | null;
}

const openSessions = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<OpenSession>`
    select o.id, o.subscriber_id, o.nas_id, o.device_id, o.up_bytes, o.down_bytes, o.up_speed, o.down_speed, o.limit_at, o.end_reason, n.vendor,
      coalesce(o.last_at, o.login_at) as last_at,
      case when t.id is null then o.grant_up else t.grant_up end as grant_up,
      case when t.id is null then o.grant_down else t.grant_down end as grant_down,
      case when t.id is null then o.grant_bytes else t.grant_bytes end as grant_bytes
    from online_session o join nas n on n.id = o.nas_id left join lateral (
      select c.id, c.grant_up, c.grant_down, c.grant_bytes from coa_task c
      where c.session_id = o.id and c.kind = 'change' and c.state in ('waiting', 'sent') order by c.id desc limit 1) t on true
    where o.subscriber_id = any(${ids}::bigint[]) and o.source = 'aaa' and o.nas_id is not null and o.logout_at is null
    order by o.id for update of o`.execute(db);
  return rows;
};

const endReasonOf = (refused: string) =>
  refused === 'expired' ? 'expired' : refused === 'shutdown' || refused === 'no_package' ? 'quota' : 'kick';

/** A session gets its next slice of the quota before it has used the current one. */
export const isNearLimit = (session: { readonly up_bytes: number; readonly down_bytes: number; readonly grant_bytes: number | null }) =>
  session.grant_bytes !== null && session.up_bytes + session.down_bytes > session.grant_bytes * 0.7;

const needsMore = (session: OpenSession, limit: number | null) =>
  isNearLimit(session) && (limit === null || limit > (session.grant_bytes ?? 0));

/** Bytes that a session on a NAS without byte limits has probably used since its last report. */
const estimateOf = ({ limit_at, up_speed, down_speed, last_at }: OpenSession, now: number) =>
  limit_at !== null && limit_at <= now ? (up_speed + down_speed + 1) * 1024 * (now - last_at) : 0;

/** Ends a session whose account is not served any more, or sends its new speeds. */
const adjust = async (db: Db, session: OpenSession, granted: Granted, now: number) => {
  if ('refused' in granted) {
    if (session.end_reason !== null) return;
    if (session.device_id === null) await orderDisconnect(db, session, endReasonOf(granted.refused), { now });
    else await kickSessions(db, { session: session.id }, { now });
    return;
  }
  const { up, down, bytes } = granted.grant;
  // The NAS compares its counters of the whole session with the limit.
  const limit = bytes === null ? null : bytes + session.up_bytes + session.down_bytes + estimateOf(session, now);
  const isSameSpeed = session.grant_up === up && session.grant_down === down;
  if (isSameSpeed && !needsMore(session, limit)) return;
  if (!isSameSpeed || hasByteLimit(session.vendor)) return orderChange(db, session, { up, down, bytes: limit }, now);
  // The NAS does not know the limit, so nothing is sent.
  await sql`update online_session set grant_bytes = ${limit}, limit_at = null where id = ${session.id}`.execute(db);
};

/** The next report of a session replaces its estimate. */
const withEstimates = (pending: AccountUsage | undefined, sessions: readonly OpenSession[], now: number): AccountUsage => {
  const estimated = sessions.reduce((sum, session) => sum + estimateOf(session, now), 0);
  const usage = pending ?? { bytes: 0, seconds: 0, first: {} };
  return { ...usage, bytes: usage.bytes + estimated };
};

/** Checks the sessions of accounts that have changed: packages, quota, status, expiry. */
export const recheckSessions = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ subscriber_id: number }>`
      delete from radius_recheck where id in (select id from radius_recheck order by id limit ${atOnce} for update skip locked) returning subscriber_id`.execute(
      tx,
    );
    if (rows.length === 0) return;
    const ids = [...new Set(rows.map((r) => r.subscriber_id))];
    await sql`select id from subscriber where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx);
    const access = await accessOf(tx, ids, now);
    const pending = await pendingUsage(tx, ids);
    for (const [id, sessions] of Map.groupBy(await openSessions(tx, ids), (session) => session.subscriber_id)) {
      const found = access.get(id);
      const usage = withEstimates(pending.get(id), sessions, now);
      const granted: Granted = !found || found.blocked ? { refused: found?.blocked ?? 'disabled' } : grantOf(found, now, usage);
      for (const session of sessions) await adjust(tx, session, granted, now);
    }
  });
};

/** Accounts with a session that has probably reached its limit, on a NAS without byte limits. */
export const recheckAtLimit = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await sql`insert into radius_recheck (subscriber_id)
    select distinct o.subscriber_id from online_session o where o.logout_at is null and o.limit_at <= ${clock.now()}
      and not exists (select from coa_task t where t.session_id = o.id and t.create_at >= o.limit_at) limit ${atOnce}`.execute(db);
  await recheckSessions({ db, clock });
};
