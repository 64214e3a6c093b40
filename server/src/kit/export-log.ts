import { exportState } from '@farlink/contract/export/export.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { cellOf } from './cell.ts';
import type { Ctx } from './ctx.ts';
import { inScope } from './scope.ts';

/** The exports of some calls in the whole scope of the session; the file of each only for who asked for it. */
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

/** The filters of a list in words, in the order of its page: `收款方式: 现金; 收入 > 100.00`. `names` are those of the rows that ids stand for. */
export const filterWords = (
  { filters: keys, fields }: Resource,
  filters: Values,
  lang: Lang,
  offsetMinutes: number,
  names: ReadonlyMap<string, string> = new Map(),
): string => {
  const parts = keys.flatMap((key) => {
    const field = fields[key];
    if (!field) return [];
    const shown = (value: unknown): string => {
      if (value === undefined) return '';
      const cell = names.get(key) ?? (field.kind === 'option' ? `#${value}` : cellOf(field, value, lang, offsetMinutes));
      return typeof cell === 'object' ? cell.decimal : String(cell);
    };
    const label = say(field.label, lang);
    const [start, end, value] = [filters[`${key}_start`], filters[`${key}_end`], filters[key]];
    if (start !== undefined || end !== undefined) return [`${label}: ${shown(start)} ~ ${shown(end)}`];
    return value === undefined ? [] : [`${label}${signs[String(filters[`cond_${key}`])] ?? ': '}${shown(value)}`];
  });
  return parts.join('; ');
};
