import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/scope.ts';

const notThere: Text = ['请选择有效的账号前缀', 'Please select a valid account prefix'];

/** A prefix of the account's own VNO, or of one above it that the session may use. */
export const prefixOf = async (ctx: Ctx, prefixId: number | null | undefined, agentId: number) => {
  if (!prefixId) return { prefix_id: null, prefix: '' };
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

const longest = 20;
const tooLong: Text = ['账号连同前缀最多20位', 'With its prefix an account has at most 20 characters'];

/** What is typed follows the prefix; both keep the rule for accounts by themselves, but for the length. */
export const wholeAccount = (prefix: string, typed: string): string => {
  const account = prefix + typed;
  if (account.length > longest) throw failAt('account', tooLong);
  return account;
};
