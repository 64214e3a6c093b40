import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { enqueue, type Job, type JobKinds, type JobRun } from '../../kit/jobs/job.ts';
import { raiseAlarm } from './alarm.ts';
import { findingText } from './findings.ts';
import { minuteOf } from './seal.ts';
import { continueRun } from './verify-run.ts';

const hour = 3600;
const day = 86_400;
/** Night of the operators: 02:00 UTC+8. */
const nightHour = 18;
/** Batches of the last minutes may not be sealed yet. */
const youngestS = 600;

interface NewRun {
  readonly cause: 'nightly' | 'manual';
  readonly from_at: number;
  readonly to_at: number;
  readonly operator: string | null;
}

/** Creates a run and its job, in the caller's transaction. */
export const startVerification = async (db: Db, now: number, { cause, from_at, to_at, operator }: NewRun): Promise<number> => {
  const from = minuteOf(from_at);
  const to = Math.max(from, minuteOf(Math.min(to_at, now)));
  const { id } = await db
    .insertInto('audit_verification')
    .values({ cause, from_at: from, to_at: to, done_to: from, state: 'waiting', operator, create_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(db, now, { kind: 'verify_audit', payload: { id }, key: `verify_audit:${id}` });
  return id;
};

/** Refuses a second run at the same time. */
export const startManual = async (db: Db, now: number, run: Omit<NewRun, 'cause'>): Promise<number> => {
  await db.selectFrom('audit_log').select('id').forUpdate().execute();
  const busy = await db
    .selectFrom('audit_verification')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .where('cause', '=', 'manual')
    .executeTakeFirst();
  if (busy) throw fail('audit_verifying');
  return startVerification(db, now, { ...run, cause: 'manual' });
};

const runId = (payload: unknown): number => (isRecord(payload) ? Number(payload.id) : Number.NaN);

const alarmTitle: Text = ['审计数据核验发现问题', 'Audit data verification failed'];

/** Raises the alarm and moves the nightly position, in the commit that ends the run. */
const complete = async (db: Db, id: number, now: number) => {
  const run = await db
    .updateTable('audit_verification')
    .set({ state: 'done', progress: 100, finish_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (run.finding_count > 0) {
    const first = await db.selectFrom('audit_finding').selectAll().where('verification_id', '=', id).orderBy('id').executeTakeFirst();
    const text = first ? findingText(first) : (['', ''] as const);
    const content = fill(
      ['核验 {0} 发现 {1} 个问题，例如：{2}', 'Verification {0} has {1} findings, for example: {2}'],
      id,
      run.finding_count,
      text,
    );
    await raiseAlarm(db, alarmTitle, content, now);
  }
  if (run.cause === 'nightly')
    await db.updateTable('audit_log').set({ verified_to: run.to_at }).where('verified_to', '=', run.from_at).execute();
  return { findings: run.finding_count };
};

const verify = async (run: JobRun) => {
  const { deps, signal } = run;
  const id = runId(run.job.payload);
  const found = await deps.db
    .updateTable('audit_verification')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .returningAll()
    .executeTakeFirst();
  if (!found) return;
  await continueRun(deps, found, async ({ to_at, from_at, done_kinds, done_to }) => {
    signal.throwIfAborted();
    await run.progress((100 * (done_kinds + (done_to - from_at) / Math.max(1, to_at - from_at))) / 7);
  });
  await run.commit((db) => complete(db, id, deps.clock.now()));
};

const verifyFailed = async (db: Db, { payload }: Job, _: Text, now: number) => {
  await db.updateTable('audit_verification').set({ state: 'failed', finish_at: now }).where('id', '=', runId(payload)).execute();
};

/** First time of storing that can be verified. */
const oldestSeal = async ({ db }: Pick<Deps, 'db'>): Promise<number | undefined> => {
  const row = await db.selectFrom('audit_leaf').select('from_at').where('type', '=', 'seal').orderBy('index').limit(1).executeTakeFirst();
  return row?.from_at;
};

/** Plans the run of a night: the time since the last one, and one older day, in turn. */
export const planNight = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now();
  const log = await db.selectFrom('audit_log').select(['verified_to', 'again_from']).executeTakeFirst();
  const oldest = await oldestSeal({ db });
  if (!log || oldest === undefined) return;
  const last = await db
    .selectFrom('audit_verification')
    .select(({ fn }) => fn.max('create_at').as('at'))
    .where('cause', '=', 'nightly')
    .executeTakeFirst();
  const since = now - Number(last?.at ?? 0);
  const isNight = Math.floor((now % day) / hour) === nightHour;
  if (since < 12 * hour || !(isNight || since > 25 * hour)) return;
  const from = Math.max(log.verified_to, log.verified_to === 0 ? oldest : 0);
  await db.transaction().execute(async (tx) => {
    if (log.verified_to === 0)
      await tx
        .updateTable('audit_log')
        .set({ verified_to: minuteOf(from) })
        .execute();
    await startVerification(tx, now, { cause: 'nightly', from_at: from, to_at: now - youngestS, operator: null });
    const again = log.again_from < oldest || log.again_from + day > from ? oldest : log.again_from;
    if (again + day > from) return;
    await tx
      .updateTable('audit_log')
      .set({ again_from: again + day })
      .execute();
    await startVerification(tx, now, { cause: 'nightly', from_at: again, to_at: again + day, operator: null });
  });
};

export const verifyJobs: JobKinds = {
  verify_audit: { run: verify, failed: verifyFailed },
  // A run is planned once a night.
  plan_audit_verification: { run: ({ deps }) => planNight(deps), everyS: hour, retentionS: day },
};
