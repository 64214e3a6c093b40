import { exportState } from '@farlink/contract/export/export.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Field, Values } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { billExportCalls, billExportKeys, billExportKind, billExportLogCalls as calls } from '@farlink/contract/log/bill-export-log.ts';
import { sql } from 'kysely';
import { localTime } from '../../kit/cell.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { pageOf } from '../../kit/page.ts';
import { inScope } from '../../kit/scope.ts';
import type { Handler } from '../../kit/serve.ts';

type Kind = (typeof billExportKind)[number]['id'];

const kindOf = sql<Kind>`case export_task.call ${sql.join(
  billExportKind.map(({ id }) => sql`when ${operateKey(billExportCalls[id])} then ${id}::text`),
  sql` `,
)} end`;

/** Who started it may fetch the file: it holds what they see, which others may not. */
const urlFor = (me: Ctx['me']) =>
  sql<string | null>`case when export_task.customer_id = ${me.uid} and export_task.state = ${exportState.id('succeeded')}
    and export_task.file_key is not null then 'export/download/' || export_task.id end`;

const query = (ctx: Ctx) =>
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
      kindOf.as('kind'),
      sql<string | null>`export_task.job_id::text`.as('job_id'),
      urlFor(ctx.me).as('file_url'),
    ])
    .where('export_task.call', 'in', billExportKeys)
    .where(inScope(ctx.me, 'export_task.agent_id'));

const valueText = (field: Field, value: unknown, lang: Lang, offset: number): string => {
  if ((field.kind === 'time' || field.kind === 'date') && typeof value === 'number') return localTime(value, offset);
  const chosen = field.options?.find((o) => o.id === value);
  if (chosen) return say(chosen.label, lang);
  return field.kind === 'option' ? `#${value}` : String(value);
};

const signs: Readonly<Record<string, string>> = { gt: '> ', lt: '< ', eq: '= ' };

/** The filters of an export in words, in the order of its page: `收款方式 现金; 收入 > 100.00`. */
const conditionText = (kind: Kind, filters: Values, lang: Lang, offset: number): string => {
  const { resource }: { resource: Resource } = billExportCalls[kind];
  const parts = resource.filters.flatMap((key) => {
    const field = resource.fields[key];
    if (!field) return [];
    const sign = signs[String(filters[`cond_${key}`])] ?? '';
    const values = [
      { sign, value: filters[key] },
      { sign: '≥ ', value: filters[`${key}_start`] },
      { sign: '≤ ', value: filters[`${key}_end`] },
    ].filter(({ value }) => value !== undefined);
    return values.map((v) => `${say(field.label, lang)} ${v.sign}${valueText(field, v.value, lang, offset)}`);
  });
  return parts.join('; ');
};

export const listBillExports: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(ctx.db, calls.list, input, query(ctx));
  return {
    ...listing,
    list: listing.list.map(({ payload, ...row }) => ({
      ...row,
      condition: conditionText(row.kind, payload.input.filters, ctx.lang, payload.offset_minutes),
    })),
  };
};
