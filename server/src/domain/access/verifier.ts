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

/** Verifiers of these accounts. Missing ones are computed and stored for the next time, unless the password changes meanwhile. */
export const ensureVerifiers = async (db: Db, secretKey: Buffer, accounts: readonly Access[]): Promise<ReadonlyMap<number, string>> => {
  const made = await Promise.all(
    accounts.map(async ({ id, password, verifier }) => ({
      id,
      password,
      isNew: verifier === null,
      verifier: verifier ?? (await verifierOf(open(secretKey, password))),
    })),
  );
  const fresh = made.filter(({ isNew }) => isNew);
  if (fresh.length > 0)
    await sql`update subscriber s set verifier = v.verifier
      from unnest(${fresh.map((f) => f.id)}::bigint[], ${fresh.map((f) => f.password)}::text[], ${fresh.map((f) => f.verifier)}::text[]) v (id, password, verifier)
      where s.id = v.id and s.password = v.password`.execute(db);
  return new Map(made.map(({ id, verifier }) => [id, verifier]));
};
