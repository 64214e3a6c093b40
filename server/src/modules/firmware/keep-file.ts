import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../kit/ctx.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Upload } from '../../kit/files/upload.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';

const graceS = 3600;

/** The removal is scheduled before the file exists, and cancelled in the transaction of the caller. So no failure leaves an orphan file. */
export const keepFile = async (ctx: Ctx, { path, size }: Upload): Promise<string> => {
  const key = `firmware/${randomUUID()}`;
  const now = ctx.now();
  const removal = await enqueue(ctx.deps.db, now, { kind: 'remove_file', payload: { key }, runAt: now + graceS });
  await openFileStore(ctx.deps.config).put(key, path, size);
  await cancelJob(ctx.db, now, removal);
  return key;
};

export const dropFile = (ctx: Ctx, key: string) => enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key } });
