import { type staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { excessFor } from '../../domain/rights.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { aboveVno, isOfOrAbove } from '../../kit/list/ancestry.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { pageNames, permissionTree } from './permission-tree.ts';
import { kindOf, ofKinds, type RoleSet, roleQuery } from './role-query.ts';

const limitOf = (ids: readonly number[] | null) => (ids ? ('specified' as const) : ('all' as const));

export const listRoles =
  (set: RoleSet): Handler<typeof staffRoles.calls.list> =>
  async (ctx, input) => {
    const page = await pageOf(ctx.db, set.calls.list, input, roleQuery(ctx, [kindOf(ctx, set, input.kind)]));
    return { ...page, list: page.list.map((row) => ({ ...row, permissions: pageNames(row.permissions, ctx.lang) })) };
  };

export const readRole =
  (set: RoleSet): Handler<typeof staffRoles.calls.read> =>
  async (ctx, { id }) => {
    const row = await roleQuery(ctx, set.kinds(ctx)).where('role.id', '=', id).executeTakeFirst();
    if (!row) throw fail('not_found');
    return {
      ...row,
      permission_names: pageNames(row.permissions, ctx.lang),
      vno_limit: limitOf(row.vno_ids),
      device_limit: limitOf(row.device_ids),
    };
  };

export const readPermissions =
  (set: RoleSet): Handler<typeof staffRoles.calls.permissions> =>
  async (ctx, { role_id }) => {
    const role = role_id ? await roleQuery(ctx, set.kinds(ctx)).where('role.id', '=', role_id).executeTakeFirst() : undefined;
    if (role_id && !role) throw fail('not_found');
    return { list: permissionTree(ctx.me, role?.permissions ?? {}) };
  };

export const roleOptions =
  (set: RoleSet): Handler<typeof staffRoles.calls.option> =>
  async (ctx, { kind, vno_id, parent_id, assignable }) => {
    const isVno = set.calls === vnoRoles.calls;
    const of = isVno ? 'agent' : (kind ?? 'sub');
    const rows = await ctx.db
      .selectFrom('role')
      .innerJoin('agent', 'agent.id', 'role.agent_id')
      .select(['role.id', 'role.name', 'role.agent_id', 'agent.name as agent_name'])
      .select(['role.permissions', 'role.gateway_permissions', 'role.view_hide_pkg', 'role.vno_ids', 'role.device_ids'])
      .where(ofKinds(ctx, [of]))
      .$if(!isVno, (query) => query.where('role.agent_id', '=', ctx.me.agent_id))
      .$if(isVno && !!vno_id, (query) => query.where(aboveVno('role.agent_id', vno_id ?? 0)))
      .$if(isVno && !!parent_id, (query) => query.where(isOfOrAbove('role.agent_id', parent_id ?? 0)))
      .orderBy('role.name')
      .execute();
    const isExcess = assignable ? await excessFor(ctx.db, ctx.me, of) : () => false;
    return ownedOptions(
      ctx.me,
      rows.filter((role) => !isExcess(role)),
    );
  };
