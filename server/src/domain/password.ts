import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults, which follow OWASP. */
export const hashPassword = (password: string) => hash(password);
export const passwordMatches = (stored: string, password: string) => verify(stored, password);

/** Takes as long as a real check, so that unknown accounts cannot be detected by time. */
let dummyHash: Promise<string> | undefined;
export const checkDummyPassword = async (password: string) => {
  dummyHash ??= hash('nobody');
  await verify(await dummyHash, password);
};
