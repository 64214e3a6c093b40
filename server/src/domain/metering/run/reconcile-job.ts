import { sql } from 'kysely';
import type { Db } from '../../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../../kit/jobs/job.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { type DayBytes, dayText, firstOpenDay, trafficDifference } from './traffic-difference.ts';

/** Days per transaction. */
const batchSize = 500;
/** Retention of completed jobs. */
const retentionS = 3600;

interface DayRow extends DayBytes {
  readonly device_id: number;
  readonly agent_id: number;
  readonly day: number;
  readonly noted_at: number | null;
}

/** Complete days that changed since they were compared. A change in the second of the comparison is compared once more. */
const takeDays = async (db: Db, now: number): Promise<DayRow[]> => {
  const { rows } = await sql<DayRow>`
    select device_id, agent_id, day, noted_at, link_bytes, user_bytes, own_bytes, charged_bytes, overrun_bytes from traffic_day
    where (checked_at is null or checked_at <= update_at) and checked_at is distinct from ${now}::bigint and day < ${firstOpenDay(now)}
    order by device_id, day, agent_id limit ${batchSize} for update skip locked`.execute(db);
  return rows;
};

/** One event for a day that differs, and one more when late reports repair it. */
const eventOf = (row: DayRow) => {
  const { is_odd, unattributed, uncharged } = trafficDifference(row);
  if (is_odd === (row.noted_at !== null)) return undefined;
  const { device_id, agent_id, day, link_bytes, user_bytes, own_bytes, charged_bytes, overrun_bytes } = row;
  const bytes = { link: link_bytes, user: user_bytes, own: own_bytes, charged: charged_bytes, overrun: overrun_bytes };
  return { device_id, agent_id, day, is_odd, doc: { day: dayText(day), ok: !is_odd, unattributed, uncharged, ...bytes } };
};

const eventSql = (events: readonly NonNullable<ReturnType<typeof eventOf>>[], now: number) => sql`
  insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
  select d.sn, concat_ws('-', 'traffic', u.day, u.agent_id, ${now}::bigint), d.id, u.agent_id, 'traffic', ${now}::bigint, ${now}::bigint, u.doc, ${now}::bigint
  from json_to_recordset(${JSON.stringify(events)}::json) as u(device_id bigint, agent_id bigint, day integer, doc jsonb) join device d on d.id = u.device_id
  on conflict do nothing`;

/** Compares the traffic of complete days. Returns how many were compared. */
export const reconcileDays = async (db: Db, now: number): Promise<number> => {
  const rows = await takeDays(db, now);
  if (rows.length === 0) return 0;
  const events = rows.flatMap((row) => eventOf(row) ?? []);
  if (events.length > 0) await eventSql(events, now).execute(db);
  const oddOf = new Map(events.map(({ device_id, agent_id, day, is_odd }) => [`${device_id} ${agent_id} ${day}`, is_odd]));
  const checked = rows.map(({ device_id, agent_id, day, noted_at }) => {
    const odd = oddOf.get(`${device_id} ${agent_id} ${day}`);
    return { device_id, agent_id, day, noted_at: odd === undefined ? noted_at : odd ? now : null };
  });
  await sql`
    update traffic_day t set checked_at = ${now}, noted_at = u.noted_at
    from json_to_recordset(${JSON.stringify(checked)}::json) as u(device_id bigint, agent_id bigint, day integer, noted_at bigint)
    where t.device_id = u.device_id and t.agent_id = u.agent_id and t.day = u.day`.execute(db);
  await notifyChange(
    db,
    'event',
    events.map(({ device_id }) => device_id),
  );
  return rows.length;
};

const reconcile = async ({ deps: { db, clock }, signal }: JobRun) => {
  let done = batchSize;
  while (done === batchSize && !signal.aborted) done = await db.transaction().execute((tx) => reconcileDays(tx, clock.now()));
};

export const reconcileJobs: JobKinds = { reconcile_traffic: { run: reconcile, everyS: 600, retentionS } };
