import { sql } from 'kysely';
import { makePartitions } from '../db/partitions.ts';
import { createGatewayNas, gatewaysAtOnce, sendGatewayNas, setGatewayTransport } from '../domain/radius/gateway-nas.ts';
import type { Deps } from '../kit/deps.ts';
import { notifyChange } from '../orders/notify.ts';
import { auditEnds } from './audit-sessions.ts';
import { staleIntervals } from './logins.ts';
import { recount } from './session-store.ts';

/** Sessions per run. */
const atOnce = 500;
/** A late start still finds its grant. */
const reserveKeptS = 600;

/** Sessions without a report for three intervals. */
const staleSessions = (now: number) => sql`online_session where source = 'aaa' and logout_at is null
  and last_at < ${now - staleIntervals * 60} and last_at + ${staleIntervals} * coalesce(interim_s, 300) < ${now}`;

/** Ends them. A later report of such a session opens it again. */
const endStale = async (deps: Deps) => {
  const { db, clock } = deps;
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    const { rows: found } = await sql<{ id: number; subscriber_id: number }>`
      select id, subscriber_id from ${staleSessions(now)} order by id limit ${atOnce}`.execute(tx);
    if (found.length === 0) return;
    const accounts = [...new Set(found.map((f) => f.subscriber_id))];
    await sql`select id from subscriber where id = any(${accounts}::bigint[]) order by id for no key update`.execute(tx);
    // The row may have changed before the lock.
    const { rows } = await sql<{ id: number; device_id: number | null }>`
      update online_session set logout_at = greatest(login_at, last_at), terminate_cause = 'lost', end_reason = 'stale', up_speed = 0, down_speed = 0
      where id = any(${found.map((f) => f.id)}::bigint[]) and logout_at is null and last_at + ${staleIntervals} * coalesce(interim_s, 300) < ${now}
      returning id, device_id`.execute(tx);
    await auditEnds(
      tx,
      deps,
      rows.map((r) => r.id),
    );
    await recount(tx, accounts);
    const devices = rows.flatMap((r) => r.device_id ?? []);
    if (devices.length > 0) await notifyChange(tx, 'user', devices);
  });
};

const portsOf = ({ radsecPort: port, authPort: auth, acctPort: acct }: Deps['config']['radius']) =>
  port === 0 ? { auth, acct } : { port };

/** Once: ports change only with the configuration, and accounting needs its partitions also where no other process has started yet. */
export const prepareRadius = async ({ db, pool, config, clock }: Deps) => {
  await makePartitions(pool, clock.now());
  await setGatewayTransport(db, portsOf(config.radius), clock.now());
};

/** Creates the NAS of new gateways and sends their access. It reads all gateways. Returns whether more are left. */
export const sweepGateways = async ({ db, config: { secretKey, publicUrl, radius }, clock }: Deps): Promise<boolean> => {
  const ports = portsOf(radius);
  const created = await createGatewayNas(db, secretKey, ports, clock.now());
  const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const sent = await sendGatewayNas(db, { secretKey, host, ports }, clock.now());
  return created === gatewaysAtOnce || sent === gatewaysAtOnce;
};

const oldReserves = (now: number) => sql`radius_reserve where create_at < ${now - reserveKeptS}`;

/** Whether `sweepSessions` has work. */
export const isSessionSweepDue = (now: number) =>
  sql<boolean>`(exists (select from ${oldReserves(now)}) or exists (select from ${staleSessions(now)}))`;

/** Periodic work on sessions: lost ones, and old reservations. */
export const sweepSessions = async (deps: Deps) => {
  const { db, clock } = deps;
  await sql`delete from ${oldReserves(clock.now())}`.execute(db);
  await endStale(deps);
};
