import { randomUUID } from 'node:crypto';
import type { fileCalls } from '@farlink/contract/file/file.ts';
import { fileKinds, kindFits } from '@farlink/contract/file/file-kinds.ts';
import { lengthOf } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt, Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';
import { record } from '../../kit/log/record.ts';
import { withJoined } from './file-chunks.ts';
import { inspectContent } from './inspect-content.ts';

type Input = Parameters<Handler<typeof fileCalls.create>>[1];

interface Whole {
  readonly path: string;
  readonly file_name: string;
  readonly size: number;
  readonly sha256: string;
}

const graceS = 3600;

/**
 * The removal is scheduled before the file exists, and cancelled in the transaction that refers to it. So no failure leaves an orphan file.
 */
const keep = async (ctx: Ctx, { path, size }: Whole) => {
  const key = `file/${randomUUID()}`;
  const removal = await enqueue(ctx.deps.db, ctx.now(), { kind: 'remove_file', payload: { key }, runAt: ctx.now() + graceS });
  await openFileStore(ctx.deps.config).put(key, path, size);
  await cancelJob(ctx.db, ctx.now(), removal);
  return key;
};

const create = async (ctx: Ctx, input: Input, whole: Whole) => {
  const { batch, name, type, remark = null, describe = null } = input;
  const { file_name, size, sha256 } = whole;
  if (!kindFits(type, file_name, size)) throw failAt('file', fileKinds[type].text);
  if (input.sha256 && input.sha256.toLowerCase() !== sha256) throw fail('upload_corrupt');
  const { zip } = await inspectContent(whole.path, file_name, type);
  const logged = { batch, name, type, file_name, size, sha256, remark, describe };
  const { id } = await ctx.db
    .insertInto('file')
    .values({ ...logged, zip, key: await keep(ctx, whole), agent_id: ctx.me.agent_id, operator: ctx.me.name, create_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`上传文件 ${name}`, `Uploaded file ${name}`], { after: logged });
  return { id };
};

const fromChunks = async (ctx: Ctx, input: Input, uploadId: number) => {
  const upload = await ctx.db
    .selectFrom('file_upload')
    .selectAll()
    .where('id', '=', uploadId)
    .where('customer_id', '=', ctx.me.uid)
    .forUpdate()
    .executeTakeFirst();
  if (!upload) throw failAt('file', ['上传已过期，请重新选择文件', 'The upload has expired. Select the file again.']);
  const { id, size, received, part_size, file_name } = upload;
  if (received < size) throw fail('upload_short', { data: { received } });
  const forget = { kind: 'forget_file_upload', payload: { id, part_size, received } };
  try {
    return await withJoined(ctx.deps, upload, async ({ path, sha256 }) => {
      const made = await create(ctx, input, { path, sha256, file_name, size });
      await ctx.db.deleteFrom('file_upload').where('id', '=', id).execute();
      await enqueue(ctx.db, ctx.now(), forget);
      return made;
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Deletes the bad upload, so the next attempt does not resume it. Uses another transaction, because this one is rolled back.
    await enqueue(ctx.deps.db, ctx.now(), forget);
    throw error;
  }
};

export const createFile: Handler<typeof fileCalls.create> = (ctx, input) => {
  if (typeof input.upload_id === 'number') return fromChunks(ctx, input, input.upload_id);
  const { file } = input;
  if (!isUpload(file)) throw failAt('file', ['请选择文件', 'Please choose a file']);
  if (lengthOf(file.name) > 128) throw failAt('file', ['文件名最多128个字符', 'A file name can have at most 128 characters']);
  return create(ctx, input, { path: file.path, file_name: file.name, size: file.size, sha256: file.sha256 });
};
