import type { Db } from '../../kit/deps.ts';
import { enqueue, type JobKinds, type JobRun } from '../../kit/jobs/job.ts';
import { sweepFileExchange } from '../../orders/file-exchange-sweep.ts';
import { dispatchFiles } from './dispatch.ts';

/** By itself every half minute; sooner when a slot is free, a gateway came back or a task is due. */
export const fileTaskEvery = { file_dispatch: 30, depot_sweep: 3600 };

/** How long the traces of earlier rounds stay; the next round comes long before. */
const keepS = 3600;

const dispatch = async ({ deps, job, commit }: JobRun) => {
  await dispatchFiles(deps);
  await commit(async (db) => {
    await db
      .deleteFrom('job')
      .where('kind', '=', job.kind)
      .where('state', '=', 'done')
      .where('finish_at', '<', deps.clock.now() - keepS)
      .execute();
  });
};

/** Part of the caller's transaction. With a time it happens then; a crash in between does not lose it. */
export const orderDispatch = (db: Db, now: number, at?: { readonly taskId: number; readonly sendAt: number }) =>
  enqueue(db, now, { kind: 'file_dispatch', ...(at && { key: `file_task:${at.taskId}`, runAt: at.sendAt }) });

export const fileTaskJobs: JobKinds = {
  file_dispatch: { run: dispatch },
  depot_sweep: { run: ({ deps }) => sweepFileExchange(deps) },
};
