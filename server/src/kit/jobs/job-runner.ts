import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { openListener } from '../listener.ts';
import { type JobKinds, jobChannel } from './job.ts';
import { openRounds } from './rounds.ts';
import { openWorkers } from './workers.ts';

export interface JobRunner {
  /** Runs all due jobs and returns when none is left. */
  tick(): Promise<void>;
  /** Waits a moment for running jobs, then returns them for the next runner. */
  stop(): Promise<void>;
}

interface RunnerOptions {
  /** Workers of each source. The last one is kept for a queue without a running job, so that one VNO or kind cannot occupy all. */
  readonly concurrency?: number;
  /** Poll interval for jobs that become due by time; 0: only by `tick`. */
  readonly pollMs?: number;
  readonly beatMs?: number;
  readonly graceMs?: number;
}

export const startJobs = (deps: Deps, kinds: JobKinds, options: RunnerOptions = {}): JobRunner => {
  const { concurrency = 3, pollMs = 5000, beatMs = 5000, graceMs = 5000 } = options;
  const workers = openWorkers(deps, kinds, {
    perSource: concurrency,
    beatMs,
    mayStart: () => !stopping,
    ended: () => {
      runDue();
    },
  });
  const { running } = workers;
  const beginRounds = openRounds(deps, kinds);
  let stopping = false;
  let pumping: Promise<void> | undefined;
  let again = false;

  const pump = async () => {
    await beginRounds().catch((err) => deps.log.error({ err }, 'rounds of jobs not begun'));
    await workers.fill();
  };

  /** One pump at a time; a call during it starts another one afterwards. */
  const runDue = (): Promise<void> => {
    again = true;
    pumping ??= (async () => {
      try {
        while (again && !stopping) {
          again = false;
          await pump();
        }
      } catch (err) {
        deps.log.error({ err }, 'job claim failed');
      } finally {
        pumping = undefined;
      }
    })();
    return pumping;
  };

  const listener = openListener(deps.pool, jobChannel, (message) => {
    for (const job of running) if (String(job.id) === message) job.check().catch(() => {});
    runDue();
  });
  const poll = () => {
    // Cancellations may be lost before the listener is connected, so running jobs are checked.
    const checkMissed = async () => {
      if (await listener.ensure()) for (const job of running) await job.check();
    };
    checkMissed().catch((err) => deps.log.warn({ err }, 'job listener failed, polling only'));
    runDue();
  };
  const polling = pollMs > 0 ? setInterval(poll, pollMs) : undefined;
  if (polling) poll();

  const allEnded = () => Promise.all([...running].map((job) => job.ended));

  return {
    tick: async () => {
      await runDue();
      while (running.size > 0) {
        await Promise.race([...running].map((job) => job.ended));
        await runDue();
      }
    },
    stop: async () => {
      stopping = true;
      clearInterval(polling);
      listener.close();
      await pumping;
      await Promise.race([allEnded(), pause(graceMs, undefined, { ref: false })]);
      for (const job of running) job.interrupt();
      await Promise.race([allEnded(), pause(graceMs, undefined, { ref: false })]);
      for (const job of running) await job.release().catch((err) => deps.log.warn({ err, job: job.id }, 'job release failed'));
    },
  };
};
