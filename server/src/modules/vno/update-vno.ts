import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { sql } from 'kysely';
import { endSessionsOfBranch, endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword } from '../../domain/password.ts';
import { assignableRole } from '../../domain/staff/assignable-role.ts';
import { refuseOutranking } from '../../domain/staff/find-customer.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { belowScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { prefixInLine } from './create-vno.ts';
import { moveBranch, refuseOtherLine } from './move-vno.ts';

/** Locks a VNO below the VNO of the session. An operator cannot edit, open or delete their own VNO. */
export const vnoBelow = async (ctx: Ctx, id: number) => {
  if (id === ctx.me.agent_id) throw fail('vno_self');
  const row = await ctx.db
    .selectFrom('agent')
    .selectAll()
    .where('id', '=', id)
    .where(belowScope(ctx.me, 'agent.id'))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

/** Same for a change that affects the whole branch: a role limited to VNOs needs all of them. */
export const wholeVnoBelow = async (ctx: Ctx, id: number) => {
  const row = await vnoBelow(ctx, id);
  await requireWholeBranch(ctx, row.id);
  return row;
};

/** Accounts of a VNO see its branch, so a role limited to a part of that branch cannot manage them. */
export const requireWholeBranch = async (ctx: Ctx, vnoId: number) => {
  const { vno_ids } = ctx.me.rights;
  if (!vno_ids) return;
  const { rows } = await sql`
    select from agent below, agent top where top.id = ${vnoId} and below.path like top.path || '%'
    and below.id <> all(${vno_ids}::bigint[]) limit 1`.execute(ctx.db);
  if (rows.length > 0) throw fail('denied');
};

export const updateVno: Handler<typeof calls.update> = async (ctx, input) => {
  const row = await wholeVnoBelow(ctx, input.id);
  if (row.version !== input.version) throw fail('stale');
  const values = {
    name: input.name,
    code: input.code ?? row.code,
    third_id: input.third_id ?? null,
    contacts: input.contacts,
    phone: input.phone,
    email: input.email ?? null,
    introduction: input.introduction ?? null,
    role_id: input.role_id,
    prefix_id: input.account_prefix ?? null,
    agent_mode: input.agent_mode,
    agent_child_enable: input.agent_child_enable ?? false,
    enrol_auto: input.enrol_auto ?? false,
  };
  const stored: Record<string, unknown> = row;
  const after = Object.fromEntries(
    Object.entries({ ...values, parent_id: input.parent_id }).filter(([key, value]) => stored[key] !== value),
  );
  if (Object.keys(after).length === 0 && !input.password) throw fail('unchanged');
  if (!values.agent_child_enable && row.agent_child_enable) await refuseWithChildren(ctx, row.id);
  if (input.parent_id !== row.parent_id) await moveBranch(ctx, row, input.parent_id);
  if (values.role_id !== row.role_id) await assignableRole(ctx, values.role_id, { kind: 'agent', vnoId: row.id });
  if (values.prefix_id !== row.prefix_id) await prefixInLine(ctx, values.prefix_id, row.id);
  await ctx.db
    .updateTable('agent')
    .set({ ...values, update_at: ctx.now(), version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  if (input.parent_id !== row.parent_id) await refuseOtherLine(ctx, row.id);
  if (input.password) await resetOwner(ctx, row.id, input.password);
  if (['parent_id', 'role_id', 'agent_mode', 'agent_child_enable', 'name'].some((key) => key in after)) {
    const { path } = await ctx.db.selectFrom('agent').select('path').where('id', '=', row.id).executeTakeFirstOrThrow();
    await endSessionsOfBranch(ctx.db, path);
  }
  record(ctx, [`修改VNO ${row.name}`, `Changed VNO ${row.name}`], {
    before: { ...Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])), ...(input.password && { password: 'old' }) },
    after: { ...after, ...(input.password && { password: 'new' }) },
  });
};

const refuseWithChildren = async (ctx: Ctx, id: number) => {
  const child = await ctx.db.selectFrom('agent').select('id').where('parent_id', '=', id).executeTakeFirst();
  if (child) throw fail('wrong_state');
};

const resetOwner = async (ctx: Ctx, agentId: number, password: string) => {
  const owner = await ctx.db
    .updateTable('customer')
    .set({ password_hash: await hashPassword(password), update_at: ctx.now() })
    .where('agent_id', '=', agentId)
    .where('is_owner', '=', true)
    .returning(['id', 'kind'])
    .executeTakeFirstOrThrow();
  await refuseOutranking(ctx, owner);
  await endSessionsOfCustomer(ctx.db, owner.id);
};
