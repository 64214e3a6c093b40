import { endpoints } from '@farlink/contract/endpoints.ts';
import type { Endpoint, Module } from '@farlink/contract/kit/endpoint.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { logCalls as calls, type Difference } from '@farlink/contract/log/operator-log.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { belowScope } from '../../kit/list/scope.ts';

type Reader = Pick<Ctx, 'me' | 'lang'>;

const textColumns = ({ lang }: Reader) =>
  [
    sql<string>`${sql.ref(`syslog.content_${lang}`)}`.as('content'),
    sql<string | null>`${sql.ref(`syslog.message_${lang}`)}`.as('message'),
  ] as const;

const plain = [
  'syslog.id',
  'syslog.username',
  'syslog.name',
  'syslog.module',
  'syslog.action',
  'syslog.result',
  'syslog.ip',
  'syslog.user_agent',
  'syslog.create_at',
] as const;

/** Log lines name devices in free text, so an operator with a device scope reads only their own lines. */
const readable = ({ me }: Reader): RawBuilder<SqlBool> =>
  me.rights.device_ids ? sql<SqlBool>`syslog.customer_id = ${me.uid}` : sql<SqlBool>`true`;

/** Log lines of the VNO of the session. */
export const ownLog = (db: Db, reader: Reader) =>
  db
    .selectFrom('syslog')
    .select([...plain, ...textColumns(reader)])
    .where('syslog.agent_id', '=', reader.me.agent_id)
    .where(readable(reader));

/** Subquery, so it runs only for the rows of the page; a join would run for each skipped or counted row. */
const agentName = sql<string>`(select b.name from agent_branch b where b.id = syslog.agent_id limit 1)`;

const childLines = (ctx: Ctx) => ctx.db.selectFrom('syslog').where(belowScope(ctx.me, 'syslog.agent_id')).where(readable(ctx));

const childLog = (ctx: Ctx) =>
  childLines(ctx).select([...plain, ...textColumns(ctx), agentName.as('agent_name'), 'syslog.agent_id as vno_id']);

export const listOwnLog: Handler<typeof calls.own> = (ctx, input) => pageOf(ctx.db, calls.own, input, ownLog(ctx.db, ctx));

export const listChildLog: Handler<typeof calls.children> = (ctx, input) =>
  pageOf(ctx.db, calls.children, input, childLog(ctx), childLines(ctx));

const fieldsOf = (e: Endpoint) => Object.entries({ ...e.resource?.fields, ...e.input });
const labels = new Map(
  endpoints.flatMap((e) => fieldsOf(e).map(([name, field]) => [`${e.module} ${name}`, field.label] as const)).reverse(),
);

/** Label of a field as in the forms of its module. */
const labelOf = (field: string, module: Module, lang: Lang): string => {
  const known = labels.get(`${module} ${field}`);
  return known ? say(known, lang) : field;
};

/** Values before and after per field; unchanged fields are omitted. */
const differencesOf = (
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  label: (field: string) => string,
): Difference[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((field) => ({ field, label: label(field), before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((d) => d.field === 'password' || JSON.stringify(d.before) !== JSON.stringify(d.after));

export const readLog: Handler<typeof calls.read> = async (ctx, { id }) => {
  const { permissions } = ctx.me;
  const may = (page: string) => permissions === null || permissions.includes(page);
  const own = may('system_log') ? sql<SqlBool>`syslog.agent_id = ${ctx.me.agent_id}` : sql<SqlBool>`false`;
  const below = may('sub_account_log') ? belowScope(ctx.me, 'syslog.agent_id') : sql<SqlBool>`false`;
  const row = await ctx.db
    .selectFrom('syslog')
    .innerJoin('agent_branch', 'agent_branch.id', 'syslog.agent_id')
    .select([
      ...plain,
      ...textColumns(ctx),
      sql<string>`agent_branch.name`.as('agent_name'),
      'syslog.acted_by',
      'syslog.before',
      'syslog.after',
    ])
    .where('syslog.id', '=', id)
    .where(sql<SqlBool>`((${own}) or (${below}))`)
    .where(readable(ctx))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { before, after, ...shown } = row;
  return { ...shown, differences: differencesOf(before, after, (field) => labelOf(field, row.module, ctx.lang)) };
};
