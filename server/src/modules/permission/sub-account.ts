import { staffCalls as calls } from '@farlink/contract/permission/sub-account.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { actAs } from '../../domain/act-as.ts';
import { createCustomer } from '../../domain/staff/create-customer.ts';
import { findCustomer } from '../../domain/staff/find-customer.ts';
import { patchCustomer } from '../../domain/staff/patch-customer.ts';
import { removeCustomer } from '../../domain/staff/remove-customer.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { ownScope, requireOwnVno } from '../../kit/list/scope.ts';

const pageOfKind = { sub: 'customer_manage', job: 'job_number' } as const;

/** Sub-accounts and job numbers share their calls, but each kind needs the permission of its own page. */
const permittedKinds = (ctx: Ctx) =>
  (['sub', 'job'] as const).filter((kind) => ctx.me.permissions === null || ctx.me.permissions.includes(pageOfKind[kind]));

const demand = (ctx: Ctx, kind: 'sub' | 'job') => {
  if (!permittedKinds(ctx).includes(kind)) throw fail('denied');
};

/** Staff of the VNO of the session; a master job number sees the sub job numbers it opened. */
const mine = (ctx: Ctx, kinds: readonly string[] = permittedKinds(ctx)): RawBuilder<SqlBool> =>
  sql<SqlBool>`${ownScope(ctx.me, 'customer.agent_id')} and customer.kind = any(${kinds}) and ${ctx.me.job_kind === null ? sql`true` : sql`customer.parent_id = ${ctx.me.uid}`}`;

export const listStaff: Handler<typeof calls.list> = (ctx, input) => {
  demand(ctx, input.kind);
  return pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('customer')
      .innerJoin('role', 'role.id', 'customer.role_id')
      .leftJoin('customer as master', 'master.id', 'customer.parent_id')
      .select([
        'customer.id',
        'customer.version',
        'customer.username',
        'customer.name',
        'role.name as role_name',
        'customer.role_id',
        'customer.phone',
        'customer.email',
        'customer.income_limit',
        'customer.income_used',
        'customer.view_hide_pkg',
        'customer.status',
        'customer.job_kind',
        'master.name as parent_name',
        'customer.last_login_at',
        'customer.last_login_ip',
        'customer.remark',
        'customer.create_at',
      ])
      .where(mine(ctx, [input.kind])),
  );
};

export const createStaff: Handler<typeof calls.create> = async (ctx, input) => {
  demand(ctx, input.kind);
  requireOwnVno(ctx);
  // A master job number opens sub job numbers, nothing above itself; a sub job number opens none.
  if (ctx.me.job_kind === 'sub') throw fail('denied');
  if (ctx.me.job_kind === 'master' && (input.kind !== 'job' || input.job_kind !== 'sub')) throw fail('denied');
  return createCustomer(ctx, input, {
    agentId: ctx.me.agent_id,
    kind: input.kind,
    jobKind: input.kind === 'job' ? (input.job_kind ?? 'sub') : null,
  });
};

export const updateStaff: Handler<typeof calls.update> = async (ctx, input) => {
  if (ctx.me.job_kind !== null && input.job_kind === 'master') throw fail('denied');
  return patchCustomer(ctx, await findCustomer(ctx, input.id, mine(ctx)), input);
};

export const removeStaff: Handler<typeof calls.remove> = async (ctx, { id }) => removeCustomer(ctx, await findCustomer(ctx, id, mine(ctx)));

export const loginAsStaff: Handler<typeof calls.login> = async (ctx, { id }) => {
  const target = await findCustomer(ctx, id, mine(ctx));
  if (target.id === ctx.me.uid) throw fail('customer_self');
  if (target.status === 0) throw fail('account_disabled');
  return actAs(ctx, target);
};
