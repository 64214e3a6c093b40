import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { type EffectivePolicy, effectivePolicy } from '../metering/engine/policy.ts';

export interface Template {
  readonly id: number;
  readonly name: string;
}
export interface ApplicationTemplate extends Template {
  readonly mode: 0 | 1;
}

export interface Chains {
  readonly application: EffectivePolicy<ApplicationTemplate>;
  readonly credit: EffectivePolicy<Template>;
}

/** Policies of a subscriber at each level of spec §4: opening configuration, own choice, package. The device level is not used yet. */
export const policyChains = async (db: Db, subscriberId: number): Promise<Chains> => {
  const levels = await db
    .selectFrom('subscriber')
    .leftJoin('open_config', 'open_config.id', 'subscriber.config_id')
    .leftJoin('package', 'package.id', 'subscriber.package_id')
    .select([
      'subscriber.custom_policy',
      'open_config.application_id as account_application',
      'open_config.policy_id as account_policy',
      'subscriber.application_id as user_application',
      'subscriber.policy_id as user_policy',
      'package.application_id as package_application',
      'package.policy_id as package_policy',
    ])
    .where('subscriber.id', '=', subscriberId)
    .executeTakeFirst();
  if (!levels) throw fail('not_found');
  const own = levels.custom_policy;
  const application = {
    account: levels.account_application,
    user: own ? levels.user_application : null,
    package: levels.package_application,
  };
  const credit = { account: levels.account_policy, user: own ? levels.user_policy : null, package: levels.package_policy };
  const ids = (chain: typeof application) => [0, ...Object.values(chain).flatMap((id) => id ?? [])];
  const applications = await db.selectFrom('application').select(['id', 'name', 'mode']).where('id', 'in', ids(application)).execute();
  const policies = await db.selectFrom('policy').select(['id', 'name']).where('id', 'in', ids(credit)).execute();
  const among =
    <T extends Template>(templates: readonly T[]) =>
    (id: number | null) =>
      templates.find((template) => template.id === id) ?? null;
  const chain = <T extends Template>(templates: readonly T[], at: typeof application) => {
    const find = among(templates);
    return effectivePolicy({ account: find(at.account), user: find(at.user), package: find(at.package), device: null });
  };
  return { application: chain(applications, application), credit: chain(policies, credit) };
};
