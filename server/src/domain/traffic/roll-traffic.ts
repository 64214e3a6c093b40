import { dayStart } from '@farlink/contract/kit/zone.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { CompiledQuery, sql } from 'kysely';
import { isOutOfRange } from '../../db/bounded.ts';
import { idleLimit } from '../../db/lock.ts';
import { completeSince, makePartitions, reportTables } from '../../db/partitions.ts';
import { waitForCommits } from '../../db/spread/wait-for-commits.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { kindTables, rolledKinds } from './kinds.ts';
import { agentStatements, type Bucket, dayOfSql, rollStatements } from './roll-sql.ts';

/** An hour is calculated after this time without a report. */
const quietS = 60;
/** Maximum time from the first report of an hour to its calculation. */
const longestS = 300;
/** Maximum duration of a report. */
const reportS = 86_400;
/** Marks per transaction. */
const batchSize = 2000;
/** Retention of completed jobs. */
const retentionS = 3600;
/** One process at a time, because sums of VNOs are read and written. */
const lock = 728_465_023;

interface Mark {
  readonly device_id: number;
  readonly hour: number;
  readonly day: number;
  readonly version: number;
  /** The device or NAS exists. */
  readonly is_known: boolean;
}

interface Due {
  /** Latest times of the last change and of the creation of a mark. */
  readonly quiet: number;
  readonly old: number;
}

interface Key {
  readonly id: number;
  readonly time: number;
}

const run = async <T>(db: Db, text: string, values: readonly unknown[]): Promise<T[]> => {
  const { rows } = await db.executeQuery<T>(CompiledQuery.raw(text, [...values]));
  return rows;
};

const distinct = (keys: readonly Key[]): Key[] => [...new Map(keys.map((key) => [`${key.id} ${key.time}`, key])).values()];

/** Parameters of a statement: ids, times, first and last time. */
const paramsOf = (keys: readonly Key[]) => {
  const times = keys.map(({ time }) => time);
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [Number.MAX_SAFE_INTEGER, 0]);
  return [keys.map(({ id }) => id), times, first, last];
};

const isDueSql = '(t.touched_at <= $2 or t.marked_at <= $3)';

const takeSql = `
  select t.device_id, t.hour, ${dayOfSql('t.hour')} as day, t.version, exists (select from device d where d.id = t.device_id) or exists (select from nas n where n.id = -t.device_id) as is_known
  from traffic_dirty t where t.kind = $1 and ${isDueSql} and (${dayOfSql('t.hour')}, t.device_id, t.hour) > ($4::bigint, $5::bigint, $6::bigint)
  order by ${dayOfSql('t.hour')}, t.device_id, t.hour limit ${batchSize}`;

/** A mark that a report changed, or is changing, stays for the next run. */
const completeSql = `
  with done as (
    select t.device_id, t.hour from traffic_dirty t join unnest($2::bigint[], $3::bigint[], $4::integer[]) as u(device_id, hour, version)
      on t.device_id = u.device_id and t.hour = u.hour and t.version = u.version
    where t.kind = $1 order by t.device_id, t.hour for update of t skip locked
  )
  delete from traffic_dirty t using done where t.kind = $1 and t.device_id = done.device_id and t.hour = done.hour`;

/** Replaces the rows of these devices and times. Returns the VNOs and times whose sums change. */
const replace = async (db: Db, { clear, fill, clearSums, fillSums }: Bucket, keys: readonly Key[]): Promise<Key[]> => {
  const params = paramsOf(keys);
  await run(db, clear, params);
  await run(db, fill, params);
  const before = await run<{ agent_id: number; time: number }>(db, clearSums, params);
  const after = await run<{ agent_id: number; time: number }>(db, fillSums, params);
  return distinct([...before, ...after].map(({ agent_id, time }) => ({ id: agent_id, time })));
};

const replaceSums = async (db: Db, kind: TrafficKindId, { clear, fill }: { clear: string; fill: string }, agents: readonly Key[]) => {
  if (agents.length === 0) return;
  await run(db, clear, [...paramsOf(agents), kind]);
  await run(db, fill, [...paramsOf(agents), kind]);
};

const rollMarks = async (db: Db, kind: TrafficKindId, marks: readonly Mark[]) => {
  const statements = rollStatements[kind];
  if (!statements || marks.length === 0) return;
  const days = distinct(marks.map(({ device_id, day }) => ({ id: device_id, time: day })));
  const hourAgents = await replace(
    db,
    statements.hour,
    marks.map(({ device_id, hour }) => ({ id: device_id, time: hour })),
  );
  await replaceSums(db, kind, agentStatements.hour, hourAgents);
  const dayAgents = await replace(db, statements.day, days);
  await replaceSums(db, kind, agentStatements.day, dayAgents);
  if (!statements.apps) return;
  await run(db, statements.apps.clear, paramsOf(days));
  await run(db, statements.apps.fill, paramsOf(days));
  await replaceSums(db, kind, agentStatements.apps, dayAgents);
};

/** A device with numbers out of range is set aside, so that it does not stop the others: its hours keep their old figures. */
const rollIsolated = async (db: Db, log: Deps['log'], kind: TrafficKindId, marks: readonly Mark[]): Promise<void> => {
  await sql`savepoint roll_marks`.execute(db);
  try {
    await rollMarks(db, kind, marks);
    await sql`release savepoint roll_marks`.execute(db);
  } catch (err) {
    if (!isOutOfRange(err)) throw err;
    await sql`rollback to savepoint roll_marks`.execute(db);
    const devices = [...new Set(marks.map(({ device_id }) => device_id))];
    const first = new Set(devices.slice(0, Math.ceil(devices.length / 2)));
    if (devices.length === 1) return log.error({ err, kind, device_id: devices[0] }, 'traffic of device set aside');
    await rollIsolated(
      db,
      log,
      kind,
      marks.filter(({ device_id }) => first.has(device_id)),
    );
    await rollIsolated(
      db,
      log,
      kind,
      marks.filter(({ device_id }) => !first.has(device_id)),
    );
  }
};

