import type { fileCalls } from '@farlink/contract/file/file.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { orderDispatch } from '../../domain/file-task/file-task-job.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { localTime } from '../../kit/formats/cell.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

type Input = Parameters<Handler<typeof fileCalls.send>>[1];

/** Day and id: readable and unique. */
const taskNo = (id: number, now: number) =>
  `F${localTime(now, zoneMinutes).slice(0, 10).replaceAll('-', '')}${String(id).padStart(6, '0')}`;

/** VNO paths of the devices; all devices must be in the scope of the session. */
const pathsOf = async (ctx: Ctx, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.id', 'agent.path'])
    .where('device.id', 'in', ids)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .execute();
  if (rows.length !== ids.length) throw failAt('device_ids', ['请选择有效的设备', 'Please select valid devices']);
  return [...new Set(rows.map((r) => r.path))];
};

const send = async (ctx: Ctx, fileId: number, input: Input, paths: readonly string[]) => {
  const now = ctx.now();
  const file = await ctx.db
    .selectFrom('file')
    .innerJoin('agent', 'agent.id', 'file.agent_id')
    .select(['file.id', 'file.name', 'file.batch', 'file.size', 'file.zip', 'file.agent_id', 'agent.path'])
    .where('file.id', '=', fileId)
    .where(inScope(ctx.me, 'file.agent_id'))
    .executeTakeFirst();
  if (!file) throw fail('not_found');
  const { operation, path, send_mode, remark = null } = input;
  if (operation === 'decompress' && !file.zip) throw fail('file_not_zip');
  // A file may be sent only to devices of its VNO and of VNOs below it.
  if (!paths.every((one) => one.startsWith(file.path))) throw fail('file_elsewhere');
  const send_at = send_mode === 'timed' ? (input.send_at ?? now) : now;
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('file_task', 'id')) as id`.execute(ctx.db);
  const id = Number(rows[0]?.id);
  const logged = { task_no: taskNo(id, now), file_name: file.name, batch: file.batch, operation, path, send_mode, send_at, remark };
  const state = send_mode === 'timed' ? 'waiting' : 'running';
  await ctx.db
    .insertInto('file_task')
    .values({
      ...logged,
      id,
      state,
      agent_id: file.agent_id,
      file_id: file.id,
      size: file.size,
      device_count: input.device_ids.length,
      operator: ctx.me.name,
      create_at: now,
    })
    .execute();
  await sql`insert into file_task_device (task_id, device_id, agent_id, sn, device_name, update_at)
    select ${id}, d.id, d.agent_id, d.sn, d.name, ${now} from device d where d.id = any(${input.device_ids}::bigint[]) order by d.id`.execute(
    ctx.db,
  );
  await ctx.db
    .updateTable('file')
    .set((eb) => ({ task_count: eb('task_count', '+', 1) }))
    .where('id', '=', file.id)
    .execute();
  await orderDispatch(ctx.db, now, send_mode === 'timed' ? { taskId: id, sendAt: send_at } : undefined);
  const count = input.device_ids.length;
  record(ctx, [`下发文件 ${file.name} 到 ${count} 台设备`, `Sent file ${file.name} to ${count} devices`], {
    after: { ...logged, device_ids: input.device_ids },
  });
};

export const sendFiles: Handler<typeof fileCalls.send> = async (ctx, input) => {
  const paths = await pathsOf(ctx, input.device_ids);
  const named = () => ({ content: ['下发文件', 'Send a file'] }) as const;
  return eachOf(ctx, input.file_ids, named, (inside, id) => send(inside, id, input, paths));
};
