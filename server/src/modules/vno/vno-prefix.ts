import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { prefixCalls as calls } from '@farlink/contract/vno/vno-prefix.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { forOwners, subjectOwners } from '../../domain/owners.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inLineOf } from '../../kit/list/line.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

const prefixes = (ctx: Ctx) =>
  ctx.db
    .selectFrom('prefix')
    .innerJoin('agent', 'agent.id', 'prefix.agent_id')
    .select((eb) => [
      'prefix.id',
      'prefix.prefix',
      'agent.name as agent_name',
      'agent.id as vno_id',
      'prefix.remark',
      'prefix.creator',
      'prefix.create_at',
      eb
        .selectFrom('subscriber')
        .whereRef('subscriber.prefix_id', '=', 'prefix.id')
        .select((s) => s.fn.countAll<number>().as('n'))
        .as('user_count'),
    ])
    .where(inScope(ctx.me, 'prefix.agent_id'));

export const listPrefixes: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, prefixes(ctx));

/** Without a subject, `id` is the id of the VNO. */
const linesOf = ({ subject, id, parent_id }: InputOf<typeof calls.option>): RawBuilder<SqlBool> => {
  const vnos = subject ? [] : [id, parent_id].filter((vno) => typeof vno === 'number');
  return vnos.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        vnos.map((vno) => inLineOf('prefix.agent_id', vno)),
        sql` or `,
      )})`;
};

export const prefixOptions: Handler<typeof calls.option> = async (ctx, asked) => {
  const rows = await ctx.db
    .selectFrom('prefix')
    .select(['id', 'prefix'])
    .where(inScope(ctx.me, 'prefix.agent_id'))
    .where(linesOf(asked))
    .where(forOwners('prefix.agent_id', await subjectOwners(ctx, asked)))
    .orderBy('prefix')
    .execute();
  return Object.fromEntries(rows.map((r) => [r.id, r.prefix]));
};

export const createPrefix: Handler<typeof calls.create> = async (ctx, { vno_id, prefix, remark }) => {
  const vno = await ctx.db
    .selectFrom('agent')
    .select(['id', 'name'])
    .where('id', '=', vno_id)
    .where(inScope(ctx.me, 'agent.id'))
    .executeTakeFirst();
  if (!vno) throw failAt('vno_id', ['请选择有效的VNO', 'Please select a valid VNO']);
  const { id } = await ctx.db
    .insertInto('prefix')
    .values({ agent_id: vno.id, prefix, remark: remark ?? null, creator: ctx.me.username, create_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`为VNO ${vno.name} 新增账号前缀 ${prefix}`, `Created account prefix ${prefix} for VNO ${vno.name}`], {
    after: { vno_id, prefix, remark },
  });
  return { id };
};

export const removePrefix: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('prefix')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(ctx.me, 'prefix.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const used = await ctx.db.selectFrom('subscriber').select('id').where('prefix_id', '=', id).executeTakeFirst();
  if (used) throw fail('prefix_in_use');
  await ctx.db.deleteFrom('prefix').where('id', '=', id).execute();
  record(ctx, [`删除账号前缀 ${row.prefix}`, `Deleted account prefix ${row.prefix}`], { before: row });
};
