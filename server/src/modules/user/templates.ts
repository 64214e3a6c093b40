import type { Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/scope.ts';

interface PolicyInput {
  readonly custom_policy?: boolean | 0 | 1 | null;
  readonly application_id?: number | null;
  readonly policy_id?: number | null;
}

const notThere: Text = ['请选择有效的模板', 'Please select a valid template'];

const refuseForeign = async (ctx: Ctx, table: 'application' | 'policy', id: number | null) => {
  if (id === null) return;
  const found = await ctx.db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where(inScope(ctx.me, `${table}.agent_id`))
    .executeTakeFirst();
  if (!found) throw failAt(`${table}_id`, notThere);
};

/** The columns of a custom policy; closing it clears them. What was chosen before stays allowed, whoever's it is. */
export const policyOf = async (ctx: Ctx, input: PolicyInput, held?: { application_id: number | null; policy_id: number | null }) => {
  const custom_policy = input.custom_policy === true || input.custom_policy === 1;
  const application_id = custom_policy ? (input.application_id ?? null) : null;
  const policy_id = custom_policy ? (input.policy_id ?? null) : null;
  if (application_id !== held?.application_id) await refuseForeign(ctx, 'application', application_id);
  if (policy_id !== held?.policy_id) await refuseForeign(ctx, 'policy', policy_id);
  return { custom_policy, application_id, policy_id };
};
