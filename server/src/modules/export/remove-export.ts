import { type exportCalls, exportState } from '@farlink/contract/export/export.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';
import { record } from '../../kit/log/record.ts';

/** A running export is cancelled and stays in the list; an ended one is deleted with its file. */
export const removeExport: Handler<typeof exportCalls.remove> = async ({ db, ...ctx }, { id }) => {
  const task = await db
    .selectFrom('export_task')
    .select(['state', 'job_id', 'file_key', 'title_zh', 'title_en'])
    .where('id', '=', id)
    .where('customer_id', '=', ctx.me.uid)
    .executeTakeFirst();
  if (!task) throw fail('not_found');
  const now = ctx.now();
  if (exportState.can('cancel', task.state)) {
    // Locks the job before the task, in the same order as the worker.
    if (task.job_id === null || !(await cancelJob(db, now, task.job_id))) throw fail('wrong_state');
    await db
      .updateTable('export_task')
      .set({ state: exportState.to('cancel'), message_zh: '已取消', message_en: 'Cancelled', finish_at: now })
      .where('id', '=', id)
      .execute();
    record({ ...ctx, db }, [`取消导出${task.title_zh}`, `Cancelled the export of ${task.title_en}`]);
    return;
  }
  await db.deleteFrom('export_task').where('id', '=', id).execute();
  // The file is deleted by a job, so only after this transaction commits.
  if (task.file_key) await enqueue(db, now, { kind: 'remove_file', payload: { key: task.file_key } });
  record({ ...ctx, db }, [`删除导出${task.title_zh}`, `Removed the export of ${task.title_en}`]);
};
