import type { Text } from '@farlink/contract/kit/text.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { withPrefix } from '@farlink/contract/user/prefix.ts';
import { sql } from 'kysely';
import { runPrepared } from '../../db/prepare.ts';
import type { Db } from '../../kit/deps.ts';
import { failAt } from '../../kit/fail.ts';

export interface Prefix {
  readonly prefix_id: number | null;
  readonly prefix: string;
}

export const noPrefix: Prefix = { prefix_id: null, prefix: '' };

/** Prefix of new accounts by account type: that of the opening configuration, else that of the VNO. */
export const prefixesOf = async (db: Db, agentId: number): Promise<ReadonlyMap<AccountType, Prefix>> => {
  const query = db
    .selectFrom('open_config')
    .innerJoin('agent', 'agent.id', 'open_config.agent_id')
    .innerJoin('prefix', (join) => join.on('prefix.id', '=', sql<number>`coalesce(open_config.prefix_id, agent.prefix_id)`))
    .select(['open_config.account_type', 'prefix.id as prefix_id', 'prefix.prefix'])
    .where('open_config.agent_id', '=', agentId);
  const { rows } = await runPrepared(db, query);
  return new Map(rows.map(({ account_type, ...prefix }) => [account_type, prefix]));
};

const longest = 20;
export const tooLong: Text = ['账号连同前缀最多20位', 'An account with its prefix can have at most 20 characters'];

/** Account with its prefix; null if it is too long. */
export const fullAccount = (prefix: string, typed: string): string | null => {
  const account = withPrefix(prefix, typed);
  return account.length > longest ? null : account;
};

export const wholeAccount = (prefix: string, typed: string): string => {
  const account = fullAccount(prefix, typed);
  if (account === null) throw failAt('account', tooLong);
  return account;
};
