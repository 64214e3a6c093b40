import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { forgetToken } from '../domain/remote/end-session.ts';
import type { Db } from '../kit/deps.ts';
import { hashToken } from '../kit/session/secret.ts';
import type { RemoteSession } from './session.ts';

/** Idle timeout of a login, as in `findSession`. */
const loginIdleS = limits.inactivityMs / 1000;

/** Running sessions of this process, with all conditions that may end them. */
export const runningOf = (db: Db, node: string, now: number) =>
  db
    .selectFrom('remote_session as r')
    .leftJoin('session as s', 's.id', 'r.session_id')
    .leftJoin('device as d', 'd.id', 'r.device_id')
    .leftJoin('device_command as c', 'c.id', 'r.command_id')
    .select([
      'r.id',
      'r.label',
      'r.port',
      'r.service',
      'r.sn',
      'r.device_id',
      'r.device_name',
      'r.operator',
      'r.lang',
      'r.encoding',
      'r.read_only',
      'r.lband',
      'r.create_at',
      'r.session_id',
      'r.open_at',
      'r.ticket_until',
      'r.ticket_used_at',
      'd.online_state',
      'd.network',
      'c.state as command_state',
      'c.err as command_err',
      sql<boolean>`coalesce(s.seen_at >= ${now - loginIdleS}, false)`.as('logged_in'),
      sql<boolean>`coalesce(d.agent_id = r.agent_id, false)`.as('owned'),
    ])
    .where('r.node', '=', node)
    .where('r.end_at', 'is', null)
    .execute();

export const isAnyOpen = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('remote_session').select('id').where('end_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;

export type RunningRow = Awaited<ReturnType<typeof runningOf>>[number];

export const endsOf = (db: Db, ids: readonly number[]) =>
  db.selectFrom('remote_session').select(['id', 'end_reason', 'message']).where('id', 'in', ids).where('end_at', 'is not', null).execute();

/** The token of a gateway is valid once, for its own SN, while the session is open. */
export const redeemTunnelToken = async (db: Db, node: string, sn: string, token: string, now: number): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    update remote_session r set tunnel_used_at = ${now} from device d
    where r.tunnel_hash = ${hashToken(token)} and r.sn = ${sn} and r.node = ${node} and r.tunnel_used_at is null and r.end_at is null
      and r.session_id is not null and r.create_at > ${now - limits.remoteOpenS}
      and d.id = r.device_id and d.agent_id = r.agent_id and d.online_state = 1 and (d.network <> 'l_band' or r.lband) returning r.id`.execute(
    db,
  );
  return rows[0]?.id;
};

/** A ticket is valid once and for a short time, while the login that requested it exists. `token` is that of the login, if available. */
export const redeemTicket = async (db: Db, id: number, ticket: string, now: number, token?: string): Promise<boolean> => {
  const { rows } = await sql`
    update remote_session r set ticket_used_at = ${now} from session s
    where r.id = ${id} and r.ticket_hash = ${hashToken(ticket)} and r.ticket_used_at is null and r.ticket_until > ${now} and r.end_at is null
      and s.id = r.session_id and s.seen_at >= ${now - loginIdleS}
      and (${token === undefined} or s.token_hash = ${hashToken(token ?? '')}) returning r.id`.execute(db);
  return rows.length > 0;
};

/** Returns false if the session has ended meanwhile. */
export const markOpen = async (db: Db, id: number, now: number): Promise<boolean> => {
  const row = await db
    .updateTable('remote_session')
    .set({ state: 'open', open_at: now, active_at: now })
    .where('id', '=', id)
    .where('end_at', 'is', null)
    .returning('command_id')
    .executeTakeFirst();
  if (row) await forgetToken(db, row.command_id);
  return row !== undefined;
};

/** Saves the counters and request lines since the last save. */
export const saveCounts = async (db: Db, session: RemoteSession) => {
  session.dirty = false;
  const lines = session.takeLines();
  const { id } = session.facts;
  await db
    .updateTable('remote_session')
    .set({ up_bytes: session.up, down_bytes: session.down, request_count: session.requests, active_at: session.activeAt })
    .where('id', '=', id)
    .execute();
  if (lines.length > 0)
    await db
      .insertInto('remote_request')
      .values(lines.map((line) => ({ ...line, session_id: id })))
      .execute();
};

/** Use of a remote session keeps the console login active. */
export const touchLogins = async (db: Db, ids: readonly number[], now: number) => {
  await sql`update session set seen_at = ${now} where id = any(${ids}::bigint[]) and seen_at < ${now - 30}`.execute(db);
};

export const beatSessions = async (db: Db, node: string, now: number) => {
  await sql`update remote_session set beat_at = ${now} where node = ${node} and end_at is null and beat_at < ${now - 5}`.execute(db);
};

/** A process without a heartbeat for this time has lost its tunnels. */
const leaseS = 30;

/** Sessions of a process that has died. */
export const lostSessions = (db: Db, now: number) =>
  db
    .selectFrom('remote_session')
    .select(['id', 'service'])
    .where('end_at', 'is', null)
    .where('beat_at', '<', now - leaseS)
    .execute();
