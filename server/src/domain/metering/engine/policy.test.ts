import { expect, it } from 'vitest';
import { effectivePolicy, type PolicyChain } from './policy.ts';

const empty: PolicyChain<{ id: number }> = { account: null, user: null, package: null, device: null };
const reasons = (chain: PolicyChain<{ id: number }>) => effectivePolicy(chain).steps.map(({ reason }) => reason);

it('prefers the account default to all other levels', () => {
  const chain = { account: { id: 1 }, user: { id: 2 }, package: { id: 3 }, device: { id: 4 } };
  expect(effectivePolicy(chain)).toMatchObject({ level: 'account', rule: { id: 1 } });
  expect(reasons(chain)).toEqual(['highest', 'overridden', 'overridden', 'overridden']);
});

it('follows the chain to the first level that is set, and explains each level', () => {
  const chain = { ...empty, user: { id: 2 }, device: { id: 4 } };
  const { level, rule, steps } = effectivePolicy(chain);
  expect([level, rule?.id]).toEqual(['user', 2]);
  expect(steps.map(({ level, rule, wins, reason }) => [level, rule?.id ?? null, wins, reason])).toEqual([
    ['account', null, false, 'not_set'],
    ['user', 2, true, 'nothing_above'],
    ['package', null, false, 'not_set'],
    ['device', 4, false, 'overridden'],
  ]);
  expect(steps.map(({ text }) => text)).toEqual([
    ['未设置', 'Not set'],
    ['更高级别均未设置，由用户自定义策略生效', 'Not set at a higher level, so the user-defined policy applies'],
    ['未设置', 'Not set'],
    ['已设置，但被优先级更高的用户自定义策略覆盖', 'Set, but overridden by the user-defined policy, which has higher priority'],
  ]);
});

it('prefers the package to the device', () => {
  expect(effectivePolicy({ ...empty, package: { id: 3 }, device: { id: 4 } }).level).toBe('package');
  expect(effectivePolicy({ ...empty, device: { id: 4 } }).level).toBe('device');
});

it('has no winner when nothing is set', () => {
  expect(effectivePolicy(empty)).toMatchObject({ level: null, rule: null });
  expect(reasons(empty)).toEqual(['not_set', 'not_set', 'not_set', 'not_set']);
});
