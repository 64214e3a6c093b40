import { fill, type Text } from '../kit/text.ts';

/** Adds a prefix to the entered account, unless it is already there. */
export const withPrefix = (prefix: string, typed: string): string =>
  typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed : prefix + typed;

/** Length of an account with its prefix. */
const shortest = 4;
const longest = 20;

const texts = {
  short: ['账号至少{0}位', 'An account has at least {0} characters'],
  shortAfter: ['前缀“{0}”加账号至少{1}位', 'The prefix {0} and the account have at least {1} characters together'],
  long: ['账号最多{0}位', 'An account has at most {0} characters'],
  longAfter: ['前缀“{0}”占{1}位，账号最多再输入{2}位', 'The prefix {0} takes {1} characters, which leaves {2} for the account'],
} as const satisfies Record<string, Text>;

/** Which part of an account is too short or too long. */
export const accountFault = (prefix: string, typed: string): Text | undefined => {
  const account = withPrefix(prefix, typed);
  const isAdded = account !== typed;
  if (account.length < shortest) return isAdded ? fill(texts.shortAfter, prefix, shortest) : fill(texts.short, shortest);
  if (account.length <= longest) return undefined;
  return isAdded ? fill(texts.longAfter, prefix, prefix.length, longest - prefix.length) : fill(texts.long, longest);
};
