import type { Pool } from 'pg';
import { weekS } from '../../db/partitions.ts';
import type { Config } from '../../env/config.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Finding } from './findings.ts';
import { type AuditKind, auditKinds } from './kinds.ts';
import { bucketCopy, fileCopy } from './outside.ts';
import { minuteS } from './seal.ts';
import { inTransaction } from './transaction.ts';
import { verifyLog } from './verify-log.ts';
import { verifyPeriod } from './verify-period.ts';
import type { Period } from './verify-rows.ts';
import { verifyWeek, weekOf } from './verify-week.ts';

/** Rows of a period, which is whole minutes. */
const rowsPerPeriod = 100_000;
/** Findings stored per run; further ones are counted. */
const maxStored = 1000;

export interface Verification {
  readonly id: number;
  readonly from_at: number;
  readonly to_at: number;
  readonly done_kinds: number;
  readonly done_to: number;
  readonly finding_count: number;
}

interface Progress {
  readonly done_kinds: number;
  readonly done_to: number;
  readonly rows: number;
  readonly batches: number;
  readonly findings: readonly Finding[];
}

/** Whole minutes from `at` that have about `rowsPerPeriod` rows, within a week. */
const nextEnd = async (pool: Pool, kind: AuditKind, at: number, to: number): Promise<number> => {
  const end = Math.min(to, weekOf(at) + weekS);
  const { rows } = await pool.query<{ minute: number; count: number }>(
    `select stored_at / ${minuteS} * ${minuteS} as minute, sum(count)::bigint as count from audit_batch
     where kind = $1 and stored_at >= $2 and stored_at < $3 group by 1 order by 1`,
    [kind, at, end],
  );
  let sum = 0;
  for (const { minute, count } of rows) {
    sum += count;
    if (sum > rowsPerPeriod) return Math.min(end, minute > at ? minute : minute + minuteS);
  }
  return end;
};

/** Stores findings and position in one commit, so that an interrupted run continues without loss or repetition. */
const saveProgress = (pool: Pool, run: Verification, { done_kinds, done_to, rows, batches, findings }: Progress): Promise<Verification> =>
  inTransaction(pool, 'begin', async (query) => {
    const stored = findings.slice(0, Math.max(0, maxStored - run.finding_count));
    await query(
      `insert into audit_finding (verification_id, type, kind, from_at, to_at, batch, device_id, n, count)
       select $1, u.type, u.kind, u.from_at, u.to_at, u.batch, u.device_id, u.n, coalesce(u.count, 1)
       from json_to_recordset($2::json) as u(type text, kind text, from_at bigint, to_at bigint, batch uuid, device_id bigint, n integer, count bigint)`,
      [run.id, JSON.stringify(stored)],
    );
    const share = (done_to - run.from_at) / Math.max(1, run.to_at - run.from_at);
    const progress = Math.floor((100 * (done_kinds + Math.min(1, share))) / (auditKinds.length + 1));
    const [saved] = await query<Verification>(
      `update audit_verification set done_kinds = $2, done_to = $3, progress = $4, row_count = row_count + $5, batch_count = batch_count + $6,
         finding_count = finding_count + $7 where id = $1 returning *`,
      [run.id, done_kinds, done_to, Math.min(100, progress), rows, batches, findings.length],
    );
    if (!saved) throw new Error(`verification ${run.id} was removed`);
    return saved;
  });

const step = async (deps: Pick<Deps, 'pool' | 'config' | 'clock'>, period: Period) => {
  const { pool, config, clock } = deps;
  const week = weekOf(period.from);
  const { isGone, findings } = await verifyWeek(pool, period.kind, week, clock.now());
  // The state of a week is reported once, by the period that begins it or the run.
  if (isGone) return { rows: 0, batches: 0, findings, to: Math.min(period.to, week + weekS) };
  const to = await nextEnd(pool, period.kind, period.from, period.to);
  const result = await verifyPeriod(pool, config.secretKey, { ...period, to });
  return { ...result, to };
};

/** Checkpoints kept outside, read before the log. A bucket that does not respond is not a finding. */
const outsideCopies = async (config: Config): Promise<string[]> => {
  const copies = [
    await fileCopy(config).read(),
    await bucketCopy(config)
      ?.read()
      .catch(() => undefined),
  ];
  return copies.filter((text) => text !== undefined);
};

/** Verifies the rest of a run. `moved` is called after each period. */
export const continueRun = async (
  deps: Pick<Deps, 'pool' | 'config' | 'clock'>,
  run: Verification,
  moved: (run: Verification) => Promise<void>,
): Promise<Verification> => {
  const { pool, config } = deps;
  let now = run;
  for (;;) {
    const kind = auditKinds[now.done_kinds];
    if (!kind) break;
    if (now.done_to >= now.to_at) {
      now = await saveProgress(pool, now, { done_kinds: now.done_kinds + 1, done_to: now.from_at, rows: 0, batches: 0, findings: [] });
      continue;
    }
    const { to, ...result } = await step(deps, { kind, from: now.done_to, to: now.to_at });
    now = await saveProgress(pool, now, { ...result, done_kinds: now.done_kinds, done_to: to });
    await moved(now);
  }
  if (now.done_kinds > auditKinds.length) return now;
  const { size, findings } = await verifyLog(pool, await outsideCopies(config));
  await pool.query('update audit_verification set log_size = $2 where id = $1', [run.id, size]);
  return saveProgress(pool, now, { done_kinds: auditKinds.length + 1, done_to: now.to_at, rows: 0, batches: 0, findings });
};
