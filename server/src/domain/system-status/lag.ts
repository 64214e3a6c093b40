import { jobName } from '@farlink/contract/advanced/job-names.ts';
import type { StatusFinding, StatusLag } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { readProcessNodes } from './nodes.ts';
import { levelOf, thresholds } from './thresholds.ts';

type LagDeps = Pick<Deps, 'db' | 'clock' | 'pool'>;

interface Oldest {
  readonly usage_at: number | null;
  readonly marked_at: number | null;
  readonly hour: number | null;
  readonly stored_at: number | null;
  readonly job_at: number | null;
  readonly job_kind: string | null;
}

/** The oldest work of each kind. Each part reads the first entry of an index. */
const oldestOf = async ({ db }: LagDeps, now: number): Promise<Oldest | undefined> => {
  const { rows } = await sql<Oldest>`
    select (select create_at from usage order by id limit 1) as usage_at, dirty.marked_at, dirty.hour,
      (select min(stored_at) from audit_batch where seal is null and stored_at < ${now - (now % 60)}) as stored_at,
      open_job.run_at as job_at, open_job.kind as job_kind
    from (select 1) one
      left join lateral (
        select first.marked_at, first.hour from (values ('flow_usr'), ('flow_mgt'), ('dpi_usr'), ('dpi_mgt')) as k(kind)
          cross join lateral (select marked_at, hour from traffic_dirty t where t.kind = k.kind order by t.marked_at limit 1) first
        order by first.marked_at limit 1
      ) dirty on true
      left join lateral (
        select case when state = 'waiting' then run_at else lease_until end as run_at, kind from job
        where state in ('waiting', 'running') and run_at <= ${now} and (state = 'waiting' or lease_until < ${now})
        order by run_at, id limit 1
      ) open_job on true`.execute(db);
  return rows[0];
};

const ageOf = (at: number | null | undefined, now: number) => (at === null || at === undefined ? 0 : Math.max(0, now - at));

/** Read by the page, by the check and by each scrape of the metrics. */
export const readLagFigures = cachedFor(5, async (deps: LagDeps): Promise<StatusLag> => {
  const now = deps.clock.now();
  const oldest = await oldestOf(deps, now);
  const nodes = await readProcessNodes(deps);
  const listeners = nodes.filter(({ is_gone }) => !is_gone).flatMap(({ figures }) => figures.listeners);
  return {
    ingest_s: ageOf(oldest?.usage_at, now),
    ingest_waiting: Math.max(0, ...listeners.map(({ waiting }) => waiting)),
    rollup_s: ageOf(oldest?.marked_at, now),
    rollup_hour: oldest?.hour ?? null,
    seal_s: ageOf(oldest?.stored_at, now),
    job_s: ageOf(oldest?.job_at, now),
    job_kind: oldest?.job_kind ?? null,
  };
});

const findingsOf = (lag: StatusLag): StatusFinding[] => [
  ...finding(
    'ingest_lag',
    levelOf(lag.ingest_s, thresholds.ingestS),
    fill(['网关上报的用量已等待计费 {0}', 'Reported usage has waited {0} to be charged'], durationText(lag.ingest_s)),
    [
      '检查是否有 worker 进程运行、数据库是否过载；用量不会丢失',
      'Check that a worker process runs and that the database is not overloaded. No usage is lost.',
    ],
  ),
  ...finding(
    'ingest_backlog',
    levelOf(lag.ingest_waiting, thresholds.ingestWaiting),
    fill(['一个进程中有 {0} 条网关消息等待入库', '{0} messages of gateways wait in one process to be stored'], lag.ingest_waiting),
    ['数据库写入过慢：检查磁盘与锁', 'The database stores too slowly. Check its disk and locks.'],
  ),
  ...finding(
    'rollup_lag',
    levelOf(lag.rollup_s, thresholds.rollupS),
    fill(['流量汇总落后 {0}', 'Traffic figures are {0} behind'], durationText(lag.rollup_s)),
    ['检查任务 roll_traffic 的日志与数据库负载', 'Check the log of the job roll_traffic and the load of the database'],
  ),
  ...finding(
    'seal_lag',
    levelOf(lag.seal_s, thresholds.sealS),
    fill(['审计数据已等待封存 {0}', 'Audit data has waited {0} to be sealed'], durationText(lag.seal_s)),
    ['打开“证据”页查看封存是否停止', 'Open the page Evidence and check whether sealing is stopped'],
  ),
  ...finding(
    'job_lag',
    levelOf(lag.job_s, thresholds.jobS),
    fill(['后台任务“{0}”已等待 {1}', 'The job “{0}” has waited {1} to start'], jobName(lag.job_kind ?? ''), durationText(lag.job_s)),
    ['启动更多 worker 进程，或检查占用时间长的任务', 'Start more worker processes, or look for jobs that take long'],
  ),
];

export const readLag = async (deps: Deps) => {
  const lag = await readLagFigures(deps);
  return statusPart(lag, findingsOf(lag));
};
