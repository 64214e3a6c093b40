import { sql } from 'kysely';
import { accessOf } from '../domain/access/access.ts';
import { orderChange, orderDisconnect } from '../domain/radius/coa-task.ts';
import { type Granted, grantOf, pendingUsage } from '../domain/radius/grant.ts';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import type { Db, Deps } from '../kit/deps.ts';

const atOnce = 100;

interface OpenSession {
  readonly id: number;
  readonly subscriber_id: number;
  readonly nas_id: number;
  readonly device_id: number | null;
  readonly grant_up: number | null;
  readonly grant_down: number | null;
  readonly grant_bytes: number | null;
  readonly up_bytes: number;
  readonly down_bytes: number;
  readonly end_reason: string | null;
}

const openSessions = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<OpenSession>`
    select id, subscriber_id, nas_id, device_id, grant_up, grant_down, grant_bytes, up_bytes, down_bytes, end_reason from online_session
    where subscriber_id = any(${ids}::bigint[]) and source = 'aaa' and nas_id is not null and logout_at is null order by id for update`.execute(
    db,
  );
  return rows;
};

const endReasonOf = (refused: string) =>
  refused === 'expired' ? 'expired' : refused === 'shutdown' || refused === 'no_package' ? 'quota' : 'kick';

/** A session gets its next slice of the quota before it has used the current one. */
export const isNearLimit = (session: { readonly up_bytes: number; readonly down_bytes: number; readonly grant_bytes: number | null }) =>
  session.grant_bytes !== null && session.up_bytes + session.down_bytes > session.grant_bytes * 0.7;

const needsMore = (session: OpenSession, limit: number | null) =>
  isNearLimit(session) && (limit === null || limit > (session.grant_bytes ?? 0));

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
  const limit = bytes === null ? null : bytes + session.up_bytes + session.down_bytes;
  if (session.grant_up === up && session.grant_down === down && !needsMore(session, limit)) return;
  await orderChange(db, session, { up, down, bytes: limit }, now);
  await sql`update online_session set grant_up = ${up}, grant_down = ${down}, grant_bytes = ${limit} where id = ${session.id}`.execute(db);
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
    for (const session of await openSessions(tx, ids)) {
      const found = access.get(session.subscriber_id);
      const granted: Granted =
        !found || found.blocked ? { refused: found?.blocked ?? 'disabled' } : grantOf(found, now, pending.get(found.id));
      await adjust(tx, session, granted, now);
    }
  });
};
