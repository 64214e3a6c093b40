import { CompiledQuery, sql } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { AuditTx, Unreadable } from '../domain/audit/store/audit-row.ts';
import { storeAudit } from '../domain/audit/store/store-audit.ts';
import type { Db, Deps } from '../kit/deps.ts';

export type AuditDeps = Pick<Deps, 'config' | 'clock' | 'log'>;

/** A login or logout at a NAS of another maker. */
export interface SessionChange {
  /** The device of its site, or the negative id of the NAS. */
  readonly site: number;
  readonly account: string;
  readonly session_id: string;
  readonly ip: string | null;
  readonly mac: string | null;
  readonly login_at: number;
  readonly logout_at: number | null;
}

const storable = (text: string | null, pattern: RegExp) => (text !== null && pattern.test(text) ? text : undefined);

/** A row as a gateway reports it. */
const cellsOf = ({ account, session_id, ip, mac, login_at, logout_at }: SessionChange) => {
  const cells = {
    at: logout_at ?? login_at,
    acc: storable(account, /^\S{1,64}$/) ?? '',
    act: logout_at === null ? 'login' : 'logout',
    ip: storable(ip, /^[0-9a-fA-F:.]{1,45}$/),
    mac: storable(mac, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
    li: login_at,
    lo: logout_at ?? undefined,
    sid: session_id.slice(0, 64),
  };
  return Object.fromEntries(Object.entries(cells).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
};

/**
 * Stores logins and logouts as audit data with its evidence, in the transaction that changes the sessions. Gateways report those of their
 * users themselves.
 */
export const auditSessions = async (db: Db, { config, clock, log }: AuditDeps, changes: readonly SessionChange[]) => {
  if (changes.length === 0) return;
  const unreadable: Unreadable[] = [];
  const tx: AuditTx = {
    now: clock.now(),
    secretKey: config.secretKey,
    unreadable,
    query: async <R extends QueryResultRow>(_: string, text: string, values: readonly unknown[]) =>
      (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows,
  };
  const bySite = Map.groupBy(changes, ({ site }) => site);
  await storeAudit(
    tx,
    [...bySite].map(([device, rows]) => ({ device, stream: 'a_auth', body: { b: 'radius', seq: tx.now, rows: rows.map(cellsOf) } })),
  );
  for (const value of unreadable) log.error(value, 'stored value unreadable');
};

/** Logouts of sessions that ended without a Stop: kicked, lost, or forgotten by the NAS. */
export const auditEnds = async (db: Db, deps: AuditDeps, sessionIds: readonly number[]) => {
  if (sessionIds.length === 0) return;
  const { rows } = await sql<SessionChange>`
    select coalesce(n.site_device_id, -n.id) as site, s.account, o.session_id, o.ip, o.mac, o.login_at, o.logout_at
    from online_session o join subscriber s on s.id = o.subscriber_id join nas n on n.id = o.nas_id
    where o.id = any(${sessionIds}::bigint[]) and n.device_id is null and o.logout_at is not null order by o.id`.execute(db);
  await auditSessions(db, deps, rows);
};
