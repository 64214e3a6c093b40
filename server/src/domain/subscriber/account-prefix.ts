import type { AccountType } from '@farlink/contract/user/choices.ts';
import { accountFault, withPrefix } from '@farlink/contract/user/prefix.ts';
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

/** Account with its prefix. */
export const wholeAccount = (prefix: string, typed: string): string => {
  const fault = accountFault(prefix, typed);
  if (fault) throw failAt('account', fault);
  return withPrefix(prefix, typed);
};
