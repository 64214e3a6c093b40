import { authCalls } from '@farlink/contract/auth/auth.ts';
import { defaultPasswordRule, type PasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { store } from '../../ui/browser/store.ts';
import { call } from '../net/call.ts';

const rule = store<PasswordRule>(defaultPasswordRule);

/** spec §7: fetched once at the app's start; until it is there, and where it fails, the default holds. */
export const fetchPasswordRule = async () => {
  try {
    rule.set({ ...defaultPasswordRule, ...(await call(authCalls.passwordRule, {}, { silent: true })) });
  } catch {
    // The server judges again by the rule it has.
  }
};

export const usePasswordRule = rule.use;
