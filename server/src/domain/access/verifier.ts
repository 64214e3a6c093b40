import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { open } from '../../kit/session/secret.ts';
import type { Access } from './access.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** Cost for the processor of a gateway: 1 MB and a few milliseconds. */
const log2N = 10;

/** Verifier of a password: cost, salt, hash. */
export const verifierOf = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFC'), salt, 32, { N: 2 ** log2N, r: 8, p: 1 });
  return `${log2N}.${salt.toString('base64url')}.${hash.toString('base64url')}`;
};

/** Null: the stored password cannot be opened with the key of this server. */
const newVerifier = async (secretKey: Buffer, password: string): Promise<string | null> => {
  try {
    return await verifierOf(open(secretKey, password));
  } catch {
    return null;
  }
};

/** Verifiers of these accounts. Missing ones are computed and stored for the next time, unless the password changes meanwhile. */
export const ensureVerifiers = async (db: Db, secretKey: Buffer, accounts: readonly Access[]): Promise<ReadonlyMap<number, string>> => {
  const missing = accounts.filter(({ verifier }) => verifier === null);
  const computed = await Promise.all(
    missing.map(async ({ id, password }) => ({ id, password, verifier: await newVerifier(secretKey, password) })),
  );
  const created = computed.flatMap(({ verifier, ...of }) => (verifier === null ? [] : [{ ...of, verifier }]));
  if (created.length > 0)
    await sql`update subscriber s set verifier = v.verifier
      from unnest(${created.map((m) => m.id)}::bigint[], ${created.map((m) => m.password)}::text[], ${created.map((m) => m.verifier)}::text[]) v (id, password, verifier)
      where s.id = v.id and s.password = v.password`.execute(db);
  const stored = accounts.flatMap(({ id, verifier }) => (verifier === null ? [] : [[id, verifier] as const]));
  return new Map([...stored, ...created.map(({ id, verifier }) => [id, verifier] as const)]);
};
