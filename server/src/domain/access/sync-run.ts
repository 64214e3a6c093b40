import { type RawBuilder, sql } from 'kysely';
import { idleLimit } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { changesAtOnce, syncAccounts } from './sync-accounts.ts';

/** One process at a time, so that an older state never overwrites a newer one. */
const lock = 728_465_020;

const tryLock = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${lock}) as ok, ${idleLimit}`.execute(db);
  return rows[0]?.ok === true;
};

const takeChanges = async (db: Db) => {
  const { rows } = await sql<{ subscriber_id: number | null; device_id: number | null }>`
    delete from account_change where id in (select id from account_change order by id limit ${changesAtOnce})
    returning subscriber_id, device_id`.execute(db);
  return rows;
};

/** Accounts of changed gateways: bound to them, or stored on them. */
const accountsOf = async (db: Db, devices: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select s.id from subscriber s where s.device_id = any(${devices}::bigint[])
    union select s.id from subscriber s join device d on d.device_group_id = s.device_group_id where s.device_id is null and d.id = any(${devices}::bigint[])
    union select s.id from subscriber s join device d on d.agent_id = s.agent_id
      where s.device_id is null and s.device_group_id is null and s.whole_vno and d.id = any(${devices}::bigint[])
    union select g.subscriber_id from gateway_account g where g.device_id = any(${devices}::bigint[])`.execute(db);
  return rows.map(({ id }) => id);
};

const inChunks = async (ids: readonly number[], work: (chunk: readonly number[]) => Promise<unknown>) => {
  for (let at = 0; at < ids.length; at += changesAtOnce) await work(ids.slice(at, at + changesAtOnce));
};

/** Seconds between two complete transfers to a gateway. */
const restartS = 60;

/**
 * A gateway that lost its accounts has counters at zero, so all its entries are sent again with new counters. One gateway per transaction.
 * Returns whether there was one.
 */
const restartLost = async (db: Db, config: Deps['config'], now: number): Promise<boolean> => {
  const { rows } = await sql<{ device_id: number }>`
    update account_sync set is_lost = false, is_whole = true, acked = 0, whole_to = 0, digest = null, restarted_at = ${now} where device_id = (
      select device_id from account_sync where is_lost and coalesce(restarted_at, 0) <= ${now - restartS} order by device_id limit 1)
    returning device_id`.execute(db);
  const [lost] = rows;
  if (!lost) return false;
  await sql`
    update gateway_account g set counter_id = y.rev + 1, used_bytes = 0, used_seconds = 0, hash = 0, doc = jsonb_set(g.doc, '{c}', '0')
    from account_sync y where y.device_id = g.device_id and g.device_id = ${lost.device_id} and not g.is_gone`.execute(db);
  await sql`delete from gateway_account where device_id = ${lost.device_id} and is_gone`.execute(db);
  await inChunks(await accountsOf(db, [lost.device_id]), (ids) => syncAccounts(db, config, ids, now));
  return true;
};

/** Whether `syncOnce` has work. */
export const isSyncDue = (now: number): RawBuilder<boolean> => sql`(exists (select from account_change)
  or exists (select from account_sync where is_lost and coalesce(restarted_at, 0) <= ${now - restartS}))`;

/** Brings the entries of changed accounts up to date. Returns whether more changes wait. */
export const syncOnce = ({ db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx))) return false;
    const now = clock.now();
    if (await restartLost(tx, config, now)) return true;
    const changes = await takeChanges(tx);
    const devices = [...new Set(changes.flatMap(({ device_id }) => device_id ?? []))];
    const named = changes.flatMap(({ subscriber_id }) => subscriber_id ?? []);
    const ofDevices = devices.length > 0 ? await accountsOf(tx, devices) : [];
    await inChunks([...new Set([...named, ...ofDevices])], (ids) => syncAccounts(tx, config, ids, now));
    return changes.length === changesAtOnce;
  });
