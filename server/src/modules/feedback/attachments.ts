import { Readable } from 'node:stream';
import type { feedbackCalls as calls } from '@farlink/contract/feedback/feedback.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { type ZipEntry, zipFiles } from '../../kit/formats/zip-files.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { findFeedback } from './feedback.ts';

/** Images of a feedback in scope. They were re-encoded when submitted, so they are safe to show. */
const imagesOf = async (ctx: Ctx, id: number) => {
  const { create_at } = await findFeedback(ctx, id);
  const images = await ctx.db.selectFrom('feedback_image').selectAll().where('feedback_id', '=', id).orderBy('position').execute();
  const nameOf = ({ position, mime }: (typeof images)[number]) => `feedback-${id}-${position + 1}.${mime === 'image/png' ? 'png' : 'jpg'}`;
  return { images, nameOf, create_at };
};

/** Shown by the browser: without a name, and with the type of the stored image. */
export const previewAttachment: Handler<typeof calls.preview> = async (ctx, { id, image }) => {
  const { images } = await imagesOf(ctx, id);
  const found = images.find(({ position }) => position === (image ?? 0));
  if (!found) throw fail('not_found');
  const body = await openFileStore(ctx.deps.config).get(found.file_key);
  return new FileResponse({ body, type: found.mime, size: found.size });
};

/** One image as it is, several as a ZIP. */
export const downloadAttachments: Handler<typeof calls.attach> = async (ctx, { id }) => {
  const { images, nameOf, create_at } = await imagesOf(ctx, id);
  const [first, ...others] = images;
  if (!first) throw fail('not_found');
  const store = openFileStore(ctx.deps.config);
  if (others.length === 0)
    return new FileResponse({ body: await store.get(first.file_key), type: first.mime, name: nameOf(first), size: first.size });
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const image of images) yield { name: nameOf(image), source: await store.get(image.file_key), at: create_at };
  }
  return new FileResponse({ body: Readable.from(zipFiles(entries())), type: 'application/zip', name: `feedback-${id}.zip` });
};
