import { fill, type Text } from '@farlink/contract/kit/text.ts';

/** Spec §4: policy priority from highest. */
export const policyLevels = ['account', 'user', 'package', 'device'] as const;
export type PolicyLevel = (typeof policyLevels)[number];

const levelNames: Readonly<Record<PolicyLevel, Text>> = {
  account: ['账号默认策略', 'the account default'],
  user: ['用户自定义策略', 'the user-defined policy'],
  package: ['套餐绑定策略', 'the package-bound policy'],
  device: ['设备本地策略', 'the local policy of the device'],
};

const reasons = {
  highest: ['{0}优先级最高，已设置即生效', 'Set; {0} has the highest priority'],
  nothing_above: ['更高级别均未设置，由{0}生效', 'Not set at a higher level, so {0} applies'],
  overridden: ['已设置，但被优先级更高的{0}覆盖', 'Set, but overridden by {0}, which has higher priority'],
  not_set: ['未设置', 'Not set'],
} as const satisfies Record<string, Text>;

export type PolicyReason = keyof typeof reasons;

export interface PolicyStep<R> {
  readonly level: PolicyLevel;
  readonly rule: R | null;
  readonly wins: boolean;
  readonly reason: PolicyReason;
  readonly text: Text;
}

/** At most one rule per level. Credit control and application templates each have such a chain. */
export type PolicyChain<R> = Readonly<Record<PolicyLevel, R | null>>;

export interface EffectivePolicy<R> {
  readonly level: PolicyLevel | null;
  readonly rule: R | null;
  /** All four levels from the highest, each with the reason why its rule applies or does not. */
  readonly steps: readonly PolicyStep<R>[];
}

export const effectivePolicy = <R extends { readonly id: number }>(chain: PolicyChain<R>): EffectivePolicy<R> => {
  const winner = policyLevels.find((level) => chain[level] !== null) ?? null;
  const step = (level: PolicyLevel, reason: PolicyReason, named: PolicyLevel): PolicyStep<R> => ({
    level,
    rule: chain[level],
    wins: level === winner,
    reason,
    text: fill(reasons[reason], levelNames[named]),
  });
  const steps = policyLevels.map((level) => {
    if (chain[level] === null || winner === null) return step(level, 'not_set', level);
    if (level !== winner) return step(level, 'overridden', winner);
    return step(level, level === policyLevels[0] ? 'highest' : 'nothing_above', level);
  });
  return { level: winner, rule: winner && chain[winner], steps };
};
