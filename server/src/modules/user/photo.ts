import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { findUser } from './find-user.ts';

/** The file is deleted by a job, so only after the change commits. */
export const dropPhoto = async (ctx: Ctx, key: string | null) => {
  if (key) await enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key } });
};

export const readPhoto: Handler<typeof calls.photo> = async (ctx, { id }) => {
  const { photo_key } = await findUser(ctx, id);
  if (!photo_key) throw fail('not_found');
  const store = openFileStore(ctx.deps.config);
  return new FileResponse({
    body: await store.get(photo_key),
    type: photo_key.endsWith('.png') ? 'image/png' : 'image/jpeg',
    size: await store.size(photo_key),
  });
};
