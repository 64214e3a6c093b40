import type { Kysely } from 'kysely';
import type { Database } from '../db/tables.ts';

type Db = Kysely<Database>;

const retentionS = 400 * 86_400;
const now = () => Math.floor(Date.now() / 1000);

/** Notes the start of a backup and ends older rows that were interrupted. The caller holds the lock of backups. */
export const recordStart = async (db: Db, fileName: string): Promise<number> => {
  await db
    .updateTable('system_backup')
    .set({ ended_at: now(), result: 'failed', error: 'The backup was interrupted.' })
    .where('ended_at', 'is', null)
    .execute();
  await db
    .deleteFrom('system_backup')
    .where('started_at', '<', now() - retentionS)
    .execute();
  const { id } = await db
    .insertInto('system_backup')
    .values({ started_at: now(), file_name: fileName })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

export const recordDone = async (db: Db, id: number, bytes: number) => {
  await db.updateTable('system_backup').set({ ended_at: now(), bytes, result: 'done' }).where('id', '=', id).execute();
};

export const recordFailed = async (db: Db, id: number, error: string) => {
  await db.updateTable('system_backup').set({ ended_at: now(), result: 'failed', error }).where('id', '=', id).execute();
};

/** In a restored database, the backup that it comes from is still open: it was completed after the copy. */
export const recordRestored = async (db: Db, bytes: number) => {
  await db
    .updateTable('system_backup')
    .set((eb) => ({ ended_at: eb.ref('started_at'), bytes, result: 'done' }))
    .where('ended_at', 'is', null)
    .execute();
};
