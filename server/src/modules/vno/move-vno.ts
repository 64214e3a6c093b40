import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Parent for a VNO: in scope, allowed to have children, not too deep. It is locked, so it cannot be deleted meanwhile. */
export const parentFor = async (ctx: Ctx, parentId: number) => {
  const parent = await ctx.db
    .selectFrom('agent')
    .select(['id', 'path', 'agent_level', 'agent_child_enable'])
    .where('id', '=', parentId)
    .where(inScope(ctx.me, 'agent.id'))
    .forUpdate()
    .executeTakeFirst();
  if (!parent) throw failAt('parent_id', ['请选择有效的上级VNO', 'Please select a valid parent VNO']);
  if (!parent.agent_child_enable) throw fail('vno_children_forbidden');
  if (parent.agent_level >= limits.agentDepth) throw fail('vno_too_deep', { args: [limits.agentDepth] });
  return parent;
};

const otherLine: Text = [
  '以下VNO或账号的角色、前缀属于原上级：{0}。请先更换后再移动',
  'These VNOs or accounts have a role or prefix of the previous parent: {0}. Change it before moving.',
];

/** A moved branch cannot keep roles or prefixes of VNOs that are no longer above it. */
export const refuseOtherLine = async (ctx: Ctx, vnoId: number) => {
  const line = sql`string_to_array(trim(both '/' from a.path), '/')::bigint[]`;
  const { rows } = await sql<{ name: string }>`
    with branch as (select a.* from agent a where a.path like (select path from agent where id = ${vnoId}) || '%')
    select a.name from branch a join role r on r.id = a.role_id where r.agent_id <> all(${line})
    union select a.name from branch a join prefix p on p.id = a.prefix_id where p.agent_id <> all(${line})
    union select c.username from branch a join customer c on c.agent_id = a.id and c.kind = 'vno' join role r on r.id = c.role_id
      where r.agent_id <> all(${line})
    order by 1 limit 5`.execute(ctx.db);
  if (rows.length > 0) throw failAt('parent_id', fill(otherLine, rows.map(({ name }) => name).join(', ')));
};

/** Moves a branch under another parent: updates the paths of the VNO and all VNOs below, deleted ones included. */
export const moveBranch = async (ctx: Ctx, vno: { id: number; path: string; agent_level: number }, parentId: number) => {
  const parent = await parentFor(ctx, parentId);
  if (parent.path.startsWith(vno.path)) throw fail('vno_own_child');
  const shift = parent.agent_level + 1 - vno.agent_level;
  const deepest = await ctx.db
    .selectFrom('agent')
    .select((eb) => eb.fn.max('agent_level').as('level'))
    .where('path', 'like', `${vno.path}%`)
    .executeTakeFirstOrThrow();
  if (Number(deepest.level) + shift > limits.agentDepth) throw fail('vno_too_deep', { args: [limits.agentDepth] });
  const path = `${parent.path}${vno.id}/`;
  await sql`update agent set path = ${path} || substr(path, ${vno.path.length + 1}), agent_level = agent_level + ${shift} where path like ${`${vno.path}%`}`.execute(
    ctx.db,
  );
  await sql`update agent_past set path = ${path} || substr(path, ${vno.path.length + 1}) where path like ${`${vno.path}%`}`.execute(ctx.db);
  await ctx.db.updateTable('agent').set({ parent_id: parent.id }).where('id', '=', vno.id).execute();
};