type Rolling = Pick<Deps, 'db' | 'pool' | 'clock' | 'log'>;
type Stores = Omit<Rolling, 'clock'>;

/** Hours from this time on have all their reports. */
const reportsSince = async (pool: Deps['pool']) => {
  const since = await completeSince(pool, reportTables);
  return since === 0 ? 0 : since + reportS;
};

/** Calculates the next marked hours, their days and sums in one transaction. Returns the last mark if more may follow. */
const rollBatch = ({ db, pool, log }: Stores, kind: TrafficKindId, due: Due, after: readonly [number, number, number]) =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lock}), ${idleLimit}`.execute(tx);
    const marks = await run<Mark>(tx, takeSql, [kind, due.quiet, due.old, ...after]);
    const last = marks.at(-1);
    if (!last) return undefined;
    // The reports of these marks must be visible.
    await waitForCommits(pool);
    const since = await reportsSince(pool);
    // An hour with deleted reports keeps its figures, and so do the hours of a deleted device.
    await rollIsolated(
      tx,
      log,
      kind,
      marks.filter(({ is_known, hour }) => is_known && hour >= since),
    );
    await run(tx, completeSql, [kind, marks.map((m) => m.device_id), marks.map((m) => m.hour), marks.map((m) => m.version)]);
    return marks.length === batchSize ? ([last.day, last.device_id, last.hour] as const) : undefined;
  });

const rollKind = async (stores: Stores, kind: TrafficKindId, due: Due, signal?: AbortSignal) => {
  let after: readonly [number, number, number] | undefined = [Number.MIN_SAFE_INTEGER, 0, 0];
  while (after && !signal?.aborted) after = await rollBatch(stores, kind, due, after);
};

const dueKindsSql = `
  select k.kind from unnest($1::text[]) k(kind) where exists (select from traffic_dirty t where t.kind = k.kind and ${isDueSql})`;

const stateSql = `
  insert into traffic_state (kind, as_of)
  select k.kind, coalesce((select min(marked_at) from traffic_dirty t where t.kind = k.kind), $2) from unnest($1::text[]) k(kind)
  on conflict (kind) do update set as_of = excluded.as_of`;

/** Calculates the marked hours that are due; with `all`, each marked hour. */
export const rollTraffic = async (deps: Rolling, { all = false, signal }: { all?: boolean; signal?: AbortSignal } = {}) => {
  const now = deps.clock.now();
  const due = all ? { quiet: Number.MAX_SAFE_INTEGER, old: 0 } : { quiet: now - quietS, old: now - longestS };
  await makePartitions(deps.pool, now);
  const found = await run<{ kind: TrafficKindId }>(deps.db, dueKindsSql, [rolledKinds, due.quiet, due.old]);
  const dueKinds = new Set(found.map(({ kind }) => kind));
  for (const kind of rolledKinds) {
    if (dueKinds.has(kind)) await rollKind(deps, kind, due, signal);
    if (signal?.aborted) return;
  }
  await run(deps.db, stateSql, [rolledKinds, now]);
};

/** Hours with reports or figures on a day. A report can begin a day earlier. */
const markDaySql = (kind: TrafficKindId) => `
  insert into traffic_dirty (kind, device_id, hour, marked_at, touched_at)
  select '${kind}', device_id, hour, $2::bigint, $2::bigint from (
    select f.device_id, h.hour from ${kindTables[kind].reports} f
      cross join lateral generate_series(f.at / 3600 * 3600, (f.at + greatest(f.seconds, 1) - 1) / 3600 * 3600, 3600) as h(hour)
      where f.at > $1::bigint - ${reportS} and f.at < $1::bigint + 86400
    union
    select device_id, time from flow_sum_hour where kind = '${kind}' and time >= $1::bigint and time < $1::bigint + 86400
  ) u where hour >= $1::bigint and hour < $1::bigint + 86400 order by device_id, hour
  on conflict (kind, device_id, hour) do update set touched_at = excluded.touched_at, version = traffic_dirty.version + 1 returning 1`;

const oldestSql = `select min(at) as at from (${reportTables.map((table) => `select min(at) as at from ${table}`).join(' union all ')}) u`;

/** Calculates all hours whose reports are still stored, day by day. Readers see the old figures of a day, then the new ones. */
export const rebuildTraffic = async (deps: Rolling, onDay: (day: number) => void = () => {}) => {
  const now = deps.clock.now();
  const [oldest] = await run<{ at: number | null }>(deps.db, oldestSql, []);
  const since = await reportsSince(deps.pool);
  const first = dayStart(Math.max(since, oldest?.at ?? now));
  for (let day = first; day <= now + reportS; day += 86_400) {
    let marked = 0;
    for (const kind of rolledKinds) marked += (await run(deps.db, markDaySql(kind), [day, now])).length;
    if (marked > 0) await rollTraffic(deps, { all: true });
    onDay(day);
  }
};

export const trafficJobs: JobKinds = {
  roll_traffic: { run: ({ deps, signal }: JobRun) => rollTraffic(deps, { signal }), everyS: 60, retentionS },
};
