import type { Values } from '@farlink/contract/kit/values.ts';
import { logCalls as calls } from '@farlink/contract/log/operator-log.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { actedBy } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { belowScope, seesOwnVno } from '../../kit/list/scope.ts';
import { differencesOf } from './differences.ts';

type Reader = Pick<Ctx, 'me' | 'lang'>;

const columnsFor = (reader: Reader) =>
  [
    sql<string>`${sql.ref(`syslog.content_${reader.lang}`)}`.as('content'),
    sql<string | null>`${sql.ref(`syslog.message_${reader.lang}`)}`.as('message'),
    actedBy(reader, 'syslog.acted_by').as('acted_by'),
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

/** A role that does not include the own VNO reads only its own lines there. */
const inOwnVno = ({ me }: Reader): RawBuilder<SqlBool> =>
  seesOwnVno(me)
    ? sql<SqlBool>`syslog.agent_id = ${me.agent_id}`
    : sql<SqlBool>`syslog.agent_id = ${me.agent_id} and syslog.customer_id = ${me.uid}`;

/** Few lines have another operator, and an index has only those. */
const actedOnly = ({ acted_by }: Values): RawBuilder<SqlBool> =>
  acted_by === undefined ? sql<SqlBool>`true` : sql<SqlBool>`syslog.acted_by is not null`;

/** Log lines of the VNO of the session. */
export const ownLog = (db: Db, reader: Reader, filters: Values) =>
  db
    .selectFrom('syslog')
    .select([...plain, ...columnsFor(reader)])
    .where(inOwnVno(reader))
    .where(readable(reader))
    .where(actedOnly(filters));

/** Subquery, so it runs only for the rows of the page; a join would run for each skipped or counted row. */
const agentName = sql<string>`(select b.name from agent_branch b where b.id = syslog.agent_id limit 1)`;

const childLines = (ctx: Ctx) => ctx.db.selectFrom('syslog').where(belowScope(ctx.me, 'syslog.agent_id')).where(readable(ctx));

const childLog = (ctx: Ctx, filters: Values) =>
  childLines(ctx)
    .select([...plain, ...columnsFor(ctx), agentName.as('agent_name'), 'syslog.agent_id as vno_id'])
    .where(actedOnly(filters));

export const listOwnLog: Handler<typeof calls.own> = (ctx, input) => pageOf(ctx.db, calls.own, input, ownLog(ctx.db, ctx, input.filters));

export const listChildLog: Handler<typeof calls.children> = (ctx, input) =>
  pageOf(ctx.db, calls.children, input, childLog(ctx, input.filters), childLines(ctx));

export const readLog: Handler<typeof calls.read> = async (ctx, { id }) => {
  const { permissions } = ctx.me;
  const may = (page: string) => permissions === null || permissions.includes(page);
  const own = may('system_log') ? inOwnVno(ctx) : sql<SqlBool>`false`;
  const below = may('sub_account_log') ? belowScope(ctx.me, 'syslog.agent_id') : sql<SqlBool>`false`;
  const row = await ctx.db
    .selectFrom('syslog')
    .innerJoin('agent_branch', 'agent_branch.id', 'syslog.agent_id')
    .select([...plain, ...columnsFor(ctx), sql<string>`agent_branch.name`.as('agent_name'), 'syslog.call', 'syslog.before', 'syslog.after'])
    .where('syslog.id', '=', id)
    .where(sql<SqlBool>`((${own}) or (${below}))`)
    .where(readable(ctx))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { before, after, call, ...shown } = row;
  return { ...shown, differences: differencesOf({ before, after, call, module: row.module }, ctx.lang) };
};
