import type { AccountEntry, LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import type { Accounts } from './accounts.ts';
import { isPassword } from './password-check.ts';
import { normalMac } from './session.ts';

export interface LoginAttempt {
  readonly acc: string;
  readonly password: string;
  /** Terminal of the user. Values that are not given are the bound ones. */
  readonly mac?: string | undefined;
  readonly ip?: string | undefined;
  readonly vlan?: number | undefined;
}

/** Rejects a terminal that the account is not bound to. */
export const bindingRefusal = (
  { mac, ip, vl }: AccountEntry,
  terminal: Pick<LoginAttempt, 'mac' | 'ip' | 'vlan'>,
): LoginRefusal | undefined => {
  if (mac !== undefined && terminal.mac !== undefined && normalMac(terminal.mac) !== mac) return 'wrong_mac';
  if (ip !== undefined && terminal.ip !== undefined && terminal.ip.toLowerCase() !== ip.toLowerCase()) return 'wrong_ip';
  if (vl !== undefined && terminal.vlan !== undefined && terminal.vlan !== vl) return 'wrong_vlan';
  return undefined;
};

/** Checks a login against the stored accounts. `open` counts the sessions of the account. */
export const checkLogin = async (
  accounts: Accounts,
  attempt: LoginAttempt,
  now: () => number,
  open: () => number,
): Promise<{ readonly entry: AccountEntry } | { readonly why: LoginRefusal }> => {
  const { acc, password } = attempt;
  const verifier = accounts.get(acc, now())?.entry.v;
  if (verifier === undefined) return { why: 'unknown' };
  const isRight = await isPassword(verifier, password);
  // The account can change during the computation.
  const account = accounts.get(acc, now());
  if (!account) return { why: 'unknown' };
  if (account.entry.v !== verifier) return checkLogin(accounts, attempt, now, open);
  if (!isRight) return { why: 'wrong_password' };
  const { entry } = account;
  const service = accounts.service(acc, now());
  if (service?.mode === 'stop') return { why: service.reason };
  const binding = bindingRefusal(entry, attempt);
  if (binding) return { why: binding };
  return open() >= entry.al ? { why: 'too_many' } : { entry };
};
