import { fromBase64, toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { limits } from '@farlink/contract/limits.ts';

export interface Remembered {
  readonly uid: string;
  readonly account: string;
  readonly token: string;
}

/** Id of the user whose login is prefilled; the logins of others are kept (spec §3: cookies have the user id as suffix). */
const flag = 'farlink_remember';
const accountOf = (uid: string | number) => `farlink_account_${uid}`;
const tokenOf = (uid: string | number) => `farlink_token_${uid}`;

const days = 86_400;

/** The cookie path keeps the token out of API requests; only the login page reads it. */
const put = (name: string, value: string, maxAge: number) => {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context, but a console can run on plain HTTP in a ship.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/login; max-age=${maxAge}; samesite=strict${secure}`;
};

const read = (name: string): string | undefined => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1));
};

export const readRemembered = (): Remembered | null => {
  const uid = read(flag);
  if (!uid) return null;
  const account = read(accountOf(uid));
  const token = read(tokenOf(uid));
  return account && token ? { uid, account: fromBase64(account), token } : null;
};

export const remember = (uid: number, account: string, token: string) => {
  put(flag, String(uid), limits.rememberDays * days);
  put(accountOf(uid), toBase64(account), limits.rememberDays * days);
  put(tokenOf(uid), token, limits.rememberDays * days);
};

export const forget = (uid: string | number) => {
  put(accountOf(uid), '', 0);
  put(tokenOf(uid), '', 0);
  if (read(flag) === String(uid)) put(flag, '', 0);
};
