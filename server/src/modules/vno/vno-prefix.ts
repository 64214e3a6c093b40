import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { prefixCalls as calls } from '@farlink/contract/vno/vno-prefix.ts';
import { sql } from 'kysely';
import { forOwners, requireVno, subjectOwners } from '../../domain/owners.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { isOfAnyOrAbove } from '../../kit/list/ancestry.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { countOf, lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

const prefixes = (ctx: Ctx) =>
  ctx.db
    .selectFrom('prefix')
    .innerJoin('agent', 'agent.id', 'prefix.agent_id')
    .select(['prefix.id', 'prefix.prefix', 'prefix.remark', 'prefix.create_at'])
    .select(['agent.name as agent_name', 'agent.id as vno_id', operatorName(ctx, 'prefix.creator').as('creator')])
    .select(countOf('subscriber', sql`subscriber.prefix_id = prefix.id`, 'user_count'))
    .where(inScope(ctx.me, 'prefix.agent_id'));

export const listPrefixes: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, prefixes(ctx));

/** Without a subject, `id` is the id of the VNO. */
const vnosOf = ({ subject, id, parent_id }: InputOf<typeof calls.option>) =>
  subject ? [] : [id, parent_id].filter((vno) => typeof vno === 'number');

export const prefixOptions: Handler<typeof calls.option> = async (ctx, form) => {
  const rows = await ctx.db
    .selectFrom('prefix')
    .select(['id', 'prefix'])
    .where(inScope(ctx.me, 'prefix.agent_id'))
    .where(isOfAnyOrAbove('prefix.agent_id', vnosOf(form)))
    .where(forOwners('prefix.agent_id', await subjectOwners(ctx, form)))
    .orderBy('prefix')
    .execute();
  return Object.fromEntries(rows.map((r) => [r.id, r.prefix]));
};

export const createPrefix: Handler<typeof calls.create> = async (ctx, { vno_id, prefix, remark }) => {
  const vno = await requireVno(ctx, vno_id);
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
  const row = await lockRow(ctx, 'prefix', id, inScope(ctx.me, 'prefix.agent_id'));
  const used = await ctx.db.selectFrom('subscriber').select('id').where('prefix_id', '=', id).executeTakeFirst();
  if (used) throw fail('prefix_in_use');
  await ctx.db.deleteFrom('prefix').where('id', '=', id).execute();
  record(ctx, [`删除账号前缀 ${row.prefix}`, `Deleted account prefix ${row.prefix}`], { before: row });
};
