import type { Text } from '@farlink/contract/kit/text.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { sql } from 'kysely';
import { noPrefix, type Prefix, prefixesOf } from '../../domain/subscriber/account-prefix.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

const notThere: Text = ['请选择有效的账号前缀', 'Please select a valid account prefix'];

/** Selected prefix: in scope, and of the VNO of the account or a VNO above it. */
export const chosenPrefix = async (ctx: Ctx, prefixId: number | null | undefined, agentId: number): Promise<Prefix> => {
  if (!prefixId) return noPrefix;
  const found = await ctx.db
    .selectFrom('prefix')
    .innerJoin('agent', 'agent.id', 'prefix.agent_id')
    .select(['prefix.id as prefix_id', 'prefix.prefix'])
    .where('prefix.id', '=', prefixId)
    .where(inScope(ctx.me, 'prefix.agent_id'))
    .where(sql<boolean>`(select path from agent where id = ${agentId}) like agent.path || '%'`)
    .executeTakeFirst();
  if (!found) throw failAt('account_prefix', notThere);
  return found;
};

/** Selected prefix, else the default prefix of this account type and VNO. */
export const prefixOf = async (ctx: Ctx, prefixId: number | null | undefined, agentId: number, type: AccountType): Promise<Prefix> =>
  prefixId ? chosenPrefix(ctx, prefixId, agentId) : ((await prefixesOf(ctx.db, agentId)).get(type) ?? noPrefix);
