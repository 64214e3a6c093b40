import type { Text } from '@farlink/contract/kit/text.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import { dpiTaskCalls as calls } from '@farlink/contract/traffic/dpi-task.ts';
import { confirmTask, type DpiOrderInput, lockReportDevice, lockTask, orderTask, stopTask } from '../../domain/dpi-task/order-task.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { messageOf, taskQuery } from './query.ts';

export const listTasks: Handler<typeof calls.list> = async (ctx, input) => {
  const { list, ...page } = await pageOf(ctx.db, calls.list, input, taskQuery(ctx));
  return {
    ...page,
    list: list.map(({ err, cut_at, last_at, last_bytes, ...row }) => ({
      ...row,
      message: messageOf({ message: row.message, err, cut_at, last_at, last_bytes }, ctx.lang),
    })),
  };
};

const chooseFirst: Text = ['请先选择设备', 'Please select a device first.'];

/** All devices must be in the scope of the session. */
const namesOf = async (ctx: Ctx, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('device')
    .select(['id', 'name', 'sn'])
    .where('id', 'in', [...ids, 0])
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .execute();
  if (rows.length === 0 || rows.length !== new Set(ids).size) throw failAt('device_ids', chooseFirst);
  return new Map(rows.map(({ id, name, sn }) => [id, name === sn ? sn : `${name} (${sn})`]));
};

const megabyte = 1024 * 1024;

type CreateInput = Parameters<Handler<typeof calls.create>>[1];

const orderOf = (ctx: Ctx, input: CreateInput): DpiOrderInput => ({
  operate: input.operate,
  data_type: input.data_type,
  mode: input.mode,
  method: input.method,
  report_at: input.method === 'appointment' ? (input.report_at ?? null) : null,
  start_at: input.mode === 'single' ? (input.start_at ?? null) : null,
  end_at: input.mode === 'single' ? (input.end_at ?? null) : null,
  limit_speed: input.limit_speed ?? 0,
  limit_flow: (input.limit_flow ?? 0) * megabyte,
  operator: ctx.me.name,
  uid: ctx.me.uid,
});

const created = (name: string | undefined, isEstimate: boolean): Text =>
  isEstimate
    ? [`新建设备 ${name} 的DPI预估任务`, `Created a DPI estimate for device ${name}`]
    : [`新建设备 ${name} 的DPI上报任务`, `Created a DPI reporting task for device ${name}`];

export const createTasks: Handler<typeof calls.create> = async (ctx, input) => {
  const names = await namesOf(ctx, input.device_ids);
  const now = ctx.now();
  const order = orderOf(ctx, input);
  const named = (id: number) => ({ content: created(names.get(id), input.operate === 'estimate'), subject: `device:${id}` });
  const result = await eachOf(ctx, [...names.keys()], named, async (row, id) => {
    const device = await lockReportDevice(row.db, id);
    if (!device) throw fail('not_found');
    const { task_no } = await orderTask({ db: row.db, config: row.deps.config }, device, order, now);
    const { uid: _, operator: __, ...logged } = order;
    record(row, named(id).content, { after: { task_no, ...logged }, subject: `device:${id}` });
  });
  // The rows are devices, which the page of tasks cannot name.
  return { ...result, list: result.list.map((row) => ({ ...row, name: names.get(row.id) ?? '' })) };
};

/** A task that the session sees, locked after its device. */
const visibleTask = async (ctx: Ctx, id: number) => {
  const seen = await ctx.db
    .selectFrom('dpi_task')
    .select('id')
    .where('id', '=', id)
    .where(inScope(ctx.me, 'dpi_task.agent_id', 'dpi_task.device_id'))
    .executeTakeFirst();
  const task = seen && (await lockTask(ctx.db, id));
  if (!task) throw fail('not_found');
  return task;
};

export const stopTasks: Handler<typeof calls.stop> = (ctx, { ids }) => {
  const named = () => ({ content: ['停止DPI上报任务', 'Stop a DPI reporting task'] }) as const;
  return eachOf(ctx, ids, named, async (row, id) => {
    const task = await visibleTask(row, id);
    await stopTask(row.db, task, row.now());
    record(row, [`停止DPI上报任务 ${task.task_no}`, `Stopped DPI reporting task ${task.task_no}`], {
      before: { status: task.status },
      after: { status: dpiStatus.to('stop') },
    });
  });
};

export const reportTask: Handler<typeof calls.report> = async (ctx, { id }) => {
  const task = await visibleTask(ctx, id);
  await confirmTask({ db: ctx.db, config: ctx.deps.config }, task, ctx.now());
  record(ctx, [`确认DPI上报任务 ${task.task_no}`, `Confirmed DPI reporting task ${task.task_no}`], {
    before: { status: task.status },
    after: { status: dpiStatus.to('confirm') },
  });
};
