import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { isSelectable } from '@farlink/contract/package/protocol.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { forOwners, subjectOwners } from '../../domain/owners.ts';
import { recheckLater } from '../../domain/subscriber/recheck-job.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { isOfOrAbove } from '../../kit/list/ancestry.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

/** Application and credit control templates, used by packages and subscribers. */
type Table = 'application' | 'policy';

const usedCount = (table: Table) =>
  sql<number>`(select count(*)::int from package p where p.${sql.ref(`${table}_id`)} = ${sql.ref(`${table}.id`)})`;
const mine = (ctx: Ctx, table: Table): RawBuilder<SqlBool> => inScope(ctx.me, `${table}.agent_id`);

const applications = (ctx: Ctx) =>
  ctx.db
    .selectFrom('application')
    .innerJoin('agent', 'agent.id', 'application.agent_id')
    .select([
      'application.id',
      'application.version',
      'application.name',
      'application.mode',
      'application.configure',
      'application.remark',
      'agent.name as agent_name',
      'agent.id as vno_id',
      'application.create_at',
      'application.update_at',
      sql<number>`cardinality(application.configure)`.as('protocol_count'),
      usedCount('application').as('used_count'),
    ])
    .where(mine(ctx, 'application'));

const policies = (ctx: Ctx) =>
  ctx.db
    .selectFrom('policy')
    .innerJoin('agent', 'agent.id', 'policy.agent_id')
    .select([
      'policy.id',
      'policy.version',
      'policy.name',
      'policy.ratio',
      'policy.content',
      'policy.action',
      // Only the speed limit action has speeds.
      sql<number | null>`case when policy.action = 1 then policy.limit_up end`.as('limit_up'),
      sql<number | null>`case when policy.action = 1 then policy.limit_down end`.as('limit_down'),
      'agent.name as agent_name',
      'agent.id as vno_id',
      'policy.create_at',
      usedCount('policy').as('used_count'),
    ])
    .where(mine(ctx, 'policy'));

export const listApplications: Handler<typeof applicationCalls.list> = (ctx, input) =>
  pageOf(ctx.db, applicationCalls.list, input, applications(ctx));

export const readApplication: Handler<typeof applicationCalls.read> = async (ctx, { id }) => {
  const row = await applications(ctx).where('application.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const listPolicies: Handler<typeof policyCalls.list> = (ctx, input) => pageOf(ctx.db, policyCalls.list, input, policies(ctx));

export const readPolicy: Handler<typeof policyCalls.read> = async (ctx, { id }) => {
  const row = await policies(ctx).where('policy.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

const find = async (ctx: Ctx, table: Table, id: number) => {
  const row = await ctx.db.selectFrom(table).selectAll().where('id', '=', id).where(mine(ctx, table)).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

const changed = (before: object, values: object) => {
  const stored = new Map(Object.entries(before));
  const after = Object.fromEntries(
    Object.entries(values).filter(([key, value]) => JSON.stringify(stored.get(key)) !== JSON.stringify(value)),
  );
  if (Object.keys(after).length === 0) throw fail('unchanged');
  return { before: Object.fromEntries(Object.keys(after).map((key) => [key, stored.get(key)])), after };
};

const applicationRow = (input: { name: string; mode: 0 | 1; configure: string[]; remark?: string | null }) => {
  if (!input.configure.every(isSelectable)) throw failAt('configure', ['包含未知的应用协议', 'Contains an unknown protocol']);
  return { name: input.name, mode: input.mode, configure: [...new Set(input.configure)], remark: input.remark ?? null };
};

export const createApplication: Handler<typeof applicationCalls.create> = async (ctx, input) => {
  const row = applicationRow(input);
  const now = ctx.now();
  const made = await ctx.db
    .insertInto('application')
    .values({ ...row, agent_id: ctx.me.agent_id, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`新增应用模板 ${row.name}`, `Created application template ${row.name}`], { after: row });
  return made;
};

export const updateApplication: Handler<typeof applicationCalls.update> = async (ctx, input) => {
  const stored = await find(ctx, 'application', input.id);
  if (stored.version !== input.version) throw fail('stale');
  const row = applicationRow(input);
  const change = changed(stored, row);
  await ctx.db
    .updateTable('application')
    .set({ ...row, update_at: ctx.now(), version: stored.version + 1 })
    .where('id', '=', stored.id)
    .execute();
  record(ctx, [`修改应用模板 ${stored.name}`, `Changed application template ${stored.name}`], change);
};

const policyRow = (input: {
  name: string;
  ratio: number;
  action: 0 | 1 | 2;
  content?: string | null;
  limit_up?: number | null;
  limit_down?: number | null;
}) => ({
  name: input.name,
  ratio: input.ratio,
  action: input.action,
  content: input.content ?? null,
  limit_up: input.limit_up ?? 0,
  limit_down: input.limit_down ?? 0,
});

export const createPolicy: Handler<typeof policyCalls.create> = async (ctx, input) => {
  const row = policyRow(input);
  const now = ctx.now();
  const made = await ctx.db
    .insertInto('policy')
    .values({ ...row, agent_id: ctx.me.agent_id, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`新增信控模板 ${row.name}`, `Created credit control template ${row.name}`], { after: row });
  return made;
};

export const updatePolicy: Handler<typeof policyCalls.update> = async (ctx, input) => {
  const stored = await find(ctx, 'policy', input.id);
  if (stored.version !== input.version) throw fail('stale');
  const row = policyRow(input);
  const change = changed(stored, row);
  await ctx.db
    .updateTable('policy')
    .set({ ...row, update_at: ctx.now(), version: stored.version + 1 })
    .where('id', '=', stored.id)
    .execute();
  if ('action' in change.after) await recheckLater(ctx, { policy_id: stored.id });
  record(ctx, [`修改信控模板 ${stored.name}`, `Changed credit control template ${stored.name}`], change);
};

const removeFrom =
  (table: Table) =>
  async (ctx: Ctx, { id }: { readonly id: number }) => {
    const stored = await find(ctx, table, id);
    const used = await sql`select 1 from package where ${sql.ref(`${table}_id`)} = ${id} limit 1`.execute(ctx.db);
    if (used.rows.length > 0) throw fail('template_in_use');
    await ctx.db.deleteFrom(table).where('id', '=', id).execute();
    record(ctx, [`删除模板 ${stored.name}`, `Deleted template ${stored.name}`], { before: stored });
  };

export const removeApplication: Handler<typeof applicationCalls.remove> = removeFrom('application');
export const removePolicy: Handler<typeof policyCalls.remove> = removeFrom('policy');

type OptionInput = InputOf<typeof applicationCalls.option>;

const optionsOf =
  (table: Table) =>
  async (ctx: Ctx, { line, vno_id, ...subject }: OptionInput) => {
    const rows = await ctx.db
      .selectFrom(table)
      .innerJoin('agent', 'agent.id', `${table}.agent_id`)
      .select([`${table}.id`, `${table}.name`, `${table}.agent_id`, 'agent.name as agent_name'])
      .where(mine(ctx, table))
      .$if(line === true, (query) => query.where(isOfOrAbove(`${table}.agent_id`, vno_id ?? ctx.me.agent_id)))
      .where(forOwners(`${table}.agent_id`, await subjectOwners(ctx, subject)))
      .orderBy(`${table}.name`)
      .limit(10_000)
      .execute();
    return ownedOptions(ctx.me, rows);
  };

export const applicationOptions: Handler<typeof applicationCalls.option> = optionsOf('application');
export const policyOptions: Handler<typeof policyCalls.option> = optionsOf('policy');
