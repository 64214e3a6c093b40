export const authorizations = ['formal', 'test', 'expired', 'suspended'] as const;
export type Authorization = (typeof authorizations)[number];

/** What an authorization is at a moment: the date makes it expire, nobody needs to. */
export const authorizationAt = (auth: Authorization, until: number | null, now: number): Authorization =>
  (auth === 'formal' || auth === 'test') && until !== null && until <= now ? 'expired' : auth;

/** A suspended gateway is not let in; an expired one still tells how it is, but nothing is done for it. */
export const mayConnect = (auth: Authorization) => auth !== 'suspended';
export const mayReceive = (auth: Authorization) => auth === 'formal' || auth === 'test';

/** The outcome of a binding, by the codes of the console. */
export const binding = { normal: 0, unbound: 1, codeError: 2, reset: 3, repeated: 4, waiting: 5, rejected: 6 } as const;
export type Binding = (typeof binding)[keyof typeof binding];
