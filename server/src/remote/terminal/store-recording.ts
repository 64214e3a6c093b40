import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../env/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

/** Path during the session; after a crash the next start finds it here. */
export const draftPath = (config: Pick<Config, 'dataDir'>, id: number) => join(config.dataDir, 'tmp', `remote-${id}.cast`);

/** Moves the recording to the file store, if there is one. */
export const storeRecording = async ({ config, db }: Pick<Deps, 'config' | 'db'>, id: number) => {
  const draft = draftPath(config, id);
  const size = await stat(draft).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return;
  const key = `remote/${id}.cast`;
  await openFileStore(config).put(key, draft, size);
  await db.updateTable('remote_session').set({ recording_key: key, recording_size: size }).where('id', '=', id).execute();
  await rm(draft, { force: true });
};

/** A session that ended this long ago is completed by no other process. */
const completedS = 120;

/** Stores recordings of a killed process: another process may have ended their sessions, but the recordings are in this folder. */
export const recoverRecordings = async (deps: Pick<Deps, 'config' | 'db' | 'clock'>) => {
  const names = await readdir(join(deps.config.dataDir, 'tmp')).catch(() => []);
  const ids = names.flatMap((name) => /^remote-(\d{1,15})\.cast$/.exec(name)?.[1] ?? []).map(Number);
  if (ids.length === 0) return;
  const rows = await deps.db
    .selectFrom('remote_session')
    .select('id')
    .where('id', 'in', ids)
    .where('end_at', '<', deps.clock.now() - completedS)
    .where('recording_key', 'is', null)
    .execute();
  for (const { id } of rows) await storeRecording(deps, id);
};
