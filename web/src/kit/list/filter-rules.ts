import type { Field } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Rule } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { rules } from '@farlink/contract/rules.ts';
import type { Filters } from './list-state.ts';

const env = { passwordRule: defaultPasswordRule };

/** Error of a number range, shown at its control. */
export const numbersRefusal = (name: string, draft: Filters): Text | undefined => {
  if (!draft[name] || draft[`cond_${name}`] !== 'between') return undefined;
  const end = draft[`${name}_end`];
  if (!end) return ['请输入最大值', 'Please enter the maximum'];
  return Number(end) < Number(draft[name]) ? ['最大值不能小于最小值', 'The maximum cannot be less than the minimum'] : undefined;
};

/** Error of a time range (spec §5), shown at its control. */
export const rangeRefusal = (name: string, field: Field, draft: Filters): Text | undefined => {
  const start = `${name}_start`;
  const checks: Rule[] = [rules.start_before_end(start), ...(field.months ? [rules.query_range(start, field.months)] : [])];
  const broken = checks.find((rule) => !rule.test(draft[`${name}_end`], draft, env));
  return broken && (typeof broken.text === 'function' ? broken.text(env) : broken.text);
};
