import { sql } from 'kysely';
import { arrayText, type Cell } from '../db/array-text.ts';
import { preparedByIds } from '../db/prepare.ts';
import type { Db } from '../kit/deps.ts';
import type { AccountedSession, Gain } from './fold-session.ts';

const byIds = sql.raw(preparedByIds);

export interface SessionRow extends AccountedSession {
  /** Null for a session that is not stored yet. */
  readonly id: number | null;
  readonly subscriber_id: number;
  readonly agent_id: number;
  readonly nas_id: number;
  readonly device_id: number | null;
  readonly session_id: string;
  readonly acct_id: string;
  readonly class: string | null;
  readonly grant_up: number | null;
  readonly grant_down: number | null;
  readonly interim_s: number | null;
  readonly limit_at: number | null;
  readonly not_enforced_at: number | null;
}

const columns = `id, subscriber_id, agent_id, nas_id, device_id, session_id, acct_id, class, login_at, logout_at, terminate_cause, end_reason, up_bytes,
  down_bytes, acct_in, acct_out, acct_seconds, has_gigawords, coalesce(last_at, login_at) as last_at, up_speed, down_speed, ip, mac, nas_ip,
  grant_up, grant_down, grant_bytes, interim_s, limit_at, not_enforced_at`;

/** Sessions with these ids of these NAS, of any boot. */
export const loadSessions = async (db: Db, of: readonly { readonly nas_id: number; readonly acct_id: string }[]): Promise<SessionRow[]> => {
  const { rows } = await sql<SessionRow>`${byIds}
    select ${sql.raw(columns)} from (select distinct * from unnest(${of.map((o) => o.nas_id)}::bigint[], ${of.map((o) => o.acct_id)}::text[]) as u(nas, acct)) k
      join online_session on nas_id = k.nas and acct_id = k.acct and nas_id is not null
    order by login_at, id`.execute(db);
  return rows;
};

/** Session ids that a gateway has reported by itself must not be used again. */
export const gatewaySessionIds = async (db: Db, of: readonly { readonly device_id: number | null; readonly acct_id: string }[]) => {
  const own = of.filter((o) => o.device_id !== null);
  if (own.length === 0) return new Set<string>();
  const { rows } = await sql<{ device_id: number; session_id: string }>`
    select device_id, session_id from online_session
    where (device_id, session_id) in (select * from unnest(${own.map((o) => o.device_id)}::bigint[], ${own.map((o) => o.acct_id)}::text[]))`.execute(
    db,
  );
  return new Set(rows.map((r) => `${r.device_id} ${r.session_id}`));
};

/** What a request changes in a stored session, with types. */
const changedTypes = {
  id: 'bigint',
  login_at: 'bigint',
  logout_at: 'bigint',
  terminate_cause: 'text',
  end_reason: 'text',
  last_at: 'bigint',
  up_bytes: 'bigint',
  down_bytes: 'bigint',
  acct_in: 'bigint',
  acct_out: 'bigint',
  acct_seconds: 'bigint',
  has_gigawords: 'boolean',
  up_speed: 'integer',
  down_speed: 'integer',
  ip: 'text',
  mac: 'text',
  nas_ip: 'text',
  limit_at: 'bigint',
} as const;
const usageTypes = { subscriber_id: 'bigint', device_id: 'bigint', at: 'bigint', seconds: 'bigint', up: 'bigint', down: 'bigint' } as const;

/** Rows as arrays of their columns, which PostgreSQL reads faster than JSON. */
const unnested = <K extends string>(rows: readonly Readonly<Record<NoInfer<K>, Cell>>[], types: Readonly<Record<K, string>>) => {
  const names = Object.keys(types).filter((name): name is K => name in types);
  return sql.join(
    names.map((name) => sql`unnest(${arrayText(rows.map((row) => row[name]))}::${sql.raw(types[name])}[]) as ${sql.ref(name)}`),
  );
};

const rowType =
  sql.raw(`r(id bigint, subscriber_id bigint, agent_id bigint, nas_id bigint, device_id bigint, session_id text, acct_id text, class text,
  login_at bigint, logout_at bigint, terminate_cause text, end_reason text, up_bytes bigint, down_bytes bigint, acct_in bigint, acct_out bigint,
  acct_seconds bigint, has_gigawords boolean, last_at bigint, up_speed integer, down_speed integer, ip text, mac text, nas_ip text,
  grant_up integer, grant_down integer, grant_bytes bigint, interim_s integer, limit_at bigint)`);

export const storeSessions = async (db: Db, rows: readonly SessionRow[]) => {
  const added = rows.filter((r) => r.id === null);
  const changed = rows.filter((r) => r.id !== null);
  if (added.length > 0)
    await sql`${byIds}
      insert into online_session (source, subscriber_id, agent_id, nas_id, device_id, session_id, acct_id, class, login_at, logout_at,
        terminate_cause, end_reason, up_bytes, down_bytes, acct_in, acct_out, acct_seconds, has_gigawords, last_at, up_speed, down_speed, ip, mac,
        nas_ip, grant_up, grant_down, grant_bytes, interim_s, limit_at)
      select 'aaa', subscriber_id, agent_id, nas_id, device_id, session_id, acct_id, class, login_at, logout_at, terminate_cause, end_reason, up_bytes,
        down_bytes, acct_in, acct_out, acct_seconds, has_gigawords, last_at, up_speed, down_speed, ip, mac, nas_ip, grant_up, grant_down, grant_bytes,
        interim_s, limit_at
      from json_to_recordset(${JSON.stringify(added)}::json) as ${rowType}`.execute(db);
  if (changed.length > 0)
    await sql`${byIds}
      update online_session s set login_at = r.login_at, logout_at = r.logout_at, terminate_cause = r.terminate_cause, end_reason = r.end_reason,
        up_bytes = r.up_bytes, down_bytes = r.down_bytes, acct_in = r.acct_in, acct_out = r.acct_out, acct_seconds = r.acct_seconds,
        has_gigawords = r.has_gigawords, last_at = r.last_at, up_speed = r.up_speed, down_speed = r.down_speed, ip = r.ip, mac = r.mac,
        nas_ip = r.nas_ip, limit_at = r.limit_at
      from (select ${unnested(changed, changedTypes)}) r where s.id = r.id`.execute(db);
};

export interface UsageRow extends Gain {
  readonly subscriber_id: number;
  readonly device_id: number | null;
}

/** Usage that metering charges; written in the commit that stores the counters, so each byte is charged once. */
export const storeUsage = async (db: Db, gains: readonly UsageRow[], now: number) => {
  const rows = gains.filter((g) => g.up > 0 || g.down > 0 || g.seconds > 0);
  if (rows.length === 0) return;
  await sql`${byIds}
    insert into usage (subscriber_id, device_id, source, at, seconds, up_bytes, down_bytes, create_at)
    select subscriber_id, device_id, 'aaa', at, seconds, up, down, ${now}
    from (select ${unnested(rows, usageTypes)}) r`.execute(db);
};

/** Number of open sessions and first use of these accounts. The caller has locked them. */
export const recount = async (db: Db, subscriberIds: readonly number[]) => {
  if (subscriberIds.length === 0) return;
  await sql`${byIds}
    update subscriber s set
      online_count = (select least(count(*), 30000) from online_session o where o.subscriber_id = s.id and o.logout_at is null),
      first_use_at = least(s.first_use_at, (select min(o.login_at) from online_session o where o.subscriber_id = s.id))
    where s.id = any(${[...new Set(subscriberIds)]}::bigint[])`.execute(db);
};
