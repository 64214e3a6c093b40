import { createHash, scrypt, timingSafeEqual } from 'node:crypto';

const keyBytes = 32;
const maxKnown = 50_000;

/** Results by verifier and password, so that repeated logins of a large fleet cost no scrypt. */
const known = new Map<string, Promise<boolean>>();

const compute = (verifier: string, password: string): Promise<boolean> => {
  const [cost = '', salt = '', hash = ''] = verifier.split('.');
  const N = 2 ** Number(cost);
  const expected = Buffer.from(hash, 'base64url');
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFC'), Buffer.from(salt, 'base64url'), keyBytes, { N, r: 8, p: 1, maxmem: 256 * N * 8 }, (error, key) =>
      error ? reject(error) : resolve(expected.length === key.length && timingSafeEqual(expected, key)),
    ),
  );
};

/** Compares a password with a verifier `<log2 N>.<salt>.<hash>`, salt and hash in base64url. */
export const isPassword = (verifier: string, password: string): Promise<boolean> => {
  const key = createHash('sha256').update(`${verifier}\n${password}`).digest('base64');
  const found = known.get(key);
  if (found) return found;
  const result = compute(verifier, password);
  known.set(key, result);
  result.catch(() => known.delete(key));
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  return result;
};
