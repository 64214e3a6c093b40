import { arrivedStatuses, fileTaskIds } from '@farlink/contract/file/choices.ts';
import type { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { sql } from 'kysely';
import { orderDispatch } from '../../domain/file-task/file-task-job.ts';
import { taskScope } from '../../domain/file-task/task-scope.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { record } from '../../kit/log/record.ts';
import { cancelCommand, sendCommand } from '../../orders/command.ts';

const day = 86_400;
/** Command deadlines: stop and pause are useless after a day, delete is not. */
const soonS = day;
const lateS = 30 * day;

/** Locks the task before its devices, as everywhere. An operator with a device scope cannot change a task with other devices. */
const lockTask = async (ctx: Ctx, id: number) => {
  const task = await ctx.db
    .selectFrom('file_task')
    .selectAll()
    .where('id', '=', id)
    .where(taskScope(ctx))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!task) throw fail('not_found');
  const devices = ctx.me.rights.device_ids;
  if (devices) {
    const other = await sql`select from file_task_device where task_id = ${id} and device_id <> all(${devices}::bigint[]) limit 1`.execute(
      ctx.db,
    );
    if (other.rows.length > 0) throw fail('task_shared');
  }
  return task;
};

type Task = Awaited<ReturnType<typeof lockTask>>;

const lockOpen = async (ctx: Ctx, id: number): Promise<Task> => {
  const task = await lockTask(ctx, id);
  if (task.state !== 'waiting' && task.state !== 'running') throw fail('task_ended');
  return task;
};

/** Device of a row, only while it belongs to the VNO of the task: a transferred device gets no commands. */
const ownDevice = sql<number | null>`(
  select d.id from device d where d.id = file_task_device.device_id and d.agent_id = file_task_device.agent_id)`;

/** Downloads that the gateways may have started. */
const startedDownloads = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('file_task_device')
    .select(['id', 'command_id', ownDevice.as('device_id')])
    .where('task_id', '=', id)
    .where('ended', '=', false)
    .where('command_id', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();

const sendTaskCommand = async (ctx: Ctx, deviceId: number | null, op: 'file.stop' | 'file.pause' | 'file.resume', { task_no }: Task) => {
  const now = ctx.now();
  if (deviceId !== null) await sendCommand(ctx.db, deviceId, op, { task: task_no }, { now, deadline: now + soonS, by: ctx.me });
};

/** spec §4: finished devices keep their status, the others become 201. */
export const stopTask: Handler<typeof fileTaskCalls.stop> = async (ctx, { id }) => {
  const task = await lockOpen(ctx, id);
  const now = ctx.now();
  for (const { id: taskDeviceId, device_id, command_id } of await startedDownloads(ctx, id)) {
    const isCancelled = command_id !== null && (await cancelCommand(ctx.db, command_id, now));
    if (isCancelled) await ctx.db.updateTable('file_task_device').set({ command_id: null }).where('id', '=', taskDeviceId).execute();
    else await sendTaskCommand(ctx, device_id, 'file.stop', task);
  }
  await ctx.db
    .updateTable('file_task_device')
    .set({ status: fileTaskIds.aborted, ended: true, err: 'stopped', update_at: now })
    .where('task_id', '=', id)
    .where('ended', '=', false)
    .execute();
  await ctx.db.updateTable('file_task').set({ state: 'stopped', paused: false, finish_at: now }).where('id', '=', id).execute();
  await orderDispatch(ctx.db, now);
  record(ctx, [`停止下发任务 ${task.task_no}`, `Stopped task ${task.task_no}`], {
    before: { state: task.paused ? 'paused' : task.state },
    after: { state: 'stopped' },
  });
};

/** Commands that the gateway has not taken return to the queue; running downloads pause. */
export const pauseTask: Handler<typeof fileTaskCalls.pause> = async (ctx, { id }) => {
  const task = await lockOpen(ctx, id);
  if (task.paused) throw fail('task_paused');
  for (const { id: taskDeviceId, device_id, command_id } of await startedDownloads(ctx, id)) {
    if (command_id !== null && (await cancelCommand(ctx.db, command_id, ctx.now())))
      await ctx.db
        .updateTable('file_task_device')
        .set((eb) => ({ command_id: null, tries: eb('tries', '-', 1) }))
        .where('id', '=', taskDeviceId)
        .execute();
    else await sendTaskCommand(ctx, device_id, 'file.pause', task);
  }
  await ctx.db.updateTable('file_task').set({ paused: true }).where('id', '=', id).execute();
  record(ctx, [`暂停下发任务 ${task.task_no}`, `Paused task ${task.task_no}`], {
    before: { state: task.state },
    after: { state: 'paused' },
  });
};

export const resumeTask: Handler<typeof fileTaskCalls.resume> = async (ctx, { id }) => {
  const task = await lockOpen(ctx, id);
  if (!task.paused) throw fail('task_not_paused');
  for (const { device_id } of await startedDownloads(ctx, id)) await sendTaskCommand(ctx, device_id, 'file.resume', task);
  await ctx.db.updateTable('file_task').set({ paused: false }).where('id', '=', id).execute();
  await orderDispatch(ctx.db, ctx.now());
  record(ctx, [`继续下发任务 ${task.task_no}`, `Resumed task ${task.task_no}`], {
    before: { state: 'paused' },
    after: { state: task.state },
  });
};

/** Deletes the file on the devices, not the task. The status becomes 255 when the gateway confirms it. */
export const removeFromDevices: Handler<typeof fileTaskCalls.remove> = async (ctx, { id, ids }) => {
  const task = await lockTask(ctx, id);
  const now = ctx.now();
  const stored = await ctx.db
    .selectFrom('file_task_device')
    .select(['id', ownDevice.as('device_id')])
    .where('task_id', '=', id)
    .where('status', 'in', arrivedStatuses)
    .where('command_id', 'is', null)
    .where(ownDevice, 'is not', null)
    .$if(Array.isArray(ids), (q) => q.where('id', 'in', [...(ids ?? []), 0]))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (stored.length === 0) throw fail('task_nothing');
  const order = { now, deadline: now + lateS, by: ctx.me };
  for (const { id: taskDeviceId, device_id } of stored) {
    if (device_id === null) continue;
    const command_id = await sendCommand(ctx.db, device_id, 'file.delete', { task: task.task_no }, order);
    await ctx.db.updateTable('file_task_device').set({ command_id, err: null, update_at: now }).where('id', '=', taskDeviceId).execute();
  }
  record(ctx, [`删除 ${stored.length} 台设备上的文件 ${task.file_name}`, `Deleted file ${task.file_name} on ${stored.length} devices`], {
    after: { task_no: task.task_no },
  });
  return { count: stored.length };
};
