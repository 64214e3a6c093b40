import { randomUUID } from 'node:crypto';
import type { PublicCtx } from '../../kit/ctx.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { isUpload } from '../../kit/files/upload.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';

const graceS = 3600;

/**
 * Stores a photo under a unique key. Its removal is scheduled before it is stored, outside the caller's transaction, and cancelled inside
 * it. So a failure leaves no unreferenced file.
 */
export const storePhoto = async (
  ctx: Pick<PublicCtx, 'db' | 'deps' | 'now'>,
  photo: unknown,
): Promise<{ photo_key: string; photo_name: string } | undefined> => {
  if (!isUpload(photo)) return undefined;
  const key = `photo/${randomUUID()}.${photo.extension}`;
  const now = ctx.now();
  const removal = await enqueue(ctx.deps.db, now, { kind: 'remove_file', payload: { key }, runAt: now + graceS });
  await openFileStore(ctx.deps.config).put(key, photo.path, photo.size);
  await cancelJob(ctx.db, now, removal);
  return { photo_key: key, photo_name: photo.name };
};
