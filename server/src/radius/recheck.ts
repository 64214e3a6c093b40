import { sql } from 'kysely';
import { accessOf } from '../domain/access/access.ts';
import { orderChange, orderDisconnect } from '../domain/radius/coa-task.ts';
import { type Granted, grantOf } from '../domain/radius/grant.ts';
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
  readonly up_bytes: number;
  readonly down_bytes: number;
  readonly end_reason: string | null;
}

const openSessions = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<OpenSession>`
    select id, subscriber_id, nas_id, device_id, grant_up, grant_down, up_bytes, down_bytes, end_reason from online_session
    where subscriber_id = any(${ids}::bigint[]) and source = 'aaa' and nas_id is not null and logout_at is null order by id for update`.execute(
    db,
  );
  return rows;
};

const endReasonOf = (refused: string) =>
  refused === 'expired' ? 'expired' : refused === 'shutdown' || refused === 'no_package' ? 'quota' : 'kick';

/** Ends a session whose account is not served any more, or sends its new speeds. */
const adjust = async (db: Db, session: OpenSession, granted: Granted, now: number) => {
  if ('refused' in granted) {
    if (session.end_reason !== null) return;
    if (session.device_id === null) await orderDisconnect(db, session, endReasonOf(granted.refused), { now });
    else await kickSessions(db, { session: session.id }, { now });
    return;
  }
  const { up, down, bytes } = granted.grant;
  if (session.grant_up === up && session.grant_down === down) return;
  // The NAS compares its counters of the whole session with the limit.
  const limit = bytes === null ? null : bytes + session.up_bytes + session.down_bytes;
  await orderChange(db, session, { up, down, bytes: limit }, now);
  await sql`update online_session set grant_up = ${up}, grant_down = ${down}, grant_bytes = ${limit} where id = ${session.id}`.execute(db);
};

/**
 * Takes accounts that have changed, and locks them. The account is locked before its entry, as by the triggers that write entries. Accounts
 * in use wait for the next run. Entries of deleted accounts are taken too.
 */
const takeAccounts = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select s.id from radius_recheck r join subscriber s on s.id = r.subscriber_id
    order by s.id limit ${atOnce} for no key update of s skip locked`.execute(db);
  const taken = await sql<{ subscriber_id: number }>`
    delete from radius_recheck where subscriber_id in (
      select r.subscriber_id from radius_recheck r
      where r.subscriber_id = any(${rows.map((r) => r.id)}::bigint[]) or not exists (select from subscriber s where s.id = r.subscriber_id)
      for update skip locked
    ) returning subscriber_id`.execute(db);
  return taken.rows.map((r) => r.subscriber_id);
};

/** Checks the sessions of accounts that have changed: packages, quota, status, expiry. */
export const recheckSessions = async ({ db, config, clock }: Deps): Promise<void> => {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    const ids = await takeAccounts(tx);
    if (ids.length === 0) return;
    const access = await accessOf(tx, config, ids, now);
    for (const session of await openSessions(tx, ids)) {
      const found = access.get(session.subscriber_id);
      const granted: Granted = !found || found.blocked ? { refused: found?.blocked ?? 'disabled' } : grantOf(found, now);
      await adjust(tx, session, granted, now);
    }
  });
};
