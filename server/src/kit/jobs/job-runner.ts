import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { openListener } from '../listener.ts';
import { enqueue, type JobKinds, jobChannel } from './job.ts';
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
  /** Periodic kinds with their interval in seconds. */
  readonly every?: Readonly<Record<string, number>>;
}

export const startJobs = (deps: Deps, kinds: JobKinds, options: RunnerOptions = {}): JobRunner => {
  const { concurrency = 3, pollMs = 5000, beatMs = 5000, graceMs = 5000, every = {} } = options;
  const workers = openWorkers(deps, kinds, {
    perSource: concurrency,
    beatMs,
    mayStart: () => !stopping,
    ended: () => {
      runDue();
    },
  });
  const { running } = workers;
  const rounds = new Map<string, number>();
  let stopping = false;
  let pumping: Promise<void> | undefined;
  let again = false;

  /** A round has one key, so several runners create only one job. */
  const enqueueRounds = async () => {
    const now = deps.clock.now();
    for (const [kind, seconds] of Object.entries(every)) {
      const round = Math.floor(now / seconds);
      if (rounds.get(kind) === round) continue;
      await enqueue(deps.db, now, { kind, key: `${kind}:${seconds}:${round}`, isQuiet: true });
      rounds.set(kind, round);
    }
  };

  const pump = async () => {
    await enqueueRounds();
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
