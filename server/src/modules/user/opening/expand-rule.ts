import { randomBytes } from 'node:crypto';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { numberedAccount } from '@farlink/contract/user/numbered.ts';
import type { Db } from '../../../kit/deps.ts';
import { takenAccounts } from './open-accounts.ts';
import type { Candidate } from './terms.ts';

export interface NumberRule {
  readonly account_type: AccountType;
  readonly prefix: string;
  readonly start_no: string;
  readonly count: number;
  readonly password: string;
  readonly allow_logins: number;
  readonly expire_at: number;
}

export const expandNumbers = (rule: NumberRule): Candidate[] =>
  Array.from({ length: rule.count }, (_, i) => {
    const account = numberedAccount(rule.prefix, rule.start_no, i);
    const { account_type, password, allow_logins, expire_at } = rule;
    const desired = { account, account_type, password, name: account, phone: '', allow_logins, expire_at };
    return { row: i + 1, account, desired, fault: null };
  });

/** Letters and digits without look-alikes, lower case only: accounts are case-insensitive. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const fair = 256 - (256 % letters.length);

export const randomText = (length: number): string => {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < fair && text.length < length) text += letters[byte % letters.length];
  return text;
};

export interface CardRule {
  readonly prefix: string;
  readonly count: number;
  readonly allow_logins: number;
  readonly expire_at: number;
}

const accountMax = 20;
const suffixMax = 12;
const passwordLength = 10;

/** Random account names that are not in use, with random passwords. */
export const expandCards = async (db: Db, rule: CardRule): Promise<Candidate[]> => {
  const length = Math.min(suffixMax, accountMax - rule.prefix.length);
  const accounts = new Set<string>();
  while (accounts.size < rule.count) {
    const more = Array.from({ length: rule.count - accounts.size }, () => rule.prefix + randomText(length));
    const taken = await takenAccounts(db, more);
    for (const account of more) if (!taken.has(account.toLowerCase())) accounts.add(account);
  }
  return [...accounts].map((account, i) => ({
    row: i + 1,
    account,
    desired: {
      account,
      account_type: 'temp_card',
      password: randomText(passwordLength),
      name: account,
      phone: '',
      allow_logins: rule.allow_logins,
      expire_at: rule.expire_at,
    },
    fault: null,
  }));
};
