import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

export const nasScope = (ctx: Ctx) => inScope(ctx.me, 'nas.agent_id', 'nas.device_id');

/** A NAS that the session does not see is not found. */
export const requireNas = async (ctx: Ctx, id: number): Promise<void> => {
  const found = await ctx.db.selectFrom('nas').select('id').where('id', '=', id).where(nasScope(ctx)).executeTakeFirst();
  if (!found) throw fail('not_found');
};
