import { exportState } from '@farlink/contract/export/export.ts';
import type { RequestedExport } from '@farlink/contract/export/export-log.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { sql } from 'kysely';
import type { ExportFormat, ExportPayload, SessionInfo } from '../../db/column-types.ts';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../deps.ts';
import { fail } from '../fail.ts';
import { cellOf } from '../formats/cell.ts';
import { cancelJob, enqueue, orderJob } from '../jobs/job.ts';
import { eachOf } from '../list/batch.ts';
import { inScope } from '../list/scope.ts';
import { record } from '../log/record.ts';

/** Exports of some calls in the scope of the session. Only the requester gets the file. */
export const exportLog = (ctx: Ctx, keys: readonly string[]) =>
  ctx.db
    .selectFrom('export_task')
    .innerJoin('agent', 'agent.id', 'export_task.agent_id')
    .leftJoin('customer', 'customer.id', 'export_task.customer_id')
    .select([
      'export_task.id',
      'export_task.file_name',
      'export_task.state as status',
      'export_task.progress',
      'export_task.row_count as total',
      'export_task.file_size',
      'export_task.create_at',
      'export_task.finish_at',
      'export_task.payload',
      'export_task.agent_id as vno_id',
      'agent.name as agent_name',
      'customer.name as operator',
      sql<string>`export_task.id::text`.as('job_id'),
      sql<string | null>`${sql.ref(`export_task.message_${ctx.lang}`)}`.as('message'),
      sql<string | null>`case when export_task.customer_id = ${ctx.me.uid} and export_task.state = ${exportState.id('succeeded')}
        and export_task.file_key is not null then 'export/download/' || export_task.id end`.as('file_url'),
    ])
    .where('export_task.call', 'in', keys)
    .where(inScope(ctx.me, 'export_task.agent_id'));

const signs: Readonly<Record<string, string>> = { gt: ' > ', lt: ' < ', eq: ' = ' };

/** Filters of a list as text, in page order: `收款方式: 现金; 收入 > 100.00`. `names` are the names of referenced rows. */
export const filterTexts = (
  { filters: keys, fields }: Resource,
  filters: Values,
  lang: Lang,
  offsetMinutes: number,
  names: ReadonlyMap<string, string> = new Map(),
): string => {
  const texts = keys.flatMap((key) => {
    const field = fields[key];
    if (!field) return [];
    const shown = (value: unknown): string => {
      if (value === undefined) return '';
      const cell = names.get(key) ?? (field.kind === 'option' ? `#${value}` : cellOf(field, value, lang, offsetMinutes));
      return typeof cell === 'object' ? cell.decimal : String(cell);
    };
    const label = say(field.label, lang);
    const start = filters[`${key}_start`];
    const end = filters[`${key}_end`];
    const value = filters[key];
    if (value === undefined && (start !== undefined || end !== undefined)) return [`${label}: ${shown(start)} ~ ${shown(end)}`];
    if (value !== undefined && filters[`cond_${key}`] === 'between') return [`${label}: ${shown(value)} ~ ${shown(filters[`${key}_end`])}`];
    return value === undefined ? [] : [`${label}${signs[String(filters[`cond_${key}`])] ?? ': '}${shown(value)}`];
  });
  return texts.join('; ');
};

/** Names of the rows that filters refer to, within the scope of the reader. */
const namesIn = async (ctx: Ctx, all: readonly Values[]) => {
  const idsOf = (key: string) => [...new Set(all.flatMap((filters) => (typeof filters[key] === 'number' ? [filters[key]] : [])))];
  const devices = idsOf('device_id');
  const vnos = idsOf('vno_id');
  const [deviceRows, vnoRows] = await Promise.all([
    devices.length === 0
      ? []
      : ctx.db
          .selectFrom('device')
          .select(['id', 'name'])
          .where('id', 'in', devices)
          .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
          .execute(),
    vnos.length === 0
      ? []
      : ctx.db.selectFrom('agent').select(['id', 'name']).where('id', 'in', vnos).where(inScope(ctx.me, 'agent.id')).execute(),
  ]);
  const known = { device_id: deviceRows, vno_id: vnoRows };
  return (filters: Values) =>
    new Map(
      Object.entries(known).flatMap(([key, rows]) => {
        const found = rows.find((row) => row.id === filters[key]);
        return found ? [[key, found.name] as const] : [];
      }),
    );
};

/** Adds the filter text to each export. */
export const withConditions = async <R extends { readonly payload: ExportPayload }>(ctx: Ctx, resource: Resource, listing: Listing<R>) => {
  const names = await namesIn(
    ctx,
    listing.list.map((row) => row.payload.input.filters),
  );
  const list = listing.list.map(({ payload: { input, offset_minutes }, ...row }) => ({
    ...row,
    condition: filterTexts(resource, input.filters, ctx.lang, offset_minutes, names(input.filters)),
  }));
  return { ...listing, list };
};

/** Locks an export of these calls that the session may see. */
const lockTask = async (ctx: Ctx, keys: readonly string[], id: number) => {
  const columns = ['id', 'state', 'customer_id', 'job_id', 'file_key', 'title_zh', 'title_en'] as const;
  const task = await ctx.db
    .selectFrom('export_task')
    .select(columns)
    .where('id', '=', id)
    .where('call', 'in', keys)
    .where(inScope(ctx.me, 'export_task.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!task) throw fail('not_found');
  return task;
};

/** Retries a failed export for its requester, with their current rights. Another viewer can start the retry but does not get the file. */
export const retryExport = async (
  ctx: Ctx,
  keys: readonly string[],
  id: number,
  identityOf: (db: Db, customerId: number, actedBy: null) => Promise<SessionInfo>,
  format?: ExportFormat | null,
): Promise<RequestedExport> => {
  const task = await lockTask(ctx, keys, id);
  if (!exportState.can('retry', task.state)) throw fail('wrong_state');
  if (task.customer_id === null) throw fail('account_disabled');
  const now = ctx.now();
  const before = await ctx.db.selectFrom('job').select('lang').where('id', '=', task.job_id).executeTakeFirst();
  const me = await identityOf(ctx.db, task.customer_id, null);
  const jobId = await orderJob(ctx.db, now, { kind: 'export', payload: { task_id: id }, me, lang: before?.lang ?? ctx.lang });
  await ctx.db
    .updateTable('export_task')
    .set({
      state: exportState.to('retry'),
      progress: 0,
      job_id: jobId,
      message_zh: null,
      message_en: null,
      finish_at: null,
      ...(format && { format }),
    })
    .where('id', '=', id)
    .execute();
  record(ctx, [`重新导出${task.title_zh}`, `Exported ${task.title_en} again`]);
  return { id, job_id: id };
};

/** Deletes an export that has ended or not started, with its file. A running one is refused. */
export const removeExport = async (ctx: Ctx, keys: readonly string[], id: number) => {
  const task = await lockTask(ctx, keys, id);
  if (!exportState.can('remove', task.state)) throw fail('wrong_state');
  if (task.job_id !== null && exportState.can('cancel', task.state)) await cancelJob(ctx.db, ctx.now(), task.job_id);
  await ctx.db.deleteFrom('export_task').where('id', '=', id).execute();
  if (task.file_key) await enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key: task.file_key } });
  record(ctx, [`删除导出${task.title_zh}`, `Removed the export of ${task.title_en}`]);
};

export const removeExports = (ctx: Ctx, keys: readonly string[], ids: readonly number[]) =>
  eachOf(
    ctx,
    ids,
    (id) => ({ content: [`删除导出记录 ${id}`, `Removed export ${id}`] }),
    (each, id) => removeExport(each, keys, id),
  );
