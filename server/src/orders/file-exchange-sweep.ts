import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';
import { openFileStore } from '../kit/files/open-file-store.ts';

/** Time to claim an uploaded file. */
const keepS = 2 * 86_400;
/** Retention of the result files of a diagnostic. */
const runKeepS = limits.runFileDays * 86_400;

/** The file is deleted before its row, so an interrupted sweep is repeated. */
export const sweepFileExchange = async ({ db, config, clock }: Deps) => {
  const store = openFileStore(config);
  const left = await db
    .selectFrom('depot_upload')
    .select(['id', 'key'])
    .where('claimed', '=', false)
    .where('create_at', '<', clock.now() - keepS)
    .where(sql<boolean>`purpose <> 'run' or create_at < ${clock.now() - runKeepS}`)
    .limit(1000)
    .execute();
  for (const { id, key } of left) {
    await store.remove(key);
    await db.deleteFrom('depot_upload').where('id', '=', id).where('claimed', '=', false).execute();
  }
};
