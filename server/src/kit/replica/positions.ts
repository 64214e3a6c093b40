import { sql } from 'kysely';
import type { Db } from '../deps.ts';

/** Positions in the write-ahead log are byte counts from its start. */

/** Position of the primary, at or after each commit so far. */
export const primaryPosition = async (primary: Db): Promise<number> => {
  const { rows } = await sql<{ lsn: number }>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as lsn`.execute(primary);
  return rows[0]?.lsn ?? 0;
};

interface Replayed {
  readonly is_standby: boolean;
  readonly lsn: number | null;
  /** Mark of the installation that the data belongs to. */
  readonly mark: string | null;
}

export const readReplayed = async (replica: Db): Promise<Replayed | undefined> => {
  const { rows } = await sql<Replayed>`
    select pg_is_in_recovery() as is_standby,
      case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as lsn,
      (select key_mark from installation limit 1) as mark`.execute(replica);
  return rows[0];
};

/** Stores the position after the last write of a session, for all processes. */
export const storePosition = async (primary: Db, sessionId: number, now: number) => {
  await sql`
    insert into session_write (session_id, lsn, at) values (${sessionId}, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint, ${now})
    on conflict (session_id) do update set lsn = excluded.lsn, at = excluded.at`.execute(primary);
};

/** Position after the last write of a session; 0 if it has written nothing. */
export const positionOf = async (primary: Db, sessionId: number): Promise<number> => {
  const row = await primary.selectFrom('session_write').select('lsn').where('session_id', '=', sessionId).executeTakeFirst();
  return row?.lsn ?? 0;
};

/** Positions are kept for longer than a replica in use can lag. */
const retentionS = 600;

export const removePositions = async (primary: Db, now: number) => {
  await primary
    .deleteFrom('session_write')
    .where('at', '<', now - retentionS)
    .execute();
};
