import type { Ctx } from '../../kit/ctx.ts';
import { record } from '../../kit/log/record.ts';
import { hashPassword } from '../password.ts';
import { assignableRole } from './assignable-role.ts';
import { refuseHigherLimit } from './collection-limit.ts';
import { takeSeat } from './license-seat.ts';

export interface NewCustomer {
  readonly username: string;
  readonly name: string;
  readonly password: string;
  readonly phone: string;
  readonly email?: string | null;
  readonly role_id: number;
  readonly income_limit_enable?: boolean | null;
  readonly income_limit?: string | null;
  readonly view_hide_pkg?: boolean | null;
  readonly status?: 0 | 1 | null;
  readonly remark?: string | null;
}

interface CustomerOwner {
  readonly agentId: number;
  readonly kind: 'vno' | 'sub' | 'job';
  readonly jobKind?: 'master' | 'sub' | null;
}

export const createCustomer = async (ctx: Ctx, input: NewCustomer, { agentId, kind, jobKind = null }: CustomerOwner) => {
  const seesHidden = input.view_hide_pkg ?? false;
  const role = await assignableRole(
    ctx,
    input.role_id,
    kind === 'vno' ? { kind: 'agent', vnoId: agentId, seesHidden } : { kind, seesHidden },
  );
  const income_limit = input.income_limit_enable ? (input.income_limit ?? null) : null;
  if (kind !== 'vno') await refuseHigherLimit(ctx, income_limit);
  const now = ctx.now();
  const shown = {
    agent_id: agentId,
    kind,
    username: input.username,
    name: input.name,
    phone: input.phone,
    email: input.email ?? null,
    role_id: role.id,
    income_limit,
    view_hide_pkg: input.view_hide_pkg ?? false,
    status: input.status ?? 1,
    job_kind: jobKind,
    remark: input.remark ?? null,
  };
  const { id } = await ctx.db
    .insertInto('customer')
    .values({
      ...shown,
      password_hash: await hashPassword(input.password),
      parent_id: jobKind === 'sub' && ctx.me.job_kind === 'master' ? ctx.me.uid : null,
      license_id: jobKind === 'sub' ? await takeSeat(ctx) : null,
      phone_at: now,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`新增账号 ${input.username}`, `Created account ${input.username}`], { after: shown });
  return { id };
};
