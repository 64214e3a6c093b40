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

interface LoginContext<S> {
  now(): number;
  /** Sessions of the account. */
  open(): number;
  /** Opens the session synchronously after the last check, so that two logins cannot use the same slot. */
  admit(entry: AccountEntry): S;
}

/** Checks a login against the stored accounts. */
export const checkLogin = async <S>(accounts: Accounts, attempt: LoginAttempt, context: LoginContext<S>): Promise<S | LoginRefusal> => {
  const { acc, password } = attempt;
  const verifier = accounts.get(acc, context.now())?.entry.v;
  if (verifier === undefined) return 'unknown';
  const isRight = await isPassword(verifier, password);
  // The account can change during the computation.
  const account = accounts.get(acc, context.now());
  if (!account) return 'unknown';
  const { entry } = account;
  if (entry.v !== verifier) return checkLogin(accounts, attempt, context);
  if (!isRight) return 'wrong_password';
  const service = accounts.service(acc, context.now());
  if (service?.mode === 'stop') return service.reason;
  return bindingRefusal(entry, attempt) ?? (context.open() >= entry.al ? 'too_many' : context.admit(entry));
};
