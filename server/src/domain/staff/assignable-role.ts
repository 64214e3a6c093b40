import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { aboveVno, isOfOrAbove } from '../../kit/list/ancestry.ts';
import { inScope, ownScope } from '../../kit/list/scope.ts';
import { exceeds } from '../rights.ts';

type Kind = 'agent' | 'sub' | 'job';

interface Holder {
  readonly kind: Kind;
  /** For VNO roles: the VNO that gets the role, or the parent of a new VNO. */
  readonly vnoId?: number;
  readonly parentId?: number;
  readonly seesHidden?: boolean;
}

/** A VNO role belongs to a VNO above its holder, because the owner of a role decides its rights. */
const ownedAbove = ({ vnoId, parentId }: Holder): RawBuilder<SqlBool> => {
  if (parentId !== undefined) return isOfOrAbove('role.agent_id', parentId);
  return vnoId === undefined ? sql<SqlBool>`true` : aboveVno('role.agent_id', vnoId);
};

/** A role of the right kind that the session may see and that does not exceed its rights. */
export const assignableRole = async (ctx: Ctx, roleId: number, holder: Holder) => {
  const { kind, seesHidden = false } = holder;
  const role = await ctx.db
    .selectFrom('role')
    .select(['id', 'name', 'permissions', 'gateway_permissions', 'view_hide_pkg', 'vno_ids', 'device_ids'])
    .where('id', '=', roleId)
    .where('kind', '=', kind)
    .where(ownedAbove(holder))
    .where(kind === 'agent' ? inScope(ctx.me, 'role.agent_id') : ownScope(ctx.me, 'role.agent_id'))
    .executeTakeFirst();
  if (!role) throw failAt('role_id', ['请选择有效的角色', 'Please select a valid role']);
  if (await exceeds(ctx.db, ctx.me, kind, { ...role, view_hide_pkg: role.view_hide_pkg || seesHidden })) throw fail('role_exceeds');
  return role;
};
