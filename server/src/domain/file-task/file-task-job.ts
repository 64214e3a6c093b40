import type { Db } from '../../kit/deps.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { sweepFileExchange } from '../../orders/file-exchange-sweep.ts';
import { dispatchFiles, isDispatchDue } from './dispatch.ts';

/** Retention of completed jobs; the next round starts long before. */
const retentionS = 3600;

/** Part of the caller's transaction. With `at`, it runs at that time, also after a crash. */
export const orderDispatch = (db: Db, now: number, at?: { readonly taskId: number; readonly sendAt: number }) =>
  enqueue(db, now, { kind: 'file_dispatch', ...(at && { key: `file_task:${at.taskId}`, runAt: at.sendAt }) });

export const fileTaskJobs: JobKinds = {
  // Runs also when a slot is free, a gateway reconnects or a task is due.
  file_dispatch: {
    run: async ({ deps }) => {
      await dispatchFiles(deps);
    },
    everyS: 30,
    isDue: ({ clock }) => isDispatchDue(clock.now()),
    retentionS,
  },
  depot_sweep: { run: ({ deps }) => sweepFileExchange(deps), everyS: 3600 },
};
