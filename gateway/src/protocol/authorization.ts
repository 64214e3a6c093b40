export const authorizations = ['formal', 'test', 'expired', 'suspended'] as const;
export type Authorization = (typeof authorizations)[number];

/** Authorization at a time: it expires by date, without a job. */
export const authorizationAt = (auth: Authorization, until: number | null, now: number): Authorization =>
  (auth === 'formal' || auth === 'test') && until !== null && until <= now ? 'expired' : auth;

/** A suspended gateway cannot connect. An expired one can report, but receives nothing. */
export const mayConnect = (auth: Authorization) => auth !== 'suspended';
export const mayReceive = (auth: Authorization) => auth === 'formal' || auth === 'test';

/** Result of a binding, by the codes of the console. */
export const binding = { normal: 0, unbound: 1, codeError: 2, reset: 3, repeated: 4, waiting: 5, rejected: 6 } as const;
export type Binding = (typeof binding)[keyof typeof binding];
