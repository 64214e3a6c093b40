import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { StartError } from '../env/start-error.ts';
import type { Database } from './tables.ts';

/** Does not reveal the key. */
export const keyMark = (secretKey: Buffer): string => createHmac('sha256', secretKey).update('farlink installation').digest('hex');

const wrongKeyText =
  'SECRET_KEY is not the key of this database, so its stored secrets cannot be read: set the key of the other processes, or restore DATA_DIR/secret.key.';

/** The first process of an installation marks the database with its key. A process with another key does not start. */
export const checkSecretKey = async (db: Kysely<Database>, secretKey: Buffer, now: number): Promise<void> => {
  const mark = keyMark(secretKey);
  await db
    .insertInto('installation')
    .values({ key_mark: mark, create_at: now })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const { key_mark } = await db.selectFrom('installation').select('key_mark').executeTakeFirstOrThrow();
  if (!timingSafeEqual(Buffer.from(key_mark), Buffer.from(mark))) throw new StartError(wrongKeyText);
};
