import type { Text } from '@farlink/contract/kit/text.ts';
import type { Db } from '../../kit/deps.ts';
import type { PolicyLevel } from '../metering/engine/policy.ts';
import { type Chains, policyChains } from './policy-chains.ts';

const sources = {
  account: 'account_default',
  user: 'user_defined',
  package: 'package_bound',
  device: 'device_local',
} as const satisfies Record<PolicyLevel, string>;

interface Account {
  readonly id: number;
  readonly agent_id: number;
  readonly account: string;
  readonly device_id: number | null;
  readonly custom_policy: boolean;
}

/** Levels with an effective rule, each with its rules. If there is none, the level is the device. */
const bySource = ({ application, credit }: Chains) => {
  const levels = [...new Set([application.level, credit.level].filter((level) => level !== null))];
  return (levels.length > 0 ? levels : (['device'] as const)).map((level) => ({
    level,
    application: application.level === level ? application.rule : null,
    credit: credit.level === level ? credit.rule : null,
  }));
};

const deleted: Text = ['账号已删除', 'The account was deleted'];

/** The policy of an account that is deleted reaches no gateway. */
export const endPolicies = (db: Db, subscriberId: number) =>
  db
    .updateTable('policy_log')
    .set({ result: 'fail', message_zh: deleted[0], message_en: deleted[1] })
    .where('subscriber_id', '=', subscriberId)
    .where('result', '=', 'pending')
    .execute();

/** Logs the policy that a subscriber has after a change, in the caller's transaction. Its result is pending until a gateway confirms it. */
export const logPolicy = async (db: Db, account: Account, operator: string, now: number): Promise<void> => {
  const chains = await policyChains(db, account.id);
  await db
    .insertInto('policy_log')
    .values(
      bySource(chains).map(({ level, application, credit }) => ({
        agent_id: account.agent_id,
        subscriber_id: account.id,
        account: account.account,
        device_id: account.device_id,
        policy_source: sources[level],
        application_id: application?.id ?? null,
        application_name: application?.name ?? null,
        policy_id: credit?.id ?? null,
        policy_name: credit?.name ?? null,
        mode: application?.mode ?? null,
        custom_policy: account.custom_policy,
        content: [application?.name, credit?.name].filter((name) => name !== undefined).join(' + ') || null,
        result: 'pending' as const,
        operator,
        create_at: now,
      })),
    )
    .execute();
};
