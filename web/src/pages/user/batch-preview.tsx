import type { Text } from '@farlink/contract/kit/text.ts';
import { needsRealName } from '@farlink/contract/user/add.ts';
import { numberedAccount } from '@farlink/contract/user/numbered.ts';
import { isAnonymous } from '@farlink/contract/user/user-fields.ts';
import { t } from '../../kit/chrome/lang.ts';
import type { FormState } from '../../kit/form/use-form.ts';
import { useOpeningTerms } from './use-user-account.ts';

const texts = {
  range: ['将开通 {0} 至 {1}', 'Opens {0} to {1}'],
  one: ['将开通 {0}', 'Opens {0}'],
  length: ['{0} 共{1}位，前缀加编号须为4-20位', '{0} has {1} characters; prefix plus number must be 4-20'],
} as const satisfies Record<string, Text>;

/** A number sequence creates accounts without names, which some types do not allow. */
export const RealNameNote = ({ values, unchanged }: Pick<FormState, 'values' | 'unchanged'>) =>
  values.realname === true && !isAnonymous(values.account_type) ? (
    <span className={unchanged ? 'hint' : 'refusal'}>{t(needsRealName)}</span>
  ) : null;

export const countOf = (value: unknown) => (/^[1-9]\d{0,4}$/.test(String(value ?? '').trim()) ? Number(value) : undefined);

/** Preview of the accounts that a rule creates. */
export const RangeNote = ({ values }: Pick<FormState, 'values'>) => {
  const prefix = useOpeningTerms(values)?.prefix;
  const start = String(values.start_no ?? '').trim();
  const count = countOf(values.count) ?? 1;
  if (!prefix || !/^\d{1,12}$/.test(start)) return null;
  const first = numberedAccount(prefix, start, 0);
  const last = numberedAccount(prefix, start, count - 1);
  const wrong = [first, last].find((account) => account.length < 4 || account.length > 20);
  if (wrong !== undefined) return <span className="refusal">{t(texts.length, wrong, wrong.length)}</span>;
  return (
    <span className="hint" role="status">
      {count === 1 ? t(texts.one, first) : t(texts.range, first, last)}
    </span>
  );
};
