import { errors } from '@farlink/contract/errors.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../fail.ts';
import { noteInternalError } from '../internal-error.ts';
import type { Job, JobKind, JobRun } from './job.ts';
import { beat, LeaseLost, type LeaseState, removeCompleted, whileLeased } from './job-lease.ts';

const maxAttempts = 3;
const backOffS = (attempts: number) => 10 * 4 ** (attempts - 1);

/** Thrown where an aborted run must not continue. */
class Interrupted extends Error {}

export interface RunningJob {
  readonly id: number;
  readonly ended: Promise<void>;
  /** Checks in the database that the job is not cancelled and the lease is held. */
  check(): Promise<void>;
  /** Requests the run to stop, because the process ends. */
  interrupt(): void;
  /** Returns the job of a run that did not stop. The run can no longer commit. */
  release(): Promise<void>;
}

const handedBack = (deps: Deps, job: Job) => ({ state: 'waiting', attempts: job.attempts - 1, run_at: deps.clock.now() }) as const;

/** Ends a run that did not commit. A cancel has priority; a refusal is final; any other error is retried. */
const complete = (deps: Deps, kind: JobKind, job: Job, error: unknown, stopping: boolean) =>
  whileLeased(deps, job, async (db, cancel) => {
    const now = deps.clock.now();
    if (cancel) return { state: 'cancelled', finish_at: now };
    if (stopping) return handedBack(deps, job);
    const refused = error instanceof Refusal;
    const why: Text = refused ? error.text : fill(errors.internal.text, `job-${job.id}`);
    if (!refused) noteInternalError(deps.log, 'job', error, { job: job.id, kind: job.kind, attempt: job.attempts });
    if (!refused && job.attempts < maxAttempts)
      return { state: 'waiting', run_at: now + backOffS(job.attempts), error: say(why, job.lang) };
    await kind.failed?.(db, job, why, now);
    return { state: 'failed', finish_at: now, error: say(why, job.lang) };
  });

export const runJob = (deps: Deps, kind: JobKind, job: Job, beatMs: number): RunningJob => {
  const abort = new AbortController();
  let committed = false;
  let stopping = false;
  let shown = -1;
  const abortUnlessHeld = (leaseState: LeaseState) => {
    if (leaseState !== 'held' && !committed) abort.abort(new Interrupted(leaseState));
  };
  const check = async () => abortUnlessHeld(await beat(deps, job));
  const run: JobRun = {
    job,
    deps,
    signal: abort.signal,
    cancelled: () => abort.signal.aborted,
    progress: async (percent) => {
      const rounded = Math.max(0, Math.min(100, Math.floor(percent)));
      if (rounded === shown) return;
      shown = rounded;
      abortUnlessHeld(await beat(deps, job, { progress: rounded }));
    },
    commit: async (effect) => {
      await whileLeased(deps, job, async (db, cancel) => {
        if (cancel) throw new Interrupted('cancel');
        const result = await effect(db);
        const now = deps.clock.now();
        if (kind.retentionS !== undefined) await removeCompleted(db, job.kind, now - kind.retentionS);
        return { state: 'done', progress: 100, finish_at: now, error: null, result: result ? JSON.stringify(result) : null };
      });
      committed = true;
    },
  };
  const work = async () => {
    // A job that crashes the process each time is not retried forever.
    if (job.attempts > maxAttempts) throw new Error('the runner of this job died each time');
    await kind.run(run);
    if (committed) return;
    abort.signal.throwIfAborted();
    await run.commit(async () => {});
  };
  const runToEnd = async () => {
    const beating = setInterval(() => check().catch((err) => deps.log.warn({ err, job: job.id }, 'job heartbeat failed')), beatMs);
    try {
      await work();
    } catch (error) {
      if (committed) noteInternalError(deps.log, 'job', error, { job: job.id, kind: job.kind, committed });
      else await complete(deps, kind, job, error, stopping);
    } finally {
      clearInterval(beating);
    }
  };
  const ended = runToEnd().catch((err) => {
    // The lease expires by itself, and the next runner takes the job.
    if (!(err instanceof LeaseLost)) deps.log.error({ err, job: job.id }, 'job completion failed');
  });
  const interrupt = () => {
    stopping = true;
    abort.abort(new Interrupted('stop'));
  };
  const release = () => whileLeased(deps, job, async () => handedBack(deps, job));
  return { id: job.id, ended, check, interrupt, release };
};
