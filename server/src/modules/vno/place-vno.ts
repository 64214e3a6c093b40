import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/scope.ts';

/** The VNO under which another shall stand: in scope, allowed to have children, not too deep. Locked, so that it cannot vanish meanwhile. */
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

/** Moves a branch under another parent: its own place and that of everything below it, past VNOs included. */
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
