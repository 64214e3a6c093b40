import type { Deps } from '../deps.ts';
import { claimJob, sources } from './claim-job.ts';
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
  const running = new Set<RunningJob>();
  const bySource = sources.map((source) => ({ source, busy: 0, turns: new Map<string, number>() }));
  const fillSource = async (workers: (typeof bySource)[number]) => {
    const { source, turns } = workers;
    while (workers.busy < perSource && mayStart()) {
      const idleOnly = perSource > 1 && workers.busy === perSource - 1;
      const job = await claimJob(deps, { source, kinds: Object.keys(kinds), idleOnly, turns });
      const kind = job && kinds[job.kind];
      if (!kind) return;
      const started = runJob(deps, kind, job, beatMs);
      running.add(started);
      workers.busy++;
      started.ended.then(() => {
        running.delete(started);
        workers.busy--;
        ended();
      });
    }
  };
  const fill = async () => {
    for (const workers of bySource) await fillSource(workers);
  };
  return { running, fill };
};
