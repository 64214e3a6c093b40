import { sql } from 'kysely';
import { preparedByIds } from '../db/prepare.ts';
import type { Access } from '../domain/access/access.ts';
import type { Grant } from '../domain/radius/grant.ts';
import type { Db } from '../kit/deps.ts';
import { interimOf } from './interim.ts';
import type { Login } from './login-request.ts';
import { recount } from './session-store.ts';

const byIds = sql.raw(preparedByIds);

/** An accepted login must start its session within this time. */
const reserveS = 60;
/** Within this time a second login of the same terminal is a race; later it is a repetition. */
const sameTerminalS = 2;
/** A session without a report for this many intervals is lost. */
export const staleIntervals = 3;

interface OpenSession {
  readonly id: number;
  readonly subscriber_id: number;
  readonly nas_id: number | null;
  readonly mac: string | null;
  readonly is_stale: boolean;
}

interface Reservation {
  readonly token: string;
  readonly subscriber_id: number;
  readonly nas_id: number;
  readonly mac: string | null;
  readonly create_at: number;
}

interface NewReservation extends Reservation {
  readonly until: number;
  readonly grant_up: number;
  readonly grant_down: number;
  readonly grant_bytes: number | null;
  readonly interim_s: number;
}

/** Logins of the locked accounts: open sessions and reservations. */
export interface Logins {
  /** True if the account may log in once more. Lost sessions, and earlier ones of the same terminal, do not count. */
  mayLogIn(access: Access, login: Login): boolean;
  reserve(access: Access, login: Login, token: string, grant: Grant): void;
  /** Returns the lost sessions that it ended. */
  store(db: Db): Promise<number[]>;
}

const openSessions = async (db: Db, ids: readonly number[], now: number): Promise<OpenSession[]> => {
  const { rows } = await sql<OpenSession>`${byIds}
    select id, subscriber_id, nas_id, mac,
      source = 'aaa' and coalesce(last_at, login_at) + ${staleIntervals} * coalesce(interim_s, 300) < ${now} as is_stale
    from online_session where subscriber_id = any(${ids}::bigint[]) and logout_at is null order by id`.execute(db);
  return rows;
};

const reservations = async (db: Db, ids: readonly number[], now: number): Promise<Reservation[]> => {
  const { rows } = await sql<Reservation>`${byIds}
    select token, subscriber_id, nas_id, mac, create_at from radius_reserve
    where subscriber_id = any(${ids}::bigint[]) and until > ${now}`.execute(db);
  return rows;
};

const endLost = async (db: Db, ids: readonly number[], subscribers: readonly number[]) => {
  if (ids.length === 0) return;
  await sql`
    update online_session set logout_at = greatest(login_at, coalesce(last_at, login_at)), terminate_cause = 'lost', end_reason = 'stale', up_speed = 0,
      down_speed = 0
    where id = any(${ids}::bigint[]) and logout_at is null`.execute(db);
  await recount(db, subscribers);
};

export const loadLogins = async (db: Db, ids: readonly number[], now: number): Promise<Logins> => {
  let sessions = await openSessions(db, ids, now);
  let reserved: Reservation[] = await reservations(db, ids, now);
  const ended: OpenSession[] = [];
  const added: NewReservation[] = [];
  const replaced: string[] = [];

  return {
    mayLogIn: ({ id, allow_logins }, { nas, request }) => {
      const isSame = (other: { readonly nas_id: number | null; readonly mac: string | null }) =>
        request.mac !== undefined && other.mac === request.mac && other.nas_id === nas.id;
      const own = sessions.filter((s) => s.subscriber_id === id);
      const lost = own.filter((s) => s.is_stale || isSame(s));
      const repeated = reserved.filter((r) => r.subscriber_id === id && isSame(r) && now - r.create_at >= sameTerminalS);
      const count = own.length - lost.length + reserved.filter((r) => r.subscriber_id === id).length - repeated.length;
      if (count >= allow_logins) return false;
      // Only as many as needed are ended: a session that seems lost may still be in use.
      if (own.length + reserved.filter((r) => r.subscriber_id === id).length >= allow_logins) {
        ended.push(...lost);
        sessions = sessions.filter((s) => !lost.includes(s));
        replaced.push(...repeated.map((r) => r.token));
        reserved = reserved.filter((r) => !repeated.includes(r));
      }
      return true;
    },
    reserve: (access, { nas, request }, token, grant) => {
      const row = { token, subscriber_id: access.id, nas_id: nas.id, mac: request.mac ?? null, create_at: now };
      reserved.push(row);
      added.push({
        ...row,
        until: now + reserveS,
        grant_up: grant.up,
        grant_down: grant.down,
        grant_bytes: grant.bytes,
        interim_s: interimOf(nas, grant),
      });
    },
    store: async (tx) => {
      await endLost(
        tx,
        ended.map((s) => s.id),
        ended.map((s) => s.subscriber_id),
      );
      if (replaced.length > 0) await tx.deleteFrom('radius_reserve').where('token', 'in', replaced).execute();
      if (added.length > 0) await tx.insertInto('radius_reserve').values(added).execute();
      return ended.map((s) => s.id);
    },
  };
};
