import type { AccountNode, vnoAccountCalls as calls } from '@farlink/contract/vno/vno-account.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { sql } from 'kysely';
import { createCustomer } from '../../domain/staff/create-customer.ts';
import { findCustomer } from '../../domain/staff/find-customer.ts';
import { patchCustomer } from '../../domain/staff/patch-customer.ts';
import { removeCustomer } from '../../domain/staff/remove-customer.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { belowScope, inScope } from '../../kit/list/scope.ts';
import { treeOf } from './tree.ts';
import { requireWholeBranch } from './update-vno.ts';

/** Accounts of VNOs below the VNO of the session; its own accounts are managed by the parent. */
const mine = (ctx: Ctx) => sql<boolean>`customer.kind = 'vno' and ${belowScope(ctx.me, 'customer.agent_id')}`;

export const listVnoAccounts: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    vnoAccountCalls.list,
    input,
    ctx.db
      .selectFrom('customer')
      .innerJoin('agent', 'agent.id', 'customer.agent_id')
      .innerJoin('role', (j) => j.on((eb) => eb('role.id', '=', eb.fn.coalesce('customer.role_id', 'agent.role_id'))))
      .select([
        'customer.id',
        'customer.version',
        'customer.username',
        'customer.name',
        'role.name as role_name',
        'role.id as role_id',
        'customer.phone',
        'customer.email',
        'customer.income_limit',
        'customer.income_used',
        'customer.view_hide_pkg',
        'customer.status',
        'customer.is_owner',
        'agent.name as agent_name',
        'agent.id as vno_id',
        'customer.last_login_at',
        'customer.last_login_ip',
        'customer.remark',
        'customer.create_at',
      ])
      .where(mine(ctx)),
  );

export const createVnoAccount: Handler<typeof calls.create> = async (ctx, input) => {
  const agent = await ctx.db
    .selectFrom('agent')
    .select('id')
    .where('id', '=', input.vno_id)
    .where(belowScope(ctx.me, 'agent.id'))
    .executeTakeFirst();
  if (!agent) throw failAt('vno_id', ['请选择下级VNO', 'Please select a child VNO']);
  await requireWholeBranch(ctx, agent.id);
  return createCustomer(ctx, input, { agentId: agent.id, kind: 'vno' });
};

const findAccount = async (ctx: Ctx, id: number) => {
  const row = await findCustomer(ctx, id, mine(ctx));
  await requireWholeBranch(ctx, row.agent_id);
  return row;
};

export const updateVnoAccount: Handler<typeof calls.update> = async (ctx, input) =>
  patchCustomer(ctx, await findAccount(ctx, input.id), input);

export const removeVnoAccount: Handler<typeof calls.remove> = async (ctx, { id }) => removeCustomer(ctx, await findAccount(ctx, id));

export const vnoAccountTopology: Handler<typeof calls.topology> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('agent')
    .select((eb) => [
      'agent.id',
      'agent.name',
      'agent.parent_id',
      eb
        .selectFrom('customer')
        .whereRef('customer.agent_id', '=', 'agent.id')
        .where('customer.kind', '=', 'vno')
        .select((c) => c.fn.countAll<number>().as('n'))
        .as('n'),
    ])
    .where(inScope(ctx.me, 'agent.id'))
    .orderBy('agent.name')
    .execute();
  const list = treeOf(
    rows,
    (row, children): AccountNode => ({
      id: row.id,
      name: row.name,
      parent_id: row.id === ctx.me.agent_id ? null : row.parent_id,
      customer_count: row.id === ctx.me.agent_id ? 0 : (row.n ?? 0),
      children,
    }),
  );
  return { list };
};
