import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { outranks, rightsHere } from '../../domain/rights.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject } from '../../kit/log/record.ts';

export type Kind = 'agent' | 'sub' | 'job';
type Kinds = readonly Kind[];

/** Roles of VNOs, or roles of staff. `kinds` limits the rows that a call may access. */
export interface RoleSet {
  readonly calls: typeof vnoRoles.calls | typeof staffRoles.calls;
  kinds(ctx: Ctx): Kinds;
}

/** Staff kinds that the session may manage; each kind has a separate page. */
const staffKinds = (ctx: Ctx): Kinds => {
  const { permissions } = ctx.me;
  const isGranted = (page: string) => permissions === null || permissions.includes(page);
  return [...(isGranted('role_manage') ? (['sub'] as const) : []), ...(isGranted('job_role') ? (['job'] as const) : [])];
};

export const vnoRoleSet: RoleSet = { calls: vnoRoles.calls, kinds: () => ['agent'] };
export const staffRoleSet: RoleSet = { calls: staffRoles.calls, kinds: staffKinds };

export const kindOf = (ctx: Ctx, { kinds }: RoleSet, requested: 'sub' | 'job' | null | undefined): Kind => {
  const allowed = kinds(ctx);
  const kind = allowed.includes('agent') ? 'agent' : (requested ?? 'sub');
  if (!allowed.includes(kind)) throw fail('denied');
  return kind;
};

export const ofKinds = (ctx: Ctx, kinds: Kinds): RawBuilder<SqlBool> =>
  sql<SqlBool>`role.kind = any(${kinds}) and ${inScope(ctx.me, 'role.agent_id')}`;

export const roleQuery = (ctx: Ctx, kinds: Kinds) =>
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
      operatorName(ctx, 'role.creator').as('creator'),
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

export const findRole = async (ctx: Ctx, id: number, kinds: Kinds) => {
  const row = await ctx.db.selectFrom('role').selectAll().where('id', '=', id).where(ofKinds(ctx, kinds)).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.name);
  // Otherwise an operator could reduce the role of a superior, take over the account and wait until the role is restored.
  if (row.kind !== 'agent' && outranks(ctx.me, await rightsHere(ctx.db, ctx.me, row))) throw fail('role_exceeds');
  return row;
};
