import { type RouterPass, removeRouterPass, routerPasses } from '../domain/radius/router-pass.ts';
import type { Db } from '../kit/deps.ts';
import type { Login, LoginRequest } from './login-request.ts';
import type { PasswordCache } from './password-cache.ts';

type Proof = ReturnType<LoginRequest['prove']>;

/** One-time passwords that the portal has issued to the locked accounts. */
export interface OneTimePasswords {
  /** Whether this client of this NAS has the right one. A right one is used up, whatever the login comes to. */
  prove(subscriberId: number, login: Login): Proof;
  store(db: Db): Promise<void>;
}

export const loadOneTimePasswords = async (
  db: Db,
  { ids, logins, passwords }: { readonly ids: readonly number[]; readonly logins: readonly Login[]; readonly passwords: PasswordCache },
  now: number,
): Promise<OneTimePasswords> => {
  const isUsed = logins.some(({ nas }) => nas.login_protocol !== 'none');
  let valid: readonly RouterPass[] = isUsed ? await routerPasses(db, ids, now) : [];
  const used: RouterPass[] = [];
  return {
    prove: (subscriberId, { nas, request }) => {
      const pass = valid.find((one) => one.subscriber_id === subscriberId && one.nas_id === nas.id && one.mac === request.mac);
      const password = pass && nas.login_protocol !== 'none' ? passwords.passwordOf(pass.password) : undefined;
      const proof = password === undefined ? { isRight: false } : request.prove(password);
      if (pass && proof.isRight) {
        used.push(pass);
        valid = valid.filter((one) => one !== pass);
      }
      return proof;
    },
    store: async (tx) => {
      for (const pass of used) await removeRouterPass(tx, pass);
    },
  };
};
