import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../kit/ctx.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Upload } from '../../kit/files/upload.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';

const graceS = 3600;

/** Its removal is ordered before it exists and called off with the caller's change: whatever fails, no file stays that nothing names. */
export const keepFile = async (ctx: Ctx, { path, size }: Upload): Promise<string> => {
  const key = `firmware/${randomUUID()}`;
  const now = ctx.now();
  const removal = await enqueue(ctx.deps.db, now, { kind: 'remove_file', payload: { key }, runAt: now + graceS });
  await openFileStore(ctx.deps.config).put(key, path, size);
  await cancelJob(ctx.db, now, removal);
  return key;
};

export const dropFile = (ctx: Ctx, key: string) => enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key } });
