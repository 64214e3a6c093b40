import { sql } from 'kysely';
import type { Config } from '../../../env/config.ts';
import type { Db } from '../../../kit/deps.ts';
import { advance } from '../engine/advance.ts';
import { loadMeters } from '../store/load-meters.ts';
import { refreshPackages } from '../store/refresh-packages.ts';
import { saveMeters } from '../store/save-meters.ts';
import { handleMeterEvents } from './handle-events.ts';

/** Maximum accounts per sweep. */
export const batchSize = 2000;

/** Packages that start, end or begin a cycle now: stores the events and tells the gateways the new limits. */
const passTime = async (db: Db, config: Config, ids: readonly number[], now: number) => {
  if (ids.length === 0) return;
  const meters = await loadMeters(db, ids);
  const passed = [...meters].map(([id, before]) => {
    const { state, events } = advance(before, now);
    return { id, before, after: state, events, overrun: 0, at: now };
  });
  await saveMeters(db, passed);
  await handleMeterEvents(db, { config }, passed, now);
  await refreshPackages(db, ids, now);
  // A new cycle changes limits although no status changes.
  await sql`insert into account_change (subscriber_id) select unnest(${ids}::bigint[])`.execute(db);
};

const hasEnded = (now: number) => sql<boolean>`expire_at <= ${now} and status in ('normal', 'shutdown', 'reserved_shutdown')`;

/** Whether a sweep has work. By the index: PostgreSQL expects many ended accounts, and `exists` would read the table. */
export const hasPassedTime = (now: number) =>
  sql<boolean>`((select true from subscriber where ${hasEnded(now)} order by expire_at limit 1) is true or (select true from subscriber where package_due_at <= ${now} order by package_due_at limit 1) is true)`;

/**
 * One sweep of time-based changes: accounts that ended, packages that started, ended or were reset. Returns how many accounts changed; with
 * `atOnce` or more, further ones may be due.
 */
export const sweepAccounts = async (db: Db, config: Config, now: number): Promise<number> => {
  const ended = db
    .selectFrom('subscriber')
    .select('id')
    .where(hasEnded(now))
    .orderBy('expire_at')
    .limit(batchSize)
    .forUpdate()
    .skipLocked();
  const { numUpdatedRows } = await db.updateTable('subscriber').set({ status: 'expired' }).where('id', 'in', ended).executeTakeFirst();
  const due = await db
    .selectFrom('subscriber')
    .select('id')
    .where('package_due_at', '<=', now)
    .orderBy('package_due_at')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute();
  await passTime(
    db,
    config,
    due.map(({ id }) => id),
    now,
  );
  return Number(numUpdatedRows) + due.length;
};
