import type { Text } from '@farlink/contract/kit/text.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { endSessionsOfRole } from '../../domain/end-sessions.ts';
import { exceeds, excessFor, givesMore, grantsToStore, outranks, type RoleRow, rightsHere } from '../../domain/rights.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { aboveVno, inLineOf } from '../../kit/list/line.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { pageNames, permissionTree } from './permission-tree.ts';

type Kind = 'agent' | 'sub' | 'job';
type Kinds = readonly Kind[];
type Calls = typeof vnoRoles.calls | typeof staffRoles.calls;

/** Staff kinds that the session may manage; each kind has a separate page. */
const staffKinds = (ctx: Ctx): Kinds => {
  const { permissions } = ctx.me;
  const stored = (page: string) => permissions === null || permissions.includes(page);
  return [...(stored('role_manage') ? (['sub'] as const) : []), ...(stored('job_role') ? (['job'] as const) : [])];
};

const ofKinds = (ctx: Ctx, kinds: Kinds): RawBuilder<SqlBool> =>
  sql<SqlBool>`role.kind = any(${kinds}) and ${inScope(ctx.me, 'role.agent_id')}`;

const roleQuery = (ctx: Ctx, kinds: Kinds) =>
  ctx.db
    .selectFrom('role')
    .innerJoin('agent', 'agent.id', 'role.agent_id')
    .select((eb) => [
      'role.id',
      'role.version',
      'role.name',
      'role.kind',
      'role.scope',
      'role.vno_ids',
      'role.device_ids',
      'role.permissions',
      'role.gateway_permissions',
      'role.view_hide_pkg',
      'role.read_all',
      'role.write_all',
      'agent.name as agent_name',
      'role.agent_id as vno_id',
      'role.remark',
      'role.creator',
      'role.create_at',
      'role.update_at',
      sql<number>`(select count(*) from customer c where c.role_id = role.id)::int + (select count(*) from agent a where a.role_id = role.id)::int`.as(
        'use_count',
      ),
      eb
        .fn<string[]>('array', [
          eb
            .selectFrom('agent as v')
            .select('v.name')
            .where(sql<SqlBool>`v.id = any(role.vno_ids)`)
            .where(inScope(ctx.me, 'v.id'))
            .unionAll(
              eb
                .selectFrom('device as d')
                .select('d.name')
                .where(sql<SqlBool>`d.id = any(role.device_ids)`)
                .where(inScope(ctx.me, 'd.agent_id', 'd.id')),
            ),
        ])
        .as('scope_names'),
    ])
    .where(ofKinds(ctx, kinds));

const limitOf = (ids: readonly number[] | null) => (ids ? ('specified' as const) : ('all' as const));

const findRole = async (ctx: Ctx, id: number, kinds: Kinds) => {
  const row = await ctx.db.selectFrom('role').selectAll().where('id', '=', id).where(ofKinds(ctx, kinds)).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  // Otherwise an operator could reduce the role of a superior, take over the account and wait until the role is restored.
  if (row.kind !== 'agent' && outranks(ctx.me, await rightsHere(ctx.db, ctx.me, row))) throw fail('role_exceeds');
  return row;
};

interface ScopeInput {
  readonly scope?: 'unlimited' | 'vno' | 'device' | null;
  readonly vno_limit?: 'all' | 'specified' | null;
  readonly vno_ids?: readonly number[] | null;
  readonly device_limit?: 'all' | 'specified' | null;
  readonly device_ids?: readonly number[] | null;
}

const missing = {
  vno_ids: ['请选择指定VNO', 'Please select VNOs'],
  device_ids: ['请选择指定设备', 'Please select devices'],
} as const satisfies Record<string, Text>;

const idsAt = (field: keyof typeof missing, ids: readonly number[] | null | undefined): number[] => {
  if (!ids || ids.length === 0) throw failAt(field, missing[field]);
  return [...new Set(ids)];
};

/** If a change has only the scope, a limited role stays limited, so it is not widened by accident. */
const scopeOver = (row: ScopeInput, input: ScopeInput): ScopeInput => {
  const limit = row.vno_ids || row.device_ids ? ('specified' as const) : ('all' as const);
  return {
    scope: input.scope ?? row.scope,
    vno_limit: input.vno_limit ?? (input.vno_ids ? 'specified' : limit),
    vno_ids: input.vno_ids ?? row.vno_ids,
    device_limit: input.device_limit ?? (input.device_ids ? 'specified' : limit),
    device_ids: input.device_ids ?? row.device_ids,
  };
};

const scopeFields = ['scope', 'vno_limit', 'vno_ids', 'device_limit', 'device_ids'] as const;

/** spec §6: the VNO list and the device list exclude each other; each may contain only ids in scope. */
const scopeColumns = async (ctx: Ctx, input: ScopeInput) => {
  const vno_ids = input.scope === 'vno' && input.vno_limit === 'specified' ? idsAt('vno_ids', input.vno_ids) : null;
  const device_ids = input.scope === 'device' && input.device_limit === 'specified' ? idsAt('device_ids', input.device_ids) : null;
  if (vno_ids) {
    const seen = await ctx.db.selectFrom('agent').select('id').where('id', 'in', vno_ids).where(inScope(ctx.me, 'agent.id')).execute();
    if (seen.length !== vno_ids.length) throw failAt('vno_ids', ['请选择有效的VNO', 'Please select valid VNOs']);
  }
  if (device_ids) {
    const seen = await ctx.db
      .selectFrom('device')
      .select('id')
      .where('id', 'in', device_ids)
      .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
      .execute();
    if (seen.length !== device_ids.length) throw failAt('device_ids', ['请选择有效的设备', 'Please select valid devices']);
  }
  return { scope: input.scope ?? 'unlimited', vno_ids, device_ids };
};

