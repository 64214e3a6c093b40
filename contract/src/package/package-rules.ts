import { across, type Env, inFuture, nowOf, type Rule } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { type FlowUnit, type TimeUnit, toBytes, toSeconds } from '../kit/units.ts';
import type { Values } from '../kit/values.ts';
import { rules } from '../rules.ts';

/** spec §5, packages: rules between the fields of one form, converted to seconds and bytes. */
const cycleSeconds = { hour: 3600, day: 86_400, week: 604_800, month: 31 * 86_400 } as const;

const isFlowUnit = (unit: unknown): unit is FlowUnit => unit === 'KB' || unit === 'MB' || unit === 'GB' || unit === 'TB';
const isTimeUnit = (unit: unknown): unit is TimeUnit => unit === 'minute' || unit === 'hour' || unit === 'day';
const isCycleUnit = (unit: unknown): unit is keyof typeof cycleSeconds => typeof unit === 'string' && unit in cycleSeconds;

const timeOf = (v: Values) => (isTimeUnit(v.time_unit) ? toSeconds(Number(v.time_capacity), v.time_unit) : undefined);
const flowOf = (v: Values) => (isFlowUnit(v.flow_unit) ? toBytes(Number(v.flow_capacity), v.flow_unit) : undefined);
const cycleOf = (v: Values) => (isCycleUnit(v.cycle_unit) ? Number(v.cycle_length) * cycleSeconds[v.cycle_unit] : undefined);

/** The quota of a cycle is flow, or time for a time-only package. */
const quotaOf = (v: Values) => {
  if (v.package_type === 'time') return isTimeUnit(v.time_unit) ? toSeconds(Number(v.cycle_quota), v.time_unit) : undefined;
  return isFlowUnit(v.cycle_quota_unit) ? toBytes(Number(v.cycle_quota), v.cycle_quota_unit) : undefined;
};

const within = (part: number | undefined, whole: number | undefined) => part === undefined || whole === undefined || part <= whole;
const untilExpiry = (v: Values, env: Env) => (typeof v.expire_at === 'number' ? v.expire_at - nowOf(env) : undefined);
const same = (rule: Rule, test: Rule['test']): Rule => across(rule.name, typeof rule.text === 'function' ? ['', ''] : rule.text, test);

/** Also refused by the server when the expiry of a package is changed; an expired package keeps its own. */
export const pastExpiry: Text = ['有效期必须晚于当前时间', 'The expiry must be in the future'];

export const packageRules = {
  notExpired: inFuture('not_expired', pastExpiry),
  quotaWithinTotal: same(rules.cycle_quota(''), (_, v) => within(quotaOf(v), v.package_type === 'time' ? timeOf(v) : flowOf(v))),
  resetBeforeExpiry: same(rules.reset_before_expiry(''), (_, v, env) => within(cycleOf(v), untilExpiry(v, env))),
  durationBeforeExpiry: same(rules.duration_before_expiry(''), (_, v, env) => within(timeOf(v), untilExpiry(v, env))),
  guaranteeWithin: (limit: string) =>
    across(
      'guarantee',
      ['保障速率不能超过限速（限速为0时不限）', 'The guaranteed speed cannot exceed the speed limit (0 = no limit)'],
      (value, v) => Number(v[limit]) === 0 || Number(value) <= Number(v[limit]),
    ),
};
