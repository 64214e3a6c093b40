import type { StatusFinding, StatusNode } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { readFigures } from './process-figures.ts';
import { levelOf, thresholds } from './thresholds.ts';

interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly version: string;
  readonly address: string | null;
  readonly started_at: number;
  readonly seen_at: number;
  /** By the clock of the database, which wrote the heartbeat. */
  readonly age_s: number;
  readonly figures: unknown;
}

export type ProcessNode = Omit<NodeRow, 'figures'> & { readonly is_gone: boolean; readonly figures: ReturnType<typeof readFigures> };

const readRows = async (db: Db): Promise<ProcessNode[]> => {
  const { rows } = await sql<NodeRow>`
    select id, name, roles, version, address, extract(epoch from started_at)::bigint as started_at, extract(epoch from seen_at)::bigint as seen_at,
      extract(epoch from clock_timestamp() - seen_at)::float8 as age_s, figures
    from process_node where seen_at > now() - make_interval(secs => ${thresholds.nodeForgottenS}) order by name, started_at`.execute(db);
  return rows.map((row) => ({ ...row, is_gone: row.age_s > thresholds.nodeGoneS, figures: readFigures(row.figures) }));
};

/** Processes that run, or that stopped during the last day. Several parts of the status use them. */
export const readProcessNodes = cachedFor(2, ({ db }: Pick<Deps, 'db' | 'clock' | 'pool'>) => readRows(db));

const numbersIn = (version: string) => (version.match(/\d+/g) ?? []).map(Number);

/** Positive if `a` is the newer version. */
export const compareVersions = (a: string, b: string): number => {
  const left = numbersIn(a);
  const right = numbersIn(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** While an installation starts, processes of other roles may follow. */
const missingRoles = (nodes: readonly ProcessNode[], now: number): StatusFinding[] => {
  const running = nodes.filter(({ is_gone }) => !is_gone);
  const live = new Set(running.flatMap(({ roles }) => roles));
  const isStarting = running.every(({ started_at }) => now - started_at < thresholds.startS);
  const known = new Set(['api', 'worker', 'field', ...nodes.flatMap(({ roles }) => roles)]);
  return [...known]
    .filter((role) => !live.has(role))
    .flatMap((role) =>
      finding(
        `role:${role}`,
        isStarting ? 'warning' : 'critical',
        fill(['没有进程在运行角色 {0}', 'No process runs the role {0}'], role),
        fill(['启动一个 ROLES 包含 {0} 的进程', 'Start a process whose ROLES contain {0}'], role),
      ),
    );
};

const goneNodes = (nodes: readonly ProcessNode[]): StatusFinding[] =>
  nodes
    .filter(({ is_gone }) => is_gone)
    .flatMap(({ id, name, age_s }) =>
      finding(
        `node:${id}`,
        'warning',
        fill(['进程 {0} 已 {1}没有心跳', 'Process {0} has had no heartbeat for {1}'], name, durationText(age_s)),
        ['检查该机器与进程日志，必要时重新启动', 'Check the machine and the log of the process, and start it again if needed'],
      ),
    );

const loadOf = ({ id, name, figures: { loop_ms, pool, disk, clock_offset_ms } }: ProcessNode): StatusFinding[] => {
  const used = disk && disk.total_bytes > 0 ? Math.round(100 - (100 * disk.free_bytes) / disk.total_bytes) : 0;
  const offset = Math.abs(clock_offset_ms ?? 0);
  return [
    ...finding(
      `clock:${id}`,
      levelOf(offset, thresholds.clockMs),
      fill(
        ['进程 {0} 的时钟与数据库相差 {1}', 'The clock of process {0} differs from the database by {1}'],
        name,
        durationText(offset / 1000),
      ),
      ['在该机器上启用时间同步（NTP）', 'Enable time synchronisation (NTP) on this machine'],
    ),
    ...finding(
      `loop:${id}`,
      levelOf(loop_ms ?? 0, thresholds.loopMs),
      fill(['进程 {0} 的事件循环延迟 {1} 毫秒', 'The event loop of process {0} was delayed by {1} ms'], name, Math.round(loop_ms ?? 0)),
      ['进程过载：增加进程或减少其角色', 'The process is overloaded. Add processes or give it fewer roles.'],
    ),
    ...finding(
      `pool:${id}`,
      levelOf(pool?.waiting ?? 0, thresholds.poolWaiting),
      fill(
        ['进程 {0} 有 {1} 个请求在等待数据库连接', 'Process {0}: {1} requests wait for a database connection'],
        name,
        pool?.waiting ?? 0,
      ),
      ['提高 DATABASE_POOL，或检查慢查询', 'Raise DATABASE_POOL, or look for slow queries'],
    ),
    ...finding(
      `disk:${id}`,
      levelOf(used, thresholds.diskPercent),
      fill(['进程 {0} 的数据盘已用 {1}%', 'The disk of DATA_DIR of process {0} is {1}% full'], name, used),
      ['清理或扩大磁盘', 'Free space or enlarge the disk'],
    ),
  ];
};

const olderVersions = (live: readonly ProcessNode[], newest: string): StatusFinding[] => {
  const older = live.filter(({ version }) => compareVersions(version, newest) < 0);
  return finding(
    'versions',
    older.length > 0 ? 'warning' : undefined,
    fill(['{0} 个进程的版本低于 {1}', '{0} processes run an older version than {1}'], older.length, newest),
    ['完成升级：重新启动这些进程', 'Complete the upgrade: restart these processes'],
  );
};

const nodeView = ({ figures, age_s: _, ...node }: ProcessNode, newest: string): StatusNode => ({
  ...node,
  is_older: compareVersions(node.version, newest) < 0,
  loop_ms: figures.loop_ms,
  cpu_percent: figures.cpu_percent,
  memory_bytes: figures.memory_bytes,
  pool: figures.pool,
  disk: figures.disk,
});

export const readNodes = async (deps: Deps) => {
  const nodes = await readProcessNodes(deps);
  const live = nodes.filter(({ is_gone }) => !is_gone);
  const newest =
    live
      .map(({ version }) => version)
      .sort(compareVersions)
      .at(-1) ?? '';
  return statusPart(
    nodes.map((node) => nodeView(node, newest)),
    [...missingRoles(nodes, deps.clock.now()), ...goneNodes(nodes), ...live.flatMap(loadOf), ...olderVersions(live, newest)],
  );
};
