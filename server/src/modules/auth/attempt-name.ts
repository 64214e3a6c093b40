import { addressBlockOf } from '../../kit/http/rate-limit.ts';

/** Attempts from the address of the last login count apart, so a stranger cannot lock the operator out there. */
export const isKnownAddress = ({ last_login_ip }: { readonly last_login_ip: string | null }, ip: string): boolean =>
  last_login_ip !== null && addressBlockOf(last_login_ip) === addressBlockOf(ip);

export const attemptName = (username: string, isKnown: boolean) => `console ${isKnown ? 'known' : 'any'} ${username.toLowerCase()}`;
