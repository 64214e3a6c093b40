import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../env/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

/** Path during the session; after a crash the next start finds it here. */
export const draftPath = (config: Pick<Config, 'dataDir'>, id: number) => join(config.dataDir, 'tmp', `remote-${id}.cast`);

/** Moves the recording to the file store, if there is one. */
export const keepRecording = async ({ config, db }: Pick<Deps, 'config' | 'db'>, id: number) => {
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
