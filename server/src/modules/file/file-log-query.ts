import { arrivedStatuses, fileTaskIds as ids, type TaskState } from '@farlink/contract/file/choices.ts';
import { sql } from 'kysely';
import { lightNetworks } from '../../domain/file-task/dispatch-rate.ts';
import { taskScope } from '../../domain/file-task/task-scope.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';

const of = (what: string) => sql<number>`(select ${sql.raw(what)} from file_task_device r where r.task_id = file_task.id)`;
const arrived = arrivedStatuses.join(', ');

/** The log shows a paused task as such, because it continues later. */
const state = sql<TaskState>`case when file_task.paused then 'paused' else file_task.state end`;

/** Selects each column and filter of the log under its name. Counts over devices run only for the rows of the page. */
export const taskQuery = (ctx: Pick<Ctx, 'db' | 'me' | 'lang'>) =>
  ctx.db
    .selectFrom('file_task')
    .leftJoin('agent', 'agent.id', 'file_task.agent_id')
    .select([
      'file_task.id',
      'file_task.task_no',
      'file_task.file_id',
      'file_task.file_name',
      'file_task.batch',
      'file_task.operation',
      'file_task.send_mode',
      'file_task.send_at',
      state.as('state'),
      'file_task.device_count',
      'file_task.path',
      operatorName(ctx, 'file_task.operator').as('operator'),
      'file_task.agent_id as vno_id',
      'agent.name as agent_name',
      'file_task.create_at',
      of(`count(*) filter (where r.status in (${arrived}, ${ids.deleted}))::int`).as('success_count'),
      of(`count(*) filter (where r.ended and r.status not in (${arrived}, ${ids.deleted}))::int`).as('fail_count'),
      of(`count(*) filter (where r.status in (${arrived}))::int`).as('arrived_count'),
      of(`coalesce(avg(case when r.ended then 100 else r.progress end), 0)::int`).as('progress'),
    ])
    .where(taskScope(ctx));

/** Reason for the current status, as a key of `fileReasons`; the text of the gateway is a separate column. */
const reason = (now: number) => sql<string | null>`case
  when r.ended and r.command_id is not null and r.status <> ${ids.aborted} then 'deleting'
  when r.ended and r.status in (${sql.raw(arrived)}) and r.err is not null then 'undeleted'
  when r.ended then r.err
  when r.status = ${ids.downloading} and d.online_state = 0 then 'lost'
  when r.status = ${ids.paused} and d.online_state = 0 then 'lost'
  when r.status = ${ids.paused} and d.network = any(${lightNetworks}::text[]) then 'link'
  when r.status <> ${ids.waiting} then null
  when t.state = 'waiting' and not t.paused then 'timed'
  when t.paused then 'paused'
  when d.auth_status not in ('formal', 'test') or d.auth_expire_at <= ${now} then 'unauthorized'
  when d.online_state = 0 then 'offline'
  when d.network = any(${lightNetworks}::text[]) then 'link'
  when r.command_id is not null then 'sent'
  when r.next_at > ${now} then 'retry'
  else 'queued' end`;

export const taskDeviceQuery = (ctx: Ctx, taskId: number) =>
  ctx.db
    .selectFrom('file_task_device as r')
    .innerJoin('file_task as t', 't.id', 'r.task_id')
    .leftJoin('device as d', 'd.id', 'r.device_id')
    .select([
      'r.id',
      'r.task_id',
      'r.device_id',
      'r.device_name',
      'r.sn',
      'r.status',
      'r.progress',
      'r.update_at',
      'r.err',
      'r.tries',
      'r.next_at',
      reason(ctx.now()).as('reason'),
      sql<boolean>`r.ended and r.command_id is not null and r.status <> ${ids.aborted}`.as('pending'),
    ])
    .where('r.task_id', '=', taskId)
    .where(inScope(ctx.me, 'r.agent_id', 'r.device_id'));