const refuseExcess = async (ctx: Ctx, kind: Kind, given: RoleRow, stored?: RoleRow) => {
  if (givesMore(ctx.me, given, stored) || (await exceeds(ctx.db, ctx.me, kind, given))) throw fail('role_exceeds');
};

/** Handlers for both sets of roles; `kinds` limits the rows that a call may access. */
const roleVerbs = (calls: Calls, kinds: (ctx: Ctx) => Kinds) => {
  const kindOf = (ctx: Ctx, asked: 'sub' | 'job' | null | undefined): Kind => {
    const allowed = kinds(ctx);
    const kind = allowed.includes('agent') ? 'agent' : (asked ?? 'sub');
    if (!allowed.includes(kind)) throw fail('denied');
    return kind;
  };

  const list: Handler<typeof staffRoles.calls.list> = async (ctx, input) => {
    const page = await pageOf(ctx.db, calls.list, input, roleQuery(ctx, [kindOf(ctx, input.kind)]));
    return { ...page, list: page.list.map((row) => ({ ...row, permissions: pageNames(row.permissions, ctx.lang) })) };
  };

  const create: Handler<typeof staffRoles.calls.create> = async (ctx, input) => {
    const kind = kindOf(ctx, input.kind);
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

  const read: Handler<typeof staffRoles.calls.read> = async (ctx, { id }) => {
    const row = await roleQuery(ctx, kinds(ctx)).where('role.id', '=', id).executeTakeFirst();
    if (!row) throw fail('not_found');
    return {
      ...row,
      permission_names: pageNames(row.permissions, ctx.lang),
      vno_limit: limitOf(row.vno_ids),
      device_limit: limitOf(row.device_ids),
    };
  };

  const update: Handler<typeof staffRoles.calls.update> = async (ctx, input) => {
    const row = await findRole(ctx, input.id, kinds(ctx));
    if (row.version !== input.version) throw fail('stale');
    const permissions = input.permissions ? grantsToStore(ctx.me, input.permissions) : row.permissions;
    const gateway_permissions = input.gateway_permissions ?? row.gateway_permissions;
    const wanted = {
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
    const after = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => canonical(stored[key]) !== canonical(value)));
    if (Object.keys(after).length === 0) throw fail('unchanged');
    const isRenamed = Object.keys(after).every((key) => key === 'name' || key === 'remark');
    if (!isRenamed) await refuseExcess(ctx, row.kind, { ...row, ...wanted }, row);
    await ctx.db
      .updateTable('role')
      .set({
        ...wanted,
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

  const remove: Handler<typeof staffRoles.calls.remove> = async (ctx, { id }) => {
    const row = await findRole(ctx, id, kinds(ctx));
    const used =
      await sql`select 1 from customer where role_id = ${id} union all select 1 from agent where role_id = ${id} limit 1`.execute(ctx.db);
    if (used.rows.length > 0) throw fail('role_in_use');
    await ctx.db.deleteFrom('role').where('id', '=', id).execute();
    record(ctx, [`删除角色 ${row.name}`, `Deleted role ${row.name}`], { before: row });
  };

  const permissions: Handler<typeof staffRoles.calls.permissions> = async (ctx, { role_id }) => {
    const role = role_id ? await roleQuery(ctx, kinds(ctx)).where('role.id', '=', role_id).executeTakeFirst() : undefined;
    if (role_id && !role) throw fail('not_found');
    return { list: permissionTree(ctx.me, role?.permissions ?? {}) };
  };

  const option: Handler<typeof staffRoles.calls.option> = async (ctx, { kind, vno_id, parent_id, assignable }) => {
    const isVno = calls === vnoRoles.calls;
    const of = isVno ? 'agent' : (kind ?? 'sub');
    const rows = await ctx.db
      .selectFrom('role')
      .innerJoin('agent', 'agent.id', 'role.agent_id')
      .select(['role.id', 'role.name', 'role.agent_id', 'agent.name as agent_name'])
      .select(['role.permissions', 'role.gateway_permissions', 'role.view_hide_pkg', 'role.vno_ids', 'role.device_ids'])
      .where(ofKinds(ctx, [of]))
      .$if(!isVno, (query) => query.where('role.agent_id', '=', ctx.me.agent_id))
      .$if(isVno && !!vno_id, (query) => query.where(aboveVno('role.agent_id', vno_id ?? 0)))
      .$if(isVno && !!parent_id, (query) => query.where(inLineOf('role.agent_id', parent_id ?? 0)))
      .orderBy('role.name')
      .execute();
    const isExcess = assignable ? await excessFor(ctx.db, ctx.me, of) : () => false;
    return ownedOptions(
      ctx.me,
      rows.filter((role) => !isExcess(role)),
    );
  };

  return { list, create, read, update, remove, permissions, option };
};

/** JSON with sorted keys, for comparison. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  ) ?? '';

export const vnoRoleVerbs = roleVerbs(vnoRoles.calls, () => ['agent']);
export const staffRoleVerbs = roleVerbs(staffRoles.calls, staffKinds);
