import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { accountFault, withPrefix } from '@farlink/contract/user/prefix.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import type { FormState } from '../../kit/form/use-form.ts';
import { call } from '../../kit/net/call.ts';
import { useOpeningTerms } from './use-user-account.ts';

const texts = {
  taken: ['账号 {0} 已存在', 'Account {0} already exists'],
  becomes: ['开户账号为 {0}', 'The account will be {0}'],
  similar: ['相近账号：{0}', 'Accounts like it: {0}'],
} as const satisfies Record<string, Text>;

const shortest = 4;
const named = 3;

/** Availability of the account, and its full name with the prefix. */
export const AccountNote = ({ values }: Pick<FormState, 'values'>) => {
  const typed = String(values.account ?? '').trim();
  const prefix = useOpeningTerms(values)?.prefix ?? null;
  const isTaken = useOpeningTerms(values, typed)?.is_taken === true;
  const account = withPrefix(prefix ?? '', typed);
  const fault = prefix === null || typed === '' ? undefined : accountFault(prefix, typed);
  const { data } = useQuery({
    queryKey: ['option', userCalls.option.path, account],
    queryFn: () => call(userCalls.option, { account }, { silent: true, overlay: false }),
    enabled: account.length >= shortest && fault === undefined,
    retry: false,
  });
  if (typed === '') return null;
  const refusal = fault ?? (isTaken ? fill(texts.taken, account) : undefined);
  if (refusal) {
    return (
      <span className="refusal" role="status">
        {t(refusal)}
      </span>
    );
  }
  const known = Object.values(data ?? {}).map((label) => label.split(' (')[0] ?? label);
  const notes = [
    ...(!prefix ? [] : [t(texts.becomes, account)]),
    ...(known.length === 0 ? [] : [t(texts.similar, known.slice(0, named).join(t(['、', ', '])))]),
  ];
  return notes.length === 0 ? null : (
    <span className="hint" role="status">
      {notes.join(t(['；', '; ']))}
    </span>
  );
};
