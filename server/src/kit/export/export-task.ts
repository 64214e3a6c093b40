import { exportState } from '@farlink/contract/export/export.ts';
import type { RequestedExport } from '@farlink/contract/export/export-log.ts';
import { type Endpoint, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ExportFormat, ExportInput, ExportPayload } from '../../db/column-types.ts';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../deps.ts';
import { fail } from '../fail.ts';
import { orderJob } from '../jobs/job.ts';
import { filterSql, orderSql } from '../list/conditions.ts';
import { record } from '../log/record.ts';

interface ExportOrder {
  /** Export call; its operate key selects the builder. */
  readonly call: Pick<Endpoint, 'method' | 'path' | 'resource'>;
  readonly title: Text;
  readonly format?: ExportFormat | null | undefined;
  /** Input of the call, including filters and order. */
  readonly input: object;
  /** Offset of the requester's clock from UTC. */
  readonly offsetMinutes?: number;
}

/** An invalid order is refused now, instead of by a job that fails later. */
const inputOf = ({ call, input }: ExportOrder): ExportInput => {
  const raw: Values = { ...input };
  const orderby = typeof raw.orderby === 'string' ? raw.orderby : undefined;
  if (call.resource) orderSql(call.resource, orderby);
  return { ...raw, filters: isRecord(raw.filters) ? raw.filters : {}, orderby };
};

/** Part of the request's transaction: creates the task, its job and the operator-log entry. */
export const requestExport = async (ctx: Ctx, order: ExportOrder): Promise<RequestedExport> => {
  const { call, title, format, offsetMinutes = zoneMinutes } = order;
  const input = inputOf(order);
  const now = ctx.now();
  const payload: ExportPayload = { input, offset_minutes: offsetMinutes };
  const { id } = await ctx.db
    .insertInto('export_task')
    .values({
      customer_id: ctx.me.uid,
      agent_id: ctx.me.agent_id,
      title_zh: title[0],
      title_en: title[1],
      call: operateKey(call),
      format: format ?? 'csv',
      payload: JSON.stringify(payload),
      state: exportState.id('waiting'),
      create_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const jobId = await orderJob(ctx.db, now, { kind: 'export', payload: { task_id: id }, key: `export:${id}`, me: ctx.me, lang: ctx.lang });
  await ctx.db.updateTable('export_task').set({ job_id: jobId }).where('id', '=', id).execute();
  record(ctx, [`导出${title[0]}`, `Exported ${title[1]}`], { after: { format: format ?? 'csv', ...input.filters } });
  return { id, job_id: id };
};

/** An empty result is refused now, instead of by a job without a file. */
export const refuseEmpty = async (db: Db, found: Expression<unknown>, where: RawBuilder<SqlBool> = sql<SqlBool>`true`) => {
  const { rows } = await sql<{ some: boolean }>`select exists (select 1 from ${found} as t where ${where} limit 1) as some`.execute(db);
  if (rows[0]?.some !== true) throw fail('export_empty');
};

interface FilledOrder extends ExportOrder {
  readonly call: ExportOrder['call'] & { readonly resource: Resource };
  /** Query of the list. */
  readonly query: Expression<unknown>;
}

/** Requests an export, if the list is not empty. */
export const requestFilled = async (ctx: Ctx, { query, ...order }: FilledOrder): Promise<RequestedExport> => {
  await refuseEmpty(ctx.db, query, filterSql(order.call.resource, inputOf(order).filters));
  return requestExport(ctx, order);
};

/** Exports requested by the session, of one call or of all. */
export const ownExports = (ctx: Ctx, call?: Pick<Endpoint, 'method' | 'path'>) => {
  const inEnglish = ctx.lang === 'en';
  return ctx.db
    .selectFrom('export_task')
    .select(['id', 'state', 'progress', 'row_count', 'file_name', 'file_size', 'create_at', 'finish_at'])
    .select(inEnglish ? 'title_en as title' : 'title_zh as title')
    .select(inEnglish ? 'message_en as message' : 'message_zh as message')
    .where('customer_id', '=', ctx.me.uid)
    .$if(call !== undefined, (query) => query.where('call', '=', call ? operateKey(call) : ''));
};
