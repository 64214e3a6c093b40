import type { Text } from '@farlink/contract/kit/text.ts';
import { withPrefix } from '@farlink/contract/user/prefix.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { useOptions } from '../../kit/form/options.ts';
import { call } from '../../kit/net/call.ts';

const texts = {
  taken: ['账号 {0} 已存在', 'Account {0} already exists'],
  becomes: ['开户账号为 {0}', 'The account will be {0}'],
  similar: ['相近账号：{0}', 'Accounts like it: {0}'],
} as const satisfies Record<string, Text>;

const shortest = 4;
const named = 3;

interface AccountNoteProps {
  readonly typed: string;
  readonly prefixId: number | undefined;
  /** The default prefix. */
  readonly defaultPrefix: string;
}

/** Availability of the account, and its full name with the prefix. */
export const AccountNote = ({ typed, prefixId, defaultPrefix }: AccountNoteProps) => {
  const { items } = useOptions('agent/prefix/option');
  const prefix = prefixId === undefined ? defaultPrefix : (items.find((item) => item.value === prefixId)?.label ?? '');
  const account = withPrefix(prefix, typed);
  const { data } = useQuery({
    queryKey: ['option', userCalls.option.path, account],
    queryFn: () => call(userCalls.option, { account }, { silent: true, overlay: false }),
    enabled: typed.length >= shortest,
    retry: false,
  });
  if (typed.length < shortest) return null;
  const known = Object.values(data ?? {}).map((label) => label.split(' (')[0] ?? label);
  const isTaken = known.some((other) => other.toLowerCase() === account.toLowerCase());
  if (isTaken) {
    return (
      <span className="refusal" role="status">
        {t(texts.taken, account)}
      </span>
    );
  }
  const notes = [
    ...(prefix === '' ? [] : [t(texts.becomes, account)]),
    ...(known.length === 0 ? [] : [t(texts.similar, known.slice(0, named).join(t(['、', ', '])))]),
  ];
  return notes.length === 0 ? null : (
    <span className="hint" role="status">
      {notes.join(t(['；', '; ']))}
    </span>
  );
};
