import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Db, Deps } from '../deps.ts';
import { fail } from '../fail.ts';

/** Notification channel that wakes the runners after an enqueue or cancel. */
export const jobChannel = 'farlink_job';

export interface JobOrder {
  readonly kind: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** A second enqueue with the same key returns the same job. */
  readonly key?: string;
  readonly runAt?: number;
  /** Session on whose behalf the job runs, with its current rights. */
  readonly me?: SessionInfo;
  /** VNO whose turn the job waits for, if it runs without a session. Without both it is a job of the system. */
  readonly agentId?: number;
  readonly lang?: Lang;
}

/** Part of the caller's transaction: the job exists exactly when the caller's change does. */
export const enqueue = async (db: Db, now: number, order: JobOrder): Promise<number> => {
  const { kind, payload = {}, key = null, runAt = now, me, agentId, lang = 'zh' } = order;
  const made = await db
    .insertInto('job')
    .values({
      kind,
      payload: JSON.stringify(payload),
      key,
      run_at: runAt,
      customer_id: me?.uid ?? null,
      agent_id: me?.agent_id ?? agentId ?? null,
      rights: me ? JSON.stringify(me) : null,
      lang,
      create_at: now,
    })
    .onConflict((oc) => oc.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) await sql`select pg_notify(${jobChannel}, '')`.execute(db);
  return made?.id ?? (await db.selectFrom('job').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id;
};

/**
 * Enqueues a job that an operator ordered. An account may have only a few of a kind waiting, because they delay those of its VNO. Requests
 * of one account count one after the other, until the end of the transaction.
 */
export const orderJob = async (db: Db, now: number, order: JobOrder & { readonly me: SessionInfo }): Promise<number> => {
  const { kind, me } = order;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`jobs ${me.uid}`}, 0))`.execute(db);
  const isExport = kind === 'export';
  const most = isExport ? limits.waitingExports : limits.waitingJobs;
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from (
    select from job where customer_id = ${me.uid} and kind = ${kind} and state = 'waiting' limit ${most}) j`.execute(db);
  if ((rows[0]?.waiting ?? 0) >= most) throw fail(isExport ? 'exports_waiting' : 'jobs_waiting', { args: [most] });
  return enqueue(db, now, order);
};

/** A waiting job is cancelled at once, a running one at its next step. Returns false if it has already ended. */
export const cancelJob = async (db: Db, now: number, id: number): Promise<boolean> => {
  const row = await db
    .updateTable('job')
    .set({
      cancel_requested: true,
      state: sql`case when state = 'waiting' then 'cancelled' else state end`,
      finish_at: sql`case when state = 'waiting' then ${now}::bigint end`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .returning('id')
    .executeTakeFirst();
  if (row) await sql`select pg_notify(${jobChannel}, ${String(id)})`.execute(db);
  return row !== undefined;
};

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly owner: string;
  readonly customer_id: number | null;
  readonly agent_id: number | null;
  readonly lang: Lang;
  readonly rights: SessionInfo | null;
}

/** Run of a job, as seen by its kind. */
export interface JobRun {
  readonly job: Job;
  readonly deps: Deps;
  /** Aborted on cancel, on process stop, and when another runner took over the job. */
  readonly signal: AbortSignal;
  cancelled(): boolean;
  progress(percent: number): Promise<void>;
  /** Runs the effect and marks the job done in one transaction. Only the lease holder can commit. */
  commit(effect: (db: Db) => Promise<Readonly<Record<string, unknown>> | undefined>): Promise<void>;
}

export interface JobKind {
  run(run: JobRun): Promise<void>;
  /** Interval of a periodic kind, in seconds. */
  readonly everyS?: number;
  /** Whether a round of a periodic kind has work, else it makes no job. Read often, so it uses an index. Default: always. */
  isDue?(deps: Deps): RawBuilder<boolean>;
  /** Seconds that completed jobs of this kind are kept, for kinds that run often. Default: as long as failed ones. */
  readonly retentionS?: number;
  /** Effect of a permanent failure, in the same transaction as the job state. */
  failed?(db: Db, job: Job, why: Text, now: number): Promise<void>;
}

export type JobKinds = Readonly<Record<string, JobKind>>;
