import { fileTaskCalls as calls } from '@farlink/contract/file/file-log.ts';
import { fileReasons, isFileReason } from '@farlink/contract/file/reasons.ts';
import { fill, type Lang, say } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { taskScope } from '../../domain/file-task/task-scope.ts';
import { fail } from '../../kit/fail.ts';
import { localTime } from '../../kit/formats/cell.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { taskDeviceQuery, taskQuery } from './file-log-query.ts';

/** The filters for device and status apply to the devices of a task; the others are columns of the task. */
export const listTasks: Handler<typeof calls.list> = (ctx, input) => {
  const { device_id, status, ...filters } = input.filters;
  const isByDevice = device_id !== undefined || status !== undefined;
  const query = taskQuery(ctx).$if(isByDevice, (q) =>
    q.where(
      sql<boolean>`exists (select from file_task_device r where r.task_id = file_task.id
        and ${device_id === undefined ? sql`true` : sql`r.device_id = ${device_id}`} and ${status === undefined ? sql`true` : sql`r.status = ${status}`})`,
    ),
  );
  return pageOf(ctx.db, calls.list, { ...input, filters }, query);
};

interface TaskState {
  readonly reason: string | null;
  readonly err: string | null;
  readonly tries: number;
  readonly next_at: number;
}

/** Translated if the reason is known, else the text of the gateway. */
const messageOf = ({ reason, err, tries, next_at }: TaskState, lang: Lang) => {
  const reasonTexts = isFileReason(err) ? fileReasons[err] : ([err ?? '', err ?? ''] as const);
  if (!isFileReason(reason)) return reason;
  const when = localTime(next_at, zoneMinutes).slice(11, 16);
  const text = reason === 'retry' ? fill(fileReasons.retry, when, tries + 1, reasonTexts) : fill(fileReasons[reason], reasonTexts);
  return say(text, lang);
};

export const listTaskDevices: Handler<typeof calls.detail> = async (ctx, input) => {
  const task = await ctx.db.selectFrom('file_task').select('id').where('id', '=', input.id).where(taskScope(ctx)).executeTakeFirst();
  if (!task) throw fail('not_found');
  const page = await pageOf(ctx.db, calls.detail, input, taskDeviceQuery(ctx, input.id));
  return {
    ...page,
    list: page.list.map(({ reason, err, tries, next_at, ...row }) => ({
      ...row,
      message: messageOf({ reason, err, tries, next_at }, ctx.lang),
    })),
  };
};
