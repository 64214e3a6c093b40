import { rootOf } from '@farlink/gateway/protocol/merkle.ts';
import type { Pool } from 'pg';
import { dropPartitions, weekS } from '../../db/partitions.ts';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { copyHeldRows, removeReleased } from './held-rows.ts';
import { type AuditKind, auditKinds, auditSpecs } from './kinds.ts';
import { appendLeaves, lockLog } from './log.ts';
import { inTransaction, type Query } from './transaction.ts';
import { weekOf } from './verify-week.ts';

const day = 86_400;
/** Rows deleted per commit; few, so that other statements do not wait. */
const batchSize = 5000;

type RetentionDeps = Pick<Deps, 'pool' | 'config' | 'clock'>;

/** Weeks with seals that ended before the cutoff and have no drop leaf, oldest first. Weeks are dropped in order. */
const weeksToDrop = async (pool: Pool, kind: AuditKind, before: number): Promise<number[]> => {
  const { rows } = await pool.query<{ week: number }>(
    `select distinct from_at / ${weekS} * ${weekS} as week from audit_leaf
     where type = 'seal' and kind = $1 and from_at < $2
       and from_at >= coalesce((select max(from_at) + ${weekS} from audit_leaf where type = 'drop' and kind = $1), 0)
     order by week`,
    [kind, before],
  );
  return rows.map(({ week }) => week);
};

/** Nothing that is not sealed is dropped. */
const firstUnsealed = async (pool: Pool, kind: AuditKind): Promise<number> => {
  const { rows } = await pool.query<{ at: number | null }>(
    'select min(stored_at) as at from audit_batch where seal is null and kind = $1',
    [kind],
  );
  return weekOf(rows[0]?.at ?? Number.MAX_SAFE_INTEGER);
};

/** Writes the drop leaf (week, row count, root and rule) in its own commit. False: sealing is stopped. */
const writeDropLeaf = async (query: Query, secretKey: Buffer, kind: AuditKind, week: number, rule: string, now: number) => {
  const log = await lockLog(query, secretKey, now);
  if (log.stopped !== null) return false;
  const seals = await query<{ hash: Buffer; batches: number; rows: number }>(
    "select hash, batches, rows from audit_leaf where type = 'seal' and kind = $1 and from_at >= $2 and from_at < $3 order by index",
    [kind, week, week + weekS],
  );
  const batches = seals.reduce((sum, seal) => sum + seal.batches, 0);
  const rows = seals.reduce((sum, seal) => sum + seal.rows, 0);
  const root = rootOf(seals.map(({ hash }) => hash));
  await appendLeaves(query, secretKey, log, now, [{ type: 'drop', kind, from_at: week, batches, rows, root, note: rule, create_at: now }]);
  return true;
};

/** Removes batches of weeks with a drop leaf. A run that was interrupted is completed by the next. */
const removeBatches = async (pool: Pool, kind: AuditKind, before: number, signal?: AbortSignal) => {
  const sql = `delete from audit_batch where id = any(array(
    select id from audit_batch where kind = $1 and stored_at < $2 order by stored_at limit ${batchSize}))`;
  do signal?.throwIfAborted();
  while ((await pool.query(sql, [kind, before])).rowCount === batchSize);
};

/** Drops the old weeks of a kind: held rows are copied, then the drop leaf is written, then the data is removed. */
export const dropKind = async ({ pool, config, clock }: RetentionDeps, kind: AuditKind, signal?: AbortSignal) => {
  const now = clock.now();
  const days = config.audit.days[kind];
  const cutoff = Math.min(weekOf(now - days * day), await firstUnsealed(pool, kind));
  for (const week of await weeksToDrop(pool, kind, cutoff)) {
    signal?.throwIfAborted();
    await copyHeldRows({ pool, secretKey: config.secretKey }, kind, week, now, signal);
    const rule = `AUDIT_DAYS=${days}`;
    const isWritten = await inTransaction(pool, 'begin', (query) => writeDropLeaf(query, config.secretKey, kind, week, rule, now));
    if (!isWritten) return;
  }
  await dropPartitions(pool, [auditSpecs[kind].table], cutoff, signal);
  await removeBatches(pool, kind, cutoff, signal);
};

/** Terminals that were not seen for the retention, unless data of their VNO or subscriber is held. */
const removeTerminals = async ({ pool, config, clock }: RetentionDeps, signal?: AbortSignal) => {
  const sql = `delete from audit_terminal_state where (device_id, mac, agent_id) in (
    select t.device_id, t.mac, t.agent_id from audit_terminal_state t where t.last_at < $1 and not exists (
      select from audit_hold h where h.released_at is null and (h.subject = 's:' || t.subscriber_id or (h.subject is null and h.agent_id = t.agent_id)))
    order by t.last_at limit ${batchSize})`;
  do signal?.throwIfAborted();
  while ((await pool.query(sql, [clock.now() - config.audit.days.terminal * day])).rowCount === batchSize);
};

export const dropAudit = async (deps: RetentionDeps, signal?: AbortSignal) => {
  for (const kind of auditKinds) await dropKind(deps, kind, signal);
  await removeTerminals(deps, signal);
  await removeReleased(deps.pool);
};

const drop = ({ deps, signal }: JobRun) => dropAudit(deps, signal);

export const dropJobs: JobKinds = { drop_audit: { run: drop, everyS: 3600, retentionS: day } };
