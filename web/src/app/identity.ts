import type { Profile } from '@farlink/contract/auth/auth.ts';
import { createContext, useContext } from 'react';
import type { Session } from '../kit/net/session.ts';

/** The logged-in operator, for the header. */
interface Identity {
  readonly session: Session;
  readonly profile: Profile;
  readonly setProfile: (profile: Profile) => void;
}

export const IdentityContext = createContext<Identity | null>(null);

export const useIdentity = (): Identity => {
  const identity = useContext(IdentityContext);
  if (!identity) throw new Error('useIdentity outside of IdentityContext');
  return identity;
};
