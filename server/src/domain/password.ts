import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults, which follow OWASP. */
export const hashPassword = (password: string) => hash(password);
export const passwordMatches = (stored: string, password: string) => verify(stored, password);

/** Costs what a real check costs, so that an unknown account takes as long as a known one. */
let decoy: Promise<string> | undefined;
export const pretendToCheck = async (password: string) => {
  decoy ??= hash('nobody');
  await verify(await decoy, password);
};
