import type { fileCalls } from '@farlink/contract/file/file.ts';
import { fileKinds, kindFits } from '@farlink/contract/file/file-kinds.ts';
import { limits } from '@farlink/contract/limits.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { chunkKey } from './file-chunks.ts';

/**
 * A large file is sent in chunks of equal size, in order. A new attempt with the same file resumes at the last offset. `POST file` with the
 * upload id creates the file.
 */
export const beginUpload: Handler<typeof fileCalls.begin> = (ctx, { file_name, size, type, mark }) => {
  if (!kindFits(type, file_name, size)) throw failAt('file', fileKinds[type].text);
  const now = ctx.now();
  return ctx.deps.db.transaction().execute(async (db) => {
    const mine = db.selectFrom('file_upload').selectAll().where('customer_id', '=', ctx.me.uid).orderBy('update_at', 'desc').forUpdate();
    const open = await mine.execute();
    const same = open.find((one) => one.mark === mark && one.type === type && one.size === size);
    if (same) {
      await db.updateTable('file_upload').set({ update_at: now }).where('id', '=', same.id).execute();
      return { id: same.id, received: same.received, part_size: same.part_size };
    }
    // The same name with other content starts a new upload. Above the limit, the oldest upload is deleted.
    const gone = open.filter((one, i) => (one.mark === mark && one.type === type) || i >= limits.fileUploads - 1);
    for (const { id, part_size, received } of gone) {
      await db.deleteFrom('file_upload').where('id', '=', id).execute();
      await enqueue(db, now, { kind: 'forget_file_upload', payload: { id, part_size, received } });
    }
    const { id } = await db
      .insertInto('file_upload')
      .values({
        agent_id: ctx.me.agent_id,
        customer_id: ctx.me.uid,
        mark,
        file_name,
        type,
        size,
        part_size: limits.fileChunkBytes,
        create_at: now,
        update_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, received: 0, part_size: limits.fileChunkBytes };
  });
};

export const takeChunk: Handler<typeof fileCalls.uploadChunk> = async (ctx, { id, offset, part }) => {
  const upload = await ctx.db
    .selectFrom('file_upload')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', ctx.me.uid)
    .executeTakeFirst();
  if (!upload) throw fail('not_found');
  if (!isUpload(part)) throw failAt('part', ['请选择文件', 'Please choose a file']);
  const { received, size, part_size } = upload;
  if (offset !== received) throw fail('upload_offset', { data: { received } });
  if (part.size !== Math.min(part_size, size - offset)) throw fail('upload_offset', { data: { received } });
  try {
    await openFileStore(ctx.deps.config).put(chunkKey(id, offset), part.path, part.size);
  } catch (error) {
    // If the caller disconnects, the temporary file of the chunk is deleted; the caller sends it again.
    throw ctx.reply.raw.closed ? fail('unavailable') : error;
  }
  const moved = await ctx.db
    .updateTable('file_upload')
    .set({ received: offset + part.size, update_at: ctx.now() })
    .where('id', '=', id)
    .where('received', '=', offset)
    .returning('received')
    .executeTakeFirst();
  // Another tab sent the same chunk first.
  if (!moved) throw fail('upload_offset', { data: { received: offset + part.size } });
  return { received: moved.received };
};
