import { authCalls } from '@farlink/contract/auth/auth.ts';
import { defaultPasswordRule, type PasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { store } from '../../ui/browser/store.ts';
import { call } from '../net/call.ts';

const rule = store<PasswordRule>(defaultPasswordRule);

export const setPasswordRule = (known: PasswordRule) => rule.set({ ...defaultPasswordRule, ...known });

/** spec §7: loaded once at the start, here or with the profile; until then, or after a failure, the default applies. */
export const fetchPasswordRule = async () => {
  try {
    setPasswordRule(await call(authCalls.passwordRule, {}, { silent: true }));
  } catch {
    // The server checks again with its own rule.
  }
};

export const usePasswordRule = rule.use;
