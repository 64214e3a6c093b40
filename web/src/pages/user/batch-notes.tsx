import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { needsRealName } from '@farlink/contract/user/add.ts';
import { numbered } from '@farlink/contract/user/numbered.ts';
import { isAnonymous } from '@farlink/contract/user/user-fields.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../kit/call.ts';
import { t } from '../../kit/lang.ts';
import { useOptions } from '../../kit/options.ts';
import { useMe } from '../../kit/session.ts';
import type { FormState } from '../../kit/use-form.ts';
import { moneyText } from '../../ui/format.ts';

const words = {
  range: ['将开通 {0} 至 {1}', 'Opens {0} to {1}'],
  one: ['将开通 {0}', 'Opens {0}'],
  length: ['{0} 共{1}位，前缀加编号须为4-20位', '{0} has {1} characters; prefix plus number must be 4-20'],
  total: ['单价 {0} 元，合计 {1} 元', '{0} yuan each, {1} yuan in all'],
  less: ['，优惠后应收 {0} 元', ', {0} yuan after the discount'],
} as const satisfies Record<string, Text>;

/** A sequence opens accounts without names, which some types do not allow. */
export const RealNameNote = ({ values }: Pick<FormState, 'values'>) =>
  values.realname === true && !isAnonymous(values.account_type) ? <span className="refusal">{t(needsRealName)}</span> : null;

const countOf = (value: unknown) => (/^[1-9]\d{0,4}$/.test(String(value ?? '').trim()) ? Number(value) : undefined);

/** Which accounts a rule comes to, while it is typed. */
export const RangeNote = ({ values }: Pick<FormState, 'values'>) => {
  const { items } = useOptions('agent/prefix/option');
  const chosen = Number(values.account_prefix) || undefined;
  const prefix = chosen === undefined ? String(values.usual_prefix ?? '') : items.find((item) => item.value === chosen)?.label;
  const start = String(values.start_no ?? '').trim();
  const count = countOf(values.count) ?? 1;
  if (!prefix || !/^\d{1,12}$/.test(start)) return null;
  const [first, last] = [numbered(prefix, start, 0), numbered(prefix, start, count - 1)];
  const wrong = [first, last].find((account) => account.length < 4 || account.length > 20);
  if (wrong !== undefined) return <span className="refusal">{t(words.length, wrong, wrong.length)}</span>;
  return (
    <span className="hint" role="status">
      {count === 1 ? t(words.one, first) : t(words.range, first, last)}
    </span>
  );
};

const moneyOf = (value: unknown) => (/^\d{1,9}(\.\d{1,2})?$/.test(String(value ?? '').trim()) ? cents(String(value).trim()) : 0n);

/** What the whole comes to, for who may look at packages. */
export const TotalNote = ({ values }: Pick<FormState, 'values'>) => {
  const me = useMe();
  const id = Number(values.package_id) || 0;
  const { data } = useQuery({
    queryKey: ['record', packageCalls.read.path, id],
    queryFn: () => call(packageCalls.read, { id }, { silent: true, overlay: false }),
    enabled: id > 0 && mayCall(packageCalls.read, me),
    retry: false,
  });
  const count = countOf(values.count);
  if (!data || count === undefined) return null;
  const total = cents(data.price) * BigInt(count);
  const due = values.pay_method === 'free' ? 0n : total - moneyOf(values.discount);
  const less = due === total || due < 0n ? '' : t(words.less, moneyText(yuan(due)));
  return <span className="hint">{t(words.total, moneyText(data.price), moneyText(yuan(total))) + less}</span>;
};
