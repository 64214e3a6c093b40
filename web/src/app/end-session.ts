import { authCalls } from '@farlink/contract/auth/auth.ts';
import { call } from '../kit/net/call.ts';
import { announceLogout, clearSession, readSession } from '../kit/net/session.ts';

const logoutMessageKey = 'farlink-farewell';
const returnPathKey = 'farlink-wanted';

/** A slow server must not delay the logout. */
const logoutWaitMs = 5000;

const put = (key: string, value: string | undefined) =>
  value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value);
const take = (key: string) => {
  const value = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return value;
};

/** Message shown once on the login page after a forced logout. */
export const takeLogoutMessage = () => take(logoutMessageKey);

/** The path requested before the login. */
export const keepReturnPath = (path: string | undefined) => put(returnPathKey, path);
export const takeReturnPath = () => take(returnPathKey);

export const currentPath = () => `${location.pathname}${location.search}`;

interface LogoutOptions {
  readonly logoutMessage?: string;
  readonly returnPath?: string;
}

/** Ends the session in this tab; the reload clears all memory. */
export const endSession = ({ logoutMessage, returnPath }: LogoutOptions = {}) => {
  clearSession();
  put(logoutMessageKey, logoutMessage);
  put(returnPathKey, returnPath);
  location.replace('/login');
};

/** spec §4: logout clears the session and reloads, even if the call fails. */
export const logout = async (options: LogoutOptions = {}) => {
  const session = readSession();
  if (session) {
    const loggedOut = call(authCalls.logout, {}, { silent: true, signal: AbortSignal.timeout(logoutWaitMs) });
    clearSession();
    announceLogout(session.token, options.logoutMessage);
    await loggedOut.catch(() => undefined);
  }
  endSession(options);
};
