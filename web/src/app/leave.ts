import { authCalls } from '@farlink/contract/auth/auth.ts';
import { call } from '../kit/call.ts';
import { announceLogout, clearSession, readSession } from '../kit/session.ts';

const farewellKey = 'farlink-farewell';
const wantedKey = 'farlink-wanted';

/** A server that does not answer may not keep an operator inside. */
const logoutWaitMs = 5000;

const put = (key: string, value: string | undefined) =>
  value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value);
const take = (key: string) => {
  const value = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return value;
};

/** What the login page says once to someone who was sent there. */
export const takeFarewell = () => take(farewellKey);

/** Where someone wanted to go when the door was in the way. */
export const keepWanted = (path: string | undefined) => put(wantedKey, path);
export const takeWanted = () => take(wantedKey);

export const here = () => `${location.pathname}${location.search}`;

interface Leaving {
  readonly farewell?: string;
  readonly wanted?: string;
}

/** Ends the session in this tab; the reload forgets everything that was in memory. */
export const leave = ({ farewell, wanted }: Leaving = {}) => {
  clearSession();
  put(farewellKey, farewell);
  put(wantedKey, wanted);
  location.replace('/login');
};

/** spec §4: logout clears the session and reloads, even if the call fails. */
export const logout = async (leaving: Leaving = {}) => {
  const session = readSession();
  if (session) {
    const told = call(authCalls.logout, {}, { silent: true, signal: AbortSignal.timeout(logoutWaitMs) });
    clearSession();
    announceLogout(session.token, leaving.farewell);
    await told.catch(() => undefined);
  }
  leave(leaving);
};
