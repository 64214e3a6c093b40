import type { StatusDatabase, StatusFinding } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { type WorkerSize, workerSizes } from '../../db/spread/sizes.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { readTables, type SizeDeps } from './table-sizes.ts';
import { levelOf, thresholds } from './thresholds.ts';

const hour = 3600;
const day = 86_400;
/** Samples of the size are kept for this time. */
const keepS = 400 * day;

interface Activity {
  readonly bytes: number;
  readonly used: number;
  readonly max: number;
  readonly oldest_s: number;
}

const activityOf = async (db: Db): Promise<Activity | undefined> => {
  const { rows } = await sql<Activity>`
    select pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
      coalesce((select max(extract(epoch from clock_timestamp() - xact_start)) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'), 0)::float8 as oldest_s`.execute(db);
  return rows[0];
};

/** Growth since the sample before `seconds`; null without one. */
const growthOf = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>, bytes: number, seconds: number): Promise<number | null> => {
  const before = clock.now() - seconds;
  const sample = await db
    .selectFrom('system_size')
    .select('bytes')
    .where('at', '<=', before)
    .where('at', '>', before - day)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return sample ? bytes - sample.bytes : null;
};

const sumOf = (workers: readonly WorkerSize[]) => workers.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);

/** Adds one sample an hour, and deletes old ones. There is no sample while a worker of Citus does not answer. */
export const storeSizeSample = async ({ db, clock, pool }: SizeDeps) => {
  const now = clock.now();
  const workers = await workerSizes(pool);
  if (workers.every(({ bytes }) => bytes !== undefined))
    await sql`
      insert into system_size (at, bytes) select ${now - (now % hour)}, pg_database_size(current_database()) + ${sumOf(workers)}::bigint
      where not exists (select from system_size where at = ${now - (now % hour)}) on conflict do nothing`.execute(db);
  await db
    .deleteFrom('system_size')
    .where('at', '<', now - keepS)
    .execute();
};

/** Sizes are read from the file system of the database. */
const readFigures = cachedFor(60, async (deps: SizeDeps): Promise<StatusDatabase & { readonly workers: readonly WorkerSize[] }> => {
  const activity = await activityOf(deps.db);
  const workers = await workerSizes(deps.pool);
  const bytes = (activity?.bytes ?? 0) + sumOf(workers);
  return {
    workers,
    bytes,
    day_growth_bytes: await growthOf(deps, bytes, day),
    week_growth_bytes: await growthOf(deps, bytes, 7 * day),
    connections: { used: activity?.used ?? 0, max: activity?.max ?? 0 },
    oldest_transaction_s: Math.floor(activity?.oldest_s ?? 0),
    tables: await readTables(deps),
    replica: null,
  };
});

const findingsOf = ({ connections: { used, max }, oldest_transaction_s, replica }: StatusDatabase): StatusFinding[] => [
  ...finding(
    'replica',
    replica && !replica.is_used ? 'warning' : undefined,
    ['只读副本未使用：不可达，或落后超过 10 秒', 'The read replica is not used: it is unreachable or more than 10 seconds behind'],
    ['检查 DATABASE_READ_URL 的服务器；其间由主库读取', 'Check the server of DATABASE_READ_URL. Meanwhile the primary serves its reads.'],
  ),
  ...finding(
    'connections',
    levelOf(max > 0 ? (100 * used) / max : 0, thresholds.connectionPercent),
    fill(['数据库连接已用 {0} / {1}', '{0} of {1} database connections are in use'], used, max),
    ['提高 max_connections，或降低各进程的 DATABASE_POOL', 'Raise max_connections, or lower DATABASE_POOL of the processes'],
  ),
  ...finding(
    'transaction',
    levelOf(oldest_transaction_s, thresholds.transactionS),
    fill(['一个事务已打开 {0}', 'A transaction has been open for {0}'], durationText(oldest_transaction_s)),
    ['在 pg_stat_activity 中找到它，必要时结束它', 'Find it in pg_stat_activity, and end it if needed'],
  ),
];

const workerFindings = (workers: readonly WorkerSize[]): StatusFinding[] => {
  const missing = workers.filter(({ bytes }) => bytes === undefined).map(({ name }) => name);
  return finding(
    'worker',
    missing.length > 0 ? 'critical' : undefined,
    fill(['数据库工作节点无应答：{0}', 'Database workers do not answer: {0}'], missing.join(', ')),
    ['启动这些服务器；其间网关保留上报的数据', 'Start these servers. Meanwhile the gateways keep their reports.'],
  );
};

/** As this process sees the replica. */
const replicaOf = ({ replica }: Deps) => replica?.state ?? null;

export const readDatabase = async (deps: Deps) => {
  const { workers, ...known } = await readFigures(deps);
  const figures = { ...known, replica: replicaOf(deps) };
  return statusPart(figures, [...workerFindings(workers), ...findingsOf(figures)]);
};
