import { isRecord } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { removeChunks } from './file-chunks.ts';

/** Deletes abandoned uploads: first the chunks, then the row that refers to them. */
const sweepUploads = async ({ db, config, clock }: Deps) => {
  const store = openFileStore(config);
  const old = await db
    .selectFrom('file_upload')
    .select(['id', 'part_size', 'received'])
    .where('update_at', '<', clock.now() - limits.fileUploadHours * 3600)
    .limit(1000)
    .execute();
  for (const upload of old) {
    await removeChunks(store, upload);
    await db.deleteFrom('file_upload').where('id', '=', upload.id).where('received', '=', upload.received).execute();
  }
};

const numberIn = (payload: unknown, name: string) => {
  const found = isRecord(payload) ? payload[name] : undefined;
  return typeof found === 'number' ? found : Number.NaN;
};

/** Deletes an upload and its chunks, after it became a file or was discarded. */
const forget = async ({ db, config }: Deps, payload: unknown) => {
  const [id, part_size, received] = ['id', 'part_size', 'received'].map((name) => numberIn(payload, name));
  if (!id || !part_size || received === undefined || Number.isNaN(received)) throw new Error('no upload is named');
  await db.deleteFrom('file_upload').where('id', '=', id).execute();
  await removeChunks(openFileStore(config), { id, part_size, received });
};

export const uploadJobs: JobKinds = {
  forget_file_upload: { run: ({ deps, job }) => forget(deps, job.payload) },
  file_upload_sweep: { run: ({ deps }) => sweepUploads(deps), everyS: 3600 },
};
