import type { Text } from '@farlink/contract/kit/text.ts';
import type { Db } from '../../kit/deps.ts';
import type { PolicyLevel } from '../metering/policy.ts';
import { type Chains, policyChains } from './policy-chains.ts';

const sources = {
  account: 'account_default',
  user: 'user_defined',
  package: 'package_bound',
  device: 'device_local',
} as const satisfies Record<PolicyLevel, string>;

const notConnected: Text = ['设备未连接，未下发', 'The device is not connected, so it was not sent'];

interface Account {
  readonly id: number;
  readonly agent_id: number;
  readonly account: string;
  readonly device_id: number | null;
  readonly custom_policy: boolean;
}

/** The levels that have a say, with what each of them gives. Where none has, the device goes by its own. */
const bySource = ({ application, credit }: Chains) => {
  const levels = [...new Set([application.level, credit.level].filter((level) => level !== null))];
  return (levels.length > 0 ? levels : (['device'] as const)).map((level) => ({
    level,
    application: application.level === level ? application.rule : null,
    credit: credit.level === level ? credit.rule : null,
  }));
};

/** Writes down what policy a subscriber is to have now, after something changed it, in the caller's transaction. */
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
        result: 'fail' as const,
        message_zh: notConnected[0],
        message_en: notConnected[1],
        operator,
        create_at: now,
      })),
    )
    .execute();
};
