import { isRecord } from '@farlink/contract/kit/values.ts';
import type { staffRoles } from '@farlink/contract/permission/role.ts';
import { sql } from 'kysely';
import { endSessionsOfRole } from '../../domain/end-sessions.ts';
import { exceeds, grantsMore, grantsToStore, type RoleRow } from '../../domain/rights.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { findRole, type Kind, kindOf, type RoleSet } from './role-query.ts';
import { scopeColumns, scopeFields, scopeOver } from './role-scope.ts';

const refuseExcess = async (ctx: Ctx, kind: Kind, requested: RoleRow, stored?: RoleRow) => {
  if (grantsMore(ctx.me, requested, stored) || (await exceeds(ctx.db, ctx.me, kind, requested))) throw fail('role_exceeds');
};

/** JSON with sorted keys, for comparison. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    isRecord(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v,
  ) ?? '';

export const createRole =
  (set: RoleSet): Handler<typeof staffRoles.calls.create> =>
  async (ctx, input) => {
    const kind = kindOf(ctx, set, input.kind);
    requireOwnVno(ctx);
    const permissions = grantsToStore(ctx.me, input.permissions);
    const gateway_permissions = input.gateway_permissions ?? {};
    const shown = {
      agent_id: ctx.me.agent_id,
      kind,
      name: input.name,
      ...(await scopeColumns(ctx, input)),
      view_hide_pkg: (input.view_hide_pkg ?? false) && ctx.me.view_hide_pkg,
      read_all: input.read_all ?? false,
      write_all: input.write_all ?? false,
      remark: input.remark ?? null,
    };
    await refuseExcess(ctx, kind, { ...shown, permissions, gateway_permissions });
    const { id } = await ctx.db
      .insertInto('role')
      .values({
        ...shown,
        permissions: JSON.stringify(permissions),
        gateway_permissions: JSON.stringify(gateway_permissions),
        creator: ctx.me.username,
        create_at: ctx.now(),
        update_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    record(ctx, [`新增角色 ${input.name}`, `Created role ${input.name}`], {
      after: { ...shown, permissions, gateway_permissions },
    });
    return { id };
  };

export const updateRole =
  (set: RoleSet): Handler<typeof staffRoles.calls.update> =>
  async (ctx, input) => {
    const row = await findRole(ctx, input.id, set.kinds(ctx));
    if (row.version !== input.version) throw fail('stale');
    const permissions = input.permissions ? grantsToStore(ctx.me, input.permissions) : row.permissions;
    const gateway_permissions = input.gateway_permissions ?? row.gateway_permissions;
    const desired = {
      name: input.name ?? row.name,
      ...(scopeFields.every((name) => input[name] === undefined) ? {} : await scopeColumns(ctx, scopeOver(row, input))),
      view_hide_pkg: input.view_hide_pkg === undefined ? row.view_hide_pkg : (input.view_hide_pkg ?? false) && ctx.me.view_hide_pkg,
      read_all: input.read_all ?? row.read_all,
      write_all: input.write_all ?? row.write_all,
      remark: input.remark === undefined ? row.remark : input.remark,
      permissions,
      gateway_permissions,
    };
    const stored: Record<string, unknown> = row;
    const after = Object.fromEntries(Object.entries(desired).filter(([key, value]) => canonical(stored[key]) !== canonical(value)));
    if (Object.keys(after).length === 0) throw fail('unchanged');
    const isRenamed = Object.keys(after).every((key) => key === 'name' || key === 'remark');
    if (!isRenamed) await refuseExcess(ctx, row.kind, { ...row, ...desired }, row);
    await ctx.db
      .updateTable('role')
      .set({
        ...desired,
        permissions: JSON.stringify(permissions),
        gateway_permissions: JSON.stringify(gateway_permissions),
        update_at: ctx.now(),
        version: row.version + 1,
      })
      .where('id', '=', row.id)
      .execute();
    // decisions §4: logins with this role must log in again for the new rights; a new name or remark ends no session.
    if (!isRenamed) await endSessionsOfRole(ctx.db, row.id);
    record(ctx, [`修改角色 ${row.name}`, `Changed role ${row.name}`], {
      before: Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])),
      after,
    });
  };

export const removeRole =
  (set: RoleSet): Handler<typeof staffRoles.calls.remove> =>
  async (ctx, { id }) => {
    const row = await findRole(ctx, id, set.kinds(ctx));
    const used =
      await sql`select 1 from customer where role_id = ${id} union all select 1 from agent where role_id = ${id} limit 1`.execute(ctx.db);
    if (used.rows.length > 0) throw fail('role_in_use');
    await ctx.db.deleteFrom('role').where('id', '=', id).execute();
    record(ctx, [`删除角色 ${row.name}`, `Deleted role ${row.name}`], { before: row });
  };
