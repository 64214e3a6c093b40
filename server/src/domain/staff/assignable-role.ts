import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/scope.ts';
import { exceeds } from '../rights.ts';

type Kind = 'agent' | 'sub' | 'job';

/** A role of the right kind that the session may see, and that gives its holder no more than the session holds. */
export const assignableRole = async (ctx: Ctx, roleId: number, kind: Kind, seesHidden = false) => {
  const role = await ctx.db
    .selectFrom('role')
    .select(['id', 'name', 'permissions', 'gateway_permissions', 'view_hide_pkg', 'vno_ids', 'device_ids'])
    .where('id', '=', roleId)
    .where('kind', '=', kind)
    .where(kind === 'agent' ? inScope(ctx.me, 'role.agent_id') : (eb) => eb('role.agent_id', '=', ctx.me.agent_id))
    .executeTakeFirst();
  if (!role) throw failAt('role_id', ['请选择有效的角色', 'Please select a valid role']);
  if (await exceeds(ctx.db, ctx.me, kind, { ...role, view_hide_pkg: role.view_hide_pkg || seesHidden })) throw fail('role_exceeds');
  return role;
};
