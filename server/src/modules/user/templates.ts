import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

interface PolicyInput {
  readonly custom_policy?: boolean | 0 | 1 | null;
  readonly application_id?: number | null;
  readonly policy_id?: number | null;
}

const notThere: Text = ['请选择有效的模板', 'Please select a valid template'];

const refuseForeign = async (ctx: Ctx, table: 'application' | 'policy', id: number | null, agentId: number | undefined) => {
  if (id === null) return;
  const found = await ctx.db
    .selectFrom(table)
    .innerJoin('agent', 'agent.id', `${table}.agent_id`)
    .select(`${table}.id`)
    .where(`${table}.id`, '=', id)
    .where(inScope(ctx.me, `${table}.agent_id`))
    .$if(agentId !== undefined, (query) => query.where(sql<boolean>`(select path from agent where id = ${agentId}) like agent.path || '%'`))
    .executeTakeFirst();
  if (!found) throw failAt(`${table}_id`, notThere);
};

interface Of {
  /** VNO of the account; templates must belong to it or a VNO above it. Without it, the caller checks each account separately. */
  readonly agent_id?: number;
  readonly application_id?: number | null;
  readonly policy_id?: number | null;
}

/** Columns of a custom policy; disabling it clears them. The current templates stay allowed, whichever VNO owns them. */
export const policyOf = async (ctx: Ctx, input: PolicyInput, of: Of) => {
  const custom_policy = input.custom_policy === true || input.custom_policy === 1;
  const application_id = custom_policy ? (input.application_id ?? null) : null;
  const policy_id = custom_policy ? (input.policy_id ?? null) : null;
  if (application_id !== of.application_id) await refuseForeign(ctx, 'application', application_id, of.agent_id);
  if (policy_id !== of.policy_id) await refuseForeign(ctx, 'policy', policy_id, of.agent_id);
  return { custom_policy, application_id, policy_id };
};
