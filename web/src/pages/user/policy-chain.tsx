import type { Text } from '@farlink/contract/kit/text.ts';
import { policySource } from '@farlink/contract/user/choices.ts';
import { type PolicyRule, userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { call } from '../../kit/net/call.ts';
import { tips } from '../../ui/browser/tip.ts';
import { nothing } from '../../ui/format.ts';
import { Tag } from '../../ui/native/tag.tsx';

const texts = {
  title: ['生效策略', 'Policy in force'],
  application: ['应用模板', 'Application template'],
  credit: ['信控模板', 'Credit control template'],
  wins: ['生效', 'Applies'],
  free: ['各级均未设置，不限制应用', 'Not set at any level: applications are not restricted'],
  noAction: ['各级均未设置，额度用尽后不处理', 'Not set at any level: no action when the quota is used up'],
} as const satisfies Record<string, Text>;

/** Maps the four levels of spec §5 to the names of the policy log. */
const levels: Readonly<Record<PolicyRule['level'], (typeof policySource)[number]['id']>> = {
  account: 'account_default',
  user: 'user_defined',
  package: 'package_bound',
  device: 'device_local',
};
const nameOf = (level: PolicyRule['level']) => {
  const found = policySource.find((each) => each.id === levels[level]);
  return found ? t(found.label) : level;
};

const Chain = ({ title, rules, none }: { readonly title: Text; readonly rules: readonly PolicyRule[]; readonly none: Text }) => (
  <div className="chain">
    <h4 className="muted small">{t(title)}</h4>
    <ol>
      {rules.map((step) => (
        <li key={step.level} data-wins={step.wins} data-set={step.rule !== null}>
          <span className="muted chain-level">{nameOf(step.level)}</span>
          <span className="clip chain-rule" data-tip="">
            {step.rule?.name ?? nothing}
          </span>
          {step.wins && <Tag color="green">{t(texts.wins)}</Tag>}
          <span className="muted small chain-why">{step.text}</span>
        </li>
      ))}
    </ol>
    {!rules.some((step) => step.wins) && <p className="muted small">{t(none)}</p>}
  </div>
);

/** The four levels, highest first, with the effective one and the reason. */
export const PolicyChain = ({ id }: { readonly id: number }) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['record', userDetailCalls.policy.path, id],
    queryFn: () => call(userDetailCalls.policy, { id }, { silent: true, overlay: false }),
    retry: false,
  });
  return (
    <section className="card user-section" aria-label={t(texts.title)} {...tips}>
      <h3>{t(texts.title)}</h3>
      {isError && !data && <ReadFailed retry={refetch} />}
      {data && (
        <>
          <Chain title={texts.application} rules={data.application} none={texts.free} />
          <Chain title={texts.credit} rules={data.credit} none={texts.noAction} />
        </>
      )}
    </section>
  );
};
