import type { Deps } from '../deps.ts';
import { claimJob, type OpenQueue, openQueues, sources } from './claim-job.ts';
import type { JobKinds } from './job.ts';
import { type RunningJob, runJob } from './run-job.ts';

interface WorkerOptions {
  readonly perSource: number;
  readonly beatMs: number;
  mayStart(): boolean;
  /** A worker is free again. */
  ended(): void;
}

/** Workers of one process, the same number for each source. */
export const openWorkers = (deps: Deps, kinds: JobKinds, { perSource, beatMs, mayStart, ended }: WorkerOptions) => {
  const names = Object.keys(kinds);
  const running = new Set<RunningJob>();
  const bySource = sources.map((source) => ({ source, busy: 0, turns: new Map<string, number>() }));
  /** Starts the next job of a source. Returns whether there was one. */
  const startNext = async (workers: (typeof bySource)[number], open: readonly OpenQueue[], now: number): Promise<boolean> => {
    if (!mayStart()) return false;
    const { source, turns } = workers;
    const idleOnly = perSource > 1 && workers.busy === perSource - 1;
    const job = await claimJob(
      deps,
      { kinds: names, idleOnly, turns, now },
      open.filter((queue) => queue.source === source),
    );
    const kind = job && kinds[job.kind];
    if (!kind) return false;
    const started = runJob(deps, kind, job, beatMs);
    running.add(started);
    workers.busy++;
    started.ended.then(() => {
      running.delete(started);
      workers.busy--;
      ended();
    });
    return true;
  };
  const fill = async () => {
    // One time for all claims: a lease of this process that ends meanwhile is not claimed again.
    const now = deps.clock.now();
    for (let hasStarted = true; hasStarted && mayStart(); ) {
      hasStarted = false;
      const free = bySource.filter(({ busy }) => busy < perSource);
      const open = free.length > 0 ? await openQueues(deps, names, now) : [];
      for (const workers of free) hasStarted = (await startNext(workers, open, now)) || hasStarted;
    }
  };
  return { running, fill };
};
